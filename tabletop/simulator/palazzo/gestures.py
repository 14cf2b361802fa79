"""How each act of Palazzo is done by hand at the table: what is pressed, carried and laid, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Columns
from tabletop.simulator.table.hands import Change, Lay, Push, Step, TakePiece, visit
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
        carried += [TakePiece(card, "deck") for card in sorted(table.hold("discards"))]
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
