"""A score from photographs of a final table, as it is stored with the game: plain data, checked when it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.messages import Message, stored
from tabletop.rules.game import SeatScore, ranks
from tabletop.rules.validate import without_unfit

MAX_ITEMS = 200
"""The most pieces, groups, parts or doubts; no game has more."""
MAX_SENTENCE_LENGTH = 400


def stored_score(score: Mapping[str, Any], seats: Mapping[int, int]) -> dict[str, Any]:
    """Return what is stored of a score as ``tabletop score`` prints it; ``seats``: seat there → seat of the game."""
    doubts = list(dict.fromkeys(unread["message"] for unread in score["unread"]))[:MAX_ITEMS]
    return {
        "seats": [
            {
                "seat": seats[seat["seat"]],
                "points": seat["points"],
                "sure": seat["sure"],
                "palazzi": [{"tiles": list(each["tiles"]), "points": each["points"]} for each in seat["palazzi"]],
                "parts": [dict(part) for part in seat["parts"]],
            }
            for seat in score["seats"]
        ],
        "doubts": [without_unfit(doubt[:MAX_SENTENCE_LENGTH]) for doubt in doubts],
        "said": [stored.to_data(doubt) for doubt in doubts],
        "notes": [stored.to_data(note) for note in score.get("notes", ())[:MAX_ITEMS]],
    }


def doubts_of(score: Mapping[str, Any]) -> list[Message]:
    """Return what was in doubt; for an old score in English only."""
    return [stored.from_data(sentence) for sentence in score.get("said", score["doubts"])]


def notes_of(score: Mapping[str, Any]) -> list[Message]:
    """Return the other notes, such as what no photograph shows; none for an old score."""
    return [stored.from_data(sentence) for sentence in score.get("notes", ())]


def is_complete(score: Mapping[str, Any], seats: int) -> bool:
    """Return whether nothing was in doubt, no pieces broke a rule and everybody's pieces were seen."""
    broken = any(group["points"] is None for seat in score["seats"] for group in seat["palazzi"])
    return not (score["doubts"] or broken or len(score["seats"]) < seats)


def ranked_scores(score: Mapping[str, Any], seats: int) -> list[SeatScore]:
    """Return the scores of a game known from photographs alone, which do not show what decides a tie."""
    points = {seat["seat"]: seat["points"] for seat in score["seats"]}
    every = [points.get(seat, 0) for seat in range(seats)]
    return [SeatScore(own, (), None, rank) for own, rank in zip(every, ranks([-own for own in every]), strict=True)]


def is_score(data: Mapping[str, Any], seats: int) -> bool:
    """Return whether data from a file are such a score, for a game with that many seats."""
    shown, doubts = data.get("seats"), data.get("doubts")
    if not _all(shown, lambda seat: _is_seat(seat, seats)) or not _all(doubts, _is_text):
        return False
    if not _all(data.get("said", ()), _is_said) or not _all(data.get("notes", ()), _is_said):
        return False
    numbers = [seat["seat"] for seat in shown] if isinstance(shown, list) else []
    return len(numbers) == len(set(numbers))


def _is_seat(value: Any, seats: int) -> bool:
    return (
        isinstance(value, dict)
        and type(value.get("seat")) is int
        and 0 <= value["seat"] < seats
        and type(value.get("points")) is int
        and type(value.get("sure")) is bool
        and _all(value.get("palazzi"), _is_group)
        and _all(value.get("parts"), _is_part)
    )


def _is_group(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and _all(value.get("tiles"), _is_text)
        and type(value.get("points")) in (int, type(None))
    )


def _is_part(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("title")) and type(value.get("points")) is int


def _is_said(value: Any) -> bool:
    try:
        stored.from_data(value)
    except ValueError:
        return False
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_SENTENCE_LENGTH


def _all(some: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(some, Sequence) and not isinstance(some, str) and len(some) <= MAX_ITEMS and all(map(holds, some))
