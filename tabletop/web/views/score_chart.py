"""After the game: how the score came about, and the record as files to download."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypedDict

from flask import Response, abort

from tabletop.files import csv_text
from tabletop.match.course import since_correction
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import SeatScore
from tabletop.rules.text import record, record_text, recorder
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import Names
from tabletop.web.http.responses import attachment_response


class Curve(NamedTuple):
    """One seat's points after each event, and the line that draws them."""

    seat: int
    name: str
    points: tuple[int, ...]
    line: str


WIDTH, HEIGHT = 600, 200
"""The chart's size, in its own units."""


class ScoreStory(TypedDict):
    """How a score came about.

    ``part`` is the game whose templates draw it.  ``order`` are the seats from the first place on, ``ties`` (name, what
    decides) of those with equal points; ``hinted`` are (name, how many hints).  The chart has a ``width`` and a
    ``height``, its ``zero`` at this height, and points from ``low`` to ``high``.
    """

    game: str
    part: str
    plays: str
    photographs_count: str
    names: Names
    scores: Sequence[SeatScore]
    order: Sequence[int]
    ended: bool
    hinted: Sequence[tuple[str, int]]
    winners: Sequence[str]
    tie_rule: str
    ties: Sequence[tuple[str, str]]
    curves: Sequence[Curve]
    low: int
    high: int
    zero: int
    width: int
    height: int


def story(snapshot: Snapshot, names: Names) -> ScoreStory:
    """Return what the page after the game reads, besides the game's board."""
    position = snapshot.position
    ui = ui_of(position.game)
    scores = position.score()
    totals = [[seat.points for seat in reached.score()] for _, reached in snapshot.match.steps]
    low = min(min(points) for points in totals)
    high = max(max(points) for points in totals)
    curves = [
        Curve(seat, name, tuple(points[seat] for points in totals), _line([p[seat] for p in totals], low, high))
        for seat, name in enumerate(names)
    ]
    order = sorted(range(len(names)), key=lambda seat: scores[seat].rank)
    tied = [seat for seat in order if seat in level(scores) and scores[seat].tiebreak is not None]
    return {
        "game": position.game.title,
        "part": ui.name,
        "plays": ui.name,
        "photographs_count": ui.photographs_count,
        "names": names,
        "scores": scores,
        "order": order,
        "ended": snapshot.match.ended,
        "hinted": [(names[seat], count) for seat, count in sorted(snapshot.match.hints.items())],
        "winners": [names[seat] for seat in order if scores[seat].rank == 1],
        "tie_rule": ui.tie_rule,
        "ties": [(names[seat], ui.tied(scores[seat].tiebreak)) for seat in tied],
        "curves": curves,
        "low": low,
        "high": high,
        "zero": _height(0, low, high),
        "width": WIDTH,
        "height": HEIGHT,
    }


def level(scores: Sequence[SeatScore]) -> frozenset[int]:
    """Return the seats that are tied with another one on points: the page says what decides between them."""
    often = Counter(score.points for score in scores)
    return frozenset(seat for seat, score in enumerate(scores) if often[score.points] > 1)


def _height(value: int, low: int, high: int) -> int:
    return round(HEIGHT - 10 - (value - low) * (HEIGHT - 20) / max(1, high - low))


def _line(points: Sequence[int], low: int, high: int) -> str:
    step = WIDTH / max(1, len(points) - 1)
    return " ".join(f"{number * step:.0f},{_height(value, low, high)}" for number, value in enumerate(points))


Record = tuple[str, str]
"""The text of a record and its media type."""


def as_record(snapshot: Snapshot) -> record.Record:
    """Return the game as a record of actions, from the correction on if the table once won over the record."""
    made = recorder.make(*since_correction(snapshot.match))
    hints = [f"hints asked for by seat {seat}: {count}" for seat, count in sorted(snapshot.match.hints.items())]
    return made._replace(lines=(*(record.Line("comment", text) for text in hints), *made.lines))


def as_text(snapshot: Snapshot, _names: Names) -> Record:
    """Return the record as text: a header, then one action per line."""
    return record_text.format_record(as_record(snapshot)), "text/plain"


def as_json(snapshot: Snapshot, names: Names) -> Record:
    """Return the record as JSON: the start, every event, the score."""
    # An action may have a kind or a seat of its own, so its data are kept apart from the event's own fields.
    events = [
        {"number": event.number, "kind": event.kind, "seat": event.seat, "time": event.time, "data": event.data}
        for event in snapshot.events
    ]
    scores = [
        {"name": name, "points": score.points, "rank": score.rank, "parts": list(score.parts)}
        for name, score in zip(names, snapshot.position.score(), strict=True)
    ]
    name, ended = snapshot.position.game.name, {"ended": True} if snapshot.match.ended else {}
    data = {"game": name, "seats": list(names), "events": events, "score": scores, **ended}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n", "application/json"


def as_csv(snapshot: Snapshot, names: Names) -> Record:
    """Return the points of every seat after each event, one event per line."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["event", *map(csv_text.inert, names)])
    for event, position in snapshot.match.steps:
        writer.writerow([event.number, *(seat.points for seat in position.score())])
    return out.getvalue(), "text/csv"


RECORDS: Mapping[str, Callable[[Snapshot, Names], Record]] = {"txt": as_text, "json": as_json, "csv": as_csv}
"""Ending of the address → the writer of the record in that form."""


def download(form: str, snapshot: Snapshot, names: Names, stem: str) -> Response:
    """Return the record as a file to download.  Ends the request with 404 if it has no such form."""
    writer = RECORDS.get(form)
    if writer is None:
        abort(404)
    text, mimetype = writer(snapshot, names)
    return attachment_response(text, f"{stem}.{form}", mimetype)
