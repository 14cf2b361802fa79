"""A position as data: one table of fields says how each is read and who may know it.

There is no other way out of a position, so no field can be public by oversight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tabletop.rules.game import Json, Policy


class Field(NamedTuple):
    """One field of the data: who may know it, and its value (None: it does not apply in this phase)."""

    policy: Policy
    value: Callable[[Any], Json]
    nullable: bool = False
    """True where None is a value like others."""


class SeatField(NamedTuple):
    """One field of a seat's data: who may know it, and its value, which is there in every phase."""

    policy: Policy
    value: Callable[[Any, int], Json]


def whole(fields: Mapping[str, Field], state: object) -> dict[str, Json]:
    """Return all fields that apply, secrets included."""
    values = [(name, field.nullable, field.value(state)) for name, field in fields.items()]
    return {name: value for name, nullable, value in values if nullable or value is not None}


def seen(fields: Mapping[str, Field], state: object) -> dict[str, Json]:
    """Return what everybody may know of the fields that apply."""
    public = {name: field for name, field in fields.items() if field.policy is not Policy.NOBODY}
    return {name: shown(value, fields[name].policy, own=False) for name, value in whole(public, state).items()}


def whole_seats(fields: Mapping[str, SeatField], state: object, seats: int) -> list[dict[str, Json]]:
    """Return every field of every seat, secrets included."""
    return [{name: field.value(state, seat) for name, field in fields.items()} for seat in range(seats)]


def seen_seats(fields: Mapping[str, SeatField], state: object, seats: int, viewer: int | None) -> list[dict[str, Json]]:
    """Return of every seat what the viewer may know (None: a spectator)."""
    public = [(name, field) for name, field in fields.items() if field.policy is not Policy.NOBODY]
    return [
        {name: shown(field.value(state, seat), field.policy, seat == viewer) for name, field in public}
        for seat in range(seats)
    ]


def shown(value: Json, policy: Policy, own: bool) -> Json:
    """Return a value that somebody may know: what is counted, or another's, as a number."""
    return value if policy is Policy.ALL or (own and policy is Policy.OWNER) else len(value)
