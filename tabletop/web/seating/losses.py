"""Why a phone lost its seat or did not get it, so that it can be told the reason and led back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.web.i18n import gettext as _

CAUSES: Mapping[str, str] = {
    "taken": N_("Another phone has taken over the seat of %(name)s."),
    "freed": N_("The host has freed the seat of %(name)s."),
    "left-out": N_("The next game is played without this phone’s seat."),
    "refused": N_("The request for the seat of %(name)s was refused."),
    "unconfirmed": N_("The request for the seat of %(name)s was not confirmed in time."),
}
"""Cause → the sentence on what became of the seat."""

MAX_LOSSES = 64
"""How many losses are remembered; the oldest are forgotten first."""


class Loss(NamedTuple):
    """The seat that a phone lost or did not get, and one of :data:`CAUSES`."""

    seat: int
    cause: str


class Losses:
    """Hash of a token → the seat that it lost last."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Loss] = OrderedDict()

    def note(self, key: str, seat: int, cause: str) -> None:
        """Remember why a token lost a seat."""
        self._known.pop(key, None)
        self._known[key] = Loss(seat, cause)
        while len(self._known) > MAX_LOSSES:
            self._known.popitem(last=False)

    def of(self, key: str) -> Loss | None:
        """Return what a token lost last, None if it is not known."""
        return self._known.get(key)


def loss_sentence(loss: Loss, names: Sequence[str]) -> str:
    """Return what became of the seat, in a sentence in the language of the page."""
    return _(CAUSES[loss.cause], name=names[loss.seat] if loss.seat < len(names) else "")
