"""Finds the GPIO chip with a Raspberry Pi's header by its label.

Its number differs between kernels (4, 0, 11–15 on a Pi 5); its label stays the same.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tabletop.hardware.errors import PinsError
from tabletop.messages import Message

HEADER_CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The kernel's labels of the chip with the header: on a Pi 5, a Pi 4, and older ones."""
_INFO = struct.Struct("32s32sI")
GET_CHIP_INFO = 2 << 30 | _INFO.size << 16 | 0xB4 << 8 | 0x01
"""``GPIO_GET_CHIPINFO_IOCTL`` of ``linux/gpio.h``."""
_NAME = "gpiochip"


class Chip(NamedTuple):
    """One ``/dev/gpiochipN``: its number, its label, how many lines it has, and why it cannot be opened (if so)."""

    number: int
    label: str = ""
    lines: int = 0
    error: str = ""

    def __str__(self) -> str:
        return f"{_NAME}{self.number}: {self.error or f'{self.label} × {self.lines}'}"


Ask = Callable[[Path], tuple[str, int]]
"""Returns the label and the number of lines of the chip behind a device node, or raises OSError."""


def ask_kernel(node: Path) -> tuple[str, int]:
    """Return the label and the number of lines that the kernel reports for a GPIO character device."""
    device = os.open(node, os.O_RDWR | os.O_CLOEXEC)
    try:
        _name, label, lines = _INFO.unpack(fcntl.ioctl(device, GET_CHIP_INFO, bytes(_INFO.size)))
    finally:
        os.close(device)
    return label.rstrip(b"\0").decode("utf-8", "replace"), lines


def present_chips(dev: Path = Path("/dev"), ask: Ask = ask_kernel) -> list[Chip]:
    """Return every GPIO chip of the machine, by number; for one that cannot be opened, with the reason.

    A link to another chip (Raspberry Pi OS keeps old numbers as links) is not listed a second time.
    """
    nodes = [node for node in dev.glob(f"{_NAME}*") if node.name.removeprefix(_NAME).isdecimal()]
    real = {node.resolve() for node in nodes if not node.is_symlink()}
    return sorted(_chip(node, ask) for node in nodes if not (node.is_symlink() and node.resolve() in real))


def _chip(node: Path, ask: Ask) -> Chip:
    number = int(node.name.removeprefix(_NAME))
    try:
        return Chip(number, *ask(node))
    except OSError as error:
        return Chip(number, error=error.strerror or str(error))


def header_chip_number(chips: Sequence[Chip]) -> int:
    """Return the number of the chip with the header.  Raises PinsError, which lists the chips, if there is none."""
    for label in HEADER_CHIP_LABELS:
        for chip in chips:
            if chip.label == label:
                return chip.number
    if not chips:
        raise PinsError(
            Message("This machine has no GPIO chip (/dev/gpiochipN)."),
            Message('Is it a Raspberry Pi? If not, set pins = "none" under [panel] in table.toml.'),
        )
    fact = Message(
        "None of the GPIO chips that can be opened has a Raspberry Pi’s header ({chips}).", chips=chips_line(chips)
    )
    if any(chip.error for chip in chips):
        raise PinsError(fact, not_allowed())
    raise PinsError(fact, Message("Set the right one as chip under [panel] in table.toml."))


def chips_line(chips: Sequence[Chip]) -> str:
    """Return the chips in one line: number, label and number of lines of each."""
    return ", ".join(map(str, chips)) or "–"


def not_allowed() -> Message:
    """Return the advice that lets a user open the chips."""
    return Message("Add this user to the group gpio (sudo usermod -aG gpio $USER), then log in again.")
