"""Tables in the middle of a game, in the layouts that tests of the referee show it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabletop.match import store
from tabletop.referee.interpretation.layout_diff import without_pieces
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Anywhere, Hidden, Layout
from tabletop.simulator.play.scenario import parse
from tabletop.vision.scene import Scene
from tests.referee.support import NOW

SCENARIOS = Path(__file__).parents[1] / "scenarios"
TAKEN = {"patrician": "take", "piecepack": "coin", "palazzo": "take"}
"""The action that takes an open piece into the hand, in each game; it counts once the piece is gone."""
LATER = 40
"""Acts after which there are pieces in all zones of a game."""


@contextmanager
def begun(name: str, folder: Path) -> Iterator[tuple[Referee, Action]]:
    """Play a game at random until its seat may take a piece; yield the referee and that action."""
    game, rng = registry.game(name), random.Random(3)
    journal, match = store.start(folder, game, ["Ann", "Bob"], NOW)
    referee = Referee(match, journal, lambda: NOW)
    while True:
        position = referee.snapshot.position
        legal = [*position.legal.thrifty()] if position.decider is not None else []
        takes = [action for action in legal if action.do == TAKEN[name]]
        if takes and referee.snapshot.number > LATER:
            break
        act(referee, rng.choice(legal) if legal else game.draw(position, rng))
    referee.see(Scene(1.0, 1, table(position)))
    yield referee, takes[0]
    journal.close()


@contextmanager
def opened(scenario: str, folder: Path) -> Iterator[Referee]:
    """Yield the referee of a scenario's game at the end of its opening."""
    scene = parse((SCENARIOS / scenario).read_text(encoding="utf-8"), registry.game("palazzo"))
    journal, match = store.start(folder, scene.game, [*scene.seats], NOW)
    referee = Referee(match, journal, lambda: NOW)
    for action in scene.opening:
        act(referee, action)
    yield referee
    journal.close()


def act(referee: Referee, action: Action, on: int | None = None, phone: str = "phone") -> bool:
    """Do an action on a phone, decided on event number ``on``; return whether that was too late."""
    now, number = referee.snapshot, referee.snapshot.number if on is None else on
    answer = referee.act(action, on=number, id=f"{phone} {number}", seat=now.position.decider)
    assert answer.ok is not answer.stale
    return answer.stale


def table(position: Position, *missing: str) -> Layout:
    """Return what a camera sees if everything lies as in the record except for the missing pieces."""
    there = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    return Layout({zone: without_pieces(lies, missing) for zone, lies in there.items()})
