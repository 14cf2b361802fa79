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


class Data(NamedTuple):
    """A game's positions as data: what was agreed before the game, the fields of each seat and those of the table."""

    agreed: Callable[[Any], dict[str, Json]]
    seats: Mapping[str, SeatField]
    table: Mapping[str, Field]

    def whole(self, state: Any) -> dict[str, Json]:
        """Return the whole position as the protocol's data, secrets included."""
        seats = [{name: field.value(state, seat) for name, field in self.seats.items()} for seat in range(state.seats)]
        return {**self.agreed(state), "seats": seats, **_applying(self.table, state)}

    def seen(self, state: Any, viewer: int | None) -> dict[str, Json]:
        """Return what the seat may know (None: a spectator): what is counted or another's comes as a number."""
        seats = [(name, field) for name, field in self.seats.items() if field.policy is not Policy.NOBODY]
        table = {name: field for name, field in self.table.items() if field.policy is not Policy.NOBODY}
        return {
            **self.agreed(state),
            "seats": [
                {name: shown(field.value(state, seat), field.policy, seat == viewer) for name, field in seats}
                for seat in range(state.seats)
            ],
            **{name: shown(value, table[name].policy, own=False) for name, value in _applying(table, state).items()},
        }


def shown(value: Json, policy: Policy, own: bool) -> Json:
    """Return a value that somebody may know: what is counted, or another's, as a number."""
    return value if policy is Policy.ALL or (own and policy is Policy.OWNER) else len(value)


def _applying(fields: Mapping[str, Field], state: object) -> dict[str, Json]:
    values = [(name, field.nullable, field.value(state)) for name, field in fields.items()]
    return {name: value for name, nullable, value in values if nullable or value is not None}
