"""A small client of QEMU's gdbstub: stops the machine at an address and reads what its
CPU holds there. The protocol is GDB's remote serial one (manual, appendix E)."""
import socket
import time

CR3_OFFSET = 204  # bytes: behind flags, selectors and bases (QEMU's i386-64bit.xml)
NAMES = {"rbx": 1, "rcx": 2, "rdx": 3, "rsp": 7, "rip": 16}  # places in the register packet, 8 bytes each
NUMBERS = {"cr4": 30}  # as the same file counts registers


class Stopped(Exception):
    """The machine did not come to where it was waited for."""


class Gdb:
    def __init__(self, path, wait_s=20):
        ends_at = time.monotonic() + wait_s
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > ends_at:
                    raise Stopped(f"nobody answers at {path}") from None
                time.sleep(0.05)
        self.waiting = b""
        self.breakpoints = set()
        self.is_described = False
        self.ask("?")

    def close(self):
        self.socket.close()

    def send(self, text):
        raw = text.encode()
        self.socket.sendall(b"$%s#%02x" % (raw, sum(raw) & 0xFF))

    def receive(self, wait_s):
        """The next packet's text."""
        ends_at = time.monotonic() + wait_s
        while True:
            start = self.waiting.find(b"$")
            end = self.waiting.find(b"#", start)
            if start >= 0 and end >= 0 and len(self.waiting) >= end + 3:
                text = self.waiting[start + 1:end].decode("latin-1")
                self.waiting = self.waiting[end + 3:]
                self.socket.sendall(b"+")
                return text
            left = ends_at - time.monotonic()
            if left <= 0:
                raise Stopped(f"no stop within {wait_s:.0f} s")
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(65536)
            except socket.timeout:
                continue
            if not more:
                raise Stopped("QEMU ended")
            self.waiting += more

    def ask(self, text, wait_s=20):
        self.send(text)
        return self.receive(wait_s)

    def want_ok(self, text):
        answer = self.ask(text)
        if answer != "OK":
            raise Stopped(f"gdbstub answers {text!r} with {answer!r}")

    def monitor(self, command):
        """A command of QEMU's own monitor."""
        answer = self.ask("qRcmd," + command.encode().hex())
        while answer.startswith("O") and answer != "OK":
            answer = self.receive(20)
        if answer != "OK":
            raise Stopped(f"QEMU's monitor answers {command!r} with {answer!r}")

    def break_at(self, address):
        self.want_ok(f"Z0,{address:x},1")
        self.breakpoints.add(address)

    def no_break_at(self, address):
        self.want_ok(f"z0,{address:x},1")
        self.breakpoints.discard(address)

    def step_over(self):
        """A breakpoint where the machine stands would stop it again at once."""
        address = self.register("rip")
        if address in self.breakpoints:
            self.no_break_at(address)
            self.ask("s")
            self.break_at(address)

    def go(self, wait_s):
        """Runs until a breakpoint; its address. The CPU that stopped is the chosen one."""
        self.step_over()
        answer = self.ask("c", wait_s)
        if answer[:1] not in "TS":
            raise Stopped(f"the machine ended: {answer!r}")
        if "thread:" in answer:
            self.want_ok("Hg" + answer.split("thread:")[1].split(";")[0])
        return self.register("rip")

    def leave_running(self):
        self.step_over()
        self.send("c")

    def stop(self):
        self.socket.sendall(b"\x03")
        self.receive(20)

    def registers(self):
        return bytes.fromhex(self.ask("g"))

    def register(self, name):
        at = NAMES[name] * 8
        return int.from_bytes(self.registers()[at:at + 8], "little")

    def describe_registers(self):
        """Single registers are answered only to who has asked what there is."""
        if not self.is_described:
            self.is_described = self.ask("qXfer:features:read:target.xml:0,ffb")[:1] in "lm"

    def read_register(self, name):
        self.describe_registers()
        return int.from_bytes(bytes.fromhex(self.ask(f"p{NUMBERS[name]:x}")), "little")

    def write_register(self, name, value):
        self.describe_registers()
        self.want_ok(f"P{NUMBERS[name]:x}=" + value.to_bytes(8, "little").hex())

    def page_tables(self):
        """CR3, the physical address of the top level."""
        return int.from_bytes(self.registers()[CR3_OFFSET:CR3_OFFSET + 8], "little") & ~0xFFF
