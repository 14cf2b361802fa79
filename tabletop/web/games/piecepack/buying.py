"""Buying a structure of the piecepack: payments that can be laid with one tap, and what one would cost and bring."""

from __future__ import annotations

from typing import Any, NamedTuple

from tabletop.rules.piecepack.actions import Purchase
from tabletop.rules.piecepack.components import COST, ORDER
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.scoring import score
from tabletop.rules.piecepack.state import State
from tabletop.rules.value import replaced
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import signed

DIE_VALUE = '{"die":true}'
"""The value of the field that lays the die: a part of the action."""
MAX_SUGGESTIONS = 2
"""How many payments for each structure are offered to be laid with one tap, at most."""


class Offer(NamedTuple):
    """A payment: the structure, the coins, the die's value or 0, and by how much it is too much."""

    structure: str
    coins: tuple[str, ...]
    die: int
    lost: int

    @property
    def fields(self) -> str:
        """The values of the fields that make this payment."""
        return " ".join([self.structure, *self.coins, *([DIE_VALUE] if self.die else [])])


def offers(position: PiecepackPosition) -> list[Offer]:
    """Return for each structure of the yard a few payments, those paid exactly first, then the cheapest."""
    die = position.purses[position.active].die
    found: dict[str, list[Offer]] = {}
    for action in position.legal.thrifty():
        if isinstance(action, Purchase):
            lost = position.purses[position.active].paid(action) - COST[action.structure]
            offer = Offer(action.structure, action.pay, die if action.die else 0, lost)
            found.setdefault(action.structure, []).append(offer)
    kept: list[Offer] = []
    for structure in sorted(found, key=ORDER.__getitem__):
        some = sorted(found[structure], key=lambda offer: (offer.lost, bool(offer.die), len(offer.coins)))
        kept += [offer for offer in some if offer.lost == some[0].lost][:MAX_SUGGESTIONS]
    return sorted(kept, key=lambda offer: (offer.lost > 0, COST[offer.structure] + offer.lost, ORDER[offer.structure]))


def facts(state: State, action: Purchase) -> tuple[tuple[str, str], ...]:
    """Return what is paid for a purchase, what it costs and earns, whether or not the payment is enough."""
    found = [(_("You pay"), str(state.purses[state.active].paid(action))), (_("Costs"), str(COST[action.structure]))]
    gain = built(state, action.structure)
    return (*found, (_("Points once built"), signed(gain))) if gain is not None else tuple(found)


def built(state: State, structure: str) -> int | None:
    """Return how many points a structure brings the active seat as soon as it is built; None if it fits nowhere.

    The points do not depend on where it is built.
    """
    sites = state.palazzo.sites(structure)
    if not sites:
        return None
    seat = state.active
    grown = state.change(palazzi=replaced(state.palazzi, seat, state.palazzo.put(structure, sites[0])))
    return score(grown)[seat].points - score(state)[seat].points


def summary(state: State, action: Any) -> str:
    """Return the consequences of a possible purchase, in sentences."""
    purse = state.purses[state.active]
    rest = purse.paid(action) - COST[action.structure]
    said = [
        _("%(lost)s more than it costs; you get no change.", lost=rest)
        if rest
        else _("Paid exactly: you get one more action at once.")
    ]
    if action.die:
        said.append(_("Your die goes down to %(value)s.", value=purse.die - 1))
    if not state.palazzo.sites(action.structure):
        said.append(_("It fits nowhere in your palazzo now, so it would go to your reserve."))
    return " ".join(said)
