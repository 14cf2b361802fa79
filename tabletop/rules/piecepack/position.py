"""A position of Palazzo for the piecepack: the state, asked in the words that every game shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.rules.game import Action, Illegal, Json, Position, SeatScore, View
from tabletop.rules.layout import Anywhere, Grid, Hidden, Layout, Pile, Spread
from tabletop.rules.piecepack.phases.refusals import explain
from tabletop.rules.piecepack.phases.turn import KINDS, PHASES, SEAT_PHASES
from tabletop.rules.piecepack.scoring import score
from tabletop.rules.piecepack.state import State
from tabletop.rules.piecepack.views import dump, view


class PiecepackPosition(State, Position):
    """One game at one moment, a value."""

    @property
    def decider(self) -> int | None:
        """The seat that decides: the active one, or None for chance and when the game is over."""
        return self.active if self.phase in SEAT_PHASES else None

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action, interchangeable coins once."""
        return iter(PHASES[self.phase].complete(self))

    def list_thrifty(self) -> Iterator[Action]:
        """Iterate over the legal actions without payments from which a coin or the die could be taken back."""
        return iter(PHASES[self.phase].thrifty(self))

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None where it is."""
        rule = PHASES[self.phase].rules.get(action.do)
        key = self._why_not_now(action) if rule is None else rule.why_not(self, action)
        return None if key is None else explain(self, key, action)

    def after(self, action: Action) -> PiecepackPosition:
        """Return the position after the action.  Raises Illegal where it is not legal."""
        phase = PHASES[self.phase]
        rule = phase.rules.get(action.do)
        if rule is None:
            raise explain(self, self._why_not_now(action), action)
        key = rule.why_not(self, action)
        if key is not None:
            raise explain(self, key, action)
        new = self.__dict__.copy()
        rule.act(self, action, new)
        phase.then(new)
        return self.of(new)

    def _why_not_now(self, action: Action) -> str:
        """Return why no action of this kind is possible in this phase."""
        if action.do not in KINDS:
            return "unknown-action"
        return "over" if self.over else "nothing-pending" if action.do in PHASES["place"].rules else "wrong-phase"

    def layout(self) -> Layout:
        """Return where every structure and coin should lie; dice and pawns bear no tags and are left out."""
        seats = range(self.seats)
        return Layout(
            {
                "yard": Spread(frozenset(self.yard)),
                "bank": Spread(frozenset(self.bank)),
                **{f"seat{seat}": Grid(frozenset(self.palazzi[seat].cells.items())) for seat in seats},
                **{f"reserve{seat}": Spread(frozenset(self.reserves[seat])) for seat in seats},
                **{f"hand{seat}": Hidden(frozenset(self.purses[seat].coins)) for seat in seats},
                "discards": Pile(self.discards),
                "coins": Hidden(frozenset(self.coins)),
                "stack": Hidden(frozenset(self.stack)),
                "pending": Anywhere(frozenset(self.pending)),
            }
        )

    def view(self, seat: int | None) -> View:
        """Return what the seat may know (None: a spectator), from the declared policies."""
        return view(self, seat)

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now, seat 0 first."""
        return score(self)

    def to_json(self) -> dict[str, Json]:
        """Return the protocol's position."""
        return dump(self)
