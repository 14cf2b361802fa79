"""Who may know what: one policy for each field of a position, and the view that follows from them.

The coins of a hand are their seat's secret, the face-down coins and structures are numbers; all else lies open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.rules.game import Policy, View

POLICIES: Mapping[str, Policy] = {
    **dict.fromkeys(
        (
            "game",
            "options",
            "yard",
            "bank",
            "discards",
            "active",
            "actions_left",
            "pending",
            "closing",
            "turn",
            "awaits",
        ),
        Policy.ALL,
    ),
    "coins": Policy.COUNT,
    "stack": Policy.COUNT,
}
"""The fields of a position but ``seats``."""

SEAT_POLICIES: Mapping[str, Policy] = {
    **dict.fromkeys(("name", "die", "turret", "palazzo", "reserve"), Policy.ALL),
    "hand": Policy.OWNER,
}
"""The fields of a seat."""


def view(data: Mapping[str, Any], seat: int | None) -> View:
    """Return what the seat may know of a position in its JSON form; of what it may not, the number."""
    seats = [_seen(fields, SEAT_POLICIES, number == seat) for number, fields in enumerate(data["seats"])]
    common = {key: value for key, value in data.items() if key != "seats"}
    return {**_seen(common, POLICIES, own=False), "seats": seats}


def _seen(fields: Mapping[str, Any], policies: Mapping[str, Policy], own: bool) -> dict[str, Any]:
    """Apply the policies; a field without one raises KeyError, so that nothing new is public by default."""
    seen = {}
    for key, value in fields.items():
        policy = policies[key]
        if policy is not Policy.NOBODY:
            open_to_all = policy is Policy.ALL or (policy is Policy.OWNER and own)
            seen[key] = value if open_to_all else len(value)
    return seen
