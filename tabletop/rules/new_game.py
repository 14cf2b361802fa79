"""What is agreed before a game begins: who sits at the table, and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.rules.game import Illegal, Json
from tabletop.rules.validate import LONGEST_NAME, NOT_ALLOWED, unfit

FIRST_SEAT = "first_seat"
"""The option of every game whose values are the seats there are."""


def seated(names: Sequence[Json], title: str, allowed: range) -> tuple[str, ...]:
    """Return the names of the seats.  Raises Illegal (``bad-request``) where they are no names or not so many."""
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise Illegal("bad-request", f"A name is a text of at most {LONGEST_NAME} characters.", "Setup")
        if code := unfit(name):
            raise Illegal("bad-request", f"The name of seat {number} holds {code}: {NOT_ALLOWED}.", "Setup")
    if len(names) not in allowed:
        said = f"{title} is for {allowed[0]} to {allowed[-1]} seats, not {len(names)}."
        raise Illegal("bad-request", said, "Setup")
    return tuple(names)


def chosen(data: Json, choices: Mapping[str, Sequence[Json]], seats: int, code: str) -> dict[str, Json]:
    """Return the options by name, defaults filled in; ``choices`` are the values of each, the default first.

    Raises Illegal with the given code for an unknown option or value.
    """
    if not isinstance(data, dict):
        raise Illegal(code, "The options must be an object.", "Options")
    values: dict[str, Json] = {name: allowed[0] for name, allowed in choices.items()}
    for name, value in data.items():
        if name not in choices:
            raise Illegal(code, f"There is no option {str(name)[:40]}.", "Options", {"option": str(name)[:40]})
        allowed = range(seats) if name == FIRST_SEAT else choices[name]
        # True equals 1 in Python, but not on this table.
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            words = ", ".join([str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in allowed])
            raise Illegal(code, f"The option {name} can be: {words}.", "Options", {"option": name})
        values[name] = value
    return values
