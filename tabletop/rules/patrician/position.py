"""A position of Patrician: the state together with the rules of its phase."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.fields import Data
from tabletop.rules.game import Action, SeatScore
from tabletop.rules.layout import Arrangement, Hidden, Layout, Pile, Spread, Tower
from tabletop.rules.patrician.components import CARDS, COLOURS, SITE_ZONES, cards
from tabletop.rules.patrician.fields import COVERED_PILES, DATA, OPEN_PILES
from tabletop.rules.patrician.phases.reasons import REASONS
from tabletop.rules.patrician.rules import PHASES
from tabletop.rules.patrician.scoring import score
from tabletop.rules.patrician.state import State
from tabletop.rules.phase import RuledPosition
from tabletop.rules.refusals import nearest


class PatricianPosition(State, RuledPosition):
    """One game of Patrician at one moment, a value."""

    data = DATA
    phases = PHASES
    reasons = REASONS

    def nearest(self, action: Action) -> Action | None:
        """Return the legal action of the deciding seat that is nearest; None if none is near, or chance decides."""
        return None if self.decider is None else nearest(action, self.list_legal())

    def layout(self) -> Layout:
        """Return where every card should lie, and the colours of each tower; tokens and supplies are left out."""
        towns = zip(self.cities, self.market, strict=True)
        zones: dict[str, Arrangement] = {
            **{f"market{city.id}": Spread(frozenset([card] if card else [])) for city, card in towns},
            **{
                zone: Tower(tuple(COLOURS[seat] for seat in tower))
                for zone, tower in zip(SITE_ZONES, self.towers, strict=False)
            },
            **{f"played{seat}": Pile(pile) for seat, pile in enumerate(self.played)},
            **{f"hand{seat}": Hidden(frozenset(hand)) for seat, hand in enumerate(self.hands)},
            "deck": Hidden(frozenset(self.deck)),
            "box": Hidden(frozenset(CARDS) - frozenset(cards(self.seats))),
        }
        return Layout(zones)

    @property
    def views(self) -> Data:
        """How its views are made: all played cards are open at the end, and by an option during the game."""
        return OPEN_PILES if self.options.open_heads or self.phase == "over" else COVERED_PILES

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now, seat 0 first."""
        return score(self)

    def __repr__(self) -> str:
        return f"<Patrician {self.phase}, seat {self.decider}, turn of seat {self.active}>"
