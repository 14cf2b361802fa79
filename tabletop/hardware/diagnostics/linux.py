"""Facts about the machine from Linux's small files (``/proc``, ``/sys``); a test gives another root."""

from __future__ import annotations

import platform
import re
from pathlib import Path

ROOT = Path("/")


def text_of(path: str, root: Path = ROOT) -> str:
    """Return a small file's text without trailing zeros and blanks; empty if it is not there."""
    try:
        return (root / path).read_text("utf-8", "replace").strip("\0 \n")
    except OSError:
        return ""


def board(root: Path = ROOT) -> str:
    """Return the board's name in the device tree; empty if there is none."""
    return text_of("proc/device-tree/model", root)


def system_name(root: Path = ROOT) -> str:
    """Return the operating system's own name for itself and its version."""
    name = re.search(r'^PRETTY_NAME="?(.*?)"?$', text_of("etc/os-release", root), re.M)
    return name[1] if name else platform.system()


def memory_mb(name: str, root: Path = ROOT, file: str = "proc/meminfo") -> float:
    """Return the value of a line in one of the kernel's memory files, in MB (of 2^20 bytes), 0 if it is missing.

    ``proc/PID/status`` has the memory of a process: ``VmRSS`` now, ``VmHWM`` at its peak.
    """
    line = re.search(rf"^{name}:\s*(\d+) kB", text_of(file, root), re.M)
    return int(line[1]) / 1024 if line else 0


def temperature(root: Path = ROOT) -> float | None:
    """Return the processor's temperature, °C; None if it is unknown."""
    try:
        return int(text_of("sys/class/thermal/thermal_zone0/temp", root)) / 1000
    except ValueError:
        return None
