"""The program plays the seats that the host lets it play, and no others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.seen import Seen
from tabletop.match import store
from tabletop.messages import Message
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Action, View
from tabletop.simulator.play import seat_bots
from tabletop.simulator.play.table_bots import PageBots
from tabletop.web.seating.room import Room

GAME = registry.game("patrician")


class Tired:
    """A bot whose decision carries the notice that another bot decided."""

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        return Decision(legal[0], notice=Message("Another one decided."))


def test_everybody_is_told_that_another_bot_decided(tmp_path: Path) -> None:
    """The action counts, and the bot's notice is on the pages until the next action."""
    journal, match = store.start(tmp_path, GAME, ["Ada", "Ben"], 0.0)
    chance = random.Random(3)
    referee = Referee(match, journal, lambda: 0.0, lambda match: match.game.draw(match.position, chance))
    with Mailbox(referee) as mailbox:
        first = mailbox.snapshot.number
        bots = PageBots(mailbox, lambda _: Tired(), lambda _: mailbox.snapshot.number > first, random.Random(), 100)
        bots.start()
        while not mailbox.snapshot.say:
            assert mailbox.wait(mailbox.snapshot.revision, 60) is not None
        bots.stop()
        assert [(one.code, one.text) for one in mailbox.snapshot.say] == [("notice", "Another one decided.")]
        assert mailbox.snapshot.number > first
    journal.close()


def test_a_bot_that_fails_again_and_again_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A bot that fails at every try, which is every second, leaves one entry in the log."""
    journal, match = store.start(tmp_path, GAME, ["Ada", "Ben"], 0.0)
    bots = PageBots(Mailbox(Referee(match, journal, lambda: 0.0)), lambda _: Tired(), lambda _: False, random.Random())
    tries = iter(range(3))

    def fails() -> bool:
        if next(tries, None) is None:
            bots.stopping.set()
        raise ZeroDivisionError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bots, "turn", fails)
        patched.setattr(bots.stopping, "wait", lambda _seconds: False)
        bots._run()
    assert caplog.text.count("a simulated person failed") == 1
    journal.close()


@pytest.mark.parametrize("asked", [1, 2])
def test_a_person_who_takes_a_seat_while_its_bot_thinks_decides_for_it(tmp_path: Path, asked: int) -> None:
    """A bot's decision is dropped if a person takes its seat after the bot's first or second check."""
    journal, match = store.start(tmp_path, GAME, ["Ada", "Ben"], 0.0)
    chance = random.Random(3)
    referee = Referee(match, journal, lambda: 0.0, lambda match: match.game.draw(match.position, chance))
    answers = [False] * asked
    with Mailbox(referee) as mailbox:
        bots = PageBots(mailbox, lambda _: Tired(), lambda _: not answers or answers.pop(), random.Random(), 100)
        assert mailbox.snapshot.position.decider is not None
        first = mailbox.snapshot.number
        assert not bots.turn()
        assert mailbox.snapshot.number == first
    journal.close()


def test_the_program_plays_its_seats_alone(tmp_path: Path) -> None:
    """A bot plays until another seat has to decide; a phone that takes the bot's seat decides for it from then on."""
    journal, match = store.start(tmp_path, GAME, ["Ada", "Ben"], 0.0)
    chance = random.Random(3)
    referee = Referee(match, journal, lambda: 0.0, lambda match: match.game.draw(match.position, chance))
    room = Room("CODE", seats=range(2), levels=("thrifty",))
    with Mailbox(referee) as mailbox, seat_bots.bots_in_seats(room, mailbox, GAME.name, speed=100):
        room.let_play(0, "thrifty")
        while mailbox.snapshot.position.decider != 1:
            assert mailbox.wait(mailbox.snapshot.revision, 60) is not None
        done = {event.seat for event in mailbox.snapshot.events if event.seat is not None}
        assert done == {0}
        room.let_play(1, "thrifty")
        room.claim(0)
        while mailbox.snapshot.position.decider != 0:
            assert mailbox.wait(mailbox.snapshot.revision, 60) is not None
        assert mailbox.wait(mailbox.snapshot.revision, 0.3) is None
    journal.close()
