"""A hint as its seat reads it: at most three actions in the log's words, how far apart they are, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from tabletop.bots.bot import NORMAL_95, Estimate
from tabletop.bots.hints import Suggestion
from tabletop.match import happenings
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Action, Position
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import plainly, say
from tabletop.web.seating.seat_hints import Hints

MAX_HINT_LINES = 3
"""How many actions are shown."""


class HintLine(NamedTuple):
    """One action: what it is, the pieces it names, how far it is behind the best (empty for that one), and why."""

    text: str
    pieces: tuple[str, ...]
    behind: str
    why: str


class HintFacts(TypedDict, total=False):
    """The state of a seat's hint (``ask``, ``thinking``, ``failed`` or ``found``) and, once it is found, its lines.

    ``hint_clear`` says that the first line is clearly the best, ``hint_notice`` is a remark on the hint.
    """

    hint: str
    hint_clear: bool
    hint_lines: Sequence[HintLine]
    hint_notice: str


def facts(hints: Hints, snapshot: Snapshot, seat: int, ui: AnyUI, names: Names) -> HintFacts:
    """Return what a seat's page shows of its hint; ``hint`` is absent unless the seat may ask or has asked."""
    if not hints.allowed or snapshot.position.decider != seat or snapshot.over or snapshot.match.paused:
        return {}
    hint = hints.of(seat, snapshot.position)
    if hint is None:
        return {"hint": "ask"}
    if hint.found is None:
        return {"hint": "failed" if hint.failed else "thinking"}
    clear = hint.found.clear or not hint.found.estimates
    shown = list(lines(hint.found, snapshot.position, ui, names))
    return {"hint": "found", "hint_clear": clear, "hint_lines": shown, "hint_notice": say(hint.found.notice)}


def lines(suggestion: Suggestion, position: Position, ui: AnyUI, names: Names) -> Iterator[HintLine]:
    """Iterate over the actions of a hint, the best first; a single one that was not compared has no difference."""
    if not suggestion.estimates:
        yield _line(suggestion.action, position, ui, names, "", "")
    for estimate in suggestion.estimates[:MAX_HINT_LINES]:
        why = "; ".join(say(reason, ui.shown(names)) for reason in estimate.reasons)
        behind = "" if estimate is suggestion.estimates[0] else _behind(estimate)
        yield _line(estimate.action, position, ui, names, behind, why)


def _line(action: Action, position: Position, ui: AnyUI, names: Names, behind: str, why: str) -> HintLine:
    telling = happenings.tell(position.game, action, position.decider, position.decider)
    where = ui.where(position, action)
    text = say(telling.text, ui.shown(names))
    return HintLine(f"{text} ({where})" if where else text, telling.pieces, behind, why)


def _behind(estimate: Estimate) -> str:
    """Return by how many points an action is behind the best, with the error that holds in 95 of 100 cases."""
    error = NORMAL_95 * estimate.behind_error
    if estimate.behind <= error:
        return _("no clear difference")
    return _(
        "%(points)s ± %(error)s points less", points=plainly(round(estimate.behind, 1)), error=plainly(round(error, 1))
    )
