"""Turns actions into steps of hands: what is pressed, carried and laid follows from the layouts before and after."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Hidden, Layout, Spread, Tower, owner
from tabletop.rules.table import Table
from tabletop.simulator.table.changes import changes_to, tower_changes
from tabletop.simulator.table.hands import Change, Push, Step, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


class _Moved(NamedTuple):
    """What some actions move: piece → number of the last action that moves it, and piece → zone where hands show it.

    ``towers`` are the numbers of the actions that move pieces of towers, which have no names.
    """

    pieces: dict[str, int]
    shown: dict[str, str]
    towers: list[int]


def gestures(table: SimulatedTable, rules: Table, position: Position, actions: Sequence[Action]) -> list[Step]:
    """Return the steps that show the actions, done together in one movement, at the table.

    ``actions`` follow one another from ``position``.  An action that a button expresses takes only a press.  A seat
    moves the pieces that its actions name, chance all pieces that change place; other consequences are tidied up once
    the referee has accepted the actions.
    """
    pressed = rules.presses(position, actions[0], table.make)
    before = [Push(button) for button in pressed.before]
    if any(rules.button(position, button) == actions[0] for button in pressed.before):
        return [*before]
    moved, last = _moved(rules, position, actions, table.make)
    seat = position.decider if position.decider is not None else position.active
    steps = [*before, *visit(table, seat, _changes(table, moved, position.layout(), last))]
    steps += map(Push, pressed.after)
    later = _later_presses(rules, table.make, position, actions)
    if later and pressed.after:
        # The payment is cleared away first; if nothing is moved between two presses, another press is needed.
        cleared = visit(table, seat, _cleared(table, moved, last))
        steps += cleared or map(Push, later)
    return [*steps, *map(Push, later)]


def _moved(rules: Table, position: Position, actions: Sequence[Action], make: str) -> tuple[_Moved, Layout]:
    """Return what the actions move, and the layout after them."""
    moved = _Moved({}, {}, [])
    seats, was = len(position.names), position.layout()
    for number, action in enumerate(actions):
        pointers = rules.pointers(position, action, make)
        moved.shown.update(pointers)
        moved.pieces.update(dict.fromkeys(pointers, number))
        chance, position = position.decider is None, position.after(action)
        now = position.layout()
        lay, lies = was.zone_of(), now.zone_of()
        named = [piece for piece in position.game.pieces_in(action.to_json()) if piece in lies]
        # A piece laid upon another one may not be named in the action, such as a seat's own turret.
        others = [piece for piece in lies if lies[piece] != lay[piece]] if chance else _newly_upon(was, now)
        moved.pieces.update(dict.fromkeys([*named, *others], number))
        if action.do in rules.shows:
            for piece in named:
                hands = [_hand(lay[piece], was, seats), _hand(lies[piece], now, seats)]
                if seat := [hand for hand in hands if hand is not None][:1]:
                    moved.shown[piece] = f"{rules.shows[action.do]}{seat[0]}"
        if _towers(was) != _towers(now):
            moved.towers.append(number)
        was = now
    return moved, was


def _newly_upon(was: Layout, now: Layout) -> list[str]:
    return sorted(upper for upper, _ in now.upon - was.upon)


def _towers(layout: Layout) -> Layout:
    return Layout({zone: there for zone, there in layout.items() if isinstance(there, Tower)})


def _hand(zone: str, layout: Layout, seats: int) -> int | None:
    """Return the seat whose hand the zone is, None if it is not a hand."""
    return owner(zone, layout, seats) if isinstance(layout[zone], Hidden) else None


def _changes(table: SimulatedTable, moved: _Moved, before: Layout, after: Layout) -> list[Change]:
    """Return the changes from one layout to another, in the order of the actions."""
    shown = [
        change
        for zone in sorted(set(moved.shown.values()))
        for change in changes_to(table, zone, Spread(frozenset(p for p, to in moved.shown.items() if to == zone)))
    ]
    laid = [
        change
        for zone, arrangement in after.items()
        if arrangement != before.get(zone)
        for change in changes_to(table, zone, arrangement, [*moved.pieces])
        if change.piece in moved.pieces and change.piece not in moved.shown
    ]
    floors = tower_changes(table, after) if moved.towers else []
    moved.pieces.update(dict.fromkeys((change.piece for change in floors), max(moved.towers, default=0)))
    return sorted([*shown, *laid, *floors], key=lambda change: moved.pieces[change.piece])


def _cleared(table: SimulatedTable, moved: _Moved, after: Layout) -> list[Change]:
    """Return the changes that bring pieces that were only shown to where they belong."""
    changes = [change for zone, arrangement in after.items() for change in changes_to(table, zone, arrangement)]
    return [change for change in changes if change.piece in moved.shown]


def _later_presses(rules: Table, make: str, position: Position, actions: Sequence[Action]) -> Sequence[str]:
    """Return the buttons to press after the movement for the actions after the first: one press confirms them all."""
    for action, following in pairwise(actions):
        position = position.after(action)
        if later := rules.presses(position, following, make).after:
            return later
    return ()
