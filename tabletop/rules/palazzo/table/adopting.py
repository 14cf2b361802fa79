"""The table wins: change a position so that pieces lie where they are on the table, however they got there.

A place is a zone of the layout; a palazzo's place also names its lowest tile (``seat0/B1.2``), and a seat's zone alone
means a new palazzo.  The turn and its phase stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.messages import Message
from tabletop.rules.game import Illegal, Json, Position
from tabletop.rules.palazzo.components import END_TILES, FLOOR, MONEY, STACKS, TILES

Pieces = list[str]
MONEY_PLACES = ("row", "discards", "deck")
TILE_PLACES = ("warehouse", *(f"quarry{number}" for number in range(1, 5)), "box")


def adopt(position: Position, places: Mapping[str, str]) -> Position:
    """Return the position with the pieces in these places.

    Raises Illegal: ``unknown-piece``, ``bad-request`` (no such place, a piece that is on its way), ``bad-position``
    (what cannot lie so, with the reason).
    """
    data = position.to_json()
    homes = _homes(data)
    palazzi = {tile: place for place, column in _columns(data) for tile in column}
    built, alone = frozenset(palazzi.values()), [f"seat{seat}" for seat in range(len(data["seats"]))]
    for piece in places:
        if piece not in position.game.pieces:
            text = Message("{piece} is not a piece of this game.", piece=piece[:20])
            raise Illegal("unknown-piece", text, facts={"piece": piece[:20]})
        home = next((pieces for pieces in homes.values() if piece in pieces), None)
        if home is not None:
            home.remove(piece)
        elif palazzi.pop(piece, None) is None:
            text = Message("{piece} is on its way: finish that act or undo it, then say where things lie.", piece=piece)
            raise Illegal("bad-request", text, facts={"piece": piece})
    for piece, place in places.items():
        if place in homes:
            homes[place].append(piece)
        elif piece in TILES and place in built:
            palazzi[piece] = place
        elif piece in TILES and place in alone:
            palazzi[piece] = f"{place}/{piece} alone"
        else:
            text = Message("{piece} cannot lie there: {place}.", piece=piece, place=place[:40])
            raise Illegal("bad-request", text, facts={"piece": piece})
    _build(data, palazzi)
    return position.game.load(data)


def places(position: Position) -> dict[str, tuple[str, ...]]:
    """Return every place that somebody could name, for each piece."""
    data = position.to_json()
    seats = [f"seat{seat}" for seat in range(len(data["seats"]))]
    hands = [f"hand{seat}" for seat in range(len(data["seats"]))]
    stacks = [f"stack{number}" for number in range(1, len(STACKS) + 1)]
    columns = list(_columns(data))
    named = dict.fromkeys(MONEY, (*MONEY_PLACES, *hands)) | dict.fromkeys(END_TILES, ("end", *stacks))
    for tile in TILES:
        built = (place for place, column in columns if column != [tile])
        named[tile] = (*TILE_PLACES, *built, *seats, *stacks)
    return named


def _homes(data: Json) -> dict[str, Pieces]:
    """Return place → the list in the data of the pieces there, except palazzi."""
    homes = {name: data.setdefault(name, []) for name in ("warehouse", "row", "discards", "deck", "box")}
    homes["end"] = data["end_tiles"]
    homes |= {f"quarry{number}": tiles for number, tiles in enumerate(data["quarries"], start=1)}
    homes |= {f"stack{number}": data["unseen"][name] for number, name in enumerate(STACKS, start=1)}
    return homes | {f"hand{number}": seat["hand"] for number, seat in enumerate(data["seats"])}


def _columns(data: Json) -> Iterator[tuple[str, Pieces]]:
    """Iterate over the palazzi, each with its place."""
    for number, seat in enumerate(data["seats"]):
        for column in seat["palazzi"]:
            yield f"seat{number}/{column[0]}", column


def _build(data: Json, palazzi: Mapping[str, str]) -> None:
    """Put the tiles back into palazzi, each from the lowest floor up; a palazzo whose lowest tile went stays one."""
    columns: dict[str, Pieces] = {}
    for tile in sorted(palazzi, key=lambda tile: FLOOR[tile]):
        columns.setdefault(palazzi[tile], []).append(tile)
    for number, seat in enumerate(data["seats"]):
        seat["palazzi"] = [column for place, column in columns.items() if place.startswith(f"seat{number}/")]
