"""Boots of the image and of its peer, Debian's own kernel, in the same QEMU by the same GRUB:
no menu, and a line on the serial console when GRUB hands over."""
import glob
import os
import re
import select
import subprocess
import time

HANDOFF, SHELL, END = b"PEER-HANDOFF", b"PEER-SHELL", b"PEER-END"
DONE = re.compile(rb"#coretruth done status=(pass|findings|fail)\n")
MODULES = ("normal configfile multiboot2 linux iso9660 serial terminal echo biosdisk all_video "
           "video vbe vga").split()


class Missing(Exception):
    """What the peer needs is not there."""


def tool(*arguments, **more):
    done = subprocess.run(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode:
        raise Missing(f"{arguments[0]}: {done.stdout.strip()[-400:]}")
    return done.stdout


def kernel_package():
    """The package that linux-image-amd64 stands for."""
    found = re.search(r"Depends: (linux-image-\S+)", tool("apt-cache", "depends", "linux-image-amd64"))
    if not found:
        raise Missing("apt-cache knows no linux-image-amd64")
    return found[1]


def fetch_kernel(folder):
    """Debian's kernel image, unpacked and not installed: path and version."""
    os.makedirs(folder, exist_ok=True)
    images = glob.glob(os.path.join(folder, "root/boot/vmlinuz-*"))
    if not images:
        tool("apt-get", "download", kernel_package(), cwd=folder)
        tool("dpkg", "-x", glob.glob(os.path.join(folder, "linux-image-*.deb"))[0],
             os.path.join(folder, "root"))
        images = glob.glob(os.path.join(folder, "root/boot/vmlinuz-*"))
    return images[0], os.path.basename(images[0]).partition("-")[2]


def cpio_entry(name, mode, content):
    """A file of an initramfs: newc, names and contents padded to 4 bytes."""
    fields = [1, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08X" % f for f in fields) + name + b"\0"
    return head + b"\0" * (-len(head) % 4) + content + b"\0" * (-len(content) % 4)


def make_initramfs(source, folder):
    program, path = os.path.join(folder, "init"), os.path.join(folder, "initrd")
    tool("cc", "-O2", "-static", "-o", program, source)
    with open(program, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(cpio_entry(b"init", 0o100755, content) + cpio_entry(b"TRAILER!!!", 0, b""))
    return path


def make_medium(folder, name, files, commands):
    """An ISO that boots by BIOS and does nothing but these commands of GRUB."""
    tree = os.path.join(folder, name)
    os.makedirs(os.path.join(tree, "boot/grub"), exist_ok=True)
    for source, target in files:
        tool("cp", source, os.path.join(tree, "boot", target))
    with open(os.path.join(tree, "boot/grub/grub.cfg"), "w", encoding="ascii") as file:
        file.write("serial --unit=0 --speed=115200\nterminal_output serial\n"
                   f"{commands}\necho {HANDOFF.decode()}\nboot\n")
    early = os.path.join(folder, "early.cfg")
    with open(early, "w", encoding="ascii") as file:
        file.write("set root=cd\nset prefix=(cd)/boot/grub\nnormal /boot/grub/grub.cfg\n")
    tool("grub-mkimage", "-O", "i386-pc-eltorito", "-o", os.path.join(tree, "boot/grub/eltorito.img"),
         "-p", "/boot/grub", "-c", early, *MODULES)
    iso = os.path.join(folder, name + ".iso")
    tool("xorriso", "-as", "mkisofs", "-quiet", "-o", iso, "-r", "-b", "boot/grub/eltorito.img",
         "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", tree)
    return iso


def boot(iso, cpus, until, timeout, log_path):
    """The serial line's bytes, and the time of each mark of `until` (bytes or pattern)."""
    accel = "tcg,thread=single" if cpus > 128 else "tcg"
    command = ["qemu-system-x86_64", "-accel", accel, "-machine", "q35", "-m", "1024",
               "-smp", f"{cpus},sockets=1,cores={cpus},threads=1", "-display", "none", "-no-reboot",
               "-nodefaults", "-vga", "std", "-cdrom", iso, "-serial", "stdio", "-device",
               "isa-debug-exit,iobase=0xf4,iosize=4"]
    log, times, end = b"", {}, time.monotonic() + timeout
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as machine:
        while time.monotonic() < end and until[-1] not in times:
            if not select.select([machine.stdout], [], [], 1)[0]:
                continue
            chunk, now = os.read(machine.stdout.fileno(), 1 << 16), time.monotonic()
            if not chunk:
                break
            log += chunk
            for mark in until:
                if mark not in times and re.search(mark, log[-len(chunk) - 4096:]):
                    times[mark] = now
        machine.kill()
    with open(log_path, "wb") as file:
        file.write(log)
    return log, times


def boot_linux(iso, cpus, timeout, log_path):
    """Seconds from hand-off to the shell, and seconds of the CPUs' bring-up."""
    log, times = boot(iso, cpus, (HANDOFF, SHELL, END), timeout, log_path)
    first = re.search(rb"\[ *(\d+\.\d+)\] smp: Bringing up secondary CPUs", log)
    last = re.search(rb"\[ *(\d+\.\d+)\] smp: Brought up \d+ nodes?, (\d+) CPUs", log)
    if SHELL not in times or not first or not last or int(last[2]) != cpus:
        raise Missing(f"Linux did not come up with {cpus} CPUs within {timeout} s: {log_path}")
    return times[SHELL] - times[HANDOFF], float(last[1]) - float(first[1])
