"""The shape of a rule: one kind of action, asked three ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tabletop.rules.game import Illegal
from tabletop.rules.palazzo.actions import PalazzoAction
from tabletop.rules.palazzo.state import State


class Rule(NamedTuple):
    """One kind of action.

    ``listing`` gives every legal action of this kind, interchangeable copies once; ``refusal`` why one is not legal,
    or None; ``act`` carries out a legal one.  All three are asked only in a phase to which the kind belongs.
    ``thrifty`` gives what a person would consider, where that is less.
    """

    listing: Callable[[State], Iterable[PalazzoAction]]
    refusal: Callable[[State, Any], Illegal | None]
    act: Callable[[Any, Any], Any]
    thrifty: Callable[[State], Iterable[PalazzoAction]] | None = None
