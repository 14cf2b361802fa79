"""Determinisation: drawing one of the positions that a view, and what was seen before, leave possible."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from tabletop.bots.seen import Seen, named
from tabletop.rules.game import Game, Json, Position, View


class Undrawable(ValueError):
    """No position fits what is known; the text says why."""


def determinise(
    game: Game, view: View, seen: Seen, allowed: Mapping[str, Collection[str]], rng: random.Random
) -> Position:
    """Draw one of the positions that the view and what was seen leave possible, all with equal probability.

    ``allowed`` gives, by the last word of a place (``hand`` of ``seats.1.hand``), the pieces that may lie there unseen;
    a place without an entry may hold any piece.  Any two of these sets must be nested or disjoint: then it is uniform
    to draw place by place, the one with the smallest set first.  Raises Undrawable if there are too many or too few
    pieces for the places, Illegal if the game refuses the position.
    """
    data = dict(view)
    counts = {place: _at(data, place) for place in _hiding(game, _seats(game, view))}
    rooms = {place: count for place, count in counts.items() if isinstance(count, int)}
    everything = tuple(game.pieces)
    choices = {room: allowed.get(room.rpartition(".")[2], everything) for room in rooms}
    known = {room: seen.known.get(room, ()) for room in rooms}
    there = named(data).union(*known.values())
    pool = [piece for piece in everything if piece not in there and any(piece in fit for fit in choices.values())]
    for room in sorted(rooms, key=lambda room: len(choices[room])):
        fitting = [piece for piece in pool if piece in choices[room]]
        missing = rooms[room] - len(known[room])
        if not 0 <= missing <= len(fitting):
            raise Undrawable(f"{room} holds {rooms[room]} pieces, {len(known[room])} known, {len(fitting)} possible")
        drawn = rng.sample(fitting, missing)
        pool = [piece for piece in pool if piece not in drawn]
        _put(data, room, [*drawn, *known[room]])
    if pool:
        raise Undrawable(f"{len(pool)} pieces lie nowhere, {pool[0]} among them")
    return game.load(data)


@lru_cache(maxsize=16)
def _hiding(game: Game, seats: int) -> Sequence[str]:
    """Return every place of the game that can hide pieces: those that a spectator cannot see in a new game."""
    return [*game.new([str(number) for number in range(1, seats + 1)]).hidden(None)]


def _seats(game: Game, view: View) -> int:
    """Return how many seats play: as many as the view lists, or the game's fewest if it lists none."""
    listed = view.get("seats")
    return len(listed) if isinstance(listed, list) else min(game.seat_range)


def _at(data: Json, place: str) -> Json:
    """Return the value at a place in the data."""
    for key in _path(place):
        data = data[key]
    return data


def _put(data: Json, place: str, new: Json) -> None:
    """Set the value at a place in the data; the containers on the way are copied, because the view shares them."""
    *path, last = _path(place)
    for key in path:
        inner = data[key]
        data[key] = data = [*inner] if isinstance(inner, list) else dict(inner)
    data[last] = new


@lru_cache(maxsize=256)
def _path(place: str) -> Sequence[str | int]:
    return [int(key) if key.isdigit() else key for key in place.split(".")]
