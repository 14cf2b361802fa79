"""What just happened, as data with which a page moves pieces, plays sounds and speaks, in the words of the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from tabletop.match import happenings
from tabletop.match.event import EventKind
from tabletop.match.match import Match
from tabletop.messages import N_
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.views import game_log

UNDONE_SENTENCE = N_("What was done last was undone.")
"""The sentence for an undo."""


class Happened(TypedDict):
    """Something that happened, as the page's scripts read it.

    ``text`` is the sentence that is said, ``passages`` are (piece, from, to, number), ``points`` are (seat, change).
    """

    kind: str
    seat: int | None
    text: str
    passages: Sequence[happenings.Passage]
    points: Sequence[tuple[int, int]]


def happened_since(then: Match, now: Match, ui: AnyUI, seat: int | None, names: Names) -> list[Happened]:
    """Return what happened between two moments as one seat may know it (None: a spectator), oldest first."""
    at = {step.event.number: place for place, step in enumerate(now.steps) if step.event.number > then.last}
    happened: list[Happened] = []
    for happening in happenings.happenings_since(then, now, seat):
        number, kind = happening.number, happening.kind
        line = game_log.line(now.steps, at[number], ui, seat, names) if number in at else None
        happened.append(
            {
                "kind": kind,
                "seat": happening.seat,
                "text": _said(kind, line, ui),
                "passages": happening.passages,
                "points": happening.points,
            }
        )
    return happened


def _said(kind: str, line: LogLine | None, ui: AnyUI) -> str:
    """Return the sentence, with the names of the pieces that the log draws after it."""
    if kind == EventKind.UNDO:
        return _(UNDONE_SENTENCE)
    return "" if line is None else ui.in_a_sentence(line)
