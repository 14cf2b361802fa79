"""The part of a match that consists of actions alone, as a record does."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.match.event import EventKind
from tabletop.match.match import Match, Step
from tabletop.rules.game import Action, Position


def since_correction(match: Match) -> tuple[Position, list[Action]]:
    """Return the position of the last correction from the table, else the first position, and all actions since."""
    at = max((number for number, step in enumerate(match.steps) if _is_correction(step)), default=0)
    return match.steps[at].position, _actions(match, match.steps[at:])


def before_correction(match: Match) -> tuple[Position, list[Action]]:
    """Return the first position, and all actions before the first correction from the table."""
    end = next((number for number, step in enumerate(match.steps) if _is_correction(step)), len(match.steps))
    return match.steps[0].position, _actions(match, match.steps[:end])


def _is_correction(step: Step) -> bool:
    return step.event.kind == EventKind.POSITION


def _actions(match: Match, steps: Iterable[Step]) -> list[Action]:
    return [match.game.action(dict(event.data)) for event, _ in steps if event.kind == EventKind.ACTION]
