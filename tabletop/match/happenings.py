"""What just happened, described once: a sentence, the pieces it names, where pieces went, and how points changed.

Motion, sound, speech and the log are all drawn from these values.  Each is for one seat (None: a spectator): what that
seat may not know is absent from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tabletop.match.event import Event, EventKind
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.rules import secrecy
from tabletop.rules.game import Action, Around, Game
from tabletop.rules.layout import Anywhere, Heap, Hidden, Layout

MAX_HAPPENINGS = 12
"""If there are more happenings than this, none is listed: after such a long absence, people look at the table."""
MAX_NAMED_PIECES = 6
"""If more pieces than this take the same way, they are only counted: nobody could follow each of them."""


class Telling(NamedTuple):
    """An action in a sentence, the pieces to show with it, and the seat that it is about, None if none."""

    text: Message
    pieces: tuple[str, ...]
    seat: int | None


class Passage(NamedTuple):
    """Pieces that went from one zone to another; a zone is empty if it is not known.

    An interchangeable piece is named by what it looks like; ``piece`` is empty for a ``number`` of pieces whose names
    the seat may not know or does not need.
    """

    piece: str
    start: str
    end: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened; ``kind`` is the action's, or the event's if it was not one (``undo``, ``pause`` …).

    ``points`` are (seat, change) for each seat whose points changed, in games whose points everybody may know.
    """

    number: int
    kind: str
    seat: int | None
    passages: tuple[Passage, ...] = ()
    points: tuple[tuple[int, int], ...] = ()


def tell(game: Game, action: Action, doer: int | None, reader: int | None, around: Around | None = None) -> Telling:
    """Describe an action of a seat (None: of chance) as a ``reader`` (None: a spectator) may know it.

    Without the positions before and after it, fewer facts are certain to be open.
    """
    about = action.to_json().get("seat") if doer is None else doer
    text = game.describe(action, doer, around)
    pieces = _pieces(game, action) if _is_open(game, action, doer, reader, around) else ()
    return Telling(text, pieces, about if type(about) is int else None)


def is_same_for_all(game: Game, event: Event) -> bool:
    """Return whether everybody gets the same description of an event."""
    return event.kind != EventKind.ACTION or not game.may_be_secret(event.data["do"])


def happenings_since(then: Match, now: Match, seat: int | None) -> tuple[Happening, ...]:
    """Return what happened between two moments of one match, oldest first; nothing if too much happened."""
    if then.mark != now.mark or then.last == now.last:
        return ()
    kept = _kept(then, now)
    happened = []
    if kept < len(then.steps):
        around = Around(then.position, now.steps[kept - 1].position)
        happened.append(Happening(now.steps[kept - 1].event.number, EventKind.UNDO, None, *_changed(around, ())))
    for at in range(kept, len(now.steps)):
        if len(happened) == MAX_HAPPENINGS:
            return ()
        event, position = now.steps[at]
        if event.number > then.last:
            happened.append(_happened(event, Around(now.steps[at - 1].position, position), seat))
    return tuple(happened)


def _kept(then: Match, now: Match) -> int:
    """Return how many steps of ``then`` still count in ``now``."""
    kept = min(len(then.steps), len(now.steps))
    while kept > 1 and then.steps[kept - 1].event is not now.steps[kept - 1].event:
        kept -= 1
    return kept


def _happened(event: Event, around: Around, seat: int | None) -> Happening:
    if event.kind != EventKind.ACTION:
        return Happening(event.number, event.kind, event.seat, *_changed(around, ()))
    game = around.after.game
    telling = tell(game, game.action(dict(event.data)), event.seat, seat, around)
    return Happening(event.number, str(event.data["do"]), telling.seat, *_changed(around, telling.pieces))


def _changed(around: Around, named: Sequence[str]) -> tuple[tuple[Passage, ...], tuple[tuple[int, int], ...]]:
    """Return where pieces went, and whose points changed."""
    if around.before is around.after:
        return (), ()
    return passages(around, named), _points(around)


def passages(around: Around, named: Iterable[str]) -> tuple[Passage, ...]:
    """Return which pieces went where; pieces are named if they lay or lie open, or are ``named`` openly."""
    before, after = _unlike(around.before.layout(), around.after.layout())
    was, lies = before.zone_of(), after.zone_of()
    moved = [piece for piece in {**was, **lies} if was.get(piece, "") != lies.get(piece, "")]
    known = _open(before) | _open(after) | {*named}
    ways: dict[tuple[str, str], list[str]] = {}
    for piece in moved:
        ways.setdefault((was.get(piece, ""), lies.get(piece, "")), []).append(piece)
    found: list[Passage] = []
    for (start, end), pieces in ways.items():
        shown = sorted(known.intersection(pieces))
        if len(pieces) <= MAX_NAMED_PIECES:
            found += [Passage(piece, start, end) for piece in shown]
            pieces = [piece for piece in pieces if piece not in known]
        if pieces:
            found.append(Passage("", start, end, len(pieces)))
    return (*sorted(found), *_floors(before, after))


def _unlike(before: Layout, after: Layout) -> tuple[Layout, Layout]:
    """Return two layouts reduced to the zones in which they differ."""
    zones = [zone for zone in {**before, **after} if before.get(zone) != after.get(zone)]
    one, other = (Layout({zone: layout[zone] for zone in zones if zone in layout}) for layout in (before, after))
    return one, other


def _floors(before: Layout, after: Layout) -> list[Passage]:
    """Return which interchangeable floors of towers came, went, or went from one tower to another."""
    fewer: dict[str, list[str]] = {}
    grown: list[tuple[str, str]] = []
    towers = [zone for zone in {**before, **after} if before.floors(zone) != after.floors(zone)]
    for zone in towers:
        was, now = (Counter(layout.floors(zone)) for layout in (before, after))
        grown += [(like, zone) for like in (now - was).elements()]
        for like in (was - now).elements():
            fewer.setdefault(like, []).append(zone)
    floors = [Passage(like, fewer[like].pop() if fewer.get(like) else "", zone) for like, zone in grown]
    return floors + [Passage(like, zone, "") for like, zones in fewer.items() for zone in zones]


def _open(layout: Layout) -> set[str]:
    """Return the pieces that lie open."""
    covered = (Hidden, Anywhere, Heap)
    return {piece for zone, there in layout.items() if not isinstance(there, covered) for piece in layout.pieces(zone)}


def _points(around: Around) -> tuple[tuple[int, int], ...]:
    before, after = around
    if not after.game.open_points:
        return ()
    pairs = zip(before.score(), after.score(), strict=True)
    return tuple((seat, now.points - was.points) for seat, (was, now) in enumerate(pairs) if was.points != now.points)


def _pieces(game: Game, action: Action) -> tuple[str, ...]:
    """Return the pieces that an action names, in the order of its data, without those it only puts others on."""
    moved = {key: fact for key, fact in action.to_json().items() if key not in game.ground_keys}
    return tuple(game.pieces_in(moved))


def _is_open(game: Game, action: Action, doer: int | None, reader: int | None, around: Around | None) -> bool:
    """Return whether a reader may know which pieces an action names."""
    if not game.may_be_secret(action.do):
        return True
    if around is not None:
        return not secrecy.is_secret(around.before, action, around.after, reader)
    own = action.to_json().get("seat") if doer is None else doer
    return game.secret_kinds is not None and reader is not None and own == reader
