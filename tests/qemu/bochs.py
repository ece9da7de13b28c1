"""The command that boots a medium in Bochs instead of QEMU.

A machine is named as its recordings are: MODEL-PxCxT, for P packages of C cores (compute
units in family 15h) of T threads, and the CPU model as Bochs calls it."""
import math
import os
import re

NAME = re.compile(r"([a-z0-9_]+)-(\d+)x(\d+)x(\d+)")
# SeaBIOS's: with Bochs's own, of the package vgabios, GRUB jumps into nowhere as soon as it
# has set a graphics mode (docs/reliability.md).
VGA_BIOS = "/usr/share/seabios/vgabios-stdvga.bin"
# The BIOS counts its waits in instructions, so a fast machine waits long.
INSTRUCTIONS_PER_S = 20_000_000

CONFIGURATION = """\
config_interface: textconfig
display_library: rfb, options="timeout=0"
cpu: model={model}, count={count}, ips={ips}, reset_on_triple_fault=0
megs: 256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file={vga_bios}
pci: enabled=1, chipset=i440fx
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path="{medium}", status=inserted
boot: cdrom
clock: sync=none
sound: driver=dummy, waveoutdrv=dummy, waveindrv=dummy, midioutdrv=dummy
speaker: enabled=0, mode=none
com1: enabled=1, mode=file, dev="{serial}"
log: "{log}"
panic: action=fatal
"""


def cpu_count(machine):
    return math.prod(int(count) for count in NAME.fullmatch(machine).groups()[1:])


def command(out, machine, medium, serial):
    """Writes what Bochs reads into `out`; the command line. ValueError: no such machine."""
    name = NAME.fullmatch(machine)
    if name is None:
        raise ValueError(f"'{machine}' is no Bochs machine; MODEL-PxCxT is, as zambezi-1x2x2")
    files = {key: os.path.join(out, key) for key in ("bochsrc", "bochs.log", "bochs.commands")}
    with open(files["bochsrc"], "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(
            model=name[1], count=":".join(name.groups()[1:]), ips=INSTRUCTIONS_PER_S,
            vga_bios=VGA_BIOS, medium=medium, serial=serial, log=files["bochs.log"]))
    # Debian's has a debugger, which waits for "continue".
    with open(files["bochs.commands"], "w", encoding="ascii") as file:
        file.write("c\n")
    return ["bochs", "-q", "-f", files["bochsrc"], "-rc", files["bochs.commands"]]
