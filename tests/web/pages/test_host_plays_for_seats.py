"""The host plays for absent seats, and lets the computer play free ones, until somebody holds them."""

from __future__ import annotations

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages
from doubles.positions import NAMES, other_secrets, phases
from tabletop.web.seating.claims import CONFIRMED
from tests.web.audiences import seen
from tests.web.pages.hosted import Table, log_of, post


def test_the_host_plays_for_an_absent_seat_and_everybody_is_told(table: Table) -> None:
    host, decider = table.pages.phone(host=True), table.mailbox.snapshot.position.decider
    assert decider is not None
    assert host.get("/seat").status_code == 302
    assert post(host, "/host/deputy", seat=decider).status_code == 200
    page = host.get("/seat").text
    action = next(iter(table.mailbox.snapshot.position.legal.thrifty())).to_json()
    assert host.act(action, table.mailbox.snapshot.number).status_code == 200
    newest = next(event for event in reversed(table.mailbox.snapshot.events) if event.seat is not None)
    assert newest.source == "host"
    told = table.pages.phone()
    assert f"The host plays for {NAMES[decider]}." in told.get("/").text
    assert f"By the host: {NAMES[decider]}" in log_of(told)
    assert f"The host plays for {NAMES[decider]} from now on." in log_of(told)
    assert "Your money" in page


def test_the_host_lets_the_computer_play_a_free_seat(mailbox: MemoryTable) -> None:
    """The host chooses a bot's level and everybody reads who plays; a phone that takes the seat replaces the bot."""
    pages = Pages(mailbox, room={"levels": ("random", "strong")})
    host, anybody = pages.phone(host=True), pages.phone()
    assert post(anybody, "/host/bot", seat=1, level="strong").status_code == 403
    assert post(host, "/host/bot", seat=1, level="clever").status_code == 400
    assert post(host, "/host/bot", seat=1, level="strong").status_code == 200
    assert pages.room.seating.bots == {1: "strong"}
    assert "played by the computer until somebody sits down (strong)" in host.get("/host").text
    assert post(host, "/host/bot", seat=1, level="").status_code == 200
    assert "Let the computer play" in host.get("/host").text
    assert pages.room.seating.helped == frozenset()
    pages.phone(1)
    assert "free it first" in post(host, "/host/bot", seat=1, level="strong").json["text"]
    assert pages.room.seating.bots == {}


def test_the_host_does_not_play_for_a_seat_for_which_a_phone_waits(mailbox: MemoryTable) -> None:
    """As long as a phone waits for a seat, the host's request to play for it changes nothing."""
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    host = pages.phone(host=True)
    assert pages.phone().post("/join", {"code": CODE, "seat": 1}).json["waits"]
    answer = host.post("/host/deputy", {"seat": 1})
    assert answer.status_code == 409
    assert "Another phone is waiting" in answer.json["text"]
    assert "deputy" not in {event.kind for event in mailbox.snapshot.events}
    pages.close()


def test_a_player_who_comes_back_takes_the_seat_from_the_host(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    assert host.get("/seat").status_code == 200
    table.pages.phone(1)
    assert host.get("/seat").status_code == 302
    assert table.mailbox.snapshot.match.deputed == frozenset()
    assert f"The host no longer plays for {NAMES[1]}." in log_of(table.pages.phone())


def test_the_host_no_longer_plays_for_a_freed_seat(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    post(host, "/host/free", seat=1)
    assert host.get("/seat").status_code == 302
    assert table.mailbox.snapshot.match.deputed == frozenset()


def test_the_host_plays_for_no_seat_that_a_phone_holds(table: Table) -> None:
    table.pages.phone(1)
    answer = post(table.pages.phone(host=True), "/host/deputy", seat=1)
    assert (answer.status_code, table.mailbox.snapshot.match.deputed) == (422, frozenset())


@pytest.mark.parametrize("seat", [-1, 3, 99, "1", True, None])
def test_a_seat_that_does_not_exist_is_neither_played_for_nor_freed(table: Table, seat: object) -> None:
    host = table.pages.phone(host=True)
    for path in ("/host/deputy", "/host/bot", "/host/free"):
        assert post(host, path, seat=seat, level="").status_code == 400
    assert table.mailbox.snapshot.match.deputed == frozenset()


@pytest.mark.parametrize("phase", ["action", "take", "choose", "bid", "claim", "place", "reveal"])
def test_who_plays_for_a_seat_sees_that_hand_and_no_other(pages: Pages, phase: str) -> None:
    """Pages of a host who plays for a seat do not depend on other hands; the host's own page shows none."""
    host = pages.phone(host=True)
    assert post(host, "/host/deputy", seat=1).status_code == 200
    position = phases()[phase]
    found: dict[str, list[str]] = {}
    for one in (position, other_secrets(position, 1), other_secrets(position, None)):
        pages.mailbox.become(one)
        for path in ("/host", "/host/history", "/seat", "/events/seat", "/events/host"):
            found.setdefault(path, []).append(seen(pages, host, path))
    for path, (first, others_changed, all_changed) in found.items():
        assert first == others_changed, path
        assert (first == all_changed) == ("seat" not in path), path
