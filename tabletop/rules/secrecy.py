"""Which actions, pieces and zones not everybody may know, judging by the views alone.

An action is secret if another one would have led to another position but the same view, or if it names a piece that the
view shows neither before nor after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from tabletop.rules.data_words import words
from tabletop.rules.game import Action, Json, Position
from tabletop.rules.layout import Hidden

MAX_OTHER_ACTIONS = 10
"""How many other actions are tried; for a secret action, the very first one gives the same view."""


def is_secret(before: Position, action: Action, after: Position, seat: int | None) -> bool:
    """Return whether the seat (None: a spectator) cannot distinguish the action from another one."""
    if before.decider is not None and before.decider == seat:
        return False
    view = after.view(seat)
    named = {*before.game.pieces_in(action.to_json())}
    # Most actions name nothing, or what is in sight after them.
    unseen = named.difference(words(view)) if named else named
    if unseen and not unseen <= {*words(before.view(seat))}:
        return True  # the last piece of a stack: there is no other action, and nobody saw which one is left
    return any(True for _ in indistinguishable(before, action, after, seat))


def indistinguishable(before: Position, action: Action, after: Position, seat: int | None) -> Iterator[Action]:
    """Iterate over other legal actions, of the first few, that look the same to the seat (None: a spectator)."""
    view = after.view(seat)
    for other in islice((other for other in before.list_legal() if other != action), MAX_OTHER_ACTIONS):
        led = before.after(other)
        if led != after and led.view(seat) == view:
            yield other


def known_pieces(position: Position, seat: int | None) -> frozenset[str]:
    """Return the pieces whose place the seat (None: a spectator) may know: its view names them as often as the data.

    A card whose face is part of the data is named in both for that alone, which does not show where it is.
    """
    whole, view = Counter(words(position.to_json())), Counter(words(position.view(seat)))
    return frozenset(piece for piece in position.game.pieces if whole[piece] <= view[piece])


def secret_zones(position: Position) -> frozenset[str]:
    """Return the zones whose pieces not everybody may know, judging by a spectator's view.

    A zone that the camera cannot see is secret unless the view lists its pieces: for a secret field it has at most
    their number.  An empty zone is secret unless the view has a list under its name.
    """
    view = position.view(None)
    listed = {frozenset(pieces) for pieces in _lists(dict(view))}

    def is_secret(zone: str, pieces: frozenset[str]) -> bool:
        return pieces not in listed if pieces else not isinstance(view.get(zone), list)

    hidden = {zone: there.pieces for zone, there in position.layout().items() if isinstance(there, Hidden)}
    return frozenset(zone for zone, pieces in hidden.items() if is_secret(zone, pieces))


def _lists(data: Json) -> Iterator[list[str]]:
    """Yield every list of strings in the data."""
    if isinstance(data, list) and all(isinstance(item, str) for item in data):
        yield data
    elif isinstance(data, list | dict):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _lists(item)
