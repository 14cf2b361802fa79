"""The options of the rules, defaults first, and how they are read from data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabletop.rules.game import Json
from tabletop.rules.new_game import chosen
from tabletop.rules.validate import unfit

UNKNOWN_STACKS = "unknown"
MAX_NAME_LENGTH = 40

CHOICES: dict[str, Sequence[Json]] = {
    "price_basis": ("start_of_buy", "start_of_turn"),
    "min_price": (0, 1),
    "certificates_alone": (True, False),
    "handout_discard": (True, False),
    "tiebreak_groups": (True, False),
    "stacks": (),
    "first_seat": (0, 1, 2, 3),
    "architect": (1, 2, 3, 4),
}
"""The values of each option; ``stacks`` is the name of an edition or ``unknown``, ``first_seat`` one of the seats."""


class Options(NamedTuple):
    """How this table plays where the printed rules differ; each field is an option of the same name."""

    price_basis: str
    min_price: int
    certificates_alone: bool
    handout_discard: bool
    tiebreak_groups: bool
    stacks: str
    first_seat: int
    architect: int


def read_options(data: Json, seats: int, edition: str, code: str) -> Options:
    """Return the options, defaults filled in; ``edition`` names the stacks if ``data`` does not.

    A position (``code`` is ``bad-position``) contains its stacks and may therefore name any edition.
    Raises Illegal with the given code for an unknown option or value.
    """
    named = data.get("stacks") if isinstance(data, dict) and code == "bad-position" else None
    own = isinstance(named, str) and 0 < len(named) <= MAX_NAME_LENGTH and not unfit(named)
    return Options(**chosen(data, CHOICES | {"stacks": (named,) if own else (edition, UNKNOWN_STACKS)}, seats, code))
