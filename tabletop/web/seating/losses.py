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
    """The seat that a phone lost or did not get, and one of :data:`CAUSES`.

    ``name`` is the one that its person had given, empty if none; None if the phone only asked for the seat.
    """

    seat: int
    cause: str
    name: str | None = None

    def was_called(self, names: Sequence[str]) -> str:
        """Return what its person was called, with these names of the game; empty if the phone only asked for it."""
        return "" if self.name is None else self.name or names[self.seat]


class Losses:
    """Hash of a token → the seat that it lost last."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Loss] = OrderedDict()

    def note(self, key: str, loss: Loss) -> None:
        """Remember what a token lost, and why."""
        self._known.pop(key, None)
        self._known[key] = loss
        while len(self._known) > MAX_LOSSES:
            self._known.popitem(last=False)

    def of(self, key: str) -> Loss | None:
        """Return what a token lost last, None if it is not known."""
        return self._known.get(key)


def loss_sentence(loss: Loss, names: Sequence[str], called: Sequence[str]) -> str:
    """Return what became of the seat, in a sentence in the language of the page.

    ``names`` are those of the game, ``called`` what people are called now: a seat that was lost may have a new name.
    """
    if loss.seat >= len(names):
        return _(CAUSES[loss.cause], name="")
    return _(CAUSES[loss.cause], name=loss.was_called(names) or called[loss.seat])
