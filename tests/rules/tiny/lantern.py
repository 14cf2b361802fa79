"""Lantern, a tiny game: each seat holds two numbered lanterns and lays them in ever higher rows.

Its page is docs/adding-a-game.md, which explains it part by part.
"""

# The pieces

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from tabletop.messages import Message
from tabletop.rules import validate
from tabletop.rules.game import Action, Game, Illegal, Json, Piece, Policy, Position, SeatScore, View, ranks
from tabletop.rules.layout import Hidden, Layout, Spread
from tabletop.rules.look import Look
from tabletop.rules.refusals import MEANINGS as COMMON
from tabletop.rules.refusals import Reason, refuse
from tabletop.rules.table import ButtonMeaning, CardSpot, Size, Table, TableReading, Zone, ZoneShape

LANTERNS = tuple(f"L{number}" for number in range(1, 10))
HAND = 2


def value(lantern: str) -> int:
    """Return the number on a lantern."""
    return int(lantern[1:])


# The actions


class Deal(NamedTuple):
    """Chance deals a seat its hand."""

    seat: int
    lanterns: tuple[str, ...]
    do: str = "deal"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "seat": self.seat, "lanterns": list(self.lanterns)}


class Lay(NamedTuple):
    """A seat lays a lantern that is higher than the last one."""

    lantern: str
    do: str = "lay"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "lantern": self.lantern}


class Darken(NamedTuple):
    """A seat that can lay nothing takes the row away."""

    do: str = "darken"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do}


# Why not

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", "{do} is not possible now.", Message("A turn")),
    "over": Reason("game-over", "The game is over.", Message("The end")),
    "deal-seat": Reason("not-your-turn", "Seat {due} is dealt its hand now.", Message("Setup")),
    "not-dealt": Reason("not-in-pool", "{lantern} cannot be dealt.", Message("Setup")),
    "not-in-hand": Reason("not-in-hand", "{lantern} is not in this seat's hand.", Message("A turn")),
    "too-dark": Reason("too-dark", "{lantern} is not higher than {last}.", Message("A turn")),
    "can-lay": Reason(
        "wrong-phase", "{lantern} can be laid; the row may be darkened only if nothing can be laid.", Message("A turn")
    ),
}
MEANINGS: Mapping[str, str] = {**COMMON, "too-dark": "The lantern is not higher than the last one of the row."}


# The position


