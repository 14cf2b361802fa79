"""What the referee reports to the world: events, sentences, and one snapshot from which everything is drawn.

Lights, pages and logs are pure functions of a :class:`Snapshot`; none of them asks the referee anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.lights import Signals
from tabletop.match.event import Event
from tabletop.match.match import Match
from tabletop.messages import Declined, Message
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules.game import Position
from tabletop.vision.scene import Scene

MAX_ANSWERS = 1000
"""Requests whose answers are kept."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for people: a stable code and its facts (for other languages), and the English text."""

    code: str
    text: Message
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that can be shown, at one instant.  Positions hold secrets: a page shows a seat ``position.view(seat)``.

    Attributes:
        revision: counts every change of anything here; pages wait for a larger one.
        match: the match as it stands.
        headline: who decides what, in one sentence.
        intent: ``buy`` or ``rebuild`` while the table shows the rest; else None.
        todo: pieces to move so that the table agrees with the record, most urgent first.
        say: what else the referee has to say (what it waits for, a question), most urgent first.
        refused: the last refusal, until something legal happens.
        signals: light name (``MONEY`` … ``UNDO``, ``quarry1``…, ``seat0``…, ``legal``, ``illegal``) → pattern.
        camera: its state.
        scene: the last still scene, for the demo and host pages.
        confirm_from: the time of an OK that waits for a scene seen after it; None if none waits.
    """

    revision: int
    match: Match
    headline: Said
    intent: str | None = None
    todo: tuple[PieceMove, ...] = ()
    say: tuple[Said, ...] = ()
    refused: Declined | None = None
    signals: Signals = field(default_factory=dict)
    camera: CameraState = CameraState.NONE
    scene: Scene | None = None
    confirm_from: float | None = None

    @property
    def position(self) -> Position:
        """The position now."""
        return self.match.position

    @property
    def number(self) -> int:
        """The number of the last event; an action sent by a page names the one it was decided on."""
        return self.match.last

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that count, oldest first."""
        return self.match.events

    @property
    def mark(self) -> str:
        """An id that distinguishes this match from others."""
        return self.match.mark

    @property
    def over(self) -> bool:
        """True once the game came to its end, or was ended before."""
        return self.match.over


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a request: accepted with the number of its event, stale, or refused with the reason."""

    ok: bool
    number: int
    stale: bool = False
    error: Declined | None = None


class Answers(dict[str, Answer]):
    """The answers to the newest requests, by id: a repeated request gets the same answer and is done once."""

    def keep(self, id: str, answer: Answer) -> Answer:
        """Keep an answer and return it; drop the oldest if there are too many."""
        self[id] = answer
        if len(self) > MAX_ANSWERS:
            self.pop(next(iter(self)))
        return answer
