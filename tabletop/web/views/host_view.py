"""What the host's page shows in addition: what can be entered or corrected, the options, and the state of the table.

The host sees no hands.  Everything here follows from what everybody may know; to see a hand the host plays for that
seat, which the log shows to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypedDict

from tabletop.referee.admin import movable_places
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Position
from tabletop.rules.layout import Columns, Layout
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games import rule_options
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.games.zone_names import ZoneNames
from tabletop.web.views.game_log import action_line

MAX_ACTS = 60
"""How many acts are offered at most; the seat's own page has all of them."""


class HostAct(NamedTuple):
    """An act that can be recorded by hand: what is sent, and the line that the log would have."""

    data: Mapping[str, Any]
    line: LogLine


class NamedPlace(NamedTuple):
    """A place that somebody can name for a piece: as it is sent, and as people say it."""

    value: str
    text: str


class Difference(NamedTuple):
    """A piece that lies elsewhere than the record says, and the places to choose from; ``seen`` is preselected."""

    piece: str
    name: str
    record: str
    seen: str
    places: Sequence[NamedPlace]


class HostFacts(TypedDict):
    """Facts for the host's pages besides what everybody sees.

    ``newest`` is the number of the newest event that can be undone, 0 if none can; ``told`` are pieces that may have
    been turned up, ``acts`` what the deciding seat may have done.  For corrections there are the ``differences``
    between table and record, all ``movable`` pieces, and ``everywhere`` that they may lie; ``adopts`` says that this
    game takes corrections.  ``most`` is its largest number of seats.
    """

    newest: int
    told: Sequence[str]
    acts: Sequence[HostAct]
    differences: Sequence[Difference]
    movable: Sequence[NamedPlace]
    everywhere: Sequence[NamedPlace]
    options: Sequence[str]
    adopts: bool
    next_rules: Sequence[Sequence[rule_options.OptionValue]]
    most: int


def facts(snapshot: Snapshot, ui: AnyUI, names: Names) -> HostFacts:
    """Return what the host's page reads besides what everybody sees."""
    position = snapshot.position
    halted = snapshot.over or snapshot.match.paused
    places = {} if halted else movable_places(position)
    called = ZoneNames(position, ui, names)
    everywhere = dict.fromkeys(place for some in places.values() for place in some)
    seen = snapshot.scene.layout if snapshot.scene else Layout({})
    return {
        "newest": 0 if snapshot.match.paused or snapshot.match.ended else _newest_change(snapshot),
        "told": [] if halted else _revealable(position),
        "acts": [] if halted else list(islice(_acts(position, ui, names), MAX_ACTS)),
        "differences": [] if halted else differences(position, snapshot.todo, seen, ui, names),
        "movable": [NamedPlace(piece, ui.called(piece)) for piece in places],
        "everywhere": [NamedPlace(place, called.place(place)) for place in everywhere],
        "options": rule_options.sentences(position, ui, names),
        "adopts": bool(places),
        "next_rules": rule_options.choices(position, ui, names) if snapshot.over else [],
        "most": position.game.seat_range[-1],
    }


def differences(
    position: Position, moves: Iterable[PieceMove], seen: Layout, ui: AnyUI, names: Names
) -> list[Difference]:
    """Return the pieces that lie elsewhere than recorded, each with the places that may be named (secrets: none)."""
    table = position.game.table
    known = table.places(position) if table is not None else {}
    places, called = movable_places(position), ZoneNames(position, ui, names)
    return [
        Difference(
            move.piece,
            ui.called(move.piece),
            called.home(move.piece, move.belongs),
            _seen_at(move, position, seen),
            [NamedPlace(place, called.place(place)) for place in places.get(move.piece, ())],
        )
        for move in moves
        if move.piece in known
    ]


def _newest_change(snapshot: Snapshot) -> int:
    """Return the number of the newest event that can be undone, 0 if there is none."""
    newest = snapshot.match.newest_change
    return newest.number if newest is not None else 0


def _revealable(position: Position) -> list[str]:
    """Return the pieces that may have been turned up, as far as everybody can know.

    Whatever lies out of sight is offered: a list of what is left in the deck would reveal hands and covered cards.
    """
    pieces, layout = position.game.pieces, position.layout()
    revealed = {str(action.to_json().get("piece")) for action in position.legal if action.do == "reveal"} & set(pieces)
    kinds = {pieces[piece].kind for piece in revealed}
    # Of like pieces only one is legal; which one it is would reveal which are in the hands.  So whole zones are
    # offered.
    zones = [layout.pieces(zone) for zone in layout if layout.pieces(zone) & revealed]
    offered = (pieces.keys() - known_pieces(position, None)).union(*zones)
    return sorted(piece for piece in offered if pieces[piece].kind in kinds)


def _acts(position: Position, ui: AnyUI, names: Names) -> Iterator[HostAct]:
    """Iterate over the deciding seat's legal actions of the kinds that do not depend on its hand."""
    if position.decider is None:
        return
    for action in position.legal.thrifty():
        if action.do in ui.open_kinds:
            line = action_line(action, position.decider, ui, None, names, position.game)
            yield HostAct(action.to_json(), line)


def _seen_at(move: PieceMove, position: Position, seen: Layout) -> str:
    """Return the place at which a piece is seen: its zone, or the column in it if the record knows that one."""
    there = seen.get(move.lies)
    known = position.layout().get(move.lies)
    if not isinstance(there, Columns) or not isinstance(known, Columns):
        return move.lies
    column = next((column for column in there.columns if move.piece in column), ())
    for own in sorted(known.columns):
        if set(own) & (set(column) - {move.piece}):
            return f"{move.lies}/{own[0]}"
    return move.lies
