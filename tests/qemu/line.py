"""A serial line that drains slowly: QEMU's UART is a socket, and this reads it at a given
rate into serial.log. Each byte takes most of a KiB of the socket's buffer, so some hundred
bytes wait in it at most; then the UART's holding register stays full, as behind a real line."""
import os
import re
import socket
import threading
import time

STALL_AFTER_BYTES, STEP_S, WAIT_S = 2000, 0.02, 20


class SlowLine(threading.Thread):
    def __init__(self, folder, rate, stall_s):
        super().__init__(daemon=True)
        self.folder, self.rate, self.stall_s = folder, rate, stall_s
        self.is_over = False

    @classmethod
    def of_text(cls, text, folder):
        """None for an empty text."""
        if not text:
            return None
        parts = re.fullmatch(r"(\d+)(?:,stall=(\d+))?", text)
        if not parts:
            raise SystemExit(f"boot: LINE={text} is not BYTES or BYTES,stall=SECONDS")
        return cls(folder, int(parts[1]), int(parts[2] or 0))

    def path(self):
        return os.path.join(self.folder, "line")

    def arguments(self):
        if os.path.exists(self.path()):
            os.remove(self.path())
        return ["-chardev", f"socket,id=line,path={self.path()},server=on,wait=on",
                "-serial", "chardev:line"]

    def connect(self):
        ends_at = time.monotonic() + WAIT_S
        line = socket.socket(socket.AF_UNIX)
        while True:
            try:
                line.connect(self.path())
                return line
            except OSError:
                if time.monotonic() > ends_at:
                    raise
                time.sleep(0.05)

    def run(self):
        """The rate is kept over all that is sent, not over each read: a read that came late
        does not slow the line."""
        taken, stall_s, begin = 0, self.stall_s, None
        with self.connect() as line, \
                open(os.path.join(self.folder, "serial.log"), "wb", buffering=0) as log:
            while True:
                allowed = 1 if begin is None else int((time.monotonic() - begin) * self.rate) - taken
                if self.is_over:
                    allowed = 65536
                if allowed < 1:
                    time.sleep(STEP_S)
                    continue
                more = line.recv(min(allowed, 65536))
                if not more:
                    return
                # An idle line saves nothing up.
                now = time.monotonic()
                if begin is None or (now - begin) * self.rate > taken + self.rate * 2 * STEP_S:
                    begin = now - taken / self.rate
                taken += len(more)
                log.write(more)
                if stall_s and taken >= STALL_AFTER_BYTES:
                    time.sleep(stall_s)
                    stall_s, begin = 0, time.monotonic() - taken / self.rate

    def finish(self):
        """What is still on its way when the machine has ended."""
        self.is_over = True
        self.join(WAIT_S)
