"""Facts by which tests lead a match on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match
from tests.referee.support import NOW


def followed(match: Match, facts: Iterable[Fact]) -> Match:
    """Return a match that has only its start, after these facts."""
    for event in chain_events(list(facts), match.start):
        match = match.with_event(event)
    return match


def fact(kind: EventKind, data: dict[str, Any], seat: int | None = None) -> Fact:
    """Return a fact that the host stated."""
    return Fact(kind, data, seat, Source.HOST, NOW)
