"""No byte at Patrician's and the piecepack's tables depends on what the visitor may not know, in any phase.

Each phase is shown twice, the second time with two hidden pieces swapped: nothing changes for visitors who may not know
them, even if one of the two is seen on the table.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.contract.promises import secrets_of
from tabletop.rules.game import Illegal, Position
from tests.web.audiences import PATHS, seen

PHASES = {
    "patrician": ("setup", "deal", "reveal", "play", "floor", "move", "take"),
    "piecepack": ("setup", "deal", "reveal", "action", "place"),
}
ROLES = ("nobody", "host", "seat 0", "seat 1", "seat 2")


@cache
def moments(name: str) -> dict[str, Position]:
    """Return for each phase the position in which most hands hold cards and most pieces are hidden."""
    found: dict[str, Position] = {}
    most: dict[str, tuple[int, int]] = {}
    for position in play_random_game(registry.game(name), 7, len(NAMES)).positions:
        hidden = _hidden(position)
        if hidden > most.get(position.phase, (-1, -1)):
            found[position.phase], most[position.phase] = position, hidden
    del found["over"]
    return found


def _hidden(position: Position) -> tuple[int, int]:
    """Return the number of hands that hold something, and the number of pieces that a spectator does not know."""
    layout = position.layout()
    return sum(bool(layout.pieces(f"hand{seat}")) for seat in range(len(NAMES))), len(secrets_of(position, None))


def exchange(data: Any, one: str, other: str) -> Any:
    """Return a position's data with two pieces swapped."""
    if isinstance(data, dict):
        return {key: exchange(value, one, other) for key, value in data.items()}
    if isinstance(data, list):
        return [exchange(value, one, other) for value in data]
    return {one: other, other: one}.get(data, data) if isinstance(data, str) else data


def pairs(position: Position, seat: int | None) -> list[tuple[str, Position]]:
    """Return a piece of each two zones hidden from the seat, and the position with it swapped with the other zone's.

    The first two such pairs of zones are enough.
    """
    pieces, home = position.game.pieces, position.layout().zone_of()
    found: dict[frozenset[str], tuple[str, Position]] = {}
    for one, other in combinations(sorted(secrets_of(position, seat)), 2):
        zones = frozenset((home[one], home[other]))
        if len(zones) == 2 and zones not in found and pieces[one].kind == pieces[other].kind:
            try:
                found[zones] = one, position.game.load(exchange(position.to_json(), one, other))
            except Illegal:
                continue
        if len(found) == 2:
            break
    return list(found.values())


def test_every_phase_of_a_game_is_looked_at() -> None:
    """``PHASES`` contains all phases of both games."""
    assert {name: set(moments(name)) for name in PHASES} == {name: set(phases) for name, phases in PHASES.items()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("name", "phase"), [(name, phase) for name in PHASES for phase in PHASES[name]])
def test_nothing_changes_when_hidden_pieces_are_exchanged(name: str, phase: str, role: str) -> None:
    """Pages and streams stay the same, whether no hidden piece is in sight or one of the swapped ones is."""
    seat = int(role[-1]) if role.startswith("seat") else None
    position = moments(name)[phase]
    table = position.game.table
    assert table is not None
    places = [f"{table.shows['deal']}1", next(iter(position.layout()))]
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    phone = pages.phone(seat, host=role == "host")

    def shown(one: Position, *moves: PieceMove) -> list[str]:
        pages.mailbox.become(one, todo=moves)
        return [seen(pages, phone, path) for path in PATHS]

    hides = pairs(position, seat)
    untouched = shown(position) if hides else []
    for number, (piece, other) in enumerate(hides):
        assert shown(other) == untouched
        for lies in places if number == 0 else ():
            homes = [one.layout().zone_of()[piece] for one in (position, other)]
            moves = [PieceMove(piece, lies, home, table.rule(home)) for home in homes]
            assert shown(position, moves[0]) == shown(other, moves[1])
    pages.close()
    assert hides or phase == "setup"  # during the setup no hand holds anything: all hidden pieces are in one place
