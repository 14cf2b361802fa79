"""Factories of pins for the pin library: the machine's real pins, or mock ones in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel import chips
from tabletop.hardware.panel.chips import Chip
from tabletop.messages import Message


def mock_factory() -> Any:
    """Return a factory of pins that exist in memory only."""
    return MockFactory()


def gpio_factory(chip: int | None, work: Path, present: Callable[[], Sequence[Chip]] = chips.present_chips) -> Any:
    """Return a factory of the machine's real pins.

    The chip with the header is found by its label; ``chip`` overrides that with the number in ``/dev/gpiochipN``.
    ``work`` is a writable folder for the library's notification pipe, ``present`` returns the machine's chips.  It
    never falls back to another library: one that needs root and reads memory would seem to work but miss edges.
    Raises :class:`PinsError`.
    """
    os.environ.setdefault("LG_WD", str(work))
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        raise PinsError(
            Message("The pin library lgpio is missing."),
            Message(
                'On a Pi: sudo apt-get install python3-lgpio. Elsewhere, set pins = "none" under [panel] in table.toml.'
            ),
        ) from None
    there = present()
    number = chips.header_chip_number(there) if chip is None else chip
    try:
        return LGPIOFactory(number)
    except Exception as error:
        if chip is not None and chip not in [known.number for known in there]:
            fact = Message(
                "There is no /dev/gpiochip{number}, which table.toml asks for (there are {chips}).",
                number=chip,
                chips=chips.chips_line(there),
            )
            raise PinsError(
                fact, Message("Remove chip from [panel] in table.toml: the chip is then found automatically.")
            ) from None
        denied = any(known.error for known in there if known.number == number)
        raise PinsError(
            Message(
                "The pin library cannot open /dev/gpiochip{number} ({error}; there are {chips}).",
                number=number,
                error=error,
                chips=chips.chips_line(there),
            ),
            chips.not_allowed() if denied else Message("Is another program using it, or is it the wrong chip?"),
        ) from None


def open_factory(pins: str, chip: int | None, work: Path) -> Any:
    """Return the factory of real pins for ``--pins gpio``, otherwise that of mock pins."""
    return gpio_factory(chip, work) if pins == "gpio" else mock_factory()
