"""Smugglers, for two: a die says how strict the customs are today; ship a crate, and let the other player guess.

Twelve crates are worth 1 to 4.  Each seat is dealt three, secretly.  In turn the die is rolled, the active seat ships a
crate, and the other one waves it through or searches it.  A crate waved through scores its worth.  A searched one is
seized if it is worth no more than the die, else it scores double.  Then the active seat draws a crate.  The game ends
when the bag and a hand are empty; crates left in a hand count against it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tabletop.messages import EMPTY, Message
from tabletop.rules import validate
from tabletop.rules.game import Action, Game, Illegal, Json, Piece, Position, SeatScore, View
from tabletop.rules.grammar import ActionValue, Grammar, GrammarGame
from tabletop.rules.layout import Hidden, Layout, Spread
from tabletop.rules.look import Look
from tabletop.rules.new_game import chosen, seated
from tabletop.rules.refusals import MEANINGS as COMMON
from tabletop.rules.refusals import Reason, refuse
from tabletop.rules.table import ButtonMeaning, CardSpot, Size, Table, TableReading, Zone, ZoneShape

WORTH = {f"{kind}{worth}": worth for kind in "GST" for worth in range(1, 5)}
CRATES = tuple(WORTH)
HAND = 3
DICE = ("1", "2", "3")
CAPTAINS = ("north", "south")
PILES = ("passed", "seized", "cleared")
CHOICES: Mapping[str, Sequence[Json]] = {"odds": (2, 3)}


class Stow(ActionValue, form="stow {seat:seat} {crates:pieces}"):
    """Chance deals a seat its hand."""

    seat: int
    crates: tuple[str, ...]


class Roll(ActionValue, form="roll {die:die}"):
    """Chance rolls the die."""

    die: str


class Ship(ActionValue, form="ship {crate}"):
    """The active seat ships a crate of its hand."""

    crate: str


class Wave(ActionValue, form="wave"):
    """The other seat lets the crate through."""


class Search(ActionValue, form="search"):
    """The other seat opens the crate."""


class Draw(ActionValue, form="draw {seat:seat} {crate}"):
    """Chance gives the active seat a crate from the bag."""

    seat: int
    crate: str


PHASES: Mapping[str, Sequence[type[ActionValue]]] = {
    "stow": [Stow],
    "roll": [Roll],
    "ship": [Ship],
    "inspect": [Wave, Search],
    "draw": [Draw],
    "over": [],
}
REASONS: Mapping[str, Reason] = {
    "over": Reason("game-over", "The game is over.", Message("The end")),
    "wrong-phase": Reason("wrong-phase", "{do} is not possible now.", Message("A turn")),
    "not-due": Reason("not-your-turn", "{due} is served now.", Message("A turn")),
    "not-in-bag": Reason("not-in-pool", "{crate} is not in the bag.", Message("A turn")),
    "not-in-hand": Reason("not-in-hand", "{crate} is not in this hand.", Message("A turn")),
}
MEANINGS: Mapping[str, str] = dict(COMMON)


@dataclass(frozen=True)
class SmugglersPosition(Position):
    """One game at one moment, a value; sets of crates are sorted tuples."""

    captains: tuple[str, str]
    odds: int
    hands: tuple[tuple[str, ...], ...]
    piles: Mapping[str, tuple[tuple[str, ...], ...]]
    bag: tuple[str, ...]
    turn: int
    stage: str
    die: str = ""
    wharf: str = ""

    def __hash__(self) -> int:
        return hash((self.captains, self.hands, *self.piles.values(), self.bag, self.turn, self.stage, self.wharf))

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""
        return self.captains

    @property
    def phase(self) -> str:
        """The current step: ``stow``, ``roll``, ``ship``, ``inspect``, ``draw`` or ``over``."""
        return self.stage

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.turn

    @property
    def decider(self) -> int | None:
        """The active seat in ``ship``, the other one in ``inspect``; None for chance."""
        return {"ship": self.turn, "inspect": 1 - self.turn}.get(self.stage)

    def why_not(self, action: Any) -> tuple[str, dict[str, Json]] | None:
        """Return the key of the reason and its facts; None if the action is legal."""
        if self.over:
            return "over", {}
        if type(action) not in PHASES[self.stage]:
            return "wrong-phase", {"do": action.do}
        if isinstance(action, Stow | Draw):
            due = self.hands.index(()) if isinstance(action, Stow) else self.turn
            if action.seat != due:
                return "not-due", {"due": self.captains[due]}
            crates = action.crates if isinstance(action, Stow) else (action.crate,)
            for place, crate in enumerate(crates):
                if crate not in self.bag or crate in crates[:place]:
                    return "not-in-bag", {"crate": crate}
            return None if isinstance(action, Draw) or len(crates) == HAND else ("wrong-phase", {"do": action.do})
        if isinstance(action, Ship) and action.crate not in self.hands[self.turn]:
            return "not-in-hand", {"crate": action.crate}
        return None

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action."""
        match self.stage:
            case "stow":
                yield from (Stow(self.hands.index(()), crates) for crates in combinations(self.bag, HAND))
            case "roll":
                yield from map(Roll, DICE)
            case "ship":
                yield from map(Ship, self.hands[self.turn])
            case "inspect":
                yield from (Wave(), Search())
            case "draw":
                yield from (Draw(self.turn, crate) for crate in self.bag)

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None if it is."""
        found = self.why_not(action)
        return None if found is None else refuse(REASONS[found[0]], None, **found[1])

    def after(self, action: Any) -> SmugglersPosition:
        """Return the position after the action.  Raises Illegal if it is not legal."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise refusal
        match action:
            case Stow():
                hands, bag = put(self.hands, action.seat, action.crates), less(self.bag, *action.crates)
                return replace(self, hands=hands, bag=bag, stage="stow" if () in hands else "roll")
            case Roll():
                return replace(self, die=action.die, stage="ship")
            case Ship():
                hands = put(self.hands, self.turn, less(self.hands[self.turn], action.crate))
                return replace(self, hands=hands, wharf=action.crate, stage="inspect")
            case Draw():
                hand = tuple(sorted((*self.hands[self.turn], action.crate)))
                hands = put(self.hands, self.turn, hand)
                return replace(self, hands=hands, bag=less(self.bag, action.crate), turn=1 - self.turn, stage="roll")
        return self._inspected(isinstance(action, Search))

    def _inspected(self, searched: bool) -> SmugglersPosition:
        caught = searched and WORTH[self.wharf] <= int(self.die)
        pile, owner = ("seized", 1 - self.turn) if caught else ("cleared" if searched else "passed", self.turn)
        crates = tuple(sorted((*self.piles[pile][owner], self.wharf)))
        piles = {**self.piles, pile: put(self.piles[pile], owner, crates)}
        after = replace(self, piles=piles, wharf="", die="")
        if self.bag:
            return replace(after, stage="draw")
        return replace(after, turn=1 - self.turn, stage="over" if () in self.hands else "roll")

    def layout(self) -> Layout:
        """Return where every crate should lie."""
        zones = {f"hold{seat}": Hidden(frozenset(hand)) for seat, hand in enumerate(self.hands)}
        open_zones = {
            f"{pile}{seat}": Spread(frozenset(crates))
            for pile, each in self.piles.items()
            for seat, crates in enumerate(each)
        }
        wharf = Spread(frozenset({self.wharf} - {""}))
        return Layout({**zones, **open_zones, "wharf": wharf, "bag": Hidden(frozenset(self.bag))})

    def view(self, seat: int | None) -> View:
        """Return what the seat may know: its own hand, but only the size of the other hand and of the bag."""
        data = self.to_json()
        for owner, captain in enumerate(CAPTAINS):
            if owner != seat:
                data[captain]["hand"] = len(self.hands[owner])
        return {**data, "bag": len(self.bag)}

    def score(self) -> Sequence[SeatScore]:
        """Return each seat's points for crates passed, seized and cleared, minus those left in its hand."""
        parts = [
            {pile: sum(WORTH[crate] for crate in each[seat]) for pile, each in self.piles.items()}
            | {"left": -sum(WORTH[crate] for crate in self.hands[seat])}
            for seat in (0, 1)
        ]
        points = [one["passed"] + one["seized"] + self.odds * one["cleared"] + one["left"] for one in parts]
        return [SeatScore(own, [parts[seat]], None, 1 + (own < max(points))) for seat, own in enumerate(points)]

    def to_json(self) -> dict[str, Json]:
        """Return the position as data, with each seat under its captain's key."""
        captains = {
            captain: {
                "name": self.captains[seat],
                "hand": list(self.hands[seat]),
                **{pile: list(each[seat]) for pile, each in self.piles.items()},
            }
            for seat, captain in enumerate(CAPTAINS)
        }
        return {
            "game": "smugglers",
            "options": {"odds": self.odds},
            **captains,
            "bag": list(self.bag),
            "die": self.die or None,
            "wharf": self.wharf or None,
            "active": self.turn,
            "turn": {"phase": self.stage, "seat": self.decider},
        }


