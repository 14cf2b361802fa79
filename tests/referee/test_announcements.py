"""What the referee announces besides the results of actions."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.match import store
from tabletop.match.match import Match, Step, Steps
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.referee.messages import Announcements
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Cause, ReadBy, Scene, Sighting, Unreadable
from tests.referee.support import NOW

SCENE = Scene(1.0, 1, Layout({}), (), (Unreadable(Cause.UNKNOWN, place=(0.0, 0.0)),), doubles=("PZ:Y1",))
"""A spot that cannot be read, and a piece that is seen twice."""


@pytest.fixture
def match(tmp_path: Path) -> Match:
    journal, begun = store.start(tmp_path, GAME, ["Ada", "Ben"], NOW)
    journal.close()
    return begun


def said(match: Match) -> list[str]:
    """Return the codes of the announcements about that scene."""
    state = SceneState(match.position)
    state.see(SCENE, confirmed=False)
    return [one.code for one in Announcements().sentences(match, state)]


def test_what_cannot_be_read_is_announced_with_its_zone_and_a_remedy(match: Match) -> None:
    """Something unreadable is announced with its zone and what helps; two things of one kind count once."""
    marker = Sighting("TT:SEAT1", 0.0, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, ReadBy.RECOGNISED)
    zone = next(zone for zone in GAME.table.zones(2) if zone.marker == marker.payload)
    left, top, right, bottom = zone.area
    inside = (left + right) / 2, (top + bottom) / 2
    spots = tuple(Unreadable(reason, place=inside) for reason in (Cause.GLARE, Cause.UNKNOWN, Cause.GLARE))
    state = SceneState(match.position)
    state.see(replace(SCENE, sightings=(marker,), unreadable=spots, doubles=()), confirmed=False)
    assert [one.text for one in Announcements().sentences(match, state)] == [
        f"{zone.title}: something cannot be read (there is glare on it). Move it out of the reflection, or turn the "
        "lamp away.",
        f"{zone.title}: something cannot be read (no tag can be seen on it). If it is a piece, push it a little and "
        "keep its tag up; if not, take it away.",
    ]


def played_out(position: Position) -> Position:
    """Return the position at the end of a game."""
    rng = random.Random(1)
    while not position.over:
        chance = position.decider is None
        position = position.after(GAME.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty())))
    return position


def test_what_cannot_be_read_is_announced_until_the_game_is_over(match: Match) -> None:
    """Once the game is over, unreadable pieces are no longer announced, since people clear the table."""
    assert said(match) == ["double", "unreadable"]
    end = played_out(match.position)
    assert said(replace(match, steps=Steps([Step(match.events[0], end)]))) == []
