"""Breaks the ACPI tables that a BIOS made, or the loader's memory map, in the machine's RAM, at the moment when the loader
hands over: QEMU's -acpitable only adds tables behind its own, and the image takes the first
of a kind."""
import os
import subprocess

import gdb
from entries import ROOT, bios_entry_code, word

RAM_BYTES = 256 << 20
GRUB_LOADS_AT = 0x100000       # the lowest address that the image's header allows
TEXT_OFFSET = 0x200000         # the image's own idea of where it lies: linker.ld
RSDP_BYTES, HEADER_BYTES, PAGE = 20, 36, 4096
NOWHERE = 0xFEDCB000
CR4_LA57 = 1 << 12
PIT_CHANNEL0 = 0x40


def arguments(folder):
    """RAM as a file, the CPU stopped, a gdbstub."""
    return ["-m", str(RAM_BYTES >> 20), "-machine", "memory-backend=primary", "-object",
            f"memory-backend-file,id=primary,size={RAM_BYTES},share=on,mem-path={folder}/ram",
            "-S", "-gdb", f"unix:{folder}/gdb,server=on,wait=off"]


def stop_at_handover(stub, ram, wait_s):
    """Runs until GRUB jumps to the image."""
    code, address = bios_entry_code()
    at = GRUB_LOADS_AT + address - TEXT_OFFSET
    stub.break_at(at)
    while stub.go(wait_s) != at or ram[at:at + len(code)] != code:
        pass
    stub.no_break_at(at)


def set_la57(stub):
    """Paging is off at the hand-over; what stays in CR4 counts when it is switched on."""
    stub.write_register("cr4", stub.read_register("cr4") | CR4_LA57)
    if not stub.read_register("cr4") & CR4_LA57:
        raise gdb.Stopped("CR4.LA57 cannot be set")