@dataclass(frozen=True)
class LanternPosition(Position):
    """One game at one moment, a value."""

    seats: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    row: tuple[str, ...]
    laid: tuple[int, ...]
    pool: tuple[str, ...]
    turn: int
    stage: str

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""
        return self.seats

    @property
    def phase(self) -> str:
        """``deal``, ``lay`` or ``over``."""
        return self.stage

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.turn

    @property
    def decider(self) -> int | None:
        """The seat that decides; chance deals."""
        return self.turn if self.stage == "lay" else None

    # The rules: each once, as the reason why an action is refused

    def why_not(self, action: Action) -> tuple[str, dict[str, Json]] | None:
        """Return the key of the reason and its facts; None if the action is legal."""
        if self.over:
            return "over", {}
        if action.do != self.stage and not (self.stage == "lay" and action.do == "darken"):
            return "wrong-phase", {"do": action.do}
        if isinstance(action, Deal):
            return self.why_not_deal(action)
        hand = self.hands[self.turn]
        if isinstance(action, Lay):
            if action.lantern not in hand:
                return "not-in-hand", {"lantern": action.lantern}
            if self.row and value(action.lantern) <= value(self.row[-1]):
                return "too-dark", {"lantern": action.lantern, "last": self.row[-1]}
            return None
        can = next((lantern for lantern in hand if self.why_not(Lay(lantern)) is None), None)
        return None if can is None else ("can-lay", {"lantern": can})

    def why_not_deal(self, action: Deal) -> tuple[str, dict[str, Json]] | None:
        """The seat that is due is dealt two different lanterns of the pool."""
        due = self.hands.index(())
        if action.seat != due:
            return "deal-seat", {"due": due}
        for place, lantern in enumerate(action.lanterns):
            if lantern not in self.pool or lantern in action.lanterns[:place]:
                return "not-dealt", {"lantern": lantern}
        return None if len(action.lanterns) == HAND else ("wrong-phase", {"do": "deal"})

    # Asked three ways

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action."""
        if self.stage == "deal":
            due = self.hands.index(())
            yield from (Deal(due, lanterns) for lanterns in combinations(self.pool, HAND))
        elif self.stage == "lay":
            every: list[Action] = [*(Lay(lantern) for lantern in self.hands[self.turn]), Darken()]
            yield from (action for action in every if self.why_not(action) is None)

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None if it is."""
        if not isinstance(action, Deal | Lay | Darken):
            return Illegal("unknown-action", "There is no such action in this game.")
        found = self.why_not(action)
        return None if found is None else refuse(REASONS[found[0]], None, **found[1])

    def after(self, action: Action) -> LanternPosition:
        """Return the position after the action.  Raises Illegal if it is not legal."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise refusal
        if isinstance(action, Deal):
            hands = put(self.hands, action.seat, action.lanterns)
            pool = tuple(lantern for lantern in self.pool if lantern not in action.lanterns)
            return replace(self, hands=hands, pool=pool, stage="deal" if () in hands else "lay")
        if isinstance(action, Darken):
            # The row goes back to the pool; the same seat leads to the next one.
            return replace(self, row=(), pool=tuple(sorted((*self.pool, *self.row))))
        assert isinstance(action, Lay)
        seat = self.turn
        hand = tuple(lantern for lantern in self.hands[seat] if lantern != action.lantern)
        hands = put(self.hands, seat, hand)
        laid = put(self.laid, seat, self.laid[seat] + value(action.lantern))
        if not hand:
            return replace(self, hands=hands, row=(*self.row, action.lantern), laid=laid, stage="over")
        return replace(self, hands=hands, row=(*self.row, action.lantern), laid=laid, turn=(seat + 1) % len(self.seats))

    # Where the pieces lie, and who may know what

    def layout(self) -> Layout:
        """Return where every lantern should lie."""
        hands = {f"hand{seat}": Hidden(frozenset(hand)) for seat, hand in enumerate(self.hands)}
        return Layout({"row": Spread(frozenset(self.row)), "pool": Hidden(frozenset(self.pool)), **hands})

    def view(self, seat: int | None) -> View:
        """Return what the seat may know, from POLICIES."""
        return {key: seen(POLICIES[key], value, seat) for key, value in self.to_json().items()}

    def score(self) -> Sequence[SeatScore]:
        """Return the sum of the lanterns each seat has laid."""
        places = ranks([-points for points in self.laid])
        return [
            SeatScore(points, [{"laid": points, "points": points}], None, place)
            for points, place in zip(self.laid, places, strict=True)
        ]

    def to_json(self) -> dict[str, Json]:
        """Return the position as data."""
        return {
            "game": "lantern",
            "options": {},
            "seats": list(self.seats),
            "hands": [list(hand) for hand in self.hands],
            "row": list(self.row),
            "laid": list(self.laid),
            "pool": list(self.pool),
            "turn": {"phase": self.stage, "seat": self.decider},
            "active": self.turn,
        }


POLICIES: Mapping[str, Policy] = {
    **dict.fromkeys(("game", "options", "seats", "row", "laid", "turn", "active"), Policy.ALL),
    "hands": Policy.OWNER,
    "pool": Policy.COUNT,
}


def seen(policy: Policy, data: Json, seat: int | None) -> Json:
    """Return what a policy shows of a field; OWNER is for a list with one item a seat."""
    if policy is Policy.ALL:
        return data
    if policy is Policy.OWNER:
        return [item if owner == seat else len(item) for owner, item in enumerate(data)]
    return len(data)


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """Return the items with another one in that place."""
    return (*items[:place], item, *items[place + 1 :])


# The game


class Lantern(Game):
    """Lantern, 2 or 3 seats."""

    name = "lantern"
    title = "Lantern"
    tag = "LA"
    version = "1"
    seat_range = range(2, 4)
    open_points = True
    secret_kinds = frozenset({"deal"})
    pieces: Mapping[str, Piece] = {lantern: Piece(lantern, "lantern") for lantern in LANTERNS}
    options: Mapping[str, Sequence[Json]] = {}

    def new(
        self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None
    ) -> LanternPosition:
        """Return the first position.  Raises Illegal (``bad-request``)."""
        if len(names) not in self.seat_range or options or edition is not None:
            raise Illegal("bad-request", "Lantern is played by 2 or 3 seats and has no options and no editions.")
        none = ((),) * len(names)
        return LanternPosition(tuple(names), none, (), (0,) * len(names), LANTERNS, 0, "deal")

    def load(self, data: Json) -> LanternPosition:
        """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
        data = validate.table(data, "the position")
        seats = [validate.text(name, "a seat") for name in listed(data, "seats")]
        hands = tuple(lanterns(hand, "a hand") for hand in listed(data, "hands"))
        laid = tuple(validate.number(points, "laid", range(46)) for points in listed(data, "laid"))
        if len(seats) not in self.seat_range or not len(seats) == len(hands) == len(laid):
            raise validate.bad("it needs 2 or 3 seats, and a hand and points for each of them")
        row, pool = lanterns(listed(data, "row"), "row"), lanterns(listed(data, "pool"), "pool")
        if sorted((*row, *pool, *(one for hand in hands for one in hand))) != sorted(LANTERNS):
            raise validate.bad("a lantern is missing or twice")
        dealing = not row and not any(laid) and all(len(hand) in (0, HAND) for hand in hands)
        stage = "lay" if () not in hands else "deal" if dealing else "over"
        if validate.member(validate.member(data, "turn", "the position"), "phase", "turn") != stage:
            raise validate.bad(f"the phase can only be {stage}")
        active = validate.number(validate.member(data, "active", "the position"), "active", range(len(seats)))
        held = tuple(tuple(sorted(hand)) for hand in hands)
        return LanternPosition(tuple(seats), held, row, laid, tuple(sorted(pool)), active, stage)

    def action(self, data: Json) -> Deal | Lay | Darken:
        """Return the action that the data describes."""
        kind = data.get("do") if isinstance(data, dict) else None
        if kind == "lay":
            return Lay(known(data.get("lantern")))
        if kind == "darken":
            return Darken()
        if kind == "deal":
            seat, lanterns = data.get("seat"), data.get("lanterns")
            if type(seat) is not int or not isinstance(lanterns, list):
                raise Illegal("bad-request", "A deal has a seat and lanterns.")
            return Deal(seat, tuple(sorted(known(lantern) for lantern in lanterns)))
        raise Illegal("unknown-action" if isinstance(kind, str) else "bad-request", "There is no such action.")

    def format(self, action: Any) -> str:
        """Return the action's short notation: ``lay L4``, ``deal 0 L1 L2``, ``darken``."""
        if isinstance(action, Deal):
            return f"deal {action.seat} {' '.join(action.lanterns)}"
        return f"lay {action.lantern}" if isinstance(action, Lay) else "darken"

    def parse(self, text: str) -> Deal | Lay | Darken:
        """Return the action that the short notation describes."""
        match text.split(" "):
            case ["darken"]:
                return Darken()
            case ["lay", lantern] if lantern in LANTERNS:
                return Lay(lantern)
            case ["deal", seat, *lanterns] if seat in ("0", "1", "2") and set(lanterns) <= set(LANTERNS):
                return Deal(int(seat), tuple(sorted(lanterns)))
        raise Illegal("bad-request", f"{text[:40]!r} is not an action; write for example: lay L4.")

    def draw(self, position: Any, rng: random.Random) -> Action:
        """Draw a hand."""
        return Deal(position.hands.index(()), tuple(sorted(rng.sample(position.pool, HAND))))


