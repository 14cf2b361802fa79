"""What is agreed before a game begins: who sits at the table, and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.messages import Message
from tabletop.rules.game import Illegal, Json
from tabletop.rules.refusals import bad_request
from tabletop.rules.validate import MAX_NAME_LENGTH, NOT_ALLOWED, unfit

FIRST_SEAT = "first_seat"
"""The option that every game has for the seat that begins; its values depend on the number of seats."""


def seated(names: Sequence[Json], title: str, allowed: range) -> tuple[str, ...]:
    """Return the names of the seats.

    Raises Illegal (``bad-request``) for anything that is not a name, or for a wrong number of names.
    """
    rule = Message("Setup")
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH:
            raise bad_request("A name is a text of at most {most} characters.", rule, most=MAX_NAME_LENGTH)
        if code := unfit(name):
            facts = {"number": number, "code": code, "not_allowed": NOT_ALLOWED}
            raise bad_request("The name of seat {number} contains {code}: {not_allowed}.", rule, **facts)
    if len(names) not in allowed:
        raise Illegal("bad-request", not_for(title, allowed, len(names)), rule=rule)
    return tuple(names)


def seats_of(allowed: range) -> Message:
    """Return how many seats a game has, in words: “2 to 4 seats”, or “2 seats”."""
    least, most = allowed[0], allowed[-1]
    if least == most:
        return Message.plural("{count} seat", "{count} seats", most)
    return Message("{least} to {most} seats", least=least, most=most)


def not_for(title: str, allowed: range, count: int) -> Message:
    """Return the refusal of a number of seats that a game cannot be played with."""
    return Message("{game} is for {seats}, not {count}.", game=title, seats=seats_of(allowed), count=count)


def chosen(data: Json, choices: Mapping[str, Sequence[Json]], seats: int, code: str) -> dict[str, Json]:
    """Return the options by name, defaults filled in; ``choices`` are the values of each, the default first.

    Raises Illegal with the given code for an unknown option or value.
    """
    rule = Message("Options")
    if not isinstance(data, dict):
        raise Illegal(code, Message("The options must be an object."), rule=rule)
    values: dict[str, Json] = {name: allowed[0] for name, allowed in choices.items()}
    for name, value in data.items():
        if name not in choices:
            option = str(name)[:40]
            raise Illegal(
                code, Message("There is no option {option}.", option=option), rule=rule, facts={"option": option}
            )
        allowed = range(seats) if name == FIRST_SEAT else choices[name]
        # True equals 1 in Python, but not on this table.
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            words = tuple([str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in allowed])
            text = Message("The option {option} can be: {words}.", option=name, words=words)
            raise Illegal(code, text, rule=rule, facts={"option": name})
        values[name] = value
    return values
