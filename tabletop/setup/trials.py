"""Trials of the panel: which button or light is next, which LEDs to light meanwhile, and what an answer means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.panel_file import Wire, Wiring
from tabletop.messages import EMPTY, Message
from tabletop.setup.draft import TrialOutcome


class Trial(NamedTuple):
    """One trial: press the lit button, or say whether a light is seen or the buzzer heard.

    ``signal`` turns on its light or buzzer, empty for a button without a light; ``light_place`` is the header pin of
    that light.
    """

    wire: Wire
    signal: str
    light_place: int | None = None

    @property
    def name(self) -> str:
        """The key of this trial in the draft."""
        return f"{self.wire.kind} {self.wire.name}"

    @property
    def is_button(self) -> bool:
        """True if the answer is a press, rather than yes or no."""
        return self.wire.kind == "button"

    @property
    def fix(self) -> Message:
        """What to check if the trial failed."""
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
    """Return all trials: every button, together with its own light if it has one, then the remaining outputs."""
    light_of = {signal: wire for wire in wiring.lights for signal in wire.shows}
    buttons = [
        Trial(wire, wire.name, light_of[wire.name].header) if wire.name in light_of else Trial(wire, "")
        for wire in wiring.buttons
    ]
    shown = {light_of[trial.signal] for trial in buttons if trial.signal}
    return [*buttons, *(Trial(wire, wire.shows[0]) for wire in wiring.outputs if wire not in shown)]


def signals(trial: Trial | None) -> Mapping[str, Pattern]:
    """Return the signals during a trial: a button's light is steady, a light blinks slowly, the buzzer sounds fast."""
    if trial is None or not trial.signal:
        return {}
    if trial.wire.kind == "buzzer":
        return {trial.signal: Pattern.FAST}
    return {trial.signal: Pattern.STEADY if trial.is_button else Pattern.SLOW}


def outcome_of_press(trial: Trial, button: str) -> tuple[TrialOutcome | None, Message]:
    """Return the outcome of a trial after a press (None: it continues) and what to say about it.

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
