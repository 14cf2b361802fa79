"""What the listening page of a seat says now: the answers, and the first step of what can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Position
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.listening.choosing import ChoiceStep, Chooser
from tabletop.web.listening.questions import PageFacts, SeatListener, answers, news, points_by_seat
from tabletop.web.listening.view_reader import Reader


def facts(snapshot: Snapshot, seat: int | None, part: GameUI, names: Names, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page needs besides what every page has (``shown``); ``seat`` None hears what everybody may."""
    position = snapshot.position
    moment = PageFacts(
        shown["status"],
        [*filter(None, [shown["refused"]]), *(text for _kind, text in shown["needs"])],
        news(shown["lines"], part, position, seat),
        points(snapshot, part, names, shown),
    )
    told = answers(SeatListener(part, position, names, seat), moment)
    step = first_step(snapshot, seat, part, names)
    return {"answers": {one.id: one for one in told}, "step": step, "path": ()}


def first_step(
    snapshot: Snapshot, seat: int | None, part: GameUI, names: Names, path: Sequence[int] = ()
) -> ChoiceStep | None:
    """Return the step of what a seat can do, to which a ``path`` of choices leads; None if it decides nothing now."""
    still = snapshot.over or snapshot.match.paused
    if seat is None or still or snapshot.position.decider != seat:
        return None
    return Chooser(part, snapshot.position, names).step(path)


def points(snapshot: Snapshot, part: GameUI, names: Names, shown: Mapping[str, Any]) -> list[str]:
    """Return the points that may be shown, seat by seat, as the other pages have them."""
    position = snapshot.position
    scores, open_points = position.score(), snapshot.over or position.game.open_points
    standing = shown.get("standing") or [one.points if open_points else None for one in scores]
    parts = shown.get("parts") or [_parts(part, position, names, one.parts if open_points else ()) for one in scores]
    return points_by_seat(names, standing, shown["unknown"], parts)


def _parts(part: GameUI, position: Position, names: Names, parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Return what points are made of, for a game that has no words of its own for it."""
    reader = Reader(part, position, names, None)
    told = [([value for key, value in one.items() if key != "points"], one.get("points")) for one in parts]
    return [(reader.value(what[0] if len(what) == 1 else what), made) for what, made in told if type(made) is int]
