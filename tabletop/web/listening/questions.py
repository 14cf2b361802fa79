"""The questions that a listener can ask at any time, and their answers: everything that the seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tabletop.messages import N_
from tabletop.rules.game import Position, View
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import number, points
from tabletop.web.listening.view_reader import HeardLine, Reader

QUESTIONS: Mapping[str, str] = {
    "overview": N_("Overview"),
    "new": N_("What is new?"),
    "do": N_("What can I do?"),
    "table": N_("What lies where?"),
    "hand": N_("My hand"),
    "bids": N_("The bids"),
    "scores": N_("The scores"),
    "agreed": N_("What was agreed?"),
}
"""Each question by its id, in the order of their keys 1, 2, 3 …"""
TURN_KEYS = ("active", "turn")
"""Keys of every view that say whose turn it is."""
AGREEMENT_KEYS = ("game", "options", "edition")
"""Keys of every view that say what was agreed."""


class HeardAnswer(NamedTuple):
    """The answer to a question: ``lines`` by themselves, then the lines of each of some named ``groups``."""

    lines: Sequence[str]
    groups: Sequence[tuple[str, Sequence[str]]] = ()
    id: str = ""
    question: str = ""

    @property
    def said(self) -> str:
        """The whole answer as one text."""
        return " ".join([*self.lines, *(line for _name, lines in self.groups for line in lines)])


@dataclass(frozen=True, slots=True)
class SeatListener:
    """Who listens, and to what: a ``seat`` (None: a spectator) of a position that pages show with these ``names``."""

    ui: AnyUI
    position: Position
    names: Names
    seat: int | None


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The facts of this moment from the pages: who decides, what is needed, what happened since, and the points."""

    status: str = ""
    prompts: Sequence[str] = ()
    news: Sequence[str] = ()
    scores: Sequence[str] = ()


def answers(listener: SeatListener, moment: PageFacts = PageFacts()) -> list[HeardAnswer]:
    """Return the answer to each question except “do”, which the choices answer."""
    position = listener.position
    return answers_from_views(listener, position.view(listener.seat), position.view(None), moment)


def answers_from_views(listener: SeatListener, own: View, public: View, moment: PageFacts) -> list[HeardAnswer]:
    """Return the answers from what the listener, and what everybody, may know."""
    ui, position, seat = listener.ui, listener.position, listener.seat
    reader = Reader(ui, position, listener.names, seat)
    lines, public_lines = reader.lines(own), {line.path: line.text for line in reader.lines(public)}
    secret = [line for line in lines if public_lines.get(line.path) != line.text]
    bids, seats = ui.spoken.bids, range(len(listener.names))
    known = [line for line in lines if line not in secret]
    of_seats = [("seats", str(at)) for at in seats]
    by_seat = [[line for line in known if line.path[:2] == at] for at in of_seats]
    lying = [
        line
        for line in known
        if line.path[0] not in (*TURN_KEYS, *AGREEMENT_KEYS, *bids) and line.path[:2] not in of_seats
    ]
    everyone = [(name, _said(found)) for name, found in zip(listener.names, by_seat, strict=True) if found]
    mine = by_seat[seat] if seat is not None else []
    now, agreed, laid = ([line for line in lines if line.path[0] in keys] for keys in (TURN_KEYS, AGREEMENT_KEYS, bids))
    found = {
        "overview": HeardAnswer([*filter(None, [moment.status]), *moment.prompts, *_said(now)]),
        "new": HeardAnswer(moment.news or [_("Nothing has happened since.")]),
        "table": HeardAnswer([*ui.remarks(position), *_said(_ordered(lying, ui))], everyone),
        "hand": HeardAnswer(_said([*secret, *mine]) or [_("You hold nothing.")]),
        "bids": HeardAnswer(_said(laid) or [_("Nobody bids now.")]),
        "scores": HeardAnswer(moment.scores or [_("The points are shown at the end.")]),
        "agreed": HeardAnswer(_said(agreed)),
    }
    asked = {
        key: answer for key, answer in found.items() if (key != "bids" or bids) and (key != "hand" or seat is not None)
    }
    return [answer._replace(id=key, question=_(QUESTIONS[key])) for key, answer in asked.items()]


def _ordered(lines: Sequence[HeardLine], ui: AnyUI) -> list[HeardLine]:
    """Return lines in the order in which the game names their places, others last."""
    order = list(dict.fromkeys(place.partition(".")[0] for place in ui.spoken.places))
    return sorted(lines, key=lambda line: order.index(line.path[0]) if line.path[0] in order else len(order))


def _said(lines: Iterable[HeardLine]) -> list[str]:
    return [line.said for line in lines]


def news(lines: Sequence[LogLine], ui: AnyUI, position: Position, seat: int | None) -> list[str]:
    """Return what happened since the seat's own last action, oldest first; all of the lines if there is none."""
    sentences: list[str] = []
    for line in lines:
        pieces = ", ".join(ui.described(position, piece) for piece in line.pieces)
        sentences.append(f"{line.text} {pieces}".strip().rstrip(".:") + ".")
        if seat is not None and line.seat == seat and not line.undone:
            break
    return sentences[::-1]


def points_by_seat(
    names: Names, standing: Sequence[int | None], unknown: Sequence[str], parts: Sequence[Sequence[Sequence[Any]]]
) -> list[str]:
    """Return a sentence for each seat whose points may be shown: their total and their parts."""
    sentences = []
    for name, count, more, own in zip(names, standing, unknown, parts, strict=True):
        if count is None:
            continue
        total = f"{name}: {number(count)} {points(count)}{' ' + more if more else ''}"
        made_of = [f"{what.rstrip('=').strip()}: {number(made)}" for what, made, *_why in own]
        sentences.append(f"{'; '.join([total, *made_of])}.")
    return sentences
