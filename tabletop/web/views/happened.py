"""What just happened, as a page gets it: data to move, sound and say by, in the words of the log."""

from __future__ import annotations

from typing import Any

from tabletop.match import happenings
from tabletop.match.match import Match
from tabletop.messages import N_
from tabletop.web.games.game_ui import GameUI, LogLine, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.views import game_log

UNDONE_SENTENCE = N_("What was done last was undone.")
"""What is said of an undo."""


def happened_since(then: Match, now: Match, part: GameUI, seat: int | None, names: Names) -> list[dict[str, Any]]:
    """Return what happened between two moments as one seat may know it (None: a spectator), oldest first.

    Each has its ``kind``, its ``seat``, the sentence that is said (``text``), ``passages`` as (piece, from, to, number)
    and ``points`` as (seat, change).
    """
    at = {step.event.number: place for place, step in enumerate(now.steps) if step.event.number > then.last}
    found = []
    for one in happenings.happenings_since(then, now, seat):
        line = game_log.line(now.steps, at[one.number], part, seat, names) if one.number in at else None
        facts = {"kind": one.kind, "seat": one.seat, "text": _said(one.kind, line, part)}
        found.append({**facts, "passages": one.passages, "points": one.points})
    return found


def _said(kind: str, line: LogLine | None, part: GameUI) -> str:
    """Return the sentence with the pieces that the log draws after it."""
    if kind == "undo":
        return _(UNDONE_SENTENCE)
    return "" if line is None else part.in_a_sentence(line)
