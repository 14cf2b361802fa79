"""The panel file, which says what is on which pin: it is read and checked before any current flows."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from tabletop.files.toml import TomlError, TomlFile
from tabletop.hardware.errors import WiringError
from tabletop.messages import N_, Message, foreign, said_by

RAIL_VOLTS = 3.3
"""The voltage of a pin that is high."""
HEADER_PLACES = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number → place on the 40-pin header, the same on every Pi since the B+."""
HAT_ID_PINS = (0, 1)
"""The two pins on which a HAT identifies itself; a panel may not use them."""
PULLED_UP_PINS = (2, 3)
"""The two pins with a resistor to 3.3 V on the board (1.8 kΩ, for I2C): a button there can only close to ground."""


SHIPPED_LABELS = (
    N_("Money"), N_("Build"), N_("Rebuild"), N_("Buy"), N_("Auction"), N_("Pass"), N_("OK"), N_("Undo"),
    N_("in Money"), N_("in Build"), N_("in Rebuild"), N_("in Buy"), N_("in Auction"), N_("in Pass"), N_("in OK"),
    N_("in Undo"), N_("quarry {number}"), N_("seat {number}"), N_("Stop"), N_("Buzzer"),
)  # fmt: skip
"""The labels of the shipped panel, marked for translation here because the panel file is data."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One button, light or buzzer on one pin.

    Attributes:
        name: its name in the rest of the program.
        kind: ``button``, ``light`` or ``buzzer``.
        pin: BCM number.
        label: the label beside it on the panel.
        does: a sentence for the pin table on what it does.
        active_high: whether it is pressed, lit or sounding while the pin is high.
        shows: the signals it shows, of which the most urgent pattern wins; a button shows none.
        volts: forward voltage of the LED (or the transistor's base) behind the resistor.
        ohms: the resistance of the resistor.
    """

    name: str
    kind: str
    pin: int
    label: Message
    does: str
    active_high: bool
    shows: tuple[str, ...] = ()
    volts: float = 0.0
    ohms: float = 0.0

    def __hash__(self) -> int:
        """Return the pin: no two wires of a panel share one, and a quick hash keeps lights quick after a press."""
        return self.pin

    @property
    def header(self) -> int:
        """The place on the 40-pin header."""
        return HEADER_PLACES[self.pin]

    @property
    def milliamps(self) -> float:
        """The current through the resistor while on: (rail − forward voltage) / resistance, in mA."""
        return (RAIL_VOLTS - self.volts) / self.ohms * 1000 if self.ohms else 0.0


@dataclass(frozen=True, slots=True)
class Wiring:
    """The wiring of a whole panel that passed every check; limits in mA."""

    buttons: tuple[Wire, ...]
    lights: tuple[Wire, ...]
    buzzer: Wire | None
    pin_limit: float
    total_limit: float

    def __iter__(self) -> Iterator[Wire]:
        """Iterate over everything that has a pin: buttons, lights, then the buzzer."""
        yield from self.buttons
        yield from self.outputs

    @property
    def outputs(self) -> tuple[Wire, ...]:
        """Lights and buzzer."""
        return (*self.lights, self.buzzer) if self.buzzer else self.lights

    @property
    def lone_lights(self) -> tuple[Wire, ...]:
        """The lights that are in no button."""
        inside = {wire.name for wire in self.buttons}
        return tuple(wire for wire in self.lights if wire.name not in inside)

    @property
    def milliamps(self) -> float:
        """What all lights and the buzzer draw together when everything is on."""
        return sum(wire.milliamps for wire in self.outputs)


EMPTY_WIRING = Wiring((), (), None, 0.0, 0.0)
"""No panel at all: the game is played on the pages."""


def load(path: Path | None = None, taken: Mapping[int, Message] | None = None) -> Wiring:
    """Read and check a panel file; None is the default that ships with the program.

    ``taken`` maps pins that the machine uses otherwise to their use (see :func:`taken_pins`).  Raises
    :class:`WiringError`, which names the line and the fix, and OSError for a file that cannot be read.
    """
    try:
        if path is not None:
            return _checked(TomlFile.read(path), taken or {})
        shipped = files("tabletop.hardware.panel").joinpath("panel.toml").read_text("utf-8")
        return _checked(TomlFile(shipped, "panel.toml"), taken or {})
    except TomlError as error:
        raise WiringError(said_by(error)) from None


def taken_pins(dev: Path = Path("/dev")) -> dict[int, Message]:
    """Return header pin → the bus that this machine uses it for, judging by the kernel's device nodes."""
    taken: dict[int, Message] = {}
    if (dev / "i2c-1").exists():
        taken |= dict.fromkeys((2, 3), foreign("I2C (dtparam=i2c_arm)"))
    if any(dev.glob("spidev0.*")):
        taken |= dict.fromkeys((7, 8, 9, 10, 11), foreign("SPI (dtparam=spi)"))
    serial = dev / "serial0"
    if serial.exists() and serial.resolve().name != "ttyAMA10":  # a Pi 5's own debug connector, not the header
        taken |= dict.fromkeys((14, 15), Message("the serial port (enable_uart)"))
    return taken


_TABLES = ("limits", "led", "buttons", "lights", "sound")
_WIRE = ("pin", "label", "does", "active")