class BootInformation:
    """The Multiboot2 tags that GRUB hands over. [mb2 3.6]"""
    MEMORY_MAP, ENTRY_BYTES, AVAILABLE, RESERVED = 6, 24, 1, 2

    def __init__(self, ram, at):
        self.ram, self.at = ram, at

    def ranges(self):
        """Where each range of the memory map stands."""
        at = self.at + 8
        while word(self.ram, at, 4) != self.MEMORY_MAP:
            if word(self.ram, at, 4) == 0:
                raise gdb.Stopped("the loader gave no memory map")
            at += (word(self.ram, at + 4, 4) + 7) & ~7
        return range(at + 16, at + word(self.ram, at + 4, 4), self.ENTRY_BYTES)

    def reserve(self, start, end):
        """Every available range that has bytes of these is called reserved."""
        for at in self.ranges():
            base, size, kind = (word(self.ram, at + n, width) for n, width in
                                ((0, 8), (8, 8), (16, 4)))
            if kind == self.AVAILABLE and base < end and start < base + size:
                self.ram[at + 16:at + 20] = self.RESERVED.to_bytes(4, "little")

    # -- defects -------------------------------------------------------------------------
    def map_no_low_memory(self):
        self.reserve(0, 1 << 20)

    def entry(self, at):
        return bytes(self.ram[at:at + self.ENTRY_BYTES])

    def map_unsorted(self):
        """The first and the last entry change places."""
        first, last = self.ranges()[0], self.ranges()[-1]
        self.ram[first:first + self.ENTRY_BYTES], self.ram[last:last + self.ENTRY_BYTES] = \
            self.entry(last), self.entry(first)

    def map_overlapping(self):
        """The last entry, which is reserved, says it covers 1 MiB in the middle of RAM."""
        at = self.ranges()[-1]
        self.ram[at:at + 16] = (RAM_BYTES // 2).to_bytes(8, "little") + (1 << 20).to_bytes(8, "little")

    def map_empty(self):
        self.ram[self.ranges()[-1] + 8:self.ranges()[-1] + 16] = bytes(8)

    def map_endless(self):
        self.ram[self.ranges()[-1] + 8:self.ranges()[-1] + 16] = b"\xff" * 8

    def map_image_reserved(self):
        """A range of its own, the last: from the image's first page into its middle."""
        at = self.ranges()[-1]
        self.ram[at:at + 20] = (GRUB_LOADS_AT.to_bytes(8, "little") + (256 << 10).to_bytes(8, "little") +
                                self.RESERVED.to_bytes(4, "little"))


def set_sum(ram, start, length, at):
    ram[at] = 0
    ram[at] = -sum(ram[start:start + length]) & 0xFF


class Tables:
    """The tables as they lie in RAM."""
    def __init__(self, ram):
        self.ram = ram
        self.pointers = [at for at in self.find_all(b"RSD PTR ")
                         if sum(ram[at:at + RSDP_BYTES]) & 0xFF == 0]
        if not self.pointers:
            raise gdb.Stopped("no RSDP in RAM")
        self.root = word(ram, self.pointers[0] + 16, 4)
        self.root_bytes = word(ram, self.root + 4, 4)

    def find_all(self, text):
        at = self.ram.find(text)
        while at >= 0:
            yield at
            at = self.ram.find(text, at + 1)

    def entries(self):
        return range(self.root + HEADER_BYTES, self.root + self.root_bytes, 4)

    def entry_of(self, signature):
        """Where the root table points to that table."""
        for at in self.entries():
            table = word(self.ram, at, 4)
            if self.ram[table:table + 4] == signature:
                return at
        raise gdb.Stopped(f"the BIOS made no {signature}")

    def put(self, at, value):
        self.ram[at:at + 4] = value.to_bytes(4, "little")
        if at in self.entries():
            set_sum(self.ram, self.root, self.root_bytes, self.root + 9)

    # -- no table: the image's own code -------------------------------------------------
    def msrs_refused(self):
        """RDMSR in msr_read() (kernel/cpu/vectors.asm) becomes XGETBV, which takes a #GP for a
        number above 1. [intel/vol2 XGETBV]"""
        before, after = b"\x89\xf9", b"\x89\x06\x89\x56\x04" # mov ecx, edi; mov [rsi], eax; …
        found = list(self.find_all(before + b"\x0f\x32" + after))
        if not found:
            raise gdb.Stopped("no RDMSR of msr_read() in RAM")
        for at in found:
            self.ram[at + 2:at + 5] = b"\x0f\x01\xd0"

    # -- defects: the RSDP -------------------------------------------------------------
    def rsdp_bad_sum(self):
        for at in self.pointers:
            self.ram[at + 8] ^= 0x55

    def rsdp_nowhere(self):
        for at in self.pointers:
            self.put(at + 16, NOWHERE)
            set_sum(self.ram, at, RSDP_BYTES, at + 8)

    # -- the root table ----------------------------------------------------------------
    def root_loop(self):
        """Each entry is the root table itself."""
        for at in self.entries():
            self.put(at, self.root)

    def root_same(self):
        """Each entry is the MADT."""
        madt = word(self.ram, self.entry_of(b"APIC"), 4)
        for at in self.entries():
            self.put(at, madt)

    def root_length_0(self):
        self.ram[self.root + 4:self.root + 8] = bytes(4)

    def root_length_4g(self):
        self.ram[self.root + 4:self.root + 8] = (0xFFFFFFF0).to_bytes(4, "little")

    def root_bad_sum(self):
        self.ram[self.root + 9] ^= 0x55

    # -- one table ---------------------------------------------------------------------
    def madt_missing(self):
        self.put(self.entry_of(b"APIC"), word(self.ram, self.entry_of(b"FACP"), 4))

    def fadt_missing(self):
        self.put(self.entry_of(b"FACP"), word(self.ram, self.entry_of(b"APIC"), 4))

    def fadt_timer_lies(self):
        """The PM timer's port is that of the PIT's channel 0, which runs at a third of the rate,
        down, and shows one byte of its count at a time. [acpi 5.2.9: PM_TMR_BLK, X_PM_TMR_BLK]"""
        table = word(self.ram, self.entry_of(b"FACP"), 4)
        length = word(self.ram, table + 4, 4)
        self.ram[table + 76:table + 80] = PIT_CHANNEL0.to_bytes(4, "little")
        if length >= 220:
            self.ram[table + 212:table + 220] = PIT_CHANNEL0.to_bytes(8, "little")
        set_sum(self.ram, table, length, table + 9)

    def room(self, size):
        """Untouched bytes above the tables: a BIOS keeps the last 128 KiB for them."""
        zeros = bytes(size)
        at = self.ram.find(zeros, RAM_BYTES - (128 << 10))
        if at < 0:
            raise gdb.Stopped(f"no room for {size} bytes among the tables")
        return (at + 15) & ~15

    def replace(self, kind, folder):
        """A table of tests/qemu/tables takes the place of the BIOS's own."""
        path = os.path.join(folder, f"primary-{kind}")
        subprocess.run([os.path.join(ROOT, "tests/qemu/tables"), kind, path], check=True)
        with open(path, "rb") as file:
            table = file.read()
        entry = self.entry_of(table[:4])
        at = self.room(len(table) + 16)
        self.ram[at:at + len(table)] = table
        self.put(entry, at)


# What firmware may leave behind in a device, as commands of QEMU's monitor.
DEVICES = {
    # 6300ESB at 00:05.0: WDT_ENABLE in its lock register, offset 0x68
    "esb-armed": ("o /w 0xcf8 0x80002868", "o /b 0xcfc 0x02"),
}


def break_tables(stub, ram, kinds, folder):
    """At the loader's jump: EBX says where its tags lie."""
    tables, information = Tables(ram), BootInformation(ram, stub.register("rbx") & 0xFFFFFFFF)
    for kind in kinds:
        if kind in DEVICES:
            for command in DEVICES[kind]:
                stub.monitor(command)
            continue
        defect = getattr(information if kind.startswith("map-") else tables,
                         kind.replace("-", "_"), None)
        if defect:
            defect()
        else:
            tables.replace(kind, folder)
