"""After a game the next one begins without a restart, from the panel or by the host, for the people at the table."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.errors import JournalError
from tabletop.match.journal_file import read_events
from tabletop.messages import Declined, Message
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.runtime import running_table
from tabletop.vision.live.tracker import TableTracker
from tabletop.web.seating.room import Room
from tabletop.web.seating.seating import Person
from tests.end_to_end.mock_table import BASE, NAMES, OPTIONS, Table, post


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_ok_held_after_the_end_begins_the_next_game_with_the_same_people_and_rules(table: Table) -> None:
    before = table.app.mailbox.snapshot
    table.end()
    table.hold("OK", 1.3)
    after = table.app.mailbox.snapshot
    assert (after.mark != before.mark, after.number, after.over) == (True, 1, False)
    assert after.revision > before.revision
    assert list(after.position.names) == NAMES
    assert after.events[0].data["options"] == OPTIONS
    assert [table.room.seating.held_by(token) for token in table.tokens] == [(0,), (1,), (2,)]


def test_ok_held_swaps_the_seats_of_people_who_agreed_to_it(table: Table) -> None:
    """Seats that both agreed to swap are swapped in the next game, whose phones follow."""
    table.end()
    table.room.swap(0, 1)
    table.room.swap(1, 0)
    table.hold("OK", 1.3)
    assert list(table.app.mailbox.snapshot.position.names) == [NAMES[1], NAMES[0], NAMES[2]]
    assert [table.room.seating.held_by(token) for token in table.tokens] == [(1,), (0,), (2,)]


def test_if_two_people_begin_the_next_game_at_once_the_seats_of_the_first_hold(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second start at the same moment is refused and leaves every phone at the seat of the person who holds it."""
    table.end()
    table.room.swap(0, 1)
    table.room.swap(1, 0)
    refused: list[Declined] = []

    def begin() -> None:
        try:
            table.app.begin_same()
        except Declined as declined:
            refused.append(declined)

    other = threading.Thread(target=begin)

    @contextmanager
    def relaid(*_game: object) -> Iterator[None]:
        if other.ident is None:
            other.start()
            other.join(0.1)
        yield

    monkeypatch.setattr(table.app, "_relaid", relaid)
    begin()
    other.join()
    assert len(refused) == 1
    names = table.app.mailbox.snapshot.position.names
    assert [names[seat] for token in table.tokens for seat in table.room.seating.held_by(token)] == NAMES


def test_after_a_power_cut_the_new_game_is_resumed_and_the_old_one_is_archived(table: Table) -> None:
    old = table.app.mailbox.snapshot.events[0].hash
    table.end()
    table.hold("OK", 1.3)
    newest = store.unfinished(table.folder)
    assert newest is not None
    assert read_events(newest)[0][0].hash == table.app.mailbox.snapshot.events[0].hash
    archive = Archive(table.folder)
    assert [(one.id == old, one.over) for one in map(archive.summary, archive.names())] == [
        (False, False),
        (True, True),
    ]


def test_a_short_ok_begins_nothing_and_nothing_begins_while_a_game_is_played(table: Table) -> None:
    table.hold("OK", 1.3)
    assert len(Archive(table.folder).names()) == 1
    events, revision = table.app.mailbox.snapshot.events, table.room.revision
    with pytest.raises(Declined, match="end it first"):
        table.app.begin([Person("Ann", 0), Person("Bob", 1)], {})
    assert (table.app.mailbox.snapshot.events, table.room.revision) == (events, revision)
    table.end()
    table.hold("OK", 0.2)
    assert table.app.mailbox.snapshot.over
    assert len(Archive(table.folder).names()) == 1


def test_phones_of_people_who_play_on_keep_their_seats_and_others_lose_theirs(table: Table) -> None:
    table.end()
    table.app.begin([Person("Ann", 0), Person("Cyd", 2)], {})
    assert list(table.app.mailbox.snapshot.position.names) == ["Ann", "Cyd"]
    assert [table.room.seating.held_by(token) for token in table.tokens] == [(0,), (), (1,)]
    assert table.room.seating.seats == {0, 1}
    again = Room("CODE42", seats=range(2), store=table.folder / "seats.json")
    assert [again.seating.held_by(token) for token in table.tokens] == [(0,), (), (1,)]


def test_a_bot_that_the_host_chose_plays_on_after_the_next_game_began_and_a_restart(table: Table) -> None:
    table.room.free(2)
    table.room.let_play(2, "strong")
    table.end()
    table.app.begin([Person("Cyd", 2), Person("Ann", 0)], {})
    again = Room(
        "CODE42", seats=range(2), store=table.folder / "seats.json", levels=["strong"],
        match=table.app.mailbox.snapshot.events[0].hash,
    )  # fmt: skip
    assert again.seating.bots == {0: "strong"}


