"""Sentences about a match: whose turn it is, what an event was."""

from __future__ import annotations

from tabletop.match.event import Event
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.referee.messages import say, seat_of
from tabletop.referee.snapshot import Said
from tabletop.rules.game import Game


def headline(match: Match) -> Said:
    """Return who decides what, or that nobody does, in one sentence."""
    if match.ended or match.paused:
        return say("ended" if match.ended else "paused")
    position = match.position
    if position.over:
        return say("over")
    if position.decider is None:
        return say("chance", name=seat_of(position, position.active), phase=position.phase)
    return say("decides", name=seat_of(position, position.decider), phase=position.phase)


def explain(game: Game, event: Event) -> Message | str:
    """Return what an event was, in the game's short notation; the cards of a deal are nobody else's business."""
    if event.kind == "action" and event.data.get("do") == "deal":
        return Message("the deal")
    if event.kind == "action":
        return game.format(game.action(dict(event.data)))
    return Message("the correction from the table") if event.kind == "position" else event.kind
