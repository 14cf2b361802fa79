"""What a viewer has seen disappear from sight: a card taken from the open row is hidden now, but still known.

A place is where a position's data lists pieces but a view gives only their number, such as ``seats.1.hand``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tabletop.rules.game import Json, Position
from tabletop.rules.text.recorder import is_new


@dataclass(frozen=True, slots=True)
class Seen:
    """Where pieces are that a viewer can no longer see.

    Attributes:
        known: by place the pieces that are known to be there, in the order in which they went there.
        complete: True if the viewer has watched the game from its beginning.
    """

    known: Mapping[str, Sequence[str]] = field(default_factory=dict)
    complete: bool = False


def follow(seen: Seen, before: Position, after: Position, seat: int | None) -> Seen:
    """Return what the seat knows after it has seen one position become the next.

    A piece that lay open and is now hidden is known to be where it went; so is a piece that moved from one hidden place
    to another while the view names it, such as the top of a pile.  Once a piece has left a place unseen, nothing known
    about that place is certain any more.
    """
    was, now = before.hidden(seat), after.hidden(seat)
    whence = {piece: place for place, pieces in was.items() for piece in pieces}
    moved = {piece for place, pieces in now.items() for piece in pieces if whence.get(piece, place) != place}
    shown = moved & named(after.view(seat)) if moved else moved
    unsure = {whence[piece] for piece in moved - shown}
    known = {}
    for place, pieces in now.items():
        kept = [piece for piece in seen.known.get(place, ()) if piece in pieces and place not in unsure]
        come = [piece for piece in pieces if piece not in whence or piece in shown]
        if kept or come:
            known[place] = (*kept, *come)
    return Seen(known, seen.complete)


AGREEMENT_KEYS = frozenset({"name", "names", "options", "edition"})
"""The parts of a view that do not say where pieces lie: a player's name may look like a card's."""


def named(view: Json) -> set[str]:
    """Return the words of a view, or of a part of it, which include the pieces that lie open."""
    if isinstance(view, Mapping):
        return {*view}.union(*(named(value) for key, value in view.items() if key not in AGREEMENT_KEYS))
    if isinstance(view, list):
        return set().union(*map(named, view))
    return {view} if isinstance(view, str) else set()


class Watcher:
    """Follows one game for one seat (None: a spectator), looking only at new positions each time."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._past: Sequence[Position] = ()
        self._seen = Seen()

    def watch(self, positions: Sequence[Position], ahead: Position | None = None) -> Seen:
        """Return what the seat has seen from the first of these positions on; undone positions do not count.

        ``ahead`` is a position that is about to follow.
        """
        past = self._past
        if len(past) > len(positions) or any(one is not other for one, other in zip(past, positions, strict=False)):
            past = ()
        if not past:
            self._seen = Seen(complete=not positions or is_new(positions[0]))
        for before, after in pairwise(positions[max(0, len(past) - 1) :]):
            self._seen = follow(self._seen, before, after, self._seat)
        self._past = tuple(positions)
        return self._seen if ahead is None else follow(self._seen, positions[-1], ahead, self._seat)