def _checked(file: TomlFile, taken: Mapping[int, Message]) -> Wiring:
    file.only(file.data, _TABLES)
    limits, led = (
        _numbers(file, "limits", {"pin": 8.0, "total": 50.0}),
        _numbers(file, "led", {"volts": 2.0, "ohms": 560.0}),
    )
    sound = file.table("sound")
    file.only(sound, ("buzzer",), "sound")
    wiring = Wiring(
        tuple(_wire(file, "button", "buttons", name, led) for name in file.table("buttons")),
        tuple(_wire(file, "light", "lights", name, led) for name in file.table("lights")),
        _wire(file, "buzzer", "sound", "buzzer", led) if sound else None,
        limits["pin"],
        limits["total"],
    )
    _check_pins(file, wiring, taken)
    _check_currents(file, wiring)
    return wiring


def _numbers(file: TomlFile, table: str, defaults: Mapping[str, float]) -> dict[str, float]:
    entries = file.table(table)
    file.only(entries, defaults, table)
    return {key: _number(file, entries.get(key, default), table, key) for key, default in defaults.items()}


def _number(file: TomlFile, value: object, *path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= sys.float_info.max:
        fact = Message("“{key}” has to be a number above 0, not {value}.", key=path[-1], value=repr(value))
        raise file.error(fact, *path)
    return float(value)


def label_message(text: str) -> Message:
    """Return a label as a message with its number as a fact, so that translations of the shipped labels are found."""
    if re.search("[{}]", text):
        return foreign(text)
    number = re.search(r"\d+", text)
    if number is None:
        return Message(text)
    return Message(f"{text[: number.start()]}{{number}}{text[number.end() :]}", number=number[0])


def _wire(file: TomlFile, kind: str, table: str, name: str, led: Mapping[str, float]) -> Wire:
    entry, path = file.table(table, name), (table, name)
    file.only(entry, _WIRE if kind == "button" else (*_WIRE, "shows", "volts", "ohms"), *path)
    pin = entry.get("pin")
    if isinstance(pin, bool) or not isinstance(pin, int):
        raise file.error(Message("{name} needs a pin: a BCM number from 2 to 27.", name=name), *path, "pin")
    active = file.string("low" if kind == "button" else "high", *path, "active")
    if active not in ("low", "high"):
        fact = Message("“active” has to be “low” or “high”, not “{value}”.", value=active)
        raise file.error(fact, *path, "active")
    label, does = label_message(file.string(name, *path, "label")), file.string("", *path, "does")
    if kind == "button":
        return Wire(name, kind, pin, label, does, active == "high")
    shows = entry.get("shows", [name])
    if not isinstance(shows, list) or not shows or not all(isinstance(name, str) for name in shows):
        raise file.error(Message("“shows” has to be a list of names of signals."), *path, "shows")
    volts, ohms = (_number(file, entry.get(key, led[key]), *path, key) for key in ("volts", "ohms"))
    if volts >= RAIL_VOLTS:
        fact = Message("an LED of {volts} V does not light from {rail} V.", volts=_short(volts), rail=RAIL_VOLTS)
        raise file.error(fact, *path, "volts")
    return Wire(name, kind, pin, label, does, active == "high", tuple(shows), volts, ohms)


_SECTION = {"button": "buttons", "light": "lights", "buzzer": "sound"}


def _check_pins(file: TomlFile, wiring: Wiring, taken: Mapping[int, Message]) -> None:
    first: dict[int, Wire] = {}
    for wire in wiring:
        path = (_SECTION[wire.kind], wire.name, "pin")
        if wire.pin in HAT_ID_PINS:
            fact = Message("pin {pin} is reserved for identifying a HAT; use one from 2 to 27.", pin=wire.pin)
        elif wire.pin not in HEADER_PLACES:
            fact = Message("there is no pin {pin} on the header; use one from 2 to 27 (BCM numbers).", pin=wire.pin)
        elif other := first.get(wire.pin):
            line = file.line(_SECTION[other.kind], other.name, "pin")
            other_name = f"[{_SECTION[other.kind]}] {other.name}"
            fact = Message(
                "pin {pin} is already that of {other} (line {line}).", pin=wire.pin, other=other_name, line=line
            )
        elif use := taken.get(wire.pin):
            fact = Message(
                "pin {pin} is used by {use} on this machine; turn that off or move {name} to another pin.",
                pin=wire.pin, use=use, name=wire.name,
            )  # fmt: skip
        elif wire.pin in PULLED_UP_PINS and wire.kind == "button" and wire.active_high:
            fact = Message('pin {pin} is pulled up on the board; a button there needs active = "low".', pin=wire.pin)
        else:
            first[wire.pin] = wire
            continue
        raise file.error(fact, *path)


def _short(value: float) -> float:
    """Return a number rounded to one decimal, without it if that is 0."""
    return round(value) if round(value, 1) == round(value) else round(value, 1)


def _check_currents(file: TomlFile, wiring: Wiring) -> None:
    for wire in wiring.outputs:
        if wire.milliamps > wiring.pin_limit:
            least = (RAIL_VOLTS - wire.volts) / wiring.pin_limit * 1000
            fact = Message(
                "{name} would draw {draws} mA, more than the {limit} mA of one pin; use at least {ohms} ohms.",
                name=wire.name, draws=_short(wire.milliamps), limit=_short(wiring.pin_limit), ohms=round(least),
            )  # fmt: skip
            raise file.error(fact, _SECTION[wire.kind], wire.name)
    if wiring.milliamps > wiring.total_limit:
        fact = Message(
            "all lights together would draw {draws} mA, more than {limit} mA; use larger resistors (ohms).",
            draws=round(wiring.milliamps), limit=_short(wiring.total_limit),
        )  # fmt: skip
        raise file.error(fact, "limits", "total")
