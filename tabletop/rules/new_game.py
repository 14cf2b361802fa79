"""What is agreed before a game begins: who sits at the table, and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.messages import Message
from tabletop.rules.game import Illegal, Json
from tabletop.rules.validate import LONGEST_NAME, NOT_ALLOWED, unfit

FIRST_SEAT = "first_seat"
"""The option of every game whose values are the seats there are."""


def seated(names: Sequence[Json], title: str, allowed: range) -> tuple[str, ...]:
    """Return the names of the seats.  Raises Illegal (``bad-request``) unless they fit the game."""
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise Illegal("bad-request", f"A name is a text of at most {LONGEST_NAME} characters.", "Setup")
        if code := unfit(name):
            raise Illegal("bad-request", f"The name of seat {number} holds {code}: {NOT_ALLOWED}.", "Setup")
    if len(names) not in allowed:
        raise Illegal("bad-request", not_for(title, allowed, len(names)), "Setup")
    return tuple(names)


def seats_of(allowed: range) -> Message:
    """Return how many seats a game has, in words: “2 to 4 seats”, or “2 seats”."""
    least, most = allowed[0], allowed[-1]
    if least == most:
        return Message.plural("{count} seat", "{count} seats", most)
    return Message("{least} to {most} seats", least=least, most=most)


def not_for(title: str, allowed: range, count: int) -> Message:
    """Return why a game is not played by so many."""
    return Message("{game} is for {seats}, not {count}.", game=title, seats=seats_of(allowed), count=count)


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
