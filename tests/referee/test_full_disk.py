"""What the disk refuses does not count, is announced, and is tried again."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from doubles.clock import PATIENCE
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.match.errors import JournalError, write_trouble
from tabletop.match.event import Event, EventKind, Fact
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
from tests.referee.hands import Hands
from tests.referee.support import NOW
from tests.refusals import code_of


def test_a_full_disk_is_announced_and_nothing_counts(table: Hands, referee: Referee) -> None:
    referee._journal._connection.execute("PRAGMA max_page_count = 1")
    money, number = GAME.action({"do": "money"}), 0
    while True:
        before, number = referee.snapshot.position, number + 1
        on = referee.snapshot.number
        to_do = referee.snapshot.position.phase == "action"
        before_it = referee.match.before(referee.match.events[-1].number)
        answer = (
            referee.act(money, on=on, id=f"{number}", seat=0)
            if to_do
            else referee.undo(before_it, on=on, id=f"{number}")
        )
        if not answer.ok:
            break
    assert code_of(answer.error) == "journal"
    assert "full" in referee.snapshot.say[0].text
    assert referee.snapshot.position == before


def test_a_request_that_the_disk_refused_may_be_made_again(
    table: Hands, referee: Referee, started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    money, on = GAME.action({"do": "money"}), referee.snapshot.number
    with monkeypatch.context() as full:
        full.setattr(started[0], "append", full_disk)
        assert code_of(referee.act(money, on=on, id="again", seat=0).error) == "journal"
    assert referee.act(money, on=on, id="again", seat=0).ok


def full_disk(facts: Sequence[Fact]) -> None:
    raise JournalError("a journal", "The disk is full.", Message("Free some space."))


def test_chance_that_a_full_disk_refused_is_drawn_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draw that a full disk refused is repeated by the mailbox once there is room, and both are announced."""
    journal, match = store.start(tmp_path, GAME, ["Anna", "Ben"], NOW)
    rng = random.Random(1)
    append, room = journal.append, threading.Event()

    def scarce(facts: Sequence[Fact]) -> list[Event]:
        if not room.is_set():
            full_disk(facts)
        return append(facts)

    refused = write_trouble(journal.path, OSError("full"))
    monkeypatch.setattr(journal, "append", scarce)
    monkeypatch.setattr(journal, "refusal", lambda: None if room.is_set() else refused)
    mailbox = Mailbox(Referee(match, journal, lambda: NOW, lambda match: GAME.draw(match.position, rng)), retry=0.001)
    said = [one.text for one in mailbox.snapshot.say]
    assert "The disk is full." in said[0]
    assert "The table tries again every few seconds." in said[0]
    with mailbox:
        assert mailbox.wait(mailbox.snapshot.revision, PATIENCE)
        before = mailbox.snapshot
        assert before.match.position.decider is None
        room.set()
        while mailbox.snapshot.match.position.decider is None:
            assert mailbox.wait(mailbox.snapshot.revision, PATIENCE)
        codes = [one.code for one in mailbox.snapshot.say]
    journal.close()
    assert ("disk-again" in codes, "journal" in codes) == (True, False)


def test_trouble_with_the_disk_ends_by_itself(
    table: Hands, referee: Referee, started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once there is room on the disk again, everybody is told and the refused action is dropped."""
    money = GAME.action({"do": "money"})
    with monkeypatch.context() as full:
        full.setattr(started[0], "append", full_disk)
        full.setattr(started[0], "refusal", lambda: write_trouble(started[0].path, OSError("full")))
        referee.act(money, on=referee.snapshot.number, id="again", seat=0)
        referee.try_again()
        refused = referee.disk_refuses
        assert refused
        assert referee.snapshot.say[0].code == "journal"
    referee.try_again()
    assert not referee.disk_refuses
    assert referee.snapshot.say[0].code == "disk-again"
    assert not list(started[0].path.parent.glob("*.new*"))


def test_a_recorded_event_is_shown_even_if_an_error_follows(
    table: Hands, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error after an event was recorded does not leave the snapshot without it."""
    on = referee.snapshot.number

    def broken(*_some: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(SceneState, "acted", broken)
    with pytest.raises(RuntimeError):
        referee.act(GAME.action({"do": "money"}), on=on, id="a", seat=0)
    assert referee.match.last == referee.snapshot.number == on + 1


def test_events_beside_the_game_clear_no_alarm(table: Hands, referee: Referee) -> None:
    """A hint, a note, new names or a deputy do not clear the alarm about a misplaced piece."""
    tile = next(iter(table.spreads["quarry2"]))
    table.lay(tile, "quarry3")
    table.show()
    wrong = referee.wrong
    assert wrong
    assert referee.hint(0, on=referee.match.last, id="a-hint").ok
    assert referee.decide(EventKind.NOTE, {"what": "backup"}, id="a-backup").ok
    assert referee.decide(EventKind.NAMES, {"names": ["Ada", "Ben", "Cleo"]}, id="some-names").ok
    assert referee.decide(EventKind.DEPUTY, {"seats": [1]}, id="a-deputy").ok
    table.show()
    assert referee.wrong == wrong
    assert referee.snapshot.signals["illegal"] is Pattern.FAST


def test_a_draw_refused_by_the_disk_at_a_matchs_start_is_tried_again(
    started: tuple[Journal, Match], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    referee = Referee(started[1], started[0], lambda: NOW, lambda match: match.game.draw(match.position, rng))
    (tmp_path / "next").mkdir()
    journal, match = store.start(tmp_path / "next", GAME, ["A", "B"], NOW)
    with monkeypatch.context() as disk:

        def full(_facts: object) -> NoReturn:
            raise JournalError("next", "The record could not be written", Message("Free some space."))

        disk.setattr(journal, "append", full)
        following = referee.successor(match, journal)
    assert "Free some space" in str(following.snapshot.say[0].text)
    following.try_again()
    assert not following.disk_refuses
    assert following.snapshot.position.decider is not None
    journal.close()
