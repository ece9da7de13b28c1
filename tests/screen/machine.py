"""One QEMU machine with a screen that is looked at through QMP: boots as tests/qemu/boot
does, but without the debug exit device, so that the last page stays."""
import importlib.machinery
import importlib.util
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import threading
import time

ENVIRONMENT = threading.Lock()  # the boot script takes its wishes from there
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def load_boot():
    sys.path.append(os.path.join(ROOT, "tests/qemu"))  # what the script itself imports
    loader = importlib.machinery.SourceFileLoader("boot", os.path.join(ROOT, "tests/qemu/boot"))
    spec = importlib.util.spec_from_loader("boot", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Picture:
    """A screendump (PPM) in memory."""
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height = int(head[1]), int(head[2])
        self.bytes = data[head.end():]

    def pixel(self, x, y):
        at = (y * self.width + x) * 3
        return tuple(self.bytes[at:at + 3])

    def glyph(self, x, y, width, height):
        """A character cell as rows of bits: 1 where a pixel differs from the corner."""
        paper = self.pixel(x, y)
        return tuple(tuple(int(self.pixel(x + i, y + k) != paper) for i in range(width))
                     for k in range(height))


class Machine:
    """Use as a context: the machine ends with it."""
    def __init__(self, out, kind="bios-iso", mode=None, cmdline="run=topology", qemu="", stick="",
                 config=None):
        self.module = load_boot()
        env = {"BOOT": kind, "OUT": out, "CMDLINE": cmdline, "QEMU_ARGS": qemu, "STICK": stick}
        with ENVIRONMENT:
            old = {name: os.environ.get(name) for name in env}
            os.environ.update(env)
            self.boot = self.module.Boot()
            for name, value in old.items():
                if value is None:
                    os.environ.pop(name)
                else:
                    os.environ[name] = value
        self.mode, self.config, self.out = mode, config, out

    def prepare(self):
        if self.config is not None:
            self.boot.cmdline = self.config
        self.boot.prepare()
        if self.mode:
            with open(self.boot.medium, "r+b") as file:
                image = file.read()
                # GRUB's multiboot2 command sets gfxpayload itself: ours comes after it.
                at = image.index(b"{ multiboot2 /boot/kernel.elf")
                end = image.index(b"\n", at)
                line = image[at:end].rstrip()[:-1] + b"set gfxpayload=" + self.mode.encode() + b"; }"
                file.seek(at)
                file.write(line.ljust(end - at))

    def __enter__(self):
        self.prepare()
        path = os.path.join(self.out, "qmp")
        if os.path.exists(path):
            os.remove(path)
        command = self.boot.command()
        at = command.index("isa-debug-exit,iobase=0xf4,iosize=4")
        del command[at - 1:at + 1]
        command[command.index("-vga") + 1] = "none"
        at = command.index("-serial")
        command[at:at + 2] = ["-chardev", f"socket,id=line,path={self.out}/line,server=on,wait=off,"
                              f"logfile={self.boot.path('serial.log')}", "-serial", "chardev:line"]
        command += ["-device", "VGA,vgamem_mb=64"]
        command += ["-qmp", f"unix:{path},server=on,wait=off"]
        self.log = open(os.path.join(self.out, "qemu.log"), "wb")
        self.log.write((shlex.join(command) + "\n").encode())
        self.log.flush()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log)
        for _ in range(100):
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.1)
        self.lines = self.socket.makefile("rw", encoding="utf-8")
        self.lines.readline()
        self.ask("qmp_capabilities")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.socket.close()
        self.log.close()

    def ask(self, command, **arguments):
        self.lines.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if "return" in answer or "error" in answer:
                return answer

    def serial(self):
        try:
            with open(os.path.join(self.out, "serial.log"), "rb") as file:
                return file.read()
        except OSError:
            return b""

    def send(self, text):
        """Keys typed at the other end of the serial line."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(os.path.join(self.out, "line"))
            line.sendall(text.encode("ascii"))
            time.sleep(1)

    def wait_for(self, what, seconds):
        """True when the serial line has said it (a regular expression) within the bound."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if re.search(what, self.serial()):
                return True
            time.sleep(0.1)
        return re.search(what, self.serial()) is not None

    def shot(self, name):
        """A picture of the screen as it is now, kept as NAME.png and NAME.ppm."""
        base = os.path.join(self.out, name)
        self.ask("screendump", filename=base + ".png", format="png")
        self.ask("screendump", filename=base + ".ppm")
        return Picture(base + ".ppm")

    def settled(self, name, seconds=10):
        """The picture once it no longer changes."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            picture = self.shot(name)
            if last == picture.bytes:
                break
            last = picture.bytes
            time.sleep(0.5)
        return picture

    def key(self, code):
        self.ask("send-key", keys=[{"type": "qcode", "data": code}])
