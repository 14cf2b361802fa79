"""What each light shows: a pure function of the snapshot's facts."""

from __future__ import annotations

from collections.abc import Container, Mapping

from tabletop.hardware.panel.lights import Pattern
from tabletop.match.match import Match
from tabletop.rules.game import Position
from tabletop.rules.table import ZoneMark

MARK_PATTERNS: Mapping[ZoneMark, Pattern] = {ZoneMark.HERE: Pattern.STEADY, ZoneMark.GOES: Pattern.SLOW}
"""A game's marks on its zones as light patterns."""
SAVED_LIGHTS: Mapping[str, Pattern] = {"legal": Pattern.REST}
"""The lights once every event is on the disk and no further one is expected."""


def signals(
    match: Match,
    *,
    intent: str | None,
    confirms: frozenset[str],
    undo_offered: bool,
    undoable: bool,
    wrong: bool,
    camera_lost: bool,
    missing: Container[str] | None,
) -> dict[str, Pattern]:
    """Return light name → pattern; a light that is not named is off.

    A steady light shows a state, a slow blink what to do, a fast blink that something is wrong, two flashes that the
    camera sees nothing, a rare flash that all is saved and the table may be unplugged.  In a pause all seats blink
    slowly together.  ``missing`` are the zones in which a piece has yet to be laid, None if no scene shows that: the
    light of a zone blinks until its piece lies there.
    """
    position = match.position
    if match.paused:
        return dict(SAVED_LIGHTS) | {f"seat{seat}": Pattern.SLOW for seat in range(len(position.names))}
    if match.ended:
        return dict(SAVED_LIGHTS)
    lights = _course(position, missing)
    if intent is not None:
        lights |= dict.fromkeys(_asking(position, intent), Pattern.SLOW)
    lights |= dict.fromkeys(confirms, Pattern.SLOW)
    if undo_offered:
        lights["UNDO"] = Pattern.SLOW
    elif undoable:
        lights["UNDO"] = Pattern.STEADY
    if wrong:
        lights["illegal"] = lights["buzzer"] = Pattern.FAST
    elif position.over:
        lights |= SAVED_LIGHTS
    elif camera_lost:
        lights["illegal"] = Pattern.TWICE
    else:
        lights["legal"] = Pattern.STEADY
    return lights


def _course(position: Position, missing: Container[str] | None) -> dict[str, Pattern]:
    """Return the lights that follow from the position: who decides, what is legal, where things stand and belong."""
    lights: dict[str, Pattern] = {}
    if position.decider is not None:
        lights[f"seat{position.decider}"] = Pattern.STEADY
    elif not position.over:
        lights[f"seat{position.active}"] = Pattern.SLOW
    table = position.game.table
    if table is not None:
        lights |= dict.fromkeys(table.open_buttons(position), Pattern.STEADY)
        lights |= {
            light: MARK_PATTERNS[mark]
            for light, mark in table.marks(position).items()
            if mark != ZoneMark.GOES or missing is None or light in missing
        }
    return lights


def _asking(position: Position, intent: str) -> list[str]:
    """Return the buttons that start this intent in the present phase."""
    meanings = position.game.buttons.get(position.phase, {})
    return [name for name, meaning in meanings.items() if meaning.does == intent]
