"""What chance may have turned up, as far as a seat or a spectator knows, wherever the pieces really are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tabletop.rules.game import Illegal, Json, Position


def supposed_position(position: Position, seat: int | None, seen: Collection[str]) -> Position:
    """Return a position in which chance can turn up the pieces that were ``seen``, as far as a seat can know.

    Pieces that others hold are exchanged for some that can be turned up: so claiming that a photograph shows a piece
    does not reveal where it is.  Of each kind, only as many can be turned up as are left.  ``seat`` None is a
    spectator.
    """
    if position.decider is not None:
        return position
    game, hidden = position.game, position.hidden(seat)
    unknown = {piece for pieces in hidden.values() for piece in pieces}
    due = {piece for action in position.legal for piece in game.pieces_in(action.to_json())} & unknown
    for kind in sorted({game.pieces[piece].kind for piece in due}):
        left = {piece for piece in due if game.pieces[piece].kind == kind}
        wanted = sorted(piece for piece in unknown.intersection(seen) if game.pieces[piece].kind == kind)[: len(left)]
        others = sorted(left.difference(wanted))
        for piece in (piece for piece in wanted if piece not in left):
            position = _exchanged(position, hidden, piece, others)
    return position


def _exchanged(position: Position, hidden: Mapping[str, Sequence[str]], piece: str, others: list[str]) -> Position:
    """Return the position with a hidden piece exchanged for the first of the others with which that is possible."""
    for other in others:
        names, data = {piece: other, other: piece}, position.to_json()
        for place in hidden:
            data = _renamed(data, place.split("."), names)
        try:
            exchanged = position.game.load(data)
        except Illegal:
            continue
        others.remove(other)
        return exchanged
    return position


def _renamed(data: Json, path: Sequence[str], names: Mapping[str, str]) -> Json:
    """Return data in which the pieces at the end of a path have other names."""
    if not path:
        return [names.get(piece, piece) for piece in data]
    key, rest = path[0], path[1:]
    if isinstance(data, list):
        return [_renamed(item, rest, names) if at == int(key) else item for at, item in enumerate(data)]
    return {**data, key: _renamed(data[key], rest, names)}
