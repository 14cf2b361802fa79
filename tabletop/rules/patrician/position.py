"""A position of Patrician: the state, asked in the words that every game shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.rules.game import Action, Illegal, Json, Position, SeatScore, View
from tabletop.rules.layout import Arrangement, Hidden, Layout, Pile, Spread
from tabletop.rules.patrician.components import CARDS, cards
from tabletop.rules.patrician.phases.refusals import explain
from tabletop.rules.patrician.phases.turn import PHASES
from tabletop.rules.patrician.scoring import score
from tabletop.rules.patrician.state import State
from tabletop.rules.patrician.views import dump, view


class PatricianPosition(State, Position):
    """One game of Patrician at one moment, a value."""

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action."""
        return iter(PHASES[self.phase].options(self))

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None where it is."""
        key = self._why_not(action)
        return None if key is None else explain(self, key, action)

    def after(self, action: Action) -> PatricianPosition:
        """Return the position after the action.  Raises Illegal where it is not legal."""
        rule = PHASES[self.phase].rules.get(action.do)
        key = self._why_not(action) if rule is None else rule.why_not(self, action)
        if key is not None:
            raise explain(self, key, action)
        assert rule is not None
        new: PatricianPosition = rule.act(self, action)
        return new

    def _why_not(self, action: Action) -> str | None:
        rule = PHASES[self.phase].rules.get(action.do)
        if rule is None:
            return "over" if self.phase == "over" else "wrong-phase"
        return rule.why_not(self, action)

    def layout(self) -> Layout:
        """Return where every card should lie; floors and tokens bear no tags and are left out."""
        towns = zip(self.cities, self.market, strict=True)
        zones: dict[str, Arrangement] = {
            **{f"market{city.id}": Spread(frozenset([card] if card else [])) for city, card in towns},
            **{f"played{seat}": Pile(pile) for seat, pile in enumerate(self.played)},
            **{f"hand{seat}": Hidden(frozenset(hand)) for seat, hand in enumerate(self.hands)},
            "deck": Hidden(frozenset(self.deck)),
            "box": Hidden(frozenset(CARDS) - frozenset(cards(self.seats))),
        }
        return Layout(zones)

    def view(self, seat: int | None) -> View:
        """Return what the seat may know (None: a spectator), from the declared policies."""
        return view(self, seat)

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now, seat 0 first."""
        return score(self)

    def to_json(self) -> dict[str, Json]:
        """Return the protocol's position."""
        return dump(self)

    def __repr__(self) -> str:
        return f"<Patrician {self.phase}, seat {self.decider}, turn of seat {self.active}>"
