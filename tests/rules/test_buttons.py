"""One table per game gives the buttons their meanings; the docs print it, and the panel has every button."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli.panel import command
from tabletop.hardware.drawings import pinout
from tabletop.hardware.panel.panel_file import load
from tabletop.rules import registry
from tabletop.rules.contract.table_setting import check_buttons
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.patrician.table.declaration import PatricianTable
from tabletop.rules.table import BUTTONS, ButtonMeaning, Table

DOCS = Path(__file__).parents[2] / "docs"
TABLES = {name: registry.game(name).buttons for name in registry.BUILT_IN}
ON_A_TABLE: Mapping[str, Table] = {"palazzo": PalazzoTable(), "patrician": PatricianTable()}


def block(page: str, name: str) -> str:
    found = re.search(rf"<!-- {name}: begin.*?-->\n(.*?)<!-- {name}: end -->", (DOCS / page).read_text("utf-8"), re.S)
    assert found
    return found[1]


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_docs_print_the_table_that_the_referee_reads(game: str) -> None:
    """The block in docs/panel.md is what ``./play panel --game GAME`` prints."""
    printed = CliRunner().invoke(command, ["--game", game]).stdout
    assert block("panel.md", game) == printed == pinout.meanings(load(), TABLES[game])


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_page_about_playing_a_game_has_the_same_table(game: str) -> None:
    """The guide to playing a game has the same table of buttons."""
    assert block(f"playing-{game}.md", "buttons") == pinout.meanings(load(), TABLES[game])


def test_the_panel_has_every_button_that_games_may_use() -> None:
    """The panel has exactly the buttons that games may use, and UNDO, which means the same in every game."""
    assert {*BUTTONS, "UNDO"} == {wire.name for wire in load().buttons}
    for name in registry.BUILT_IN:
        check_buttons(registry.game(name))


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_every_action_and_intent_of_a_button_is_one_of_its_game(game: str) -> None:
    """In random games, each button's kind of action is legal at some time in its phase."""
    seen: set[tuple[str, str]] = set()
    played = registry.game(game)
    for seed in range(6):
        rng, position = random.Random(seed), played.new(["A", "B", "C"], {})
        while not position.over:
            legal = list(position.legal.thrifty())
            seen |= {(position.phase, action.do) for action in legal}
            chance = position.decider is None
            position = position.after(played.draw(position, rng) if chance else rng.choice(legal))
    meant = [(phase, one) for phase, meanings in TABLES[game].items() for one in meanings.values()]
    wanted = {(phase, kind(one)) for phase, one in meant if one.does and not one.finishes}
    assert wanted <= seen


def kind(meaning: ButtonMeaning) -> str:
    return meaning.does if isinstance(meaning.does, str) else meaning.does.do if meaning.does else ""


@pytest.mark.parametrize("game", ON_A_TABLE)
def test_a_press_means_what_the_table_says_and_a_lit_button_is_legal(game: str) -> None:
    """In random games, a press means what the table says, a lit button is legal, and an unlisted one means nothing."""
    table, played, rng = ON_A_TABLE[game], registry.game(game), random.Random(2)
    position = played.new(["A", "B", "C"], {})
    while not position.over:
        meanings = TABLES[game].get(position.phase, {})
        for wire in load().buttons:
            listed = meanings.get(wire.name)
            assert table.button(position, wire.name) == (listed.does if listed else None)
        for button in table.open_buttons(position):
            does = meanings[button].does
            assert isinstance(does, str) or does in position.legal
        chance = position.decider is None
        legal = list(position.legal.thrifty()) if not chance else []
        position = position.after(played.draw(position, rng) if chance else rng.choice(legal))