def listed(data: Mapping[str, Json], key: str) -> list[Json]:
    """Return the list of that name.  Raises Illegal (``bad-position``)."""
    return validate.items(validate.member(data, key, "the position"), key)


def lanterns(data: Json, where: str) -> tuple[str, ...]:
    """Return the lanterns of a list.  Raises Illegal (``bad-position``)."""
    return validate.pieces(data, where, LANTERNS)


def known(lantern: Json) -> str:
    """Return the lantern.  Raises Illegal if there is none of this name."""
    if not isinstance(lantern, str):
        raise Illegal("bad-request", "The lantern is missing.")
    if lantern not in LANTERNS:
        raise Illegal("unknown-piece", f"There is no lantern {lantern[:20]!r}.")
    return lantern


GAME = Lantern()
LanternPosition.game = GAME


# The table


def read_deal(look: Look[LanternPosition]) -> TableReading:
    """The seat that is due shows its lanterns to the camera, then takes them up."""
    text = Message("{name}: show your two lanterns ({seen} of 2 seen).", name="", seen=0)
    return TableReading.of_deal(look, Deal, "show", look.position.hands.index(()), HAND, text)


def read_lay(look: Look[LanternPosition]) -> TableReading:
    """A lantern came into the row."""
    laid = look.came("row", "lantern")
    return TableReading([Lay(one) for one in laid[:1]], frozenset(laid), Message("Lay a lantern, or press PASS."))


class LanternTable(Table):
    """Lanterns lie in a row; hands are shown once."""

    makes = {"printed": {"lantern": Size(30, 44, tag_y=-8)}}
    extent = (700.0, 420.0)
    shared = [Zone("row", "TT:ROW", Message("Row"), (24, -24, 274, 46), ZoneShape.SPREAD)]
    own = [Zone("show0", "TT:HAND1", Message("Hand"), (24, -24, 104, 46), ZoneShape.SPREAD)]
    buttons = {"lay": {"PASS": ButtonMeaning("darkens the row", Darken())}}
    shows = {"deal": "show"}
    readers = {"deal": read_deal, "lay": read_lay}

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where the cards lie: the row in the middle, the hands along the near edge."""
        hands = {f"TT:HAND{seat + 1}": CardSpot(60 + 220 * seat, 340) for seat in range(seats)}
        return {"TT:ROW": CardSpot(210, 180), **hands}


Lantern.table = LanternTable()
