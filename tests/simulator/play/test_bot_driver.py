"""Simulated people occupy the running table no longer than a hand does."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence

from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from tabletop.bots.bot import Budget, Decision
from tabletop.bots.seen import Seen
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Action, View
from tabletop.rules.registry import game
from tabletop.simulator.play.bot_driver import BotDriver
from tabletop.simulator.world import World


def test_the_camera_looks_on_while_a_bot_thinks() -> None:
    """A bot that thinks does not hold the lock without which the table cannot be looked at."""
    played = game("patrician")
    position = next(one for one in play_random_game(played, 2, 2).positions if one.decider is not None)
    world = World(played, position.names, seed=1, size=(320, 180), clock=lambda: 0.0)
    world.arrange(position)
    lock, free = threading.RLock(), list[bool]()

    class Thinker:
        def choose(
            self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random
        ) -> Decision:
            camera = threading.Thread(target=lambda: free.append(lock.acquire(blocking=False)))
            camera.start()
            camera.join(PATIENCE)
            driver.stopping.set()
            return Decision(legal[0])

    driver = BotDriver(
        world, lock, MemoryTable(played, position.names, position=position),
        MockFingers(panel_file.load(), mock_factory()),
        bot_of=lambda _seat: Thinker(), human=lambda _seat: False, rng=random.Random(1),
    )  # fmt: skip
    assert driver.turn()
    assert free == [True]
