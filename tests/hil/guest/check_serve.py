"""Half a game of Palazzo on the real ``tabletop serve``: pieces through the camera device, presses through pins."""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Iterator

import pytest
from devices import PATIENCE, eventually, level, pull
from table import LIGHT, PIN, REST, Served, Table, shines


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("table"))
    yield table
    table.end()


@pytest.fixture(autouse=True)
def one_game(request: pytest.FixtureRequest, table: Table) -> Iterator[None]:
    """Fail every test after the first that failed: the tests are one game and build on each other."""
    assert not table.broken, "the game broke off in an earlier test"
    failed = request.session.testsfailed
    yield
    table.broken = request.session.testsfailed > failed


def test_the_setup_and_the_deal_are_seen(table: Table) -> None:
    table.play("The setup")


def test_a_meaningless_press_is_refused_with_light_and_words(table: Table) -> None:
    table.play("Ann presses")


def test_a_press_is_answered_by_light(table: Table) -> None:
    """MONEY goes dark when it is pressed and is lit again after UNDO; the delay is printed and not judged."""
    took = []
    for button, lit in [("MONEY", False), ("UNDO", True)] * 10:
        begun = time.monotonic()
        pull(PIN[button], up=False)
        assert eventually(lambda lit=lit: level(LIGHT["MONEY"]) is lit, PATIENCE, pause=0.001)
        took.append((time.monotonic() - begun) * 1000)
        pull(PIN[button], up=True)
        time.sleep(0.3)
    print(f"press to light: median {statistics.median(took):.0f} ms, worst {max(took):.0f} ms")


def test_without_a_picture_the_game_continues_by_buttons(table: Table) -> None:
    """While the camera stalls, Stop flashes twice, the page says so and presses count; then the camera returns."""
    table.feed.stall()
    assert eventually(lambda: shines(lambda: level(LIGHT["illegal"])) == "twice", PATIENCE, REST)
    assert "The camera gives no picture." in table.served.page()
    table.play("Ann takes money")
    table.feed.go_on()
    assert eventually(lambda: "The camera gives no picture." not in table.served.page(), PATIENCE, REST)


def test_cards_are_seen_by_a_camera_that_has_come_back(table: Table) -> None:
    table.play("Three cards")


def test_a_stuck_button_is_reported_and_delays_nothing(table: Table) -> None:
    pull(PIN["PASS"], up=False)
    table.play("Bob turns up")
    assert eventually(lambda: "The button PASS is held down or stuck" in table.served.page(), PATIENCE, REST)
    pull(PIN["PASS"], up=True)
    assert eventually(lambda: "The button PASS" not in table.served.page(), PATIENCE, REST)


def test_after_a_power_cut_the_game_is_where_it_was(table: Table) -> None:
    """After SIGKILL the lights are off; the restarted table continues the match with the same lights."""
    position, lit = table.match.position, table.lit()
    table.served.end(signal.SIGKILL)
    assert table.lit() == set()
    table.served = Served(table.folder)
    assert table.match.position == position
    assert eventually(lambda: table.lit() == lit, PATIENCE, REST)


def test_an_auction_is_held(table: Table) -> None:
    table.play("Ann turns up")
    table.play("Ann passes")


def test_an_illegal_move_is_refused_with_light_and_words(table: Table) -> None:
    table.play("A low floor")


def test_ending_turns_off_the_lights_even_if_the_camera_hangs(table: Table) -> None:
    table.feed.stall()
    assert eventually(lambda: "The camera gives no picture." in table.served.page(), PATIENCE, REST)
    assert table.lit()
    assert table.served.end(signal.SIGTERM) == 0
    assert table.lit() == set()
    # The camera's library may add its own warning when the picture it waited for did not come.
    assert "the table is closed.\n" in table.served.told.read_text()
