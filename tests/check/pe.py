#!/usr/bin/env python3
"""The UEFI application as firmware and shim look at it: PE header, sections, SBAT.

usage: pe.py FILE...      Ends with "N passed, N failed".

Firmware that protects memory, and shim since its NX rules, refuse an image whose sections
can be written and executed at once, share a page, or that does not say NX_COMPAT; shim
refuses one without a .sbat section, and one with a section of data that has no bytes behind
the headers ("Section 2 is inside image headers"). Each property is also taken out of a copy of the first
FILE, where it has to be missed."""
import os
import struct
import sys

MOST_BYTES = 512 << 10  # what the application may take on a small EFI partition
PE32_PLUS, AMD64, EFI_APPLICATION = 0x20B, 0x8664, 10
RELOCS_STRIPPED = 0x0001
DYNAMIC_BASE, NX_COMPAT = 0x0040, 0x0100
UNINITIALIZED_DATA = 0x00000080
EXECUTE, WRITE = 0x20000000, 0x80000000
PAGE = 4096
DIRECTORY_RELOC = 5
SBAT_FIELDS = 6  # component, generation, vendor, package, version, URL


class Section:
    def __init__(self, image, at):
        self.at = at
        self.name = image[at:at + 8].rstrip(b"\0").decode("ascii")
        self.virtual_bytes, self.address, self.raw_bytes, self.raw_at = struct.unpack_from(
            "<4I", image, at + 8)
        self.flags, = struct.unpack_from("<I", image, at + 36)


class Pe:
    def __init__(self, image):
        self.image = image
        at, = struct.unpack_from("<I", image, 0x3C)
        if image[:2] != b"MZ" or image[at:at + 4] != b"PE\0\0":
            raise ValueError("no MZ and PE signatures")
        self.machine, count = struct.unpack_from("<HH", image, at + 4)
        optional_bytes, self.characteristics_at = struct.unpack_from("<H", image, at + 20)[0], at + 22
        self.characteristics, = struct.unpack_from("<H", image, self.characteristics_at)
        self.optional = at + 24
        self.magic, = struct.unpack_from("<H", image, self.optional)
        self.entry, = struct.unpack_from("<I", image, self.optional + 16)
        self.alignment, = struct.unpack_from("<I", image, self.optional + 32)
        self.headers_bytes, = struct.unpack_from("<I", image, self.optional + 60)
        self.subsystem, self.dll = struct.unpack_from("<HH", image, self.optional + 68)
        self.reloc, self.reloc_bytes = struct.unpack_from(
            "<II", image, self.optional + 112 + 8 * DIRECTORY_RELOC)
        first = self.optional + optional_bytes
        self.sections = [Section(image, first + 40 * i) for i in range(count)]

    def section(self, name):
        return next((s for s in self.sections if s.name == name), None)


def sbat_lines(pe):
    section = pe.section(".sbat")
    if section is None:
        return []
    text = pe.image[section.raw_at:section.raw_at + min(section.raw_bytes, section.virtual_bytes)]
    return [line.split(",") for line in text.rstrip(b"\0").decode("utf-8").splitlines()]


def is_sbat_right(pe):
    lines = sbat_lines(pe)
    return (len(lines) == 2 and all(len(l) == SBAT_FIELDS and all(l) for l in lines) and
            lines[0][:2] == ["sbat", "1"] and lines[1][0] == "coretruth" and
            lines[1][1].isdigit() and int(lines[1][1]) >= 1)


def lies_apart(pe):
    """Every section starts a page and ends before the next, in memory and in the file."""
    end = 0
    for section in sorted(pe.sections, key=lambda s: s.address):
        if section.address % PAGE or section.address < end:
            return False
        end = section.address + section.virtual_bytes
    return all(s.raw_at + s.raw_bytes <= len(pe.image) for s in pe.sections)


def entry_flags(pe):
    return next((s.flags for s in pe.sections
                 if s.address <= pe.entry < s.address + s.virtual_bytes), 0)


