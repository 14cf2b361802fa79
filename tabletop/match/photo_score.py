"""A score that photographs of a final table show, as it is kept with the game: plain data, checked when it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.messages import Message, stored
from tabletop.rules.game import SeatScore
from tabletop.rules.validate import without_unfit

MAX_ITEMS = 200
"""Pieces, groups, parts or doubts; no game has more."""
MAX_SENTENCE_LENGTH = 400


def stored_score(score: Mapping[str, Any], seats: Mapping[int, int]) -> dict[str, Any]:
    """Return what is kept of a score as ``tabletop score`` prints it; ``seats``: seat there → seat of the game."""
    doubts = list(dict.fromkeys(one["message"] for one in score["unread"]))[:MAX_ITEMS]
    return {
        "seats": [
            {
                "seat": seats[one["seat"]],
                "points": one["points"],
                "sure": one["sure"],
                "palazzi": [{"tiles": list(each["tiles"]), "points": each["points"]} for each in one["palazzi"]],
                "parts": [dict(part) for part in one["parts"]],
            }
            for one in score["seats"]
        ],
        "doubts": [without_unfit(one[:MAX_SENTENCE_LENGTH]) for one in doubts],
        "said": [stored.to_data(one) for one in doubts],
    }


def doubts_of(score: Mapping[str, Any]) -> list[Message]:
    """Return what was in doubt; of an old score in English only."""
    return [stored.from_data(one) for one in score.get("said", score["doubts"])]


def ranked_scores(score: Mapping[str, Any], seats: int) -> list[SeatScore]:
    """Return the scores of a game about which nothing else is known; the pictures do not show what decides a tie."""
    points = {one["seat"]: one["points"] for one in score["seats"]}
    every = [points.get(seat, 0) for seat in range(seats)]
    return [SeatScore(own, (), None, 1 + sum(other > own for other in every)) for own in every]


def is_score(data: Mapping[str, Any], seats: int) -> bool:
    """Return whether data from a file is such a score of a game with that many seats."""
    shown, doubts = data.get("seats"), data.get("doubts")
    if not _all(shown, lambda one: _is_seat(one, seats)) or not _all(doubts, _is_text):
        return False
    if not _all(data.get("said", ()), _is_said):
        return False
    numbers = [one["seat"] for one in shown] if isinstance(shown, list) else []
    return len(numbers) == len(set(numbers))


def _is_seat(one: Any, seats: int) -> bool:
    return (
        isinstance(one, dict)
        and type(one.get("seat")) is int
        and 0 <= one["seat"] < seats
        and type(one.get("points")) is int
        and type(one.get("sure")) is bool
        and _all(one.get("palazzi"), _is_group)
        and _all(one.get("parts"), _is_part)
    )


def _is_group(one: Any) -> bool:
    return isinstance(one, dict) and _all(one.get("tiles"), _is_text) and type(one.get("points")) in (int, type(None))


def _is_part(one: Any) -> bool:
    return isinstance(one, dict) and _is_text(one.get("title")) and type(one.get("points")) is int


def _is_said(one: Any) -> bool:
    try:
        stored.from_data(one)
    except ValueError:
        return False
    return True


def _is_text(one: Any) -> bool:
    return isinstance(one, str) and len(one) <= MAX_SENTENCE_LENGTH


def _all(some: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(some, Sequence) and not isinstance(some, str) and len(some) <= MAX_ITEMS and all(map(holds, some))
