"""What Linux says in small files of the machine on which it runs; a test gives another root."""

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
    """Return what the device tree calls the board; empty if there is none."""
    return text_of("proc/device-tree/model", root)


def system_name(root: Path = ROOT) -> str:
    """Return the system's name and version, as it calls itself."""
    name = re.search(r'^PRETTY_NAME="?(.*?)"?$', text_of("etc/os-release", root), re.M)
    return name[1] if name else platform.system()


def memory_mb(name: str, root: Path = ROOT, file: str = "proc/meminfo") -> float:
    """Return a line of one of the kernel's lists of memory in MB (of 2^20 bytes), 0 if it is not listed.

    ``proc/PID/status`` lists what a process holds: ``VmRSS`` now, ``VmHWM`` at most.
    """
    line = re.search(rf"^{name}:\s*(\d+) kB", text_of(file, root), re.M)
    return int(line[1]) / 1024 if line else 0


def temperature(root: Path = ROOT) -> float | None:
    """Return how hot the processor is, °C; None if it is unknown."""
    try:
        return int(text_of("sys/class/thermal/thermal_zone0/temp", root)) / 1000
    except ValueError:
        return None