def read_hand(look: Look[SmugglersPosition]) -> TableReading:
    """Read crates from the bag that a seat shows to the camera before taking them up."""
    dealing = look.position.stage == "stow"
    seat = look.position.hands.index(()) if dealing else look.position.turn
    shown = [crate for crate in look.came(f"show{seat}", "crate") if look.home[crate] == "bag"]
    if len(shown) != (HAND if dealing else 1):
        return TableReading(underway=frozenset(shown), waiting=Message("Show what you take out of the bag."))
    return TableReading([Stow(seat, tuple(shown)) if dealing else Draw(seat, shown[0])], frozenset(shown))


def read_ship(look: Look[SmugglersPosition]) -> TableReading:
    """Read a crate that came to the wharf."""
    crates = look.came("wharf", "crate")
    question = Message("One crate at a time.") if len(crates) > 1 else EMPTY
    return TableReading([Ship(one) for one in crates if not question], frozenset(crates), question=question)


class SmugglersTable(Table):
    """A table whose crates are seen by the camera; the die has no tag and is entered with a button."""

    makes = {"printed": {"crate": Size(36, 36)}}
    extent = (760.0, 420.0)
    buttons = {
        "roll": {
            button: ButtonMeaning(f"the die shows {die}", Roll(die))
            for button, die in zip(("MONEY", "BUILD", "REBUILD"), DICE, strict=True)
        },
        "inspect": {"PASS": ButtonMeaning("let it through", Wave()), "BUY": ButtonMeaning("search it", Search())},
    }
    shows = {"stow": "show", "draw": "show"}
    readers = {"stow": read_hand, "draw": read_hand, "ship": read_ship}

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the wharf, and for each seat a card with its piles and a place to show its hand."""
        areas = {"show": (24, -24, 154, 24), "passed": (24, 30, 154, 78), "seized": (160, -24, 290, 24)}
        areas["cleared"] = (160, 30, 290, 78)
        return [Zone("wharf", "TT:WHARF", Message("Wharf"), (24, -24, 124, 36), ZoneShape.SPREAD)] + [
            Zone(f"{name}{seat}", f"TT:HOLD{seat + 1}", Message(name.capitalize()), area, ZoneShape.SPREAD)
            for seat in range(seats)
            for name, area in areas.items()
        ]

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where the cards lie: the wharf between the two seats, who sit side by side."""
        holds = {f"TT:HOLD{seat + 1}": CardSpot(60 + 370 * seat, 320) for seat in range(seats)}
        return {"TT:WHARF": CardSpot(300, 120), **holds}


