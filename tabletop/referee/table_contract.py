"""The contract of a game's table, on layouts alone: whatever hands have begun, the referee waits or reads it correctly.

:func:`check_table_contract` plays seeded random games and looks at every action half done, in any order of the
hands: nothing counts too early, nothing legal is called wrong, and what is done is read as what it is::

    def test_my_table_keeps_the_contract():
        check_table_contract(GAME)
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from tabletop.referee.interpretation.interpret import Interpretation, meaning
from tabletop.referee.interpretation.layout_diff import without_pieces
from tabletop.rules.contract import ContractBroken, play_random_game
from tabletop.rules.contract.table_setting import check_buttons, check_makes, check_setting
from tabletop.rules.data_words import words
from tabletop.rules.game import Action, Game, Json, Position
from tabletop.rules.layout import (
    Anywhere,
    Arrangement,
    Columns,
    Grid,
    Heap,
    Hidden,
    Layout,
    Pile,
    Spread,
    Tower,
)
from tabletop.rules.table import Table, ZoneShape

EMPTY_ARRANGEMENTS: Mapping[ZoneShape, Arrangement] = {
    ZoneShape.COLUMNS: Columns(frozenset()),
    ZoneShape.GRID: Grid(frozenset()),
    ZoneShape.TOWER: Tower(()),
    ZoneShape.PILE: Pile(()),
}
"""Zone shape → its arrangement when empty; every other shape is an empty spread."""
BEFORE, IN_HAND, LAID = range(3)
"""The states of a piece that an action moves."""


class TableCounts(NamedTuple):
    """How many bundles of actions, and way stations of them, were checked."""

    bundles: int
    stations: int


@dataclass(frozen=True)
class Carried:
    """A thing that hands carry for one action of a bundle: a piece, or a floor of a tower that grows or shrinks.

    ``act`` is the index of the action in the bundle.  The zones ``source`` and ``dest`` are empty where nobody sees the
    piece; ``last`` is True for what chance turns up, which waits for the actions before it.
    """

    act: int
    piece: str
    source: str
    dest: str
    last: bool = False
    floor: bool = False


@dataclass(frozen=True)
class Bundle:
    """Actions done in one movement of the hands, the pieces carried for them, and what is pressed."""

    start: Position
    acts: tuple[Action, ...]
    after: Position
    items: tuple[Carried, ...]
    intent: str | None
    finishing: tuple[str | None, ...]


def check_table_contract(
    game: Game,
    seeds: Iterable[int] = range(3),
    make: str = "",
    options: Mapping[str, Json] | None = None,
    stations: int = 12,
) -> TableCounts:
    """Check a game's table in one random game per seed, with each number of seats in turn.

    ``make`` is what is played with (empty: the first).  At most ``stations`` way stations of each action are checked;
    whole turns are done in one movement as well.  Raises ContractBroken.
    """
    table = game.table
    if table is None:
        raise ContractBroken("table", f"{game.title} says nothing about its table")
    check_setting(game)
    check_makes(game)
    check_buttons(game)
    done = seen = 0
    for seed in seeds:
        walk = play_random_game(game, seed, game.seat_range[seed % len(game.seat_range)], options)
        rng = random.Random(seed)
        for at in range(len(walk.actions)):
            for whole in (False, True):
                bundle = _bundle(table, walk.positions[at:], walk.actions[at:], make, whole)
                if bundle is None or (whole and len(bundle.acts) == 1):
                    continue
                done += 1
                seen += _check_bundle(table, bundle, make, rng, stations)
    return TableCounts(done, seen)


# What hands do for an action


def _bundle(
    table: Table, positions: Sequence[Position], actions: Sequence[Action], make: str, whole: bool
) -> Bundle | None:
    """Return the first action with those done in the same movement of the hands; None if a press alone does it.

    Those are the actions by which the same seat lays the pieces that are on their way; with ``whole``, also the rest
    of its turn up to a press.
    """
    start, items, finishing = positions[0], list[Carried](), list[str | None]()
    intent = None
    for number, action in enumerate(actions):
        position, after = positions[number], positions[number + 1]
        pressed = table.presses(position, action, make)
        said = any(table.button(position, button) == action for button in pressed.before)
        carried = _carried(table, position, action, after, number, make)
        if number:
            pending = any(
                isinstance(there, Anywhere) and not there.pieces.isdisjoint(position.game.pieces_in(action.to_json()))
                for there in position.layout().values()
            )
            mine = position.active == start.active and position.decider in (None, start.decider)
            # If a piece that was laid, or came onto a tower, is moved again, that is a new movement.
            laid = {item.dest if item.floor else item.piece for item in items if item.dest}
            again = not laid.isdisjoint(item.source if item.floor else item.piece for item in carried)
            if said or again or not mine or not (pending or (whole and not pressed.before and not finishing)):
                break
            if pending and position.decider is None:
                break
        elif said:
            return None
        else:
            intent = next((does for b in pressed.before if isinstance(does := table.button(position, b), str)), None)
        for button in pressed.after:
            meant = table.button(position, button) if table.finishes(position, button) else None
            finishing.append(meant if isinstance(meant, str) else intent if number == 0 else None)
        items = _merged(items, carried)
        end = number + 1
    return Bundle(start, tuple(actions[:end]), positions[end], tuple(items), intent, tuple(finishing))


def _carried(table: Table, position: Position, action: Action, after: Position, act: int, make: str) -> list[Carried]:
    """Return what hands carry for an action: the pieces it names, floors, and pieces that come to stand upon others."""
    was, now = position.layout(), after.layout()
    home, goes = was.zone_of(), now.zone_of()
    moved = {piece for piece in position.game.pieces_in(action.to_json()) if piece in home and piece in goes}
    moved |= {upper for upper, _ in now.upon - was.upon}
    carried = []
    for piece in sorted(moved):
        source, dest = home[piece], goes[piece]
        # Chance draws from discards only once hands have shuffled them into a new stack.
        hidden = isinstance(was[source], Hidden | Anywhere | (Pile | Heap if position.decider is None else Hidden))
        if action.do in table.shows and isinstance(was[source], Hidden):
            hand = dest if isinstance(now[dest], Hidden) else source
            dest = table.shows[action.do] + hand.lstrip("abcdefghijklmnopqrstuvwxyz")
        elif isinstance(now[dest], Hidden | Anywhere):
            dest = ""
        if source == dest and not _stirred(was[source], now[source], piece):
            continue
        if not hidden or dest:
            carried.append(Carried(act, piece, "" if hidden else source, dest, position.decider is None))
    if not table.bare(make):
        carried += _floors(was, now, act)
    carried += [Carried(act, piece, "", zone) for piece, zone in table.pointers(position, action, make).items()]
    return carried


def _floors(was: Layout, now: Layout, act: int) -> Iterator[Carried]:
    """Iterate over the floors that come onto towers and leave them."""
    sizes = {zone: (len(was.floors(zone)), len(now.floors(zone))) for zone in now if isinstance(now[zone], Tower)}
    lost = [zone for zone, (old, new) in sizes.items() for _ in range(old - new)]
    for zone, (old, new) in sizes.items():
        for floor in now.floors(zone)[old:new]:
            yield Carried(act, floor, lost.pop() if lost else "", zone, floor=True)
    yield from (Carried(act, was.floors(zone)[-1], zone, "", floor=True) for zone in lost)


def _merged(items: Sequence[Carried], more: Iterable[Carried]) -> list[Carried]:
    """Return everything that is carried: a piece on its way goes straight to where a later act puts it."""
    carried = {item.piece: item for item in items if not item.floor}
    floors = [item for item in items if item.floor]
    for item in more:
        if item.floor:
            floors.append(item)
        elif item.piece in carried:
            carried[item.piece] = replace(item, source=carried[item.piece].source)
        else:
            carried[item.piece] = item
    return [*carried.values(), *floors]


def _words(action: Action) -> frozenset[str]:
    return frozenset(words(action.to_json()))


def _stirred(was: Arrangement, now: Arrangement, piece: str) -> bool:
    """Return whether a piece itself changed its place within its zone, not only others around it."""
    if isinstance(was, Columns) and isinstance(now, Columns):
        return was != now and without_pieces(was, {piece}) == without_pieces(now, {piece})
    if isinstance(was, Grid) and isinstance(now, Grid):
        places = ({pair for pair in (*grid.cells, *grid.upon) if pair[0] == piece} for grid in (was, now))
        return len({frozenset(place) for place in places}) > 1
    return False


# What a camera sees meanwhile


def _seen(table: Table, bundle: Bundle, states: Sequence[int], make: str) -> Layout:
    """Return the layout that a perfect camera would see at a way station."""
    bare = table.bare(make)
    zones = [zone for zone in table.zones(len(bundle.start.names)) if not (bare and zone.shape is ZoneShape.TOWER)]
    was, now = bundle.start.layout(), bundle.after.layout()
    seen = {zone.name: _zone(zone.name, zone.shape, was, now, bundle.items, states) for zone in zones}
    return Layout({**seen, "table": Spread(frozenset())})


def _zone(
    name: str, shape: ZoneShape, was: Layout, now: Layout, items: Sequence[Carried], states: Sequence[int]
) -> Arrangement:
    pairs = list(zip(items, states, strict=True))
    there = was.get(name, EMPTY_ARRANGEMENTS.get(shape, Spread(frozenset())))
    if isinstance(there, Hidden | Anywhere):
        there = Spread(frozenset())
    if isinstance(there, Tower):
        left = len(there.floors) - sum(item.floor and item.source == name and state > BEFORE for item, state in pairs)
        laid = tuple(item.piece for item, state in pairs if item.floor and item.dest == name and state == LAID)
        return Tower(there.floors[:left] + laid)
    if any(not item.source and item.piece in was.pieces(name) for item in items):
        return EMPTY_ARRANGEMENTS.get(shape, Spread(frozenset()))
    gone = {item.piece for item, state in pairs if item.source == name and state > BEFORE}
    come = [item.piece for item, state in pairs if item.dest == name and state == LAID]
    there = without_pieces(there, gone)
    final = now.get(name)
    match there:
        case Spread(pieces) | Heap(pieces):
            return type(there)(pieces.union(come))
        case Pile(pile):
            return Pile((*pile, *come))
        case Grid(cells, upon) if isinstance(final, Grid):
            more = {pair for pair in final.cells if pair[0] in come}
            return Grid(cells | more, upon | {pair for pair in final.upon if pair[0] in come})
        case Columns() if isinstance(final, Columns) and come:
            keep = {piece for column in there.columns for piece in column}.union(come)
            return without_pieces(final, {piece for column in final.columns for piece in column if piece not in keep})
    return there


# What the referee makes of it


def _check_bundle(table: Table, bundle: Bundle, make: str, rng: random.Random, stations: int) -> int:
    looked = 0
    for states in _stations(bundle.items, rng, stations):
        if not bundle.finishing and set(states) == {LAID}:
            continue
        reading = meaning(bundle.start, _seen(table, bundle, states, make), bundle.intent, confirmed=False)
        _check_station(bundle, reading, states)
        looked += 1
    _check_done(table, bundle, make)
    return looked


def _stations(items: Sequence[Carried], rng: random.Random, most: int) -> Iterator[tuple[int, ...]]:
    """Iterate over way stations, all of them or a sample; what chance turns up waits for the actions before it."""
    if len(items) <= 4:
        every = {_in_turn(items, states) for states in product(range(3), repeat=len(items))}
    else:
        every = {_in_turn(items, [rng.randrange(3) for _ in items]) for _ in range(most)}
    yield from rng.sample(sorted(every), min(most, len(every)))


def _in_turn(items: Sequence[Carried], states: Sequence[int]) -> tuple[int, ...]:
    """Return the states, put back where they come too early.

    What chance turns up waits for the actions before it, and what is built in one place goes up in order.
    """
    pairs = list(zip(items, states, strict=True))
    late = min((item.act for item, state in pairs if state < LAID), default=len(items))
    below = {item.dest: item.act for item, state in reversed(pairs) if state < LAID}

    def turn(item: Carried, state: int) -> int:
        if item.last and item.act > late:
            return BEFORE
        return min(state, IN_HAND) if item.act > below.get(item.dest, item.act) else state

    return tuple(turn(item, state) for item, state in pairs)


def _check_station(bundle: Bundle, reading: Interpretation, states: Sequence[int]) -> None:
    # The name of a cell depends on what lay there first: only the words of an action must agree before all is done.
    done, acts = [_words(act.action) for act in reading.acts], [_words(action) for action in bundle.acts]
    if Counter(done) - Counter(acts):
        raise _broken("nothing is misread", bundle, reading, states)
    missing = {
        item.act
        for item, state in zip(bundle.items, states, strict=True)
        if state == BEFORE or (state == IN_HAND and item.dest)
    }
    first = {named: number for number, named in reversed(list(enumerate(acts)))}
    if missing & {first[named] for named in done}:
        raise _broken("nothing counts too early", bundle, reading, states)
    if reading.refused or reading.question or (reading.moves and not done):
        raise _broken("nothing is called wrong", bundle, reading, states)


def _check_done(table: Table, bundle: Bundle, make: str) -> None:
    """Check that a bundle is read as its actions once everything lies there, with the presses that it needs."""
    states = (LAID,) * len(bundle.items)
    seen, position = _seen(table, bundle, states, make), bundle.start
    reading = Interpretation()
    for intent, confirmed in ((bundle.intent, False), *((finish, True) for finish in bundle.finishing)):
        reading = meaning(position, seen, intent, confirmed)
        if reading.refused or reading.question:
            raise _broken("nothing is called wrong", bundle, reading, states)
        position = reading.acts[-1].position if reading.acts else position
    same = (position.layout(), position.phase, position.decider, position.active) == (
        bundle.after.layout(),
        bundle.after.phase,
        bundle.after.decider,
        bundle.after.active,
    )
    if not same and position != bundle.after:
        raise _broken("what is done is read", bundle, reading, states)


def _broken(promise: str, bundle: Bundle, reading: Interpretation, states: Sequence[int]) -> ContractBroken:
    game = bundle.start.game
    done = ", ".join(game.format(action) for action in bundle.acts)
    names = ("not begun", "in a hand", "laid")
    hands = [
        f"{item.piece} {item.source or '–'}→{item.dest or '–'} {names[state]}"
        for item, state in zip(bundle.items, states, strict=True)
    ]
    read = [game.format(act.action) for act in reading.acts]
    refused = reading.refused.message if reading.refused else ""
    said = [str(text) for text in (reading.question, reading.waiting, refused) if text]
    moves = [f"{move.piece} {move.lies or '–'}→{move.belongs or '–'}" for move in reading.moves]
    return ContractBroken(
        promise, f"{bundle.start.phase}: {done}; {'; '.join(hands)}; read {read}, said {said}, to move {moves}"
    )