def test_what_the_game_or_the_disk_refuses_leaves_all_as_it_is(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.end()
    before, revision = table.app.mailbox.snapshot, table.room.revision
    with pytest.raises(Illegal):
        table.app.begin([Person("Ann", 0)], {})
    assert table.room.revision == revision

    def full(*_what: object) -> None:
        raise JournalError("games", "The journal could not be made", Message("Free some space."))

    monkeypatch.setattr(store, "start", full)
    with pytest.raises(JournalError):
        table.app.begin([Person("Ann", 0), Person("Bob", 1)], {})
    table.hold("OK", 1.3)
    assert table.app.mailbox.snapshot is before
    assert table.room.seating.seats == {0, 1, 2}
    assert [table.room.seating.held_by(token) for token in table.tokens] == [(0,), (1,), (2,)]


@pytest.mark.parametrize("name", ["patrician", "piecepack"])
def test_a_game_on_pages_alone_begins_again_with_its_chance_drawn(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.game(name)
    monkeypatch.setattr(type(game), "table", None)
    table = Table(tmp_path, draw=lambda match: game.draw(match.position, random.Random(match.last)), game=game)
    table.end()
    table.app.begin([Person("Cyd", 2), Person("Ann", 0)], {})
    now = table.app.mailbox.snapshot
    assert (now.position.decider, list(now.position.names)) == (0, ["Cyd", "Ann"])
    table.close()


def test_the_tracker_is_that_of_the_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next game has its own tracker and viewfinder: with fewer seats the zones are elsewhere."""
    table = Table(tmp_path, open_camera=lambda: pytest.fail("nobody looks yet"))
    assert table.app.camera_loop is not None
    finder, trackers = table.app.viewfinder(), list[TableTracker]()
    monkeypatch.setattr(table.app.camera_loop, "look_with", trackers.append)
    table.end()
    table.app.begin([Person("Ann", 0), Person("Bob", 1)], {})
    assert len(trackers) == 1
    assert table.app.viewfinder() is not finder
    assert table.app.viewfinder() is table.app.viewfinder()
    table.close()


def test_a_next_game_without_a_tracker_leaves_the_last_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no tracker can be made for the next game, it does not begin and the last journal stays open."""

    def no_memory(*_: object) -> NoReturn:
        raise MemoryError

    table = Table(tmp_path, open_camera=lambda: pytest.fail("nobody looks yet"))
    table.end()
    before = table.app.mailbox.snapshot
    monkeypatch.setattr(running_table, "tracker_for", no_memory)
    with pytest.raises(MemoryError):
        table.app.begin([Person("Ann", 0), Person("Bob", 1)], {})
    assert table.app.mailbox.snapshot is before
    assert len(Archive(tmp_path).names()) == 1
    assert table.journal.refusal() is None
    assert [table.room.seating.held_by(token) for token in table.tokens] == [(0,), (1,), (2,)]
    table.close()


def test_a_vote_of_the_last_game_does_not_come_back_in_the_next(table: Table) -> None:
    vote = table.votes.ask(0, on=1, asker=0, voters=[1, 2])
    table.end()
    table.hold("OK", 1.3)
    assert table.app.mailbox.snapshot.number == vote.on
    assert table.votes.open(vote.on) is None


def test_the_host_chooses_people_and_rules_on_the_page(table: Table) -> None:
    """Only the host can begin the next game; a repeat is harmless, and late requests of the last game are refused."""
    flask = table.app.pages([BASE])
    host, seat = flask.test_client(), flask.test_client()
    host.set_cookie("host", table.room.ask_to_host(), domain="127.0.0.1")
    assert table.room.accept(None)
    seat.set_cookie("seat", table.tokens[0], domain="127.0.0.1")

    old = table.app.mailbox.snapshot.mark
    assert post(host, "/host/next", game=old)[0] == 422
    assert "/host/next" not in host.get("/host", base_url=BASE).text
    table.end()
    page = host.get("/host", base_url=BASE).text
    assert 'data-post="/host/next"' in page
    assert "hold OK on the panel" in seat.get("/", base_url=BASE).text
    assert post(seat, "/host/next", game=old)[0] == 403
    assert post(host, "/host/next", game=old, seats=["Ann"])[0] == 422
    assert post(host, "/host/next", game=old, seats=["Ann", "Bob"], options=["min_price 7"])[0] == 400
    wanted = {"seats": ["Ann", "", "Cyd", "Dan"], "options": ["min_price 0", "first_seat 2"]}
    assert post(host, "/host/next", game=old, **wanted) == (200, {"ok": True})
    now = table.app.mailbox.snapshot
    assert list(now.position.names) == ["Ann", "Cyd", "Dan"]
    assert now.events[0].data["options"] == {"min_price": 0, "first_seat": 1}
    assert post(host, "/host/next", game=old, **wanted) == (200, {"ok": True})
    assert table.app.mailbox.snapshot.mark == now.mark
    request = {"action": {"do": "reveal", "piece": "B1.1"}, "on": now.number}
    assert post(host, "/host/act", game=old, id="late-request", **request)[0] == 409
    assert post(host, "/host/act", game=now.mark, id="new-request", **request)[0] == 200
    assert f'data-game="{now.mark}"' in seat.get("/seat", base_url=BASE).text