class Smugglers(GrammarGame):
    """Smugglers, for two."""

    name = "smugglers"
    title = "Smugglers"
    tag = "SM"
    version = "1"
    seat_range = range(2, 3)
    pieces: Mapping[str, Piece] = {crate: Piece(crate, "crate") for crate in CRATES}
    options = CHOICES
    secret_kinds = frozenset({"stow", "draw"})
    table: Table = SmugglersTable()
    grammar = Grammar([Stow, Roll, Ship, Wave, Search, Draw], CRATES, words={"die": DICE})

    def new(
        self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None
    ) -> SmugglersPosition:
        """Return the first position.  Raises Illegal (``bad-request``)."""
        if edition is not None:
            raise Illegal("bad-request", "Smugglers has no editions.")
        north, south = seated(names, self.title, self.seat_range)
        odds = chosen({} if options is None else options, CHOICES, 2, "bad-request")["odds"]
        none: tuple[tuple[str, ...], ...] = ((), ())
        return SmugglersPosition((north, south), odds, none, dict.fromkeys(PILES, none), CRATES, 0, "stow")

    def load(self, data: Json) -> SmugglersPosition:
        """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
        options = chosen(validate.member(data, "options", "the position"), CHOICES, 2, "bad-position")
        captains = [validate.table(validate.member(data, one, "the position"), one) for one in CAPTAINS]
        north, south = validate.names(captains)
        hands, *piles = (
            tuple(crates(captain, pile, one) for captain, one in zip(captains, CAPTAINS, strict=True))
            for pile in ("hand", *PILES)
        )
        turn = validate.table(validate.member(data, "turn", "the position"), "turn")
        stage = validate.one_of(validate.member(turn, "phase", "turn"), "the phase", PHASES)
        position = SmugglersPosition(
            (north, south),
            options["odds"],
            hands,
            dict(zip(PILES, piles, strict=True)),
            crates(data, "bag", "the position"),
            validate.number(validate.member(data, "active", "the position"), "active", range(2)),
            stage,
            maybe(data, "die", DICE),
            maybe(data, "wharf", CRATES),
        )
        check(position)
        return position

    def draw(self, position: Position, rng: random.Random) -> Action:
        """Return a random action of chance."""
        return rng.choice(list(position.legal))


def check(position: SmugglersPosition) -> None:
    """Raise Illegal (``bad-position``) if the parts of a position contradict each other."""
    everywhere = sorted(crate for zone in position.layout() for crate in position.layout().pieces(zone))
    if everywhere != sorted(CRATES) or sum(map(len, position.hands)) + len(position.bag) > len(CRATES):
        raise validate.bad("a crate is missing, twice or unknown")
    stage, hands = position.stage, position.hands
    shipped = any(crates for pile in position.piles.values() for crates in pile)
    fits = {
        "stow": () in hands and not shipped and all(len(hand) in (0, HAND) for hand in hands),
        "ship": bool(hands[position.turn]),
        "draw": bool(position.bag),
        "roll": bool(hands[position.turn]),
        "over": () in hands and not position.bag,
    }
    dice = bool(position.die) == (stage in ("ship", "inspect")) and bool(position.wharf) == (stage == "inspect")
    if not fits.get(stage, True) or not dice:
        raise validate.bad(f"the phase cannot be {stage}")


def crates(data: Json, key: str, where: str) -> tuple[str, ...]:
    """Return the crates of a list, sorted.  Raises Illegal if one is unknown or named twice."""
    found = validate.pieces(validate.member(data, key, where), f"{key} of {where}", CRATES)
    if len(set(found)) < len(found):
        raise validate.bad(f"{key} of {where} names a crate twice")
    return tuple(sorted(found))


def maybe(data: Json, key: str, allowed: Sequence[str]) -> str:
    """Return an allowed word, or an empty one for null."""
    found = validate.member(data, key, "the position")
    return "" if found is None else validate.one_of(found, key, allowed)


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """Return the items with the one at ``place`` replaced."""
    return (*items[:place], item, *items[place + 1 :])


def less(crates: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """Return the crates without those that are gone."""
    return tuple(crate for crate in crates if crate not in gone)


GAME: Game = Smugglers()
SmugglersPosition.game = GAME
