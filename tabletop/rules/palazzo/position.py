"""A position of Palazzo: the state, asked through the rules of its phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from tabletop.messages import Message
from tabletop.rules.game import Action, Illegal, Json, Position, SeatScore, View
from tabletop.rules.layout import Layout
from tabletop.rules.palazzo.actions import PalazzoAction
from tabletop.rules.palazzo.phases import auction, buying, chance, placing, turn
from tabletop.rules.palazzo.phases.reasons import REASONS
from tabletop.rules.palazzo.phases.rule import Rule
from tabletop.rules.palazzo.scoring import score
from tabletop.rules.palazzo.state import State
from tabletop.rules.palazzo.table.layout import layout
from tabletop.rules.palazzo.views import dump, view
from tabletop.rules.refusals import refuse

PHASES: Mapping[str, Mapping[str, Rule]] = {
    "setup": {"reveal": chance.REVEAL},
    "deal": {"deal": chance.DEAL},
    "action": {"money": turn.MONEY, "build": turn.BUILD, "rebuild": turn.REBUILD},
    "reveal": {"reveal": chance.REVEAL},
    "take": {"take": turn.TAKE},
    "choose": {"buy": buying.BUY, "auction": auction.AUCTION},
    "bid": {"bid": auction.BID, "pass": auction.PASS},
    "claim": {"claim": auction.CLAIM},
    "place": {"place": placing.PLACE, "scrap": placing.SCRAP},
    "over": {},
}
"""The rules of each phase by the kind of action."""

Listing: TypeAlias = Callable[[State], Iterable[PalazzoAction]]


def _together(*listings: Listing) -> Listing:
    """Return the listing of all that these list."""
    return listings[0] if len(listings) == 1 else lambda state: chain(*[listing(state) for listing in listings])


LISTINGS = {phase: _together(*(rule.listing for rule in rules.values())) for phase, rules in PHASES.items()}
THRIFTY = {
    phase: _together(*(rule.thrifty or rule.listing for rule in rules.values())) for phase, rules in PHASES.items()
}
"""The listings of each phase, complete and thrifty."""

WORDS: Mapping[str, Message] = {
    "setup": Message("turning up the first five tiles"),
    "deal": Message("dealing the cards"),
    "action": Message("the choice of money, build or rebuild"),
    "reveal": Message("turning up what comes from the stack"),
    "take": Message("taking a money card from the row"),
    "choose": Message("the choice to buy or to auction"),
    "bid": Message("a bid or a pass"),
    "claim": Message("claiming a handed-out tile"),
    "place": Message("placing the new tile"),
}
"""What each phase waits for, in words for a sentence."""


class PalazzoPosition(State, Position):
    """The state of one game of Palazzo, a value."""

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action, interchangeable copies once."""
        return iter(LISTINGS[self.phase](self))

    def list_thrifty(self) -> Iterator[Action]:
        """Iterate over the legal actions that a person would consider: no payment of which a part would do."""
        return iter(THRIFTY[self.phase](self))

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None where it is."""
        rule = PHASES[self.phase].get(action.do)
        if rule is not None:
            return rule.refusal(self, action)
        if self.phase == "over":
            return refuse(REASONS["over"])
        return refuse(REASONS["wrong-phase"], do=action.do, phase=WORDS[self.phase])

    def after(self, action: Action) -> PalazzoPosition:
        """Return the position after the action; raises Illegal where it is not legal."""
        rule = PHASES[self.phase].get(action.do)
        reason = rule.refusal(self, action) if rule is not None else self.refusal(action)
        if reason is not None:
            raise reason
        assert rule is not None
        following: PalazzoPosition = rule.act(self, action)
        return following

    def layout(self) -> Layout:
        """Return where every piece but the architect should lie."""
        return layout(self)

    def view(self, seat: int | None) -> View:
        """Return what the seat may know; None is a spectator."""
        return view(self, seat)

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now."""
        return score(self)

    def to_json(self) -> dict[str, Json]:
        """Return the protocol's position."""
        return dump(self)

    def _key(self) -> tuple[Any, ...]:
        """The state with every set in one order: what lies beside each other in another order is the same."""
        values = dict(self.__dict__)
        values["palazzi"] = tuple(tuple(sorted(own)) for own in self.palazzi)
        values["quarries"] = tuple(tuple(sorted(tiles)) for tiles in self.quarries)
        for name in ("warehouse", "end_tiles", "discards", "box", "row", "pending"):
            values[name] = tuple(sorted(values[name]))
        return tuple(values[name] for name in sorted(values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PalazzoPosition) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<Palazzo {self.phase}, seat {self.decider}, turn of seat {self.active}>"
