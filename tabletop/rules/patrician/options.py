"""The options of the rules, defaults first, and how they are read from data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.game import Json

CHOICES: Mapping[str, Sequence[Json]] = {
    "first_seat": (0, 1, 2, 3, 4),
    "move_may_empty_site": (True, False),
    "open_heads": (False, True),
}
"""The values of each option; ``first_seat`` must be one of the seats."""


class Options(NamedTuple):
    """How this table plays; each field is an option of the same name."""

    first_seat: int
    move_may_empty_site: bool
    open_heads: bool
