"""The options of the rules, defaults first, and how they are read from data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.game import Illegal, Json

UNKNOWN = "unknown"
LONGEST_NAME = 40
"""Of an edition, in characters."""

CHOICES: Mapping[str, Sequence[Json]] = {
    "price_basis": ("start_of_buy", "start_of_turn"),
    "min_price": (0, 1),
    "certificates_alone": (True, False),
    "handout_discard": (True, False),
    "tiebreak_groups": (True, False),
    "stacks": (),
    "first_seat": (0, 1, 2, 3),
    "architect": (1, 2, 3, 4),
}
"""The values of each option; ``stacks`` is the name of an edition or ``unknown``, ``first_seat`` a seat there is."""


class Options(NamedTuple):
    """How this table plays where the texts differ; each field is an option of the same name."""

    price_basis: str
    min_price: int
    certificates_alone: bool
    handout_discard: bool
    tiebreak_groups: bool
    stacks: str
    first_seat: int
    architect: int

    def to_json(self) -> dict[str, Json]:
        """Return all options by name."""
        return self._asdict()


def options(data: Json, seats: int, edition: str, code: str) -> Options:
    """Return the options, defaults filled in; ``edition`` names the stacks where ``data`` does not.

    A position (``code`` is ``bad-position``) carries its stacks with it and may name any edition.
    Raises Illegal with the given code for an unknown option or value.
    """
    if not isinstance(data, dict):
        raise Illegal(code, "The options must be an object.", "Options")
    for name in data:
        if name not in CHOICES:
            raise Illegal(code, f"There is no option {str(name)[:40]}.", "Options", {"option": str(name)[:40]})
    values: dict[str, Json] = {name: choices[0] for name, choices in CHOICES.items() if choices} | {"stacks": edition}
    for name, value in data.items():
        allowed = CHOICES[name] or (edition, UNKNOWN)
        if name == "first_seat":
            allowed = range(seats)
        elif name == "stacks" and code == "bad-position" and isinstance(value, str) and 0 < len(value) <= LONGEST_NAME:
            allowed = (value,)
        # True equals 1 in Python, but not on this table.
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            words = ", ".join(str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in allowed)
            raise Illegal(code, f"The option {name} can be: {words}.", "Options", {"option": name})
        values[name] = value
    return Options(**values)
