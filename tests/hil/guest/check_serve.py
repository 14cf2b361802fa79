"""Half a game of Palazzo on the real ``tabletop serve``: every piece through the camera device, every press a pin."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from devices import eventually
from table import Served, Table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("table"))
    yield table
    table.end()


def test_the_setup_and_the_deal_are_seen(table: Table) -> None:
    table.play("The setup")


def test_a_press_that_means_nothing_is_refused_by_light_and_words(table: Table) -> None:
    table.play("Ann presses")


def test_tiles_are_turned_up_and_one_is_bought(table: Table) -> None:
    table.play("Bob turns up")


def test_an_auction_is_held(table: Table) -> None:
    table.play("Ann turns up")


def test_a_table_that_was_killed_comes_back_as_it_was(table: Table) -> None:
    """SIGKILL, as a power cut: the kernel takes the lines back, the match goes on where it was left."""
    position, lit = table.match.position, table.lit()
    table.served.end(signal.SIGKILL)
    assert table.lit() == set()
    table.served = Served(table.folder)
    assert table.match.position == position
    assert eventually(lambda: table.lit() == lit)


def test_an_illegal_move_is_refused_by_light_and_words(table: Table) -> None:
    table.play("A low floor")


def test_told_to_end_it_leaves_no_light_on(table: Table) -> None:
    assert table.served.end(signal.SIGTERM) == 0
    assert table.lit() == set()
    assert table.served.told.read_text().endswith("the table is put away.\n")
