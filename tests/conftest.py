"""Settings for every test."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.rules.palazzo import GAME
from tests.clock import PATIENCE
from tests.referee.support import NOW

# The tests have a worker for each core: threads within their matrix products and pictures would fight over the same
# cores, for twice the time of both.  It has to be said before the libraries are loaded; programs that a test starts
# inherit it.
for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

# Whoever is started in the background ignores an interrupt, and so would every program that a test starts to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples must not depend on the day, nor on how fast the machine is: a failure anywhere is a failure everywhere.
settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

LONGEST = (
    "test_whole_game.py", "test_game.py", "test_pages_in_browser.py", "test_host_in_browser.py", "test_read_photo.py",
    "test_scenarios.py", "test_bad_pictures.py", "test_faults.py", "test_tracker.py", "test_processes.py",
)  # fmt: skip
"""The files that take longest, from a game that is seen frame by frame to a quarter of a minute."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits for browsers and with the longest.

    A worker that waits for a browser leaves its core to others: ``.ci/run`` has a virtual machine beside the tests at
    first, which takes what is left.  And at the end no worker goes on alone with something long.
    """

    def place(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.name
        return item.path.parent.name != "browser" and name != LONGEST[0], LONGEST.index(
            name
        ) if name in LONGEST else len(LONGEST)

    items.sort(key=place)


@pytest.fixture
def started(tmp_path: Path) -> tuple[Journal, Match]:
    """A new match of three seats, its journal in the temporary folder."""
    return store.start(tmp_path, GAME, ["Anna", "Ben", "Cleo"], NOW)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker; each opens phones of its own in it."""
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.fail("The browser tests need chromium: sudo apt-get install -y chromium")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        # A name that is not 127.0.0.1: browsers allow more to a loopback address than to a table in a LAN.
        arguments = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
        made = playwright.chromium.launch(executable_path=chromium, args=arguments, timeout=1000 * PATIENCE)
        yield made
        made.close()
