"""What a table with faults says, and what it asks for."""

from __future__ import annotations

from tabletop.hardware.panel.lights import Pattern
from tabletop.simulator.play.playground import FRAME_INTERVAL_S
from tabletop.simulator.play.seen_table import SeenTable


def said(ground: SeenTable) -> str:
    """Return everything that the table says now, with the refusal if there is one."""
    snapshot = ground.snapshot
    refused = [snapshot.refused.message] if snapshot.refused else []
    return " / ".join([one.text for one in snapshot.say] + refused)


def heard(ground: SeenTable, seconds: float) -> set[str]:
    """Let time pass, and return every sentence that the table said meanwhile."""
    told: set[str] = set()
    for _ in range(round(seconds / FRAME_INTERVAL_S)):
        ground.playground.tick()
        told |= {one.text for one in ground.snapshot.say}
    return told


def todo(ground: SeenTable) -> set[tuple[str, str, str]]:
    return {(move.piece, move.lies, move.belongs) for move in ground.snapshot.todo}


def astray(ground: SeenTable) -> bool:
    """Return whether the table's light for illegal moves blinks fast, because something is wrong."""
    return ground.snapshot.signals.get("illegal") is Pattern.FAST
