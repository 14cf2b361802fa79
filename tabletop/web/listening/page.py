"""What the listening page of a seat says now: the answers, and the first step of what can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Position
from tabletop.web.games.game_facts import BoardFacts
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.listening.choosing import ChoiceStep, Chooser
from tabletop.web.listening.questions import HeardAnswer, PageFacts, SeatListener, answers, news, points_by_seat
from tabletop.web.listening.view_reader import Reader


class ListenFacts(TypedDict):
    """Facts for the listening page besides what every page has: the answers by question, and the step to choose from.

    ``path`` are the choices that led there.
    """

    answers: Mapping[str, HeardAnswer]
    step: ChoiceStep | None
    path: Sequence[int]


def facts(
    snapshot: Snapshot,
    seat: int | None,
    ui: AnyUI,
    names: Names,
    *,
    status: str,
    prompts: Sequence[str],
    lines: Sequence[LogLine],
    board: BoardFacts,
) -> ListenFacts:
    """Return what the page says in addition; ``seat`` None hears what everybody may.

    The other parameters are what other pages show: who decides, what is needed, the newest lines of the log, the board.
    """
    position = snapshot.position
    moment = PageFacts(status, prompts, news(lines, ui, position, seat), points(snapshot, ui, names, board))
    heard = answers(SeatListener(ui, position, names, seat), moment)
    return {
        "answers": {answer.id: answer for answer in heard},
        "step": first_step(snapshot, seat, ui, names),
        "path": (),
    }


def first_step(
    snapshot: Snapshot, seat: int | None, ui: AnyUI, names: Names, path: Sequence[int] = ()
) -> ChoiceStep | None:
    """Return the step of what a seat can do, to which a ``path`` of choices leads; None if it decides nothing now."""
    still = snapshot.over or snapshot.match.paused
    if seat is None or still or snapshot.position.decider != seat:
        return None
    return Chooser(ui, snapshot.position, names).step(path)


def points(snapshot: Snapshot, ui: AnyUI, names: Names, board: BoardFacts) -> list[str]:
    """Return the points that may be shown, seat by seat, as the other pages have them."""
    position = snapshot.position
    scores, open_points = position.score(), snapshot.over or position.game.open_points
    standing = board.get("standing") or [score.points if open_points else None for score in scores]
    parts = board.get("parts") or [_parts(ui, position, names, score.parts if open_points else ()) for score in scores]
    return points_by_seat(names, standing, board.get("unknown") or [""] * len(names), parts)


def _parts(ui: AnyUI, position: Position, names: Names, parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Return the parts of a seat's points, in words, for a game that has no wording of its own for them."""
    reader = Reader(ui, position, names, None)

    def counted(key: str, value: Any) -> str:
        return reader.word(key) if type(value) is int else reader.value(value)

    return [
        (", ".join(counted(key, value) for key, value in part.items() if key != "points"), part["points"])
        for part in parts
        if type(part.get("points")) is int
    ]
