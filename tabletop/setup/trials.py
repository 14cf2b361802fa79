"""Trying the panel: which button or light is next, what shines meanwhile, and what an answer means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.panel_file import Wire, Wiring
from tabletop.messages import EMPTY, Message
from tabletop.setup.draft import TrialOutcome


class Trial(NamedTuple):
    """One thing to try: press the button that is lit, or say whether a light is seen (the buzzer: heard).

    ``signal`` makes it shine, empty for a button without a light; ``light_place`` is where that light is on the header.
    """

    wire: Wire
    signal: str
    light_place: int | None = None

    @property
    def name(self) -> str:
        """What the draft calls it."""
        return f"{self.wire.kind} {self.wire.name}"

    @property
    def is_button(self) -> bool:
        """Whether a press is the answer, rather than yes or no."""
        return self.wire.kind == "button"

    @property
    def fix(self) -> Message:
        """What to look at if it went wrong."""
        name, pin, place = self.wire.name, self.wire.pin, self.wire.header
        if self.is_button:
            return Message(
                "Check {name} (GPIO {pin}, header pin {place}): does it connect to ground, and is its wire on the "
                "right pin?",
                name=name,
                pin=pin,
                place=place,
            )
        if self.wire.kind == "buzzer":
            return Message(
                "Check the buzzer (GPIO {pin}, header pin {place}): is it an active one, and is the transistor the "
                "right way round?",
                pin=pin,
                place=place,
            )
        return Message(
            "Check light {name} (GPIO {pin}, header pin {place}): is the LED’s short leg connected to ground, and "
            "is the resistor in place?",
            name=name,
            pin=pin,
            place=place,
        )


def trials(wiring: Wiring) -> list[Trial]:
    """Return everything to try: every button, which shows its own light at the same time, then what is left."""
    light_of = {signal: wire for wire in wiring.lights for signal in wire.shows}
    buttons = [
        Trial(wire, wire.name, light_of[wire.name].header) if wire.name in light_of else Trial(wire, "")
        for wire in wiring.buttons
    ]
    shown = {light_of[trial.signal] for trial in buttons if trial.signal}
    return [*buttons, *(Trial(wire, wire.shows[0]) for wire in wiring.outputs if wire not in shown)]


def signals(trial: Trial | None) -> Mapping[str, Pattern]:
    """Return what shines during a trial: the button's light steadily, a light that is asked about slowly."""
    if trial is None or not trial.signal:
        return {}
    if trial.wire.kind == "buzzer":
        return {trial.signal: Pattern.FAST}
    return {trial.signal: Pattern.STEADY if trial.is_button else Pattern.SLOW}


def outcome_of_press(trial: Trial, button: str) -> tuple[TrialOutcome | None, Message]:
    """Return how a press ended a trial (None: it continues) and what to say about it.

    At a light OK means “I see it” and UNDO “I do not”.
    """
    if trial.is_button:
        if button == trial.wire.name:
            return TrialOutcome.OK, EMPTY
        sentence = Message(
            "That was {button}; the wire on GPIO {pin} should be {name}: are two swapped?",
            button=button,
            pin=trial.wire.pin,
            name=trial.wire.name,
        )
        return None, sentence
    return {"OK": TrialOutcome.OK, "UNDO": TrialOutcome.WRONG}.get(button), EMPTY
