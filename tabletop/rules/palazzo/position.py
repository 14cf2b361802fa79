"""A position of Palazzo: the state together with the rules of its phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.rules.game import SeatScore
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Hidden, Layout, Pile, Spread
from tabletop.rules.palazzo.components import START_CERTIFICATE
from tabletop.rules.palazzo.fields import DATA
from tabletop.rules.palazzo.phases.reasons import REASONS
from tabletop.rules.palazzo.rules import PHASES
from tabletop.rules.palazzo.scoring import score
from tabletop.rules.palazzo.state import State
from tabletop.rules.phase import RuledPosition


class PalazzoPosition(State, RuledPosition):
    """The state of one game of Palazzo, a value."""

    data = DATA
    phases = PHASES
    reasons = REASONS

    def layout(self) -> Layout:
        """Return where every piece should lie, except the architect, whom the quarry lights show.

        The start certificate lies in the warehouse outside auctions.
        """
        opened = self.laid is not None and bool(self.laid[self.active].acts)
        zones: dict[str, Arrangement] = {
            "warehouse": Spread(frozenset(self.warehouse if opened else (*self.warehouse, START_CERTIFICATE))),
            **{f"quarry{number}": Spread(frozenset(tiles)) for number, tiles in enumerate(self.quarries, start=1)},
            "row": Spread(frozenset(self.row)),
            "discards": Pile(self.discards),
            "end": Spread(frozenset(self.end_tiles)),
        }
        for seat in range(self.seats):
            zones[f"seat{seat}"] = Columns(frozenset(self.palazzi[seat]))
            zones[f"bid{seat}"] = Spread(frozenset(self.laid[seat].cards if self.laid is not None else ()))
            zones[f"hand{seat}"] = Hidden(frozenset(self.hands[seat]))
        zones["deck"] = Hidden(frozenset(self.deck))
        for number, tiles in enumerate(self.unseen, start=1):
            zones[f"stack{number}"] = Hidden(frozenset(tiles))
        zones["box"] = Hidden(frozenset(self.box))
        zones["pending"] = Anywhere(frozenset(self.pending))
        return Layout(zones)

    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now."""
        return score(self)

    def _key(self) -> tuple[Any, ...]:
        """Return the state with every set sorted, because the order in which pieces lie side by side means nothing."""
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
