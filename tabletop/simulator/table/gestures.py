"""How each act of Palazzo is done by hand at the table: what is pressed, carried and laid, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Columns, Hidden, Layout, Pile, Spread
from tabletop.simulator.table.hands import Change, Lay, Push, Step, TakePiece, visit
from tabletop.simulator.table.hidden_order import DECK
from tabletop.simulator.table.simulated_table import SimulatedTable

BUTTONS = {"money": "MONEY", "build": "BUILD", "auction": "AUCTION", "pass": "PASS"}
"""Acts that are nothing but a press."""

Facts = Mapping[str, Any]


def gestures(table: SimulatedTable, position: Position, actions: Sequence[Action]) -> list[Step]:
    """Return the steps that show the actions, done together, at the table.

    ``actions`` follow one another from ``position``; the first one decides about the manner.  Things that are tidied up
    once the referee has accepted are not among them.
    """
    first = actions[0]
    if first.do in BUTTONS:
        return [Push(BUTTONS[first.do])]
    seat = position.decider if position.decider is not None else position.active
    changes: list[Change] = []
    # A tile leaves the game only by an OK of its own, after the one that confirms a purchase.
    confirms = [first.do in {"buy", "bid", "rebuild"}, any(action.do == "scrap" for action in actions)]
    for action in actions:
        changes += _changes(table, position, action)
        position = position.after(action)
    intent = [Push(first.do.upper())] if first.do in {"buy", "rebuild"} else []
    return [*intent, *visit(table, seat, changes), *([Push("OK")] * sum(confirms))]


def tidy(table: SimulatedTable, position: Position) -> list[Step]:
    """Return the steps after which everything lies as the position says, as far as it says anything."""
    expected = position.layout()
    steps: list[Step] = []
    for seat, changes in _by_seat(position, _misplaced(table, expected)):
        steps += visit(table, seat, changes)
    return steps


def _changes(table: SimulatedTable, position: Position, action: Action) -> list[Change]:
    """Return what is carried for one action.

    A claim carries nothing: the hand takes the tile straight to where it is placed, and that shows both.
    """
    facts, seat = action.to_json(), position.decider
    match action.do:
        case "reveal":
            return _reveal(table, position, action, facts["piece"])
        case "deal":
            return [Lay(card, f"bid{facts['seat']}") for card in facts["cards"]]
        case "take":
            return [TakePiece(facts["card"], f"hand{seat}")]
        case "bid":
            return [Lay(card, f"bid{seat}") for card in facts["cards"]]
        case "buy":
            return [Lay(card, f"bid{seat}") for card in facts["pay"]]
        case "place":
            return [Lay(facts["tile"], f"seat{seat}", onto=facts["onto"])]
        case "scrap":
            return [TakePiece(facts["tile"], "box")]
        case "rebuild":
            return [Lay(facts["pay"], f"bid{seat}"), _rebuild(position, action, facts)]
    return []


def _reveal(table: SimulatedTable, position: Position, action: Action, piece: str) -> list[Change]:
    after = position.after(action).layout()
    carried: list[Change] = []
    if table.pieces[piece].kind == "money" and not after.pieces("discards"):
        # The deck ran out: the discards are shuffled and become the deck.
        carried += [TakePiece(card, DECK) for card in sorted(table.hold("discards"))]
    return [*carried, Lay(piece, after.zone_of()[piece])]


def _rebuild(position: Position, action: Action, facts: Facts) -> Change:
    tile, zone = facts["tile"], f"seat{position.decider}"
    if facts["kind"] == "scrap":
        return TakePiece(tile, "box")
    after = position.after(action).layout()[zone]
    assert isinstance(after, Columns)
    column = next(column for column in after.columns if tile in column)
    onto = next((other for other in column if other != tile), None)
    return Lay(tile, zone, onto=onto, at=column.index(tile))


def _misplaced(table: SimulatedTable, expected: Layout) -> Iterator[Change]:
    """Yield what must be moved, what leaves the table first."""
    lays: list[Change] = []
    for zone, arrangement in expected.items():
        match arrangement:
            case Hidden(pieces):
                yield from (TakePiece(piece, zone) for piece in sorted(pieces) if table.where(piece) != zone)
            case Columns(columns):
                lays += _columns_amiss(table, zone, columns)
            case Pile(pieces):
                lays += [Lay(piece, zone) for piece in pieces if table.where(piece) != zone]
            case Spread(pieces):
                lays += [Lay(piece, zone) for piece in sorted(pieces) if table.where(piece) != zone]
    yield from lays


def _columns_amiss(table: SimulatedTable, zone: str, columns: frozenset[tuple[str, ...]]) -> list[Change]:
    there = set(table.columns(zone))
    changes: list[Change] = []
    for column in sorted(columns - there):
        changes += [TakePiece(tile, "hand") for tile in column if table.where(tile) == zone]
        changes += [Lay(tile, zone, onto=column[0] if level else None) for level, tile in enumerate(column)]
    return changes


def _by_seat(position: Position, changes: Iterator[Change]) -> Iterator[tuple[int, list[Change]]]:
    """Group what is to be moved by whose hand does it: its its own things each seat, all else the active one."""
    groups: dict[int, list[Change]] = {}
    for change in changes:
        goes = change.zone if isinstance(change, Lay) else getattr(change, "to", "")
        owner = goes.removeprefix("hand").removeprefix("seat")
        groups.setdefault(int(owner) if owner.isdigit() else position.active, []).append(change)
    yield from sorted(groups.items(), key=lambda group: group[0] != position.active)
