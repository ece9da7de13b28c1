"""The first bytes of the image's entries, by which they are found in a machine's RAM."""
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE_BYTES = 40  # enough to be found nowhere else


def word(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def elf_code(path, address, is_physical):
    """The bytes at an address of an ELF file."""
    with open(path, "rb") as file:
        elf = file.read()
    header, size, count = word(elf, 32, 8), word(elf, 54, 2), word(elf, 56, 2)
    for at in range(header, header + size * count, size):
        offset, virtual, physical, length = (word(elf, at + 8 * n, 8) for n in (1, 2, 3, 4))
        start = physical if is_physical else virtual
        if start <= address < start + length:
            return elf[offset + address - start:][:CODE_BYTES]
    raise RuntimeError(f"{path} has nothing at 0x{address:x}")


def kernel_entry_code():
    path = os.path.join(ROOT, "build/kernel.elf")
    with open(path, "rb") as file:
        return elf_code(path, word(file.read(64), 24, 8), False)


def bios_entry_code():
    """The code that GRUB jumps to, and the address in Multiboot2 header tag 3. [mb2 3.1.5]"""
    path = os.path.join(ROOT, "build/kernel.elf")
    with open(path, "rb") as file:
        elf = file.read()
    at = elf.index((0xE85250D6).to_bytes(4, "little")) + 16
    while word(elf, at, 2) != 3:
        at += (word(elf, at + 4, 4) + 7) & ~7
    address = word(elf, at + 8, 4)
    return elf_code(path, address, True), address


def application_entry_code():
    with open(os.path.join(ROOT, "build/coretruth.efi"), "rb") as file:
        pe = file.read()
    at = word(pe, 60, 4)
    entry, sections, optional = word(pe, at + 40, 4), word(pe, at + 6, 2), word(pe, at + 20, 2)
    for section in range(at + 24 + optional, at + 24 + optional + 40 * sections, 40):
        size, address, _, raw = (word(pe, section + 8 + 4 * n, 4) for n in range(4))
        if address <= entry < address + size:
            return pe[raw + entry - address:][:CODE_BYTES]
    raise RuntimeError("coretruth.efi has no code at its entry")
