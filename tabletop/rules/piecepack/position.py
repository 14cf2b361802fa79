"""A position of Palazzo for the piecepack: the state together with the rules of its phase."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.game import Action, SeatScore
from tabletop.rules.layout import Anywhere, Grid, Heap, Hidden, Layout, Spread
from tabletop.rules.phase import RuledPosition
from tabletop.rules.piecepack.components import TURRETS
from tabletop.rules.piecepack.fields import DATA
from tabletop.rules.piecepack.phases.nearest import nearby_action
from tabletop.rules.piecepack.phases.reasons import REASONS
from tabletop.rules.piecepack.rules import PHASES, SEAT_PHASES
from tabletop.rules.piecepack.scoring import score
from tabletop.rules.piecepack.state import State


class PiecepackPosition(State, RuledPosition):
    """The state of one game at one moment, a value."""

    data = DATA
    phases = PHASES
    reasons = REASONS
    elsewhere = dict.fromkeys(PHASES["place"].rules, "nothing-pending")

    @property
    def decider(self) -> int | None:
        """The seat that decides: the active one, or None for chance and when the game is over."""
        return self.active if self.phase in SEAT_PHASES else None

    def nearest(self, action: Action) -> Action | None:
        """Return a legal action of the deciding seat that is near a refused one; None if none is."""
        return nearby_action(self, action)

    def layout(self) -> Layout:
        """Return where every structure, coin and turret should lie; dice have no tags and are left out."""
        seats = range(self.seats)
        upon = [frozenset({(TURRETS[seat], on)} if (on := self.turrets[seat]) else ()) for seat in seats]
        return Layout(
            {
                "yard": Spread(frozenset(self.yard)),
                "bank": Spread(frozenset(self.bank)),
                **{f"seat{seat}": Grid(frozenset(self.palazzi[seat].cells.items()), upon[seat]) for seat in seats},
                **{f"reserve{seat}": Spread(frozenset(self.reserves[seat])) for seat in seats},
                **{f"hand{seat}": Hidden(frozenset(self.purses[seat].coins)) for seat in seats},
                "discards": Heap(frozenset(self.discards)),
                "coins": Hidden(frozenset(self.coins)),
                "stack": Hidden(frozenset(self.stack)),
                "pending": Anywhere(frozenset(self.pending)),
                "turrets": Anywhere(frozenset(TURRETS[seat] for seat in seats if self.turrets[seat] is None)),
            }
        )

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now, seat 0 first."""
        return score(self)
