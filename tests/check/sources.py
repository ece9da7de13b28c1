#!/usr/bin/env python3
"""Rules about the sources that a compiler does not know: no unfinished marks, no
disabled code, an opening comment in every file, guards in headers, files of one
subject, and every MSR that is written listed in docs/msr-writes.md.
Ends with "N passed, N failed"."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAX_LINES = 420
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
HARDWARE = ("kernel/cpu/", "kernel/smp/", "kernel/capture/", "kernel/bench/", "kernel/measure/",
            "drivers/", "boot/", "kernel/main.c")


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                         capture_output=True, check=True).stdout
    return [p for p in out.split("\n") if p and os.path.exists(os.path.join(ROOT, p))]


def msr_names():
    """Names of the MSRs that docs/msr-writes.md lists, in the first table column."""
    path = os.path.join(ROOT, "docs/msr-writes.md")
    if not os.path.exists(path):
        return None
    return set(re.findall(r"^\| `(\w+)`", open(path, encoding="utf-8").read(), re.M))


def check_file(path, text):
    problems = []
    lines = text.split("\n")
    if not text.lstrip().startswith(("/*", ";")):
        problems.append("1: no opening comment that says what the file provides")
    if len(lines) > MAX_LINES:
        problems.append(f"{MAX_LINES}: longer than {MAX_LINES} lines: is there a second subject?")
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            problems.append(f"{number}: an unfinished mark")
        if re.match(r"\s*#\s*if\s+0\b", line):
            problems.append(f"{number}: disabled code")
        if len(line) > 110:
            problems.append(f"{number}: longer than 110 columns")
        if "\t" in line and path.endswith((".c", ".h")):
            problems.append(f"{number}: a tab")
    if path.endswith(".h"):
        guard = re.sub(r"\W", "_", path).upper()
        if f"#ifndef {guard}" not in text:
            problems.append(f"1: include guard is not {guard}")
    return problems


def main():
    passed, failures = 0, []
    listed = msr_names()
    for path in tracked():
        if not path.endswith((".c", ".h", ".asm")) or not path.startswith(
                ("boot/", "kernel/", "drivers/", "host/", "tests/")):
            continue
        text = open(os.path.join(ROOT, path), encoding="utf-8").read()
        problems = check_file(path, text)
        if path.startswith(HARDWARE) and listed is not None and path != "kernel/cpu/msr.c":
            for match in re.finditer(r"\bmsr_write\(\s*([^,]+?)\s*,", text):
                name = match[1].strip()
                if name != "uint32_t address" and not (listed and name in listed):
                    line = text.count("\n", 0, match.start()) + 1
                    problems.append(f"{line}: writes MSR {name}, which docs/msr-writes.md does not list")
        failures += [f"{path}:{problem}" for problem in problems]
        passed += not problems
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
