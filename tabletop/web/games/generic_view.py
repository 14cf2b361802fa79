"""The parts of any game's view that pages can show: what each seat has, what only that seat sees, what lies open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from tabletop.rules.game import Json, Position, View
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Heap, Hidden, Layout, Tower, owner
from tabletop.web.games.choice import Group
from tabletop.web.games.game_facts import BoardFacts, HandFacts, SeatFacts

Rows = dict[str, list[list[str]]]
"""Zone → its columns of pieces, each from the top down."""


class GenericBoard(BoardFacts):
    """The table in words: the view, what it says about each seat, what lies open, and the names of zones.

    ``ids`` are those of the pieces; all other texts in the view are words.
    """

    view: View
    ids: Collection[str]
    people: Sequence[Mapping[str, Json]]
    lying: tuple[Rows, list[Rows]]
    place: Callable[[str], str]


class GenericHand(HandFacts):
    """A hand in words: the seat's own view, and what in it is secret."""

    own: View
    secrets: Sequence[tuple[str, Json]]


class GenericChoices(GenericHand, SeatFacts):
    """A hand in words, and choices by their headings; ``more`` says that there are more than these."""

    choices: Sequence[Group]
    more: bool


def of_seats(view: View, seats: int) -> list[dict[str, Json]]:
    """Return what the view says about each seat, without its name; nothing if it has no object for each of them."""
    shown = view.get("seats")
    if not isinstance(shown, list) or len(shown) != seats or not all(isinstance(seat, Mapping) for seat in shown):
        return [{} for _ in range(seats)]
    return [{key: value for key, value in seat.items() if key != "name"} for seat in shown]


def hand(position: Position, seat: int) -> GenericHand:
    """Return what one seat sees of its own hand."""
    own = position.view(seat)
    return {"own": own, "secrets": list(secrets(own, position.view(None)))}


def secrets(own: Json, public: Json, label: str = "") -> Iterator[tuple[str, Json]]:
    """Iterate over what a seat's own view shows and a spectator's does not, each with its key."""
    if own == public:
        return
    if isinstance(own, Mapping) and isinstance(public, Mapping):
        for key, value in own.items():
            yield from secrets(value, public.get(key), str(key))
    elif _nested(own) and isinstance(public, list) and len(own) == len(public):
        for mine, theirs in zip(own, public, strict=True):
            yield from secrets(mine, theirs, label)
    else:
        yield label, own


def _nested(value: Json) -> bool:
    return isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value)


def open_pieces(layout: Layout, seats: int, known: Collection[str]) -> tuple[Rows, list[Rows]]:
    """Return the pieces that lie open, shared ones and each seat's own, without those that are not ``known``."""
    shared: Rows = {}
    own: list[Rows] = [{} for _ in range(seats)]
    for zone, there in layout.items():
        if isinstance(there, Hidden | Anywhere | Heap):
            continue
        seat = owner(zone, layout, seats)
        place = shared if seat is None else own[seat]
        hidden = layout.pieces(zone) - set(known)
        place[zone] = [[piece for piece in column if piece not in hidden] for column in _rows(there)]
    return shared, own


def _rows(there: Arrangement) -> list[list[str]]:
    """Return the pieces of an open zone: columns from the top down, rows of a grid, else one row."""
    match there:
        case Columns(columns):
            return [list(reversed(column)) for column in sorted(columns)]
        case Tower(floors):
            return [list(reversed(floors))]
        case Grid(cells):
            at = {cell: piece for piece, cell in cells}
            across, up = sorted({x for x, _y in at}), sorted({y for _x, y in at}, reverse=True)
            return [[at.get((x, y), "") for y in up] for x in across]
        case _:
            return [[piece] for piece in sorted(there.pieces)]
