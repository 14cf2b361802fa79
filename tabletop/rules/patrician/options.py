"""The options of the rules, defaults first, and how they are read from data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.game import Illegal, Json

CHOICES: Mapping[str, Sequence[Json]] = {
    "first_seat": (0, 1, 2, 3, 4),
    "move_may_empty_site": (True, False),
    "open_heads": (False, True),
}
"""The values of each option; ``first_seat`` must be a seat there is."""


class Options(NamedTuple):
    """How this table plays; each field is an option of the same name."""

    first_seat: int
    move_may_empty_site: bool
    open_heads: bool

    def to_json(self) -> dict[str, Json]:
        """Return all options by name."""
        return self._asdict()


def options(data: Json, seats: int, code: str) -> Options:
    """Return the options, defaults filled in.

    Raises Illegal with the given code for an unknown option or value.
    """
    if not isinstance(data, dict):
        raise Illegal(code, "The options must be an object.", "Options")
    values: dict[str, Json] = {name: choices[0] for name, choices in CHOICES.items()}
    for name, value in data.items():
        if name not in CHOICES:
            raise Illegal(code, f"There is no option {str(name)[:40]}.", "Options", {"option": str(name)[:40]})
        allowed = range(seats) if name == "first_seat" else CHOICES[name]
        # True equals 1 in Python, but not on this table.
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            words = ", ".join(str(choice).lower() for choice in allowed)
            raise Illegal(code, f"The option {name} can be: {words}.", "Options", {"option": name})
        values[name] = value
    return Options(**values)