PROPERTIES = {
    "is an x86-64 UEFI application": lambda pe:
        (pe.magic, pe.machine, pe.subsystem) == (PE32_PLUS, AMD64, EFI_APPLICATION),
    "says NX_COMPAT": lambda pe: pe.dll & NX_COMPAT,
    "says DYNAMIC_BASE and has relocations": lambda pe:
        pe.dll & DYNAMIC_BASE and pe.reloc and pe.reloc_bytes and
        not pe.characteristics & RELOCS_STRIPPED,
    "has sections of whole pages": lambda pe: pe.alignment >= PAGE and lies_apart(pe),
    "has its data behind the headers": lambda pe: all(
        s.flags & UNINITIALIZED_DATA or s.raw_bytes and s.raw_at >= pe.headers_bytes
        for s in pe.sections),
    "has no section that is written and executed": lambda pe:
        not any(s.flags & WRITE and s.flags & EXECUTE for s in pe.sections),
    "starts in a section that is executed": lambda pe: entry_flags(pe) & EXECUTE,
    "has SBAT lines for the format and for coretruth": is_sbat_right,
    "keeps its SBAT lines read only": lambda pe: not pe.section(".sbat").flags & (WRITE | EXECUTE),
    "is at most 512 KiB long": lambda pe: len(pe.image) <= MOST_BYTES,
}


def put(pe, form, at, *values):
    image = bytearray(pe.image)
    struct.pack_into(form, image, at, *values)
    return bytes(image)


def spoiled(pe):
    """(property, image in which it is not so)."""
    text, sbat = pe.section(".text"), pe.section(".sbat")
    names = list(PROPERTIES)
    yield names[0], put(pe, "<H", pe.optional + 68, EFI_APPLICATION + 1)
    yield names[1], put(pe, "<H", pe.optional + 70, pe.dll & ~NX_COMPAT)
    yield names[2], put(pe, "<H", pe.optional + 70, pe.dll & ~DYNAMIC_BASE)
    yield names[2], put(pe, "<H", pe.characteristics_at, pe.characteristics | RELOCS_STRIPPED)
    yield names[3], put(pe, "<I", text.at + 12, text.address + 512)
    yield names[3], put(pe, "<I", text.at + 20, len(pe.image))
    yield names[4], put(pe, "<II", sbat.at + 16, 0, 0)
    yield names[4], put(pe, "<I", text.at + 20, pe.headers_bytes - 512)
    yield names[5], put(pe, "<I", text.at + 36, text.flags | WRITE)
    yield names[6], put(pe, "<I", text.at + 36, text.flags & ~EXECUTE)
    yield names[7], put(pe, "<8s", sbat.at, b".sbam")
    yield names[7], put(pe, "<8s", sbat.raw_at, b"sbat,0,x")
    yield names[8], put(pe, "<I", sbat.at + 36, sbat.flags | WRITE)
    yield names[9], pe.image.ljust(MOST_BYTES + 1, b"\0")


def main():
    passed, failures = 0, []
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            pe = Pe(file.read())
        for name, holds in PROPERTIES.items():
            if holds(pe):
                passed += 1
            else:
                failures.append(f"{path}: not so: {name}")
        print(f"{path}: {len(pe.image)} bytes, SBAT {' '.join(','.join(l[:2]) for l in sbat_lines(pe))}")
    with open(sys.argv[1], "rb") as file:
        whole = Pe(file.read())
    missed = set()
    for name, image in spoiled(whole):
        missed.add(name)
        if PROPERTIES[name](Pe(image)):
            failures.append(f"a spoiled copy still passes: {name}")
        else:
            passed += 1
    failures += [f"no copy was spoiled for: {name}" for name in PROPERTIES if name not in missed]
    print("\n".join(failures + [f"{passed} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if len(sys.argv) < 2:
    sys.exit(__doc__)
sys.exit(main())
