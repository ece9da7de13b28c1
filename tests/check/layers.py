#!/usr/bin/env python3
"""Compares every #include of the project with the layer table of ARCHITECTURE.md.

The table's first and last column are the rule: a file may include its own folder
and the folders named there ("cpu" stands for kernel/cpu, and so on). Prints one
line per claim and ends with "N passed, N failed"."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROW = re.compile(r"^\| (.+?) \| (pure|hardware|–|host) \| (.+?) \| (.+?) \|$")


def folder_of(word, folders):
    """The folder a short word of the table means: "lib" is kernel/lib."""
    for folder in folders:
        if folder == word or folder.split("/")[-1] == word:
            return folder
    return None


def read_table():
    rows = {}
    for line in open(os.path.join(ROOT, "ARCHITECTURE.md"), encoding="utf-8"):
        match = ROW.match(line.rstrip("\n"))
        if match:
            for name in re.findall(r"`([^`]+?)/?`", match[1]):
                rows[name] = (match[2], match[4])
    if not rows:
        sys.exit("layers: ARCHITECTURE.md has no layer table")
    folders = [name for name in rows if not name.endswith(".c")]
    allowed = {}
    for name, (_, words) in rows.items():
        folders_allowed, files_allowed = {name}, set()
        if words.strip() == "all":
            folders_allowed.update(folders)
        if "all pure folders" in words:
            folders_allowed.update(f for f in folders if rows[f][0] == "pure")
        for word in re.split(r"[,\s]+", words.replace("`", "")):
            folder = folder_of(word.rstrip("/"), folders)
            if folder:
                folders_allowed.add(folder)
            elif word.endswith(".h"):
                files_allowed.add("kernel/" + word)
        allowed[name] = (folders_allowed, files_allowed)
    return rows, allowed


def owner(path, rows):
    """The row a file belongs to: its own name first, then the longest folder."""
    if path in rows:
        return path
    folder = os.path.dirname(path)
    while folder and folder not in rows:
        folder = os.path.dirname(folder)
    return folder or None


def main():
    rows, allowed = read_table()
    passed, failures = 0, []
    for top in ("boot", "kernel", "drivers", "host"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.relpath(os.path.join(folder, name), ROOT)
                row = owner(path, rows)
                if row is None:
                    failures.append(f"{path}: its folder is not in the table of ARCHITECTURE.md")
                    continue
                for number, line in enumerate(open(os.path.join(ROOT, path), encoding="utf-8"), 1):
                    match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                    if not match:
                        continue
                    target = match[1]
                    target_row = owner(target, rows)
                    folders, files = allowed[row]
                    if "/" not in target:
                        failures.append(f'{path}:{number}: "{target}" is not a full path')
                    elif target.startswith("build/") or target_row in folders or target in files:
                        passed += 1
                    else:
                        failures.append(f"{path}:{number}: {row} may not include {target}")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
