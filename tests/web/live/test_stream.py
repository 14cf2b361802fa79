"""Streams send what changed and nothing else, one to each seat, and an idle stream costs nothing."""

from __future__ import annotations

import itertools
import socket
import threading
import urllib.request
from collections.abc import Collection
from typing import NoReturn

import pytest
from waitress.channel import HTTPChannel

from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.cameras.camera import CameraState
from tabletop.rules.palazzo import GAME
from tabletop.web import server
from tabletop.web.app import PageLimits
from tabletop.web.live.hub import Audience
from tabletop.web.live.stream import ALIVE_EVENT
from tabletop.web.pages import session
from tabletop.web.server import MAX_UNSENT_BYTES, Server
from tests.web.live.listeners import Listener, stamp


class Watcher:
    """A stream that only records that it was notified."""

    def __init__(self) -> None:
        self.seats: Collection[int] = ()
        self.hosts = self.counts = False
        self.stage = self.address = ""
        self.told = threading.Event()

    def tell(self) -> None:
        self.told.set()

    wake = tell


def test_a_page_with_the_score_is_told_that_the_next_game_has_begun(pages: Pages) -> None:
    pages.mailbox.become(phases()["over"])
    phone = pages.phone()
    page = phone.get("/after").text
    assert "A game is being played" not in page
    listener = Listener(phone, "/events/after", stamp(page))
    pages.mailbox.become(phases()["action"])
    assert "A game is being played" in listener.event()["regions"]["again"]
    listener.close()


