"""The words with which a game is read out: for each place of its view, and for the questions about each action.

A game need not bring any: what has no words here is named by the key of the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.messages import N_

PHASES: Mapping[str, str] = {
    "turn.phase=setup": N_("the setup"),
    "turn.phase=deal": N_("the deal"),
    "turn.phase=reveal": N_("something is turned up"),
    "turn.phase=over": N_("the game is over"),
}
"""Phases that several games have."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words for translation.

    A place of the view is the keys that lead to it, with ``*`` for any key or number: ``seats.*.hand``; ``mine.hand``
    is the listener's own.  Its words may have ``%(name)s`` of the seat, the ``%(number)s`` of an item, counted from 1,
    and ``%(key)s`` of an object.  An act is its kind (``buy``), a field of it (``buy.tiles``: the question for it), or
    a value of that field, if it is not a piece (``buy.kind=lift``).
    """

    places: Mapping[str, str] = field(default_factory=dict)
    seats: frozenset[str] = frozenset()
    """Places whose numbers are seats."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Words of the data that are neither pieces nor names: keys and values; ``turn.phase=bid`` at one place alone."""
    bids: frozenset[str] = frozenset()
    """Keys of the view that answer the question about the bids."""
    acts: Mapping[str, str] = field(default_factory=dict)
    cost: Callable[[Any, Any], Any] | None = None
    """Returns what an action costs, as a sort key: the cheapest payments are offered first."""
