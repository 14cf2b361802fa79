"""The next game as people see it in the browser: the host begins it, and the phones move to it by themselves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table
from doubles.clock import PATIENCE
from tabletop.web.server import Server
from tests.end_to_end.mock_table import Table as MockTable
from tests.ports import free_port
from tests.web.browser.browsing import barriers


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    mock = MockTable(tmp_path)
    flask = mock.app.pages(["http://table.local"])
    parts: Any = SimpleNamespace(app=flask, mailbox=mock.app.mailbox, room=mock.room, mock=mock)
    made = Table(browser, parts, free_port())
    yield made
    made.close()
    mock.close()


def sit(table: Table, name: str, secret: str, path: str) -> Page:
    """Return a phone that holds a token, at the page of that path."""
    page = table.phone()
    page.context.add_cookies([{"name": name, "value": secret, "url": table.base}])
    page.goto(table.base + path)
    page.wait_for_selector("html.live")
    return page


def test_the_host_begins_the_next_game_and_every_phone_is_in_it_without_being_touched(table: Table) -> None:
    mock: MockTable = table.pages.mock  # type: ignore[attr-defined]
    token = mock.room.ask_to_host()
    mock.room.accept(None)
    ann, cyd = (sit(table, "seat", mock.tokens[seat], "/seat") for seat in (0, 2))
    host = sit(table, "host", token, "/host")
    mock.end()
    expect(ann.locator("#do")).to_contain_text("Play again with the same people")
    host.get_by_text("Other people, other rules …").tap()
    assert barriers(host) == []
    host.get_by_label("Seat 2").fill("")
    host.get_by_role("button", name="Start the next game").tap()
    expect(host.get_by_role("button", name="Pause the game")).to_be_visible()
    names = ["Ann", "Cyd"]
    assert list(mock.app.mailbox.snapshot.position.names) == names
    for page in (ann, cyd):
        expect(page.locator("#do")).not_to_contain_text("Play again")
        expect(page.locator("body")).to_have_attribute("data-game", mock.app.mailbox.snapshot.mark)
        assert not page.locator("#ended").is_visible()
    assert mock.room.seating.held_by(mock.tokens[2]) == (1,)
    assert table.faults == []


def test_a_table_that_is_put_away_and_comes_back_finds_its_pages_waiting(table: Table) -> None:
    """After a restart of the table, a phone that was open reconnects without a tap."""
    mock: MockTable = table.pages.mock  # type: ignore[attr-defined]
    ann = sit(table, "seat", mock.tokens[0], "/seat")
    port = table.server.port
    table.server.close()
    table.thread.join(PATIENCE)
    expect(ann.locator("#offline")).to_be_visible()
    assert not ann.locator("#ended").is_visible()
    flask = mock.app.pages(["http://table.local"])
    table.server = Server(flask, "127.0.0.1", port)
    table.thread = threading.Thread(target=table.server.run)
    table.thread.start()
    expect(ann.locator("#offline")).to_be_hidden()
    mock.end()
    expect(ann.locator(".now")).to_have_text("The game was ended early.")
