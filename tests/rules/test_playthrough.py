"""The Python interface of the rules: a game in a few lines, from text and to text, without any library."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from doubles.clock import PATIENCE
from tabletop.rules import palazzo, patrician, piecepack, registry
from tabletop.rules.game import Illegal
from tabletop.rules.phase import RuledPosition
from tabletop.rules.playthrough import Playthrough, begin
from tabletop.rules.text.record_text import parse_record
from tabletop.rules.text.replay import replay

ROOT = Path(__file__).parents[2]
GAMES = {"palazzo": palazzo, "patrician": patrician, "piecepack": piecepack}


def blocks(page: str) -> list[str]:
    """Return the Python sessions of a page."""
    found = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    return [block for block in found if block.startswith(">>>")]


def new(name: str, seed: int | None = 1) -> Playthrough:
    return begin(registry.game(name), ["Ada", "Ben"], None if seed is None else Random(seed))


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_sessions_of_a_page_run_as_written(page: str) -> None:
    """Each session of a page, typed line by line, answers what the page says."""
    told: list[str] = []
    session = doctest.DocTestParser().get_doctest("\n".join(blocks(page)), {}, page, page, 0)
    doctest.DocTestRunner().run(session, out=told.append)
    assert "".join(told) == ""
    assert session.examples


def test_the_first_session_is_the_twelve_lines_of_the_readme() -> None:
    """The README shows the same twelve lines with which docs/python.md begins."""
    first = blocks("docs/python.md")[0]
    assert len([line for line in first.splitlines() if line]) == 12
    assert blocks("README.md") == [first]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_and_its_record_replays(name: str) -> None:
    """A game played to its end through this interface replays from its record with the same score."""
    game, rng = GAMES[name].new("Ada", "Ben", chance=Random(1)), Random(2)
    while not game.over:
        position = game.play(str(rng.choice([*game.legal])))
        assert position == game.position
    assert game.decider is None
    assert [*replay(parse_record(game.record()))][-1].position == game.position
    assert game.scores == game.position.score()
    assert "over" in repr(game)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_brings_the_same_chance(name: str) -> None:
    """Chance comes only from the generator that is passed in, so that the same seed brings the same game."""
    assert new(name, 3).actions == new(name, 3).actions != new(name, 4).actions


@pytest.mark.parametrize("name", GAMES)
def test_without_chance_its_outcomes_are_actions(name: str) -> None:
    """Without a generator, outcomes of chance are legal actions and are played like any other."""
    game = new(name, None)
    assert (game.decider, game.actions) == (None, ())
    game.play(str(next(iter(game.legal))))
    assert len(game.actions) == 1
    assert "chance decides" in repr(game)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", ["", "nonsense", "reveal NOTHING", "deal 0 -"])
def test_an_illegal_action_is_refused_and_changes_nothing(name: str, text: str) -> None:
    """``why_not`` returns the refusal that ``play`` raises, and neither changes the game."""
    game = new(name)
    before, refusal = game.position, game.why_not(text)
    assert refusal is not None
    with pytest.raises(Illegal) as raised:
        game.play(text)
    assert (raised.value.code, str(raised.value)) == (refusal.code, str(refusal))
    assert (game.position, game.why_not(next(iter(game.legal)))) == (before, None)


def test_a_listing_and_a_refusal_print_what_they_hold() -> None:
    """The repr of a long listing names its first actions and counts the others; that of a refusal has its code."""
    assert repr(new("palazzo").legal) == "<Legal: money, build>"
    assert repr(new("palazzo", None).legal).endswith(" 8 more>")
    assert repr(Illegal("code", "Why.")) == "<Illegal: code · Why.>"


@pytest.mark.parametrize("name", GAMES)
def test_after_takes_notation(name: str) -> None:
    """``after`` takes an action or its notation, and refuses other text."""
    position = new(name).position
    action = next(iter(position.legal))
    assert isinstance(position, RuledPosition)
    assert position.after(str(action)) == position.after(action)
    with pytest.raises(Illegal, match="not an action"):
        position.after("nonsense")


@pytest.mark.parametrize("name", GAMES)
def test_wrong_seats_and_options_are_refused(name: str) -> None:
    """A game for one seat and an unknown option are refused by name."""
    with pytest.raises(Illegal, match="not 1"):
        GAMES[name].new("Ada")
    with pytest.raises(Illegal, match="no option speed"):
        GAMES[name].new("Ada", "Ben", speed=2)
    assert GAMES[name].new("Ada", "Ben", chance=Random(1), first_seat=1).decider == "Ben"


def test_the_rules_load_nothing_but_themselves_and_a_little_of_the_library() -> None:
    """Importing the rules into a clean interpreter loads only them and light parts of the standard library."""
    code = (
        "import sys; before = set(sys.modules); from tabletop.rules import palazzo; "
        "new = set(sys.modules) - before; own = {name for name in new if name.startswith('tabletop')}; "
        "print(*(name for one in new - own for name in (one, one.partition('.')[0]))); print(*own)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    libraries, own = (set(line.split()) for line in done.stdout.splitlines())
    assert {name for name in libraries if "." not in name} <= sys.stdlib_module_names
    heavy = {"asyncio", "importlib.resources", "json", "socket", "sqlite3", "tempfile", "tomllib", "urllib"}
    assert not libraries & heavy
    assert {".".join(name.split(".")[:2]) for name in own} == {"tabletop", "tabletop.rules", "tabletop.messages"}
    assert not {name for name in own if "patrician" in name or "piecepack" in name}
