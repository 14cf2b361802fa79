"""A match: the fold of its events.  A value; ``with_event`` gives the next one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple, overload

from tabletop.match.errors import BadEvent
from tabletop.match.event import Event, EventKind, Source
from tabletop.match.event_checks import EVENT_CHECKS
from tabletop.match.photo_score import is_complete, ranked_scores
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Illegal, Position, SeatScore
from tabletop.rules.validate import without_unfit

SCHEMA = 1
"""The version of the events' form; a match in any other is refused."""

CHANGING_KINDS = frozenset({EventKind.ACTION, EventKind.POSITION})
"""The kinds of event that lead to another position, and so can be undone.

The others (a pause, a name, a seat that the host plays for) still count, whatever is undone.
"""

HINT_NOTE = "hint"
"""The ``what`` of a note that a seat asked for a hint."""
HOST_SOURCES = frozenset({Source.HOST, Source.HOST_PHOTO})
"""The sources of events that the host decided."""


class Step(NamedTuple):
    """An event that counts, and the position after it."""

    event: Event
    position: Position


def _number_of(step: Step) -> int:
    return step.event.number


class Steps(Sequence[Step]):
    """The steps of a match, oldest first: a value from which longer and shorter ones can be made cheaply.

    They are stored in shared blocks: adding a step copies at most one block, however long the match is.
    """

    BLOCK = 256
    __slots__ = ("_blocks", "_rest")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        every = tuple(steps)
        full = len(every) // self.BLOCK * self.BLOCK
        self._blocks = tuple(every[at : at + self.BLOCK] for at in range(0, full, self.BLOCK))
        self._rest = every[full:]

    @classmethod
    def _of_blocks(cls, blocks: tuple[tuple[Step, ...], ...], rest: tuple[Step, ...]) -> Steps:
        made = cls()
        made._blocks, made._rest = blocks, rest
        return made

    def with_step(self, step: Step) -> Steps:
        """Return these steps and one more."""
        rest = (*self._rest, step)
        full = len(rest) == self.BLOCK
        return self._of_blocks((*self._blocks, rest), ()) if full else self._of_blocks(self._blocks, rest)

    def first(self, count: int) -> Steps:
        """Return the first ``count`` steps."""
        full, more = divmod(max(0, min(count, len(self))), self.BLOCK)
        block = self._blocks[full] if full < len(self._blocks) else self._rest
        return self._of_blocks(self._blocks[:full], block[:more])

    def __len__(self) -> int:
        return len(self._blocks) * self.BLOCK + len(self._rest)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> Steps: ...
    def __getitem__(self, at: int | slice) -> Step | Steps:
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return self.first(stop) if (start, step) == (0, 1) else Steps(self[n] for n in range(start, stop, step))
        block, inside = divmod(at if at >= 0 else at + len(self), self.BLOCK)
        if block < 0:
            raise IndexError(at)
        if block < len(self._blocks):
            return self._blocks[block][inside]
        if block > len(self._blocks):
            raise IndexError(at)
        return self._rest[inside]

    def __iter__(self) -> Iterator[Step]:
        return chain(chain.from_iterable(self._blocks), self._rest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and (self._blocks, self._rest) == (other._blocks, other._rest)

    __hash__ = None  # type: ignore[assignment]  # the data of events are mappings


class Act(NamedTuple):
    """An action that was found to be legal, and the position it leads to."""

    action: Action
    position: Position


@dataclass(frozen=True, slots=True)
class Match:
    """The events that count and the position after each of them.

    ``steps`` holds one for every event that was not undone, the start first; ``last`` is the number of the newest
    event, undone or not.  ``undone`` holds the host's events that were undone, oldest first: they do not count but stay
    visible.  ``decisions`` holds the newest event of each kind that cannot be undone.  ``position_since`` is the number
    of the event that led to the position: an action, a correction, an undo or the start.
    """

    steps: Steps
    last: int
    undone: tuple[Event, ...] = ()
    decisions: Mapping[str, Event] = field(default_factory=dict)
    position_since: int = 1

    @property
    def position(self) -> Position:
        """The position now."""
        return self.steps[-1].position

    @property
    def start(self) -> Event:
        """The event with which it began."""
        return self.steps[0].event

    @property
    def mark(self) -> str:
        """An id that distinguishes this match from others, as each numbers its events from 1."""
        return self.start.hash[:8]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that count, oldest first."""
        return tuple(event for event, _ in self.steps)

    @property
    def newest_change(self) -> Event | None:
        """The newest event that led to another position, None if none did."""
        return next((event for event, _ in reversed(self.steps) if event.kind in CHANGING_KINDS), None)

    def undo_to(self, *, drawn: bool) -> int | None:
        """Return the number of the event that undo goes back to, None if there is nothing to undo.

        Chance that the program has ``drawn`` is undone with the action before it: alone it would only be drawn again.
        """
        newest = self._newest_act() if drawn else self.newest_change
        return None if newest is None else self.before(newest.number)

    def undo_freely_to(self, seat: int) -> int | None:
        """Return the number of the event to go back to so that a seat undoes its own last action, None if it may not.

        It may while nothing has happened since: no action, nothing revealed, no correction.  The end of the game
        reveals everything.
        """
        newest = self.newest_change
        return None if newest is None or newest.seat != seat or self.over else self.before(newest.number)

    def _newest_act(self) -> Event | None:
        """Return the newest event that somebody decided on: a seat's action, or a correction."""
        changes = (event for event, _ in reversed(self.steps) if event.kind in CHANGING_KINDS)
        return next((event for event in changes if event.kind != EventKind.ACTION or event.seat is not None), None)

    @property
    def paused(self) -> bool:
        """True between a pause and what ends it."""
        newest = self._newest(EventKind.PAUSE, EventKind.RESUME)
        return newest is not None and newest.kind == EventKind.PAUSE and not self.ended

    @property
    def ended(self) -> bool:
        """True if the game was ended before its time."""
        return self._newest(EventKind.END) is not None

    @property
    def halted(self) -> bool:
        """True while nobody can act: the game is paused, or was ended."""
        return self.ended or self.paused

    @property
    def over(self) -> bool:
        """True once the game came to its end, or was ended before."""
        return self.ended or self.position.over

    @property
    def deputed(self) -> frozenset[int]:
        """The seats that the host plays for."""
        newest = self._newest(EventKind.DEPUTY)
        return frozenset(newest.data["seats"]) if newest is not None else frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats: those that people gave last, else those with which the match began."""
        newest = self._newest(EventKind.NAMES)
        return tuple(names_in(newest) if newest is not None else self.position.names)

    @property
    def counted(self) -> Mapping[str, Any] | None:
        """The score last confirmed from photographs of the final table, None if there is none for this position."""
        newest = self._newest(EventKind.SCORE)
        return newest.data if newest is not None and newest.number > self.position_since else None

    @property
    def hints(self) -> Mapping[int, int]:
        """The number of hints that each seat asked for; seats that asked for none are left out."""
        notes = (event for event, _ in self.steps if event.kind == EventKind.NOTE and event.data["what"] == HINT_NOTE)
        return Counter(event.seat for event in notes if event.seat is not None)

    @property
    def only_counted(self) -> bool:
        """True for a game that nobody refereed: only its final table was scored, from photographs."""
        return self.counted is not None and self.newest_change is None

    @property
    def complete(self) -> bool:
        """True if photographs showed the final table without doubt, and everybody's pieces."""
        return self.counted is not None and is_complete(self.counted, len(self.names))

    @property
    def scores(self) -> list[SeatScore]:
        """The scores as they stand; for a game that nobody refereed, those that photographs show."""
        counted = self.counted
        if counted is not None and self.only_counted:
            return ranked_scores(counted, len(self.names))
        return list(self.position.score())

    def with_event(self, event: Event, position: Position | None = None) -> Match:
        """Return the match after the event.  Raises BadEvent if it does not follow.

        ``position`` is the one after the event if the caller has checked that already; otherwise it is checked here.
        """
        if event.number != self.last + 1:
            raise BadEvent(event.number, f"number {self.last + 1} was expected")
        if self.ended and event.kind != EventKind.SCORE:
            raise BadEvent(event.number, "the game was ended before it")
        if event.kind == EventKind.UNDO:
            kept = self._kept(event)
            undone = self.undone + self._undone_by(event.data["to"])
            return replace(self, steps=kept, last=event.number, undone=undone, position_since=event.number)
        position = position_after(self.position, event) if position is None else position
        steps = self.steps.with_step(Step(event, position))
        if event.kind in CHANGING_KINDS:
            return replace(self, steps=steps, last=event.number, position_since=event.number)
        return replace(self, steps=steps, last=event.number, decisions={**self.decisions, event.kind: event})

    def first(self, count: int) -> Match:
        """Return the match as it was after that many of its steps."""
        steps = self.steps.first(count)
        decisions = {event.kind: event for event, _ in steps if event.kind not in CHANGING_KINDS}
        changed = [event.number for event, _ in steps if event.kind in CHANGING_KINDS]
        return Match(steps, steps[-1].event.number, decisions=decisions, position_since=max(changed, default=1))

    def unchanged_since(self, number: int) -> bool:
        """Return whether the position is still that after event ``number``, whatever else was recorded since."""
        return self.position_since <= number <= self.last

    def before(self, number: int) -> int:
        """Return the number of the last event before ``number`` that counts (0 if there is none)."""
        at = self._after(number - 1)
        return self.steps[at - 1].event.number if at else 0

    def at(self, number: int) -> Position | None:
        """Return the position after event ``number``, None if it was undone or never was."""
        at = self._after(number)
        return self.steps[at - 1].position if at and self.steps[at - 1].event.number == number else None

    def taken_back_by(self, to: int) -> Event | None:
        """Return the first event that going back to event ``to`` would undo, None if it would undo nothing."""
        return next(self._changes_after(to), None) if self.at(to) is not None else None

    def _newest(self, *kinds: EventKind) -> Event | None:
        events = [event for kind in kinds if (event := self.decisions.get(kind)) is not None]
        return max(events, key=lambda event: event.number, default=None)

    def _after(self, number: int) -> int:
        """Return how many steps have this number or a smaller one: the index of the first step after it."""
        for at in range(len(self.steps), max(0, len(self.steps) - 4), -1):
            if self.steps[at - 1].event.number <= number:  # most callers ask for one of the newest
                return at
        return bisect_right(self.steps, number, key=_number_of)

    def _changes_after(self, number: int) -> Iterator[Event]:
        """Iterate over the events after event ``number`` that led to another position."""
        steps = (self.steps[at] for at in range(self._after(number), len(self.steps)))
        return (event for event, _ in steps if event.kind in CHANGING_KINDS)

    def _undone_by(self, to: int) -> tuple[Event, ...]:
        """Return the host's events that going back to event ``to`` undoes."""
        return tuple(event for event in self._changes_after(to) if event.source in HOST_SOURCES)

    def _kept(self, event: Event) -> Steps:
        to = event.data.get("to")
        at = self._after(to) if isinstance(to, int) else 0
        if not at or self.steps[at - 1].event.number != to:
            raise BadEvent(event.number, f"there is no event {to!r} to go back to")
        kept = self.steps.first(at)
        position = kept[-1].position
        for later in range(at, len(self.steps)):
            if self.steps[later].event.kind not in CHANGING_KINDS:
                kept = kept.with_step(Step(self.steps[later].event, position))
        return kept


def start_data(position: Position, options: Mapping[str, Any], edition: Any = None) -> dict[str, Any]:
    """Return the data of the event that starts a match."""
    return {
        "schema": SCHEMA,
        "game": position.game.name,
        "rules": position.game.version,
        "seats": list(position.names),
        "options": dict(options),
        **({"edition": edition} if edition is not None else {}),
    }


def begin(event: Event) -> Match:
    """Return the match that a start event begins.  Raises BadEvent if it does not describe one."""
    data = event.data
    if event.kind != EventKind.START or event.number != 1:
        raise BadEvent(event.number, "a match begins with its start")
    if data.get("schema") != SCHEMA:
        raise BadEvent(event.number, f"it was written in schema {data.get('schema')!r}, this is schema {SCHEMA}")
    try:
        position = registry.game(str(data["game"])).new(names_in(event), data["options"], data.get("edition"))
    except (KeyError, Illegal) as error:
        raise BadEvent(event.number, str(error)) from error
    return Match(Steps([Step(event, position)]), 1)


def names_in(event: Event) -> list[Any]:
    """Return the names in an event (``start``, ``names``), fit to be shown: older journals may contain anything."""
    names = event.data["seats" if event.kind == EventKind.START else "names"]
    return [without_unfit(name) if isinstance(name, str) else name for name in names]


def position_after(position: Position, event: Event) -> Position:
    """Return the position after an event that counts.  Raises BadEvent if it does not follow from the position."""
    try:
        match event.kind:
            case EventKind.ACTION:
                return position.after(position.game.action(dict(event.data)))
            case EventKind.POSITION:
                return position.game.load(_with_names(event.data["position"]))
    except (KeyError, Illegal) as error:
        raise BadEvent(event.number, str(error)) from error
    form = EVENT_CHECKS.get(event.kind)
    if form is None:
        raise BadEvent(event.number, f"“{event.kind}” is not a kind of event")
    if not form(event.data, len(position.names)):
        raise BadEvent(event.number, f"this is not a valid “{event.kind}”")
    return position


def _with_names(position: Any) -> Any:
    """Return a position's data with names that are fit to be shown, like :func:`names_in`."""
    if not isinstance(position, dict) or not isinstance(position.get("seats"), list):
        return position
    named = [isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in position["seats"]]
    seats = [
        {**seat, "name": without_unfit(seat["name"])} if has_name else seat
        for seat, has_name in zip(position["seats"], named, strict=True)
    ]
    return {**position, "seats": seats}
