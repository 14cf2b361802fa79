"""Turns bouncing contacts into presses: a pure state machine over (button, edge, time).

It uses neither a clock nor pins; the caller reports edges and times and provides a function that reads a contact.  The
rules:

* A contact counts as down once it has been down for ``press`` without an edge, and as up once it has been up for
  ``release``.  So a bounce never counts, a press as short as a finger can make it does, and what follows a release
  within ``release`` is the same press still bouncing.
* A driver may lose edges that come in a burst.  So the debounced state is compared with the contact itself when it
  would change, and every ``poll`` seconds; a difference is corrected and reported.
* Edges that were delivered late still count at their own time: a press is not lost because a thread was slow.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Kind(enum.Enum):
    """How a button was used."""

    PRESS = "press"
    LONG = "long"
    CHORD = "chord"


class Press(NamedTuple):
    """A debounced press: button name (``OK``, ``MONEY`` …; ``OK+UNDO`` for a chord) and monotonic seconds."""

    button: str
    kind: Kind
    time: float


class ButtonFault(enum.Enum):
    """A fault of a button; the value is the end of the sentence “Button X …”."""

    HELD = "is down since the start and is ignored until it is let go"
    STUCK = "has been down for so long that it seems stuck"
    CHATTER = "flickers without end: a loose wire?"
    FREED = "was let go or came to rest, and counts again"
    HEALED = "lost an edge, which was found by reading the pin"


class ButtonState(enum.StrEnum):
    """How a button is, for the players."""

    OK = "ok"
    STUCK = "stuck"
    LOOSE = "loose"


class Trouble(NamedTuple):
    """Something to report about a button, at monotonic seconds."""

    button: str
    fault: ButtonFault
    time: float


class Timing(NamedTuple):
    """All time constants of the state machine, in seconds."""

    press: float = 0.009
    """How long a pressed button is down without an edge: more than good buttons bounce (8 ms), far less than a tap."""
    release: float = 0.030
    """How long a released button is up without an edge."""
    grace: float = 0.015
    """How long an edge may be on its way before it counts as lost."""
    long: float = 1.0
    chord: float = 0.030
    """Buttons of a chord go down within this time; a lone press of one of them is reported that much later."""
    stuck: float = 20.0
    chatter: float = 2.0
    poll: float = 0.5


Event = Press | Trouble


@dataclass(slots=True)
class _Contact:
    name: str
    check: float
    """When to read the contact next."""
    down: bool = False
    """The debounced state."""
    raw: bool = False
    """The state after the last edge."""
    edge: float = 0.0
    """The time of the last edge."""
    restless: bool = False
    """Whether there were edges that are not settled yet."""
    since: float = 0.0
    """The time of the first of these edges: when the finger came or went."""
    pressed: float = 0.0
    """When the current press began."""
    doubt: float | None = None
    """Since when the contact has differed from its last edge."""
    ignored: bool = False
    owes: bool = False
    """Whether its press is still to be reported, because it may become a long press or part of a chord."""
    fault: bool = False
    """Whether a fault (stuck, flickering, held at the start) was already reported."""


class Buttons:
    """The state machine of a whole panel.

    ``long`` names the buttons for which a long press has its own meaning, ``chords`` the sets of buttons that have a
    meaning together; presses of all others are reported as soon as they are certain.
    """

    def __init__(
        self,
        names: Iterable[str],
        time: float,
        timing: Timing = Timing(),  # noqa: B008 (a frozen value)
        *,
        long: Iterable[str] = (),
        chords: Iterable[Iterable[str]] = (),
    ) -> None:
        self._timing = timing
        self._long = frozenset(long)
        self._chords = tuple(frozenset(chord) for chord in chords)
        self._contacts = {name: _Contact(name, time + timing.poll) for name in names}

    def start(self, down: Iterable[str], time: float) -> list[Event]:
        """Note which buttons are down at the start; they count only after they have been released."""
        events: list[Event] = []
        for name in down:
            contact = self._contacts[name]
            contact.down = contact.raw = contact.ignored = contact.fault = True
            contact.pressed = contact.edge = time
            events.append(Trouble(name, ButtonFault.HELD, time))
        return events

    def edge(self, name: str, down: bool, time: float) -> list[Event]:
        """Take in an edge; return the events that became certain before it."""
        contact = self._contacts[name]
        events = self._settle(contact, time) if down != contact.raw else []
        self._move(contact, down, time)
        return events

    def advance(self, time: float, read: Callable[[str], bool]) -> list[Event]:
        """Advance to ``time`` and return the events until then; ``read`` returns whether a button is down now."""
        events: list[Event] = []
        for contact in self._contacts.values():
            if contact.check <= time:
                events += self._look(contact, time, read(contact.name))
        for contact in self._contacts.values():
            events += self._held(contact, time)
        return events

    @property
    def deadline(self) -> float:
        """The earliest time at which :meth:`advance` may have something to do."""
        return min((self._due(contact) for contact in self._contacts.values()), default=math.inf)

    def _move(self, contact: _Contact, down: bool, time: float) -> None:
        if not contact.restless:
            contact.restless, contact.since = True, time
        contact.raw, contact.edge, contact.doubt = down, time, None
        contact.check = time + self._patience(contact)

    def _patience(self, contact: _Contact) -> float:
        return self._timing.release if contact.down else self._timing.press

    def _look(self, contact: _Contact, time: float, level: bool) -> list[Event]:
        """Compare a contact with its last edge; settle it, or correct it once no edge can be on its way any more."""
        if level == contact.raw:
            contact.doubt = None
            events = self._settle(contact, time)
            contact.check = contact.edge + self._patience(contact) if contact.restless else time + self._timing.poll
            return events
        if contact.doubt is None:
            contact.doubt, contact.check = time, time + self._timing.grace
            return []
        self._move(contact, level, contact.doubt)
        return [Trouble(contact.name, ButtonFault.HEALED, time)]

    def _settle(self, contact: _Contact, time: float) -> list[Event]:
        """Take over the state after the last edge if it has lasted long enough before ``time``."""
        if not contact.restless:
            return []
        if time < contact.edge + self._patience(contact):
            return self._flickers(contact, time)
        contact.restless = False
        if contact.raw and contact.down:
            return []
        freed: list[Event] = [Trouble(contact.name, ButtonFault.FREED, time)] if contact.fault else []
        contact.fault = False
        if contact.raw == contact.down:
            return freed
        contact.down = contact.raw
        return freed + (self._begins(contact) if contact.down else self._ends(contact))

    def _flickers(self, contact: _Contact, time: float) -> list[Event]:
        if contact.fault or time - contact.since < self._timing.chatter:
            return []
        contact.fault = True
        return [Trouble(contact.name, ButtonFault.CHATTER, time)]

    def _begins(self, contact: _Contact) -> list[Event]:
        contact.pressed = contact.since
        for chord in self._chords:
            if contact.name in chord and self._complete(chord, contact):
                for name in chord:
                    self._contacts[name].owes = False
                together = "+".join(name for name in self._contacts if name in chord)
                return [Press(together, Kind.CHORD, contact.pressed)]
        contact.owes = self._waits(contact) > 0
        return [] if contact.owes else [Press(contact.name, Kind.PRESS, contact.pressed)]

    def _complete(self, chord: frozenset[str], last: _Contact) -> bool:
        others = (self._contacts[name] for name in chord if name != last.name)
        return all(other.owes and abs(last.pressed - other.pressed) <= self._timing.chord for other in others)

    def _waits(self, contact: _Contact) -> float:
        """Return how long a press is held back because it may still become a long press or a chord."""
        if contact.name in self._long:
            return self._timing.long
        if any(contact.name in chord for chord in self._chords):
            return self._timing.chord + self._timing.press
        return 0.0

    def _ends(self, contact: _Contact) -> list[Event]:
        presses = [Press(contact.name, Kind.PRESS, contact.pressed)] if contact.owes else []
        contact.owes = contact.ignored = False
        return list(presses)

    def _held(self, contact: _Contact, time: float) -> list[Event]:
        """Return what follows from holding a button: a long press, a press that joined no chord, a stuck button."""
        events: list[Event] = []
        if not contact.down or contact.ignored:
            return events
        if contact.owes and time >= contact.pressed + self._waits(contact):
            contact.owes = False
            kind = Kind.LONG if contact.name in self._long else Kind.PRESS
            events.append(Press(contact.name, kind, contact.pressed))
        if time >= contact.pressed + self._timing.stuck:
            contact.ignored = contact.fault = True
            events.append(Trouble(contact.name, ButtonFault.STUCK, time))
        return events

    def _due(self, contact: _Contact) -> float:
        if not contact.down or contact.ignored:
            return contact.check
        held = self._waits(contact) if contact.owes else self._timing.stuck
        return min(contact.check, contact.pressed + held)
