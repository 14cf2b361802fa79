"""The seats that the host lets the program play are played, and no others."""

from __future__ import annotations

import random
from pathlib import Path

from tabletop.match import store
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.simulator.play import seat_bots
from tabletop.web.seating.room import Room

GAME = registry.game("patrician")


def test_the_program_plays_its_seats_alone(tmp_path: Path) -> None:
    """It goes on until somebody else has to decide; a phone that takes the seat decides for it from then on."""
    journal, match = store.start(tmp_path, GAME, ["Ada", "Ben"], 0.0)
    chance = random.Random(3)
    referee = Referee(match, journal, lambda: 0.0, lambda match: match.game.draw(match.position, chance))
    room = Room("CODE", seats=range(2), levels=("thrifty",))
    with Mailbox(referee) as desk, seat_bots.playing(room, desk, GAME.name, speed=100):
        room.let_play(0, "thrifty")
        while desk.snapshot.position.decider != 1:
            assert desk.wait(desk.snapshot.revision, 60) is not None
        done = {event.seat for event in desk.snapshot.events if event.seat is not None}
        assert done == {0}
        room.let_play(1, "thrifty")
        room.claim(0)
        while desk.snapshot.position.decider != 0:
            assert desk.wait(desk.snapshot.revision, 60) is not None
        assert desk.wait(desk.snapshot.revision, 0.3) is None
    journal.close()
