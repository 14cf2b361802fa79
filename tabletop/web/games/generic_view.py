"""What can be told of any view, whatever its shape: what belongs to each seat, and what only its own seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.rules.game import Json, View


def of_seats(view: View, seats: int) -> list[dict[str, Json]]:
    """Return what the view tells of each seat, without its name; nothing if it has no object for each of them."""
    told = view.get("seats")
    if not isinstance(told, list) or len(told) != seats or not all(isinstance(one, Mapping) for one in told):
        return [{} for _ in range(seats)]
    return [{key: value for key, value in one.items() if key != "name"} for one in told]


def secrets(own: Json, public: Json, label: str = "") -> Iterator[tuple[str, Json]]:
    """Iterate over what a seat's own view shows and a spectator's does not, each with its key."""
    if own == public:
        return
    if isinstance(own, Mapping) and isinstance(public, Mapping):
        for key, value in own.items():
            yield from secrets(value, public.get(key), str(key))
    elif _nested(own) and isinstance(public, list) and len(own) == len(public):
        for mine, theirs in zip(own, public, strict=True):
            yield from secrets(mine, theirs, label)
    else:
        yield label, own


def _nested(value: Json) -> bool:
    return isinstance(value, list) and any(isinstance(one, list | Mapping) for one in value)
