"""What each light shows: a pure function of the snapshot's facts."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.hardware.panel import Pattern
from tabletop.rules.game import Position

MARKS: Mapping[str, Pattern] = {"here": Pattern.STEADY, "goes": Pattern.SLOW}
"""A game's marks on its zones as light patterns."""


def signals(
    position: Position,
    *,
    intent: str | None,
    waits_for_ok: bool,
    can_undo: bool,
    undo_offered: bool,
    wrong: bool,
    camera_lost: bool,
    paused: bool = False,
    ended: bool = False,
) -> dict[str, Pattern]:
    """Return light name → pattern; a light that is not named is off.

    A steady light says how it is, a slow blink what to do, a fast blink that something is wrong.  In a pause all seats
    blink slowly together and nothing else shines.
    """
    if paused:
        return {f"seat{seat}": Pattern.SLOW for seat in range(len(position.names))}
    if ended:
        return {"legal": Pattern.STEADY}
    lights: dict[str, Pattern] = {}
    if position.decider is not None:
        lights[f"seat{position.decider}"] = Pattern.STEADY
    elif not position.over:
        lights[f"seat{position.active}"] = Pattern.SLOW
    table = position.game.table
    if table is not None:
        lights |= dict.fromkeys(table.open_buttons(position), Pattern.STEADY)
        lights |= {light: MARKS[mark] for light, mark in table.marks(position).items()}
    if intent is not None:
        lights[intent.upper()] = Pattern.SLOW
    if intent is not None or waits_for_ok:
        lights["OK"] = Pattern.SLOW
    if undo_offered:
        lights["UNDO"] = Pattern.SLOW
    elif can_undo:
        lights["UNDO"] = Pattern.STEADY
    if wrong or camera_lost:
        lights["illegal"] = Pattern.FAST
    else:
        lights["legal"] = Pattern.STEADY
    if wrong:
        lights["buzzer"] = Pattern.FAST
    return lights
