"""A guest that runs a whole system from its own disk: systemd, udev, a network, and a shell on a console of its own.

Its power can be cut, its network cable pulled, and its clock set wrong before it starts.
"""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import emulator
from kernel import Kernel

from tests.ports import free_port

PATIENCE = 900.0
"""Seconds after which anything counts as never coming; generous, because nothing is measured by it."""
SHELL = "systemd.debug_shell=hvc0 systemd.mask=serial-getty@hvc0.service"
"""Kernel options for a shell on that console without a login, which would end the shell and what it runs."""
REST = 4.0
"""Seconds between two looks: each takes processor time from the guest."""


class GuestError(Exception):
    """The guest does not do what it should; the text says what it printed last."""


class Booted:
    """One start of the guest, until its power is cut.

    ``clock`` is the time on its clock chip when it starts, e.g. ``2000-01-01T00:00:00`` (empty: the right one);
    ``plugged`` is False if its network cable is to be plugged in later.  Its pages are at ``port`` of this machine.
    """

    def __init__(
        self, kernel: Kernel, ramdisk: Path, image: Path, folder: Path, *, clock: str = "", plugged: bool = True
    ) -> None:
        self.port, self._said = free_port(), folder / "console.txt"
        shell, monitor = folder / "shell", folder / "monitor"
        command = [
            *emulator.qemu(kernel, ramdisk, SHELL),
            "-drive", f"file={image},format=raw,if=virtio",
            "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:8080",
            "-device", "virtio-net-pci,netdev=net,id=card,romfile=",
            "-serial", f"file:{self._said}",
            # Not a serial port: the emulated one loses an interrupt from time to time, and is then silent for good.
            "-chardev", f"socket,id=shell,path={shell},server=on,wait=off",
            "-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell",
            "-monitor", f"unix:{monitor},server=on,wait=off",
            *(["-rtc", f"base={clock}"] if clock else []),
        ]  # fmt: skip
        self._guest = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._monitor = self._line(monitor)
        if not plugged:
            self.plug(False)
        self._shell, self._read, self._count = self._line(shell), b"", 0

    def _line(self, path: Path) -> socket.socket:
        """Return a connection to one of QEMU's sockets, which appear a moment after QEMU has started."""
        line = socket.socket(socket.AF_UNIX)
        until(lambda: self._connects(line, path), f"QEMU's {path.name}")
        return line

    def _connects(self, line: socket.socket, path: Path) -> bool:
        if self._guest.poll() is not None:
            raise GuestError(f"QEMU ended with status {self._guest.returncode}")
        try:
            line.connect(str(path))
        except OSError:
            return False
        return True

    def plug(self, there: bool) -> None:
        """Plug the network cable in (``there``), or pull it."""
        self._monitor.sendall(f"set_link card {'on' if there else 'off'}\n".encode())

    def cut(self) -> None:
        """Cut the power: what the system has not yet written to its disk is lost."""
        self._guest.kill()
        self._guest.wait()
        self._monitor.close()
        self._shell.close()

    def up(self) -> None:
        """Wait until the system's shell answers."""
        said = b""

        def answers() -> bool:
            nonlocal said
            self._shell.settimeout(5.0)
            self._shell.sendall(b"exec sh\nstty -echo; PS1=; PS2=; echo hello $((6*7))\n")
            with suppress(TimeoutError):
                said += self._shell.recv(65536)
            return b"hello 42" in said

        until(answers, "a shell in the guest")
        self.run("true")

    def run(self, command: str, status: int | None = 0) -> str:
        """Run a command in the system's shell and return its output.

        Raises GuestError if its exit status is not ``status`` (None: any).
        """
        self._count += 1
        end = re.compile(rf"^=end {self._count} (\d+)=\r?\n", re.M)
        self._shell.settimeout(PATIENCE)
        self._shell.sendall(f"{{ {command}\n}} 2>&1 </dev/null; echo; echo =end {self._count} $?=\n".encode())
        said = ""
        while (found := end.search(said)) is None:
            try:
                part = self._shell.recv(65536)
            except TimeoutError:
                part = b""
            if not part:
                raise GuestError(f"{command}: no end after {PATIENCE:.0f} s: {said[-2000:]}")
            self._read += part
            said = self._read.decode(errors="replace")
        told = said[: found.start()].replace("\r\n", "\n").strip("\n")
        self._read = b""
        if status is not None and int(found[1]) != status:
            raise GuestError(f"{command}: status {found[1]}: {told[-2000:]}")
        return told


def until(what: Callable[[], object], name: str, rest: float = 0.2) -> None:
    """Wait until ``what`` is true.  Raises GuestError, with its name, if it never is."""
    begun = time.monotonic()
    while not what():
        if time.monotonic() > begun + PATIENCE:
            raise GuestError(f"this never came: {name}")
        time.sleep(rest)
