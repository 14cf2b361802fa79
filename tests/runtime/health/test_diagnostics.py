"""The health list checks what the table is set to play: the game, the players, and what is printed on the pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.config import Config
from tabletop.hardware.diagnostics import doctor
from tabletop.hardware.diagnostics.check import CheckState
from tabletop.rules import palazzo
from tabletop.runtime.health import diagnostics

SHIPPED = Path(palazzo.__file__).with_name("edition.toml")


def test_a_game_that_can_begin_has_no_fault() -> None:
    assert diagnostics.game(Config()).state is CheckState.OK


def test_a_tables_own_edition_is_named(tmp_path: Path) -> None:
    own = tmp_path / "our-box.toml"
    own.write_bytes(SHIPPED.read_bytes())
    check = diagnostics.game(Config(edition=own))
    assert (check.state, check.fact) == (CheckState.OK, f"starts with the edition {own}")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "no such file or directory."),
        (b"\xff", "it is not UTF-8 text."),
        (b"=", "it is not TOML"),
        (b"[stacks]\nI = 1", "An edition needs a name"),
    ],
)
def test_an_edition_with_which_no_game_begins_is_a_fault_with_the_command_that_tells_more(
    tmp_path: Path, data: bytes | None, why: str
) -> None:
    own = tmp_path / "our-box.toml"
    if data is not None:
        own.write_bytes(data)
    check = diagnostics.game(Config(edition=own))
    assert (check.state, check.fix) == (CheckState.FAULT, f"tabletop edition check {own}")
    assert check.fact.startswith(f"No game can begin with the edition {own}: ")
    assert why in check.fact


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (Config(game="chess"), "There is no game 'chess'"),
        (Config(seats=("Anna",)), "Palazzo is for 2 to 4 seats, not 1."),
        (Config(options={"colour": 1}), "colour"),
    ],
)
def test_impossible_settings_are_a_fault_whatever_the_edition(config: Config, why: str) -> None:
    check = diagnostics.game(config)
    assert check.state is CheckState.FAULT
    assert why in check.fact
    assert "table.toml" in check.fix


def test_the_list_contains_the_check_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "examine", lambda machine, instead: [])
    assert [check.name for check in diagnostics.examine(Config())] == ["game", "games"]
