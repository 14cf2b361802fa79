"""The host who plays for a seat, and the record of who sits at the table."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, NoReturn

import pytest

from doubles.memory_table import MemoryTable
from doubles.positions import NAMES
from tabletop.match.chain import chain_events
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import begin, start_data
from tabletop.messages import Declined, Message
from tabletop.referee.snapshot import Answer
from tabletop.rules.palazzo import GAME
from tabletop.web.seating.claims import GUARDED
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.room import Room
from tabletop.web.seating.seating import Person


def test_a_phone_that_asks_for_a_seat_just_as_the_host_takes_it_has_to_wait() -> None:
    """If a phone claims a seat as the host takes it, the host keeps the seat and the claim waits."""
    room = Room("CODE42", seats=range(3), admission=GUARDED)
    presence = Presence(MemoryTable(GAME, NAMES), room)
    asked: list[str] = []

    def ask() -> None:
        if room.seating.taken and not room.claims.waiting and not asked:
            asked.append("")
            asked.append(room.claim(1, by="another phone"))

    room.on_change(ask)
    host = presence.stand_in(1, "")
    assert room.seating.held_by(host) == (1,)
    assert room.seating.held_by(asked[-1]) == ()
    assert room.claims.of(asked[-1])


def test_while_the_disk_refuses_the_host_holds_no_seat_and_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playing for a seat must be recorded, so that with a full disk the host gets the reason and no seat."""

    def full(*_: object) -> NoReturn:
        raise JournalError("memory", "The record of the game could not be written", Message("Free some space."))

    table, room = MemoryTable(GAME, NAMES), Room("CODE42", seats=range(3), admission=GUARDED)
    presence, held = Presence(table, room), list[frozenset[int]]()
    room.on_change(lambda: held.append(room.seating.taken))
    monkeypatch.setattr(table.journal, "append", full)
    for _attempt in range(2):
        with pytest.raises(Declined, match="Free some space"):
            presence.stand_in(1, "")
        assert room.seating.taken == frozenset()
    assert held.count(frozenset({1})) == 1  # only the first attempt took the seat before the disk refused
    assert table.snapshot.match.deputed == frozenset()


def test_the_host_plays_for_nobody_once_the_game_is_over() -> None:
    table, room = MemoryTable(GAME, NAMES), Room("CODE42", seats=range(3), admission=GUARDED)
    presence = Presence(table, room)
    assert table.decide(EventKind.END, {}, id="the-end-of-it").ok
    with pytest.raises(Declined, match="The game is over"):
        presence.stand_in(1, "")
    assert room.seating.taken == frozenset()


def test_two_hosts_who_play_for_seats_at_the_same_time_are_both_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """If two hosts take seats at once, the record, which each replaces as a whole, has both seats."""
    table, room = MemoryTable(GAME, NAMES), Room("CODE42", seats=range(3), admission=GUARDED)
    presence = Presence(table, room)
    decide, other = table.decide, threading.Thread(target=presence.stand_in, args=(2, ""))

    def decide_slowly(*what: Any, **more: Any) -> Answer:
        if not other.ident:
            other.start()
            other.join(0.1)
        return decide(*what, **more)

    monkeypatch.setattr(table, "decide", decide_slowly)
    presence.stand_in(1, "")
    other.join()
    assert table.snapshot.match.deputed == {1, 2}


def test_a_seat_that_is_freed_just_as_the_host_takes_it_is_played_by_nobody() -> None:
    """If a seat is freed as the host takes it, neither room nor record says that the host plays for it."""
    table, room = MemoryTable(GAME, NAMES), Room("CODE42", seats=range(3), admission=GUARDED)
    presence = Presence(table, room)
    room.on_change(lambda: room.free(1) if room.seating.deputed else None)
    presence.stand_in(1, "")
    assert room.seating.deputed == table.snapshot.match.deputed == frozenset()


def test_the_host_plays_for_nobody_in_the_next_game_until_everybody_is_told_again() -> None:
    """In the next game the host's phone keeps the host's own seat only."""
    room = Room("CODE42", seats=range(2))
    own = room.claim(0)
    host = Presence(MemoryTable(GAME, NAMES[:2]), room).stand_in(1, own)
    assert room.seating.held_by(host) == (0, 1)
    with room.seated([Person(name, seat) for seat, name in enumerate(NAMES[:2])]):
        assert room.seating.held_by(host) == (0,)


def test_what_a_phone_changes_just_as_the_next_game_begins_leaves_the_names_of_that_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A change that is recorded as the next game begins does not mix the names of both games."""
    table, room = MemoryTable(GAME, NAMES), Room("CODE42", seats=range(3))
    room.claim(0, "Zed")
    Presence(table, room)
    moved, decide = ["Ben", "Zed", "Cleo"], table.decide

    def decide_late(*what: Any, **more: Any) -> Answer:
        monkeypatch.setattr(table, "decide", decide)
        (event,) = chain_events([Fact(EventKind.START, start_data(GAME.new(moved), {}), None, Source.TABLE, 1.0)], None)
        table.take(begin(event))
        return decide(*what, **more)

    monkeypatch.setattr(table, "decide", decide_late)
    with room.seated([Person(name, seat) for name, seat in zip(moved, (1, 0, 2), strict=True)]):
        assert table.snapshot.match.names == tuple(moved)


def test_after_a_restart_the_host_plays_only_for_whom_the_record_says(tmp_path: Path) -> None:
    """The host keeps a seat only in a match whose record says so; in another match the seat is free."""
    table = MemoryTable(GAME, NAMES)

    def room() -> Room:
        return Room("CODE42", seats=range(3), store=tmp_path / "seats.json")

    first = room()
    person, host = first.claim(0), Presence(table, first).stand_in(1, "")
    for mailbox, held in ((table, (1,)), (MemoryTable(GAME, NAMES), ())):
        again = room()
        Presence(mailbox, again)
        assert (again.seating.held_by(person), again.seating.held_by(host)) == ((0,), held)
    assert table.snapshot.match.deputed == {1}
