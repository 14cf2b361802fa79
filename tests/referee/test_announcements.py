"""What the referee announces besides the results of actions."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.match import store
from tabletop.match.match import Match, Step, Steps
from tabletop.referee.messages import Announcements
from tabletop.referee.scene_state import SceneState
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Cause, Scene, Unreadable
from tests.referee.support import NOW

SCENE = Scene(1.0, 1, Layout({}), (), (Unreadable(Cause.UNKNOWN, place=(0.0, 0.0)),), doubles=("PZ:Y1",))
"""Something that cannot be read, and a piece that is seen twice."""


@pytest.fixture
def match(tmp_path: Path) -> Match:
    journal, begun = store.start(tmp_path, GAME, ["Ada", "Ben"], NOW)
    journal.close()
    return begun


def said(match: Match) -> list[str]:
    """Return the codes of what is said about that scene."""
    state = SceneState(match.position)
    state.see(SCENE, confirmed=False)
    return [one.code for one in Announcements().sentences(match, state)]


def played_out(position: Position) -> Position:
    """Return the position at the end of a game."""
    rng = random.Random(1)
    while not position.over:
        chance = position.decider is None
        position = position.after(GAME.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty())))
    return position


def test_what_cannot_be_read_is_told_until_the_game_is_over(match: Match) -> None:
    """People clear the table then, and nobody has to make it readable again."""
    assert said(match) == ["double", "unreadable"]
    end = played_out(match.position)
    assert said(replace(match, steps=Steps([Step(match.events[0], end)]))) == []
