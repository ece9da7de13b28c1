#!/usr/bin/env python3
"""Compares the WRMSR instructions in the image's object files with the second table of
docs/msr-writes.md, which names the sources that have one.

usage: wrmsr.py BUILD      Ends with "N passed, N failed"."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPCODE = b"\x0f\x30"
# Code of 16 and 32 bits: a disassembler would have to be told where which begins.
MIXED = {"kernel/smp/trampoline.asm", "boot/grub/entry.asm"}
THROUGH_FUNCTION = {"kernel/cpu/vectors.asm"}  # msr_write(), whose calls sources.py compares


def listed_sources():
    text = open(os.path.join(ROOT, "docs/msr-writes.md"), encoding="utf-8").read()
    return set(re.findall(r"^\| ([\w/]+\.(?:asm|c)) \|", text.split("## Direct", 1)[1], re.M))


def section_bytes(path):
    """What the object puts into the image: its code and constants."""
    out = subprocess.run(["llvm-objdump", "-s", "-j", ".text", "-j", ".rodata", "-j", ".trampoline",
                          path], text=True, capture_output=True).stdout
    rows = re.findall(r"^ [0-9a-f]+ ((?:[0-9a-f]+ ){1,4})", out, re.M)
    return bytes.fromhex("".join(row.replace(" ", "") for row in rows))


def has_wrmsr(path, source):
    if source in MIXED:
        return OPCODE in section_bytes(path)
    out = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", path], text=True,
                         capture_output=True, check=True).stdout
    return re.search(r"\bwrmsr\b", out) is not None


def source_of(path, top):
    name = os.path.relpath(path, top)[:-2]
    return name if name.endswith(".asm") else name + ".c"


def main():
    build, listed = sys.argv[1], listed_sources()
    passed, failures, seen = 0, [], set()
    for part in ("kernel", "app"):
        top = os.path.join(build, part)
        for folder, _, files in os.walk(top):
            for name in sorted(f for f in files if f.endswith(".o")):
                path = os.path.join(folder, name)
                source = source_of(path, top)
                if not os.path.exists(os.path.join(ROOT, source)):
                    continue
                writes = has_wrmsr(path, source)
                seen |= {source} if writes else set()
                if writes and source not in listed | THROUGH_FUNCTION:
                    failures.append(f"{source}: has a WRMSR that docs/msr-writes.md does not list")
                else:
                    passed += 1
    failures += [f"docs/msr-writes.md lists {s}, whose object has no WRMSR" for s in sorted(listed - seen)]
    if not seen:
        failures.append(f"{build} has no object with WRMSR: is it built?")
    print("\n".join(failures + [f"{passed} passed, {len(failures)} failed"]))
    return 1 if failures else 0


sys.exit(main())