def test_a_quiet_stream_gives_signs_of_life(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.web.live.stream.BEAT_INTERVAL_S", 0.01)
    phone = pages.phone()
    answer = phone.get(f"/events/table?stamp={stamp(phone.get('/').text)}")
    assert ALIVE_EVENT in list(itertools.islice(answer.response, 2))
    answer.close()


def test_a_stream_sends_the_regions_that_changed(pages: Pages) -> None:
    phone = pages.phone()
    listener = Listener(phone, "/events/table", stamp(phone.get("/").text))
    pages.mailbox.show(camera=CameraState.LOST)
    assert listener.event()["regions"] == {}
    pages.mailbox.become(phases()["bid"])
    assert {"status", "board", "seats"} <= set(listener.event()["regions"])
    listener.close()


def test_a_page_that_is_behind_gets_everything_at_once(pages: Pages) -> None:
    listener = Listener(pages.phone(), "/events/table", "before.the.restart")
    regions = {"status", "board", "seats", "final", "map", "log", "join", "prompts"}
    assert regions == set(listener.event()["regions"])
    listener.close()


def test_many_changes_while_a_phone_sleeps_are_one_event(pages: Pages) -> None:
    """Nothing is queued for a client: it gets the newest state, however much it missed."""
    phone = pages.phone()
    listener = Listener(phone, "/events/table", stamp(phone.get("/").text))
    for position in [*phases().values()] * 20:
        pages.mailbox.become(position)
    assert listener.event()["on"] == pages.mailbox.snapshot.number
    listener.close()


def test_a_seats_new_stream_ends_its_old_one(pages: Pages) -> None:
    phone = pages.phone(0)
    mark = stamp(phone.get("/seat").text)
    old = Listener(phone, "/events/seat", mark)
    new = Listener(phone, "/events/seat", mark)
    assert old.event() == {"event": "ended"}
    pages.mailbox.become(phases()["bid"])
    assert new.event()["on"] == pages.mailbox.snapshot.number
    new.close()


def test_all_are_told_at_once_that_the_television_which_counts_the_score_has_left(pages: Pages) -> None:
    """Phones that wait for the counting are notified at once, so that they can name the winner."""
    hub, watcher = session.context_of(pages.app).hub, Watcher()
    television = Listener(pages.phone(), "/events/table?stage=tv&counts=yes", "before.the.restart")
    hub.open(watcher)
    pages.mailbox.become(phases()["over"])
    assert television.event()
    assert watcher.told.wait(PATIENCE)
    watcher.told.clear()
    television.close()
    assert watcher.told.wait(PATIENCE)


def test_a_stages_new_stream_takes_the_place_of_its_old_one(mailbox: MemoryTable) -> None:
    """A stage that opens another stream, as it does when it is hidden or shown, needs no second place."""
    pages = Pages(mailbox, PageLimits(spectators=1, per_address=400))
    hub = session.context_of(pages.app).hub
    old = Listener(pages.phone(), "/events/table?stage=tv&counts=yes", "before.the.restart")
    old.event()
    before = hub.televised
    new = Listener(pages.phone(), "/events/table?stage=tv&counts=no", "before.the.restart")
    assert old.event() == {"event": "ended"}
    assert (before, hub.televised) == (True, False)
    for one in (old, new):
        one.close()
    pages.close()


def test_the_number_of_spectators_is_limited_and_a_closed_page_frees_a_place(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, PageLimits(spectators=2, per_address=400))
    listeners = [Listener(pages.phone(), "/events/table") for _ in range(2)]
    assert pages.phone().get("/events/table").status_code == 503
    seat = Listener(pages.phone(0), "/events/seat")
    listeners[0].close()
    again = Listener(pages.phone(), "/events/table")
    for one in (listeners[1], seat, again):
        one.close()
    pages.close()


def test_a_stream_that_is_refused_a_thread_takes_no_place_and_no_news_from_others(
    mailbox: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system refuses a stream's thread, the place is free again, and other streams still get their news."""

    def refused(_thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    pages = Pages(mailbox, PageLimits(spectators=1, per_address=400))
    with monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", refused)
        assert pages.phone().get("/events/table").status_code == 500
    listener = Listener(pages.phone(), "/events/table")
    assert listener.event()["on"] == mailbox.snapshot.number
    listener.close()
    pages.close()


def test_a_seat_that_was_taken_over_gets_no_stream(pages: Pages) -> None:
    old = pages.phone(0)
    pages.phone(0)
    assert old.get("/events/seat").status_code == 403


def test_closing_ends_every_stream_without_a_word_so_that_the_pages_come_back(pages: Pages) -> None:
    """On a shutdown streams end without “ended”, which means to a page that its seat is open elsewhere."""
    listener = Listener(pages.phone(), "/events/table")
    listener.event()
    threading.Timer(0.05, pages.close).start()
    with pytest.raises(StopIteration):
        listener.event()


def test_what_several_see_is_rendered_once_for_all(pages: Pages) -> None:
    renderer = pages.app.extensions[session.EXTENSION_KEY].renderer
    audience = Audience("table", None, "en")
    assert renderer.show(audience) is renderer.show(audience)
    assert renderer.show(Audience("seat", 0, "en")) is not renderer.show(Audience("seat", 1, "en"))
    before = renderer.show(audience)
    pages.mailbox.show()
    assert renderer.show(audience) is not before


def test_a_page_that_is_not_read_makes_the_server_keep_little(pages: Pages) -> None:
    """What the server buffers for a sleeping phone with an open stream is bounded, however much happens."""
    started = Server(pages.app, "127.0.0.1", 0)
    thread = threading.Thread(target=started.run)
    thread.start()
    sleeper = socket.socket()
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sleeper.connect(("127.0.0.1", started.port))
    sleeper.sendall(f"GET /events/table HTTP/1.1\r\nHost: 127.0.0.1:{started.port}\r\n\r\n".encode())
    assert sleeper.recv(8) == b"HTTP/1.1"
    for one in [*started.sockets.values()]:
        if isinstance(one, HTTPChannel):
            one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    awake = Listener(pages.phone(), "/events/table")
    awake.event()
    positions = [phases()["bid"], phases()["choose"]]
    largest = 0
    for number in range(400):
        pages.mailbox.become(positions[number % 2])
        awake.event()
        largest = max(largest, *(getattr(one, "total_outbufs_len", 0) for one in [*started.sockets.values()]))
    awake.close()
    sleeper.close()
    started.close()
    thread.join(PATIENCE)
    assert 0 < largest < 2 * MAX_UNSENT_BYTES


def test_a_request_that_ends_the_server_is_answered_to_its_last_byte(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that shuts the server down gets its whole answer first."""
    monkeypatch.setattr(server, "SHUTDOWN_GRACE_S", PATIENCE)
    started = Server(pages.app, "127.0.0.1", 0)

    def end() -> str:
        started.close()
        return "x" * 20_000_000

    pages.app.add_url_rule("/end", view_func=end)
    thread = threading.Thread(target=started.run)
    thread.start()
    with urllib.request.urlopen(f"http://127.0.0.1:{started.port}/end", timeout=PATIENCE) as answer:
        assert len(answer.read()) == 20_000_000
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_the_table_page_is_told_what_just_happened_in_its_language(pages: Pages) -> None:
    """The stream reports an action once, in the page's language, with the changed regions and no dealt card."""
    pages.mailbox.become(phases()["action"])
    phone = pages.phone()
    page = phone.get("/", **{"Accept-Language": "de"})
    phone.client.set_cookie("language", "de", domain="192.168.1.20")
    listener = Listener(phone, "/events/table", stamp(page.text))
    seat = pages.mailbox.snapshot.position.decider
    pages.mailbox.act(GAME.action({"do": "money"}), on=pages.mailbox.snapshot.number, id="money", seat=seat)
    told = listener.event()["happened"]
    assert [one["kind"] for one in told][:2] == ["money", "reveal"]
    assert (told[0]["seat"], told[0]["passages"]) == (seat, [])
    assert told[0]["text"] == f"{NAMES[seat or 0]} deckt Geld auf."
    assert [one["passages"][0][1:] for one in told[1:]] == [["deck", "row", 1]] * (len(told) - 1)
    listener.close()
