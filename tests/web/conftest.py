"""Fixtures: a table in memory with its pages, a server for them, and a browser for both."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from doubles.browsing import Table, served
from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.server import Server


@pytest.fixture
def mailbox() -> MemoryTable:
    return MemoryTable(GAME, NAMES, seed=3)


@pytest.fixture
def pages(mailbox: MemoryTable) -> Iterator[Pages]:
    made = Pages(mailbox)
    yield made
    made.close()


@pytest.fixture
def server(pages: Pages) -> Iterator[Server]:
    started = Server(pages.app, "127.0.0.1", 0)
    thread = threading.Thread(target=started.run)
    thread.start()
    yield started
    started.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def table(browser: Browser) -> Iterator[Table]:
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3))) as made:
        yield made
