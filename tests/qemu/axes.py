"""Reads case files for tests/qemu/run: a section with axes becomes one case for each
combination of their values.

Axes, their values by blanks: boots, machines, cpus, ram, models, firmware, bochs (machines
by the names of tests/qemu/bochs.py). "models = *"
stands for every model of `qemu -cpu help` (aliases and versions of one name once), but
not for those that follow with a "!"."""
import configparser
import itertools
import os
import re
import subprocess

import bochs

OVMF = "/usr/share/OVMF"
FIRMWARE = {
    "4M": f"{OVMF}/OVMF_CODE_4M.fd,{OVMF}/OVMF_VARS_4M.fd",
    "2M": f"{OVMF}/OVMF_CODE.fd,{OVMF}/OVMF_VARS.fd",
}
# QEMU's threads of more CPUs than this wait for each other longer than they work.
MOST_THREADS = 64
AXES = ("boots", "machines", "cpus", "ram", "models", "firmware", "bochs")


def cpu_models(qemu):
    out = subprocess.run([qemu, "-cpu", "help"], text=True, capture_output=True, check=True).stdout
    names = re.findall(r"^x86 (\S+)", out, re.M)
    # "-v1" is what the plain name stands for, "host" needs another accelerator.
    return [n for n in names if not re.search(r"-v\d+$", n) and n != "host"]


def apply(case, axis, value):
    """The case with one value of one axis."""
    case = dict(case)
    add = ""
    if axis == "boots":
        case["boot"] = value
    elif axis == "machines":
        add = f"-machine {value}"
    elif axis == "cpus":
        add = f"-smp {value}"
        if int(value) > MOST_THREADS:
            add += " -accel tcg,thread=single"
        case.setdefault("online", value)
    elif axis == "ram":
        add = f"-m {value}"
    elif axis == "models":
        add = f"-cpu {value}"
    elif axis == "bochs":
        case["bochs"] = value
        case.setdefault("online", str(bochs.cpu_count(value)))
    elif axis == "firmware":
        case["ovmf"] = FIRMWARE[value]
    case["qemu"] = f"{case.get('qemu', '')} {add}".strip()
    return case


def expand(name, case, qemu):
    """(name, case) for every combination; the name gets the values."""
    axes = [axis for axis in AXES if axis in case]
    values = []
    for axis in axes:
        listed = case.pop(axis).split()
        if listed[0] == "*":
            listed = [m for m in cpu_models(qemu) if "!" + m not in listed]
        values.append(listed)
    for chosen in itertools.product(*values):
        one = case
        for axis, value in zip(axes, chosen):
            one = apply(one, axis, value)
        yield "-".join([name, *chosen]).replace(",", ""), one


def read_file(path, qemu):
    """All cases of a file by name, in its order."""
    config = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    with open(path, encoding="ascii") as file:
        config.read_file(file)
    cases = {}
    for section in config.sections():
        cases.update(expand(section, dict(config[section]), qemu))
    return cases


def default_qemu():
    return os.environ.get("QEMU", "qemu-system-x86_64")
