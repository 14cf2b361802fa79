"""Settings for every test."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

from doubles.browsers import browser_path
from doubles.clock import PATIENCE
from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW

# There are more test workers than cores: threads within their matrix products and pictures would compete for the
# same cores, and everything would take twice as long.  It must be set before the libraries are loaded; programs that
# a test starts inherit it.
for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

# Every test has files, and a match waits until a disk has each event: where there is room, the disk is memory.  The
# programs that tests write have to be able to start there.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC and shutil.disk_usage(MEMORY).free > 4 * 2**30:
    tempfile.tempdir = os.environ.setdefault("TMPDIR", str(MEMORY))

# A background process ignores interrupts, and so would every program that a test starts in order to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples must not depend on the day or on the machine's speed: what fails anywhere has to fail everywhere.
settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# Nearly all that is made while tests are compiled and collected stays: the collector would go through it for nothing.
gc.set_threshold(200_000)

TESTS = Path(__file__).parent

LONGEST = (
    "end_to_end/test_whole_game.py", "web/browser/test_game.py", "web/browser/test_pages_in_browser.py",
    "web/browser/test_host_in_browser.py", "vision/photo/test_read_photo.py", "simulator/play/test_scenarios.py",
    "end_to_end/test_scenarios.py", "vision/image/test_bad_pictures.py", "end_to_end/test_faults.py",
    "end_to_end/test_processes.py", "web/test_table_secrets.py",
)  # fmt: skip
"""The slowest test files, slowest first, down to about a quarter of a minute."""

QUICK = ("rules", "match", "referee", "bots", "web", "test_imports.py", "test_english.py")
"""What ``--quick`` runs: the rules clause by clause, the referee, and the pages without a browser."""

NOT_QUICK = (
    "match/test_backup.py", "match/test_bad_backups.py", "match/test_journal.py", "match/test_journal_repair.py",
    "match/test_past_matches.py", "match/test_store.py", "referee/test_whole_games.py", "rules/oracle",
    "rules/palazzo/test_invariants.py", "rules/piecepack/test_brute.py", "rules/test_contract.py", "web/browser",
    "web/live", "web/pages/test_final_points.py", "web/pages/photos", "web/pages/test_host.py",
    "web/pages/test_host_adopts_the_table.py", "web/pages/test_host_plays_for_seats.py", "web/pages/test_past.py",
    "web/pages/test_safe_mode.py", "web/test_crowd.py",
)  # fmt: skip
"""The parts of those folders that ``--quick`` leaves out, because they were measured to take longest."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--quick``."""
    parser.addoption("--quick", action="store_true", help="only the tests that together take under a minute")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--quick``, do not even import tests that are not quick."""
    if not config.getoption("quick") or collection_path == TESTS:
        return None
    place = collection_path.relative_to(TESTS)
    quick = place.parts[0] in QUICK and not any(place.is_relative_to(one) for one in NOT_QUICK)
    return None if quick else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that wait for browsers and the longest ones first.

    A worker that waits for a browser leaves its core to others: at first ``.ci/run`` runs a virtual machine beside the
    tests, which uses what is left.  At the end, no worker should run something long while the others are idle.
    """

    def order(item: pytest.Item) -> tuple[bool, int]:
        place = item.path.relative_to(TESTS).as_posix()
        longest = LONGEST.index(place) if place in LONGEST else len(LONGEST)
        return not place.startswith("web/browser/") and longest > 0, longest

    items.sort(key=order)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through all collected tests again and again."""
    gc.collect()
    gc.freeze()
    # Nearly everything is freed without it: a collection after every 700 new objects took a tenth of the rules' time.
    gc.set_threshold(10_000)


@pytest.fixture
def started(tmp_path: Path) -> tuple[Journal, Match]:
    """A new match of three seats, with its journal in the temporary folder."""
    return store.start(tmp_path, GAME, ["Anna", "Ben", "Cleo"], NOW)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker; each test opens its own phones in it."""
    chromium = browser_path()
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        # Not 127.0.0.1: browsers allow more to a loopback address than to a table in a LAN.
        arguments = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
        made = playwright.chromium.launch(executable_path=chromium, args=arguments, timeout=1000 * PATIENCE)
        yield made
        made.close()
