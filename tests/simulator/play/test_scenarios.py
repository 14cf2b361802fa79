"""The written scenarios pass, and mistakes in a scenario file are reported with their line."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.simulator.errors import BadScenario
from tabletop.simulator.play.scenario import WORDS, parse, step_of
from tabletop.simulator.play.scenario_table import ScenarioFailed, play
from tabletop.simulator.table.hands import Lay
from tests.simulator.ground import PerfectGround

FOLDER = Path(__file__).parents[2] / "scenarios"
SCENARIOS = sorted(FOLDER.rglob("*.txt"))
SETUP = "seats Ann Bob\nlay B1.1 in quarry1\nlay S1.2 in quarry2\nlay M1.3 in quarry3\nlay B2.2 in quarry4\n"


def played(text: str, folder: Path) -> None:
    scenario = parse(text, GAME)
    with closing(PerfectGround(scenario, folder)) as ground:
        play(scenario, ground)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_scenario_passes_as_written(path: Path, tmp_path: Path) -> None:
    played(path.read_text(encoding="utf-8"), tmp_path)


def test_a_sweep_contains_only_moves_of_hands() -> None:
    """A sweep cannot contain a press, during which only half of its moves would be seen."""
    with pytest.raises(BadScenario, match="say “done” first") as caught:
        parse("seats Ann Bob\nsweep\npress OK\ndone", GAME)
    assert caught.value.line == 3


def test_pieces_are_laid_on_cells_and_upon_pieces() -> None:
    """A piece laid upon another one needs no zone: it lies wherever that one does."""
    scenario = parse("game piecepack\nseats Ann Bob\nlay P1 upon TM3\nhand 0 away", GAME)
    assert scenario.game.name == "piecepack"
    assert step_of(scenario.lines[0], lambda zone: (0, 0)) == Lay("P1", "", upon="TM3")


def test_the_scenarios_together_use_every_word() -> None:
    used = {line.split()[0] for path in SCENARIOS for line in path.read_text().splitlines() if line.strip()}
    assert WORDS.keys() == used - {"#"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("jump B1.1", "“jump” is not a word of a scenario"),
        ("lay B1.1 quarry1", "is not understood; it reads lay PIECE in ZONE"),
        ("lay B9.1 in quarry1", "“B9.1” is not a piece of Palazzo"),
        ("lay B1.1 in quarry9", "There is no zone “quarry9”"),
        ("hand 7 over row", "There is no seat 7"),
        ("light BUILD green", "is not understood"),
        ("light BIULD off", "There is no light “BIULD”; there are .*BUILD"),
        ("press BIULD", "There is no button “BIULD”; there are AUCTION, BUILD"),
        ("take B1.1 to nowhere", "There is no place “nowhere”; there are .*box"),
        ("accepted jump", "jump"),
        ("given money", "What is given comes before anything is done"),
        ("game palazzo", "comes before the seats"),
        ("lay B1.1 in seat0 at 1;2", "is not understood"),
        ("lay B1.1 upon B9.1", "“B9.1” is not a piece of Palazzo"),
        ("done", "No movement has begun"),
        ("press OK bouncing ²", "is not understood"),
        ("hand ² over row", "There is no seat ²"),
        ("lay B1.1 in seat0 at ²,1", "is not understood"),
        ("wait inf", "is not understood"),
        ("sweep", "The sweep does not end"),
    ],
)
def test_a_bad_line_is_named(line: str, why: str) -> None:
    with pytest.raises(BadScenario, match=why) as caught:
        parse(f"seats Ann Bob\nlay B1.1 in quarry1\n{line}\n", GAME)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begin with"),
        ("lay B1.1 in quarry1", "Say who plays first"),
        ("seats Ann", "2"),
        ("game chess", "There is no game 'chess'"),
        ("game palazzo\nmake stone", "no make “stone”; there are printed, box"),
        ("seats A B\ngiven money", "legal"),
    ],
)
def test_a_scenario_that_cannot_begin_says_why(text: str, why: str) -> None:
    with pytest.raises(BadScenario, match=why):
        parse(text, GAME)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("accepted reveal M5.1", "“reveal B1.1” was accepted instead"),
        ("accepted deal 0 C2a+G7c+N4b+R5a", "instead"),
        ("turn-of 0 action", "it is - setup"),
        ("light BUILD steady", "it is off"),
        ("refused wrong-phase", "nothing was refused"),
        ("said the moon is out", "said: "),
        ("undone", "nothing was undone"),
    ],
)
def test_an_expectation_that_does_not_hold_fails_with_its_line(line: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioFailed, match=why) as caught:
        played(SETUP + line, tmp_path)
    assert caught.value.statement.number == 6
