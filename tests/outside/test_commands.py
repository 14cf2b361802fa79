"""Games from other packages work with every command, as the built-in ones do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from doubles.clock import PATIENCE
from tests.outside.installed import install

ROOT = Path(__file__).parents[2]
GAMES = {"lantern": ("L1", "L9", 13), "smugglers": ("G1", "T4", 15)}
"""Two pieces of each game, and its number of tags: pieces and table markers."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("site"))


def environment(site: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}


def run(site: Path, *arguments: str, told: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tabletop", *arguments]
    return subprocess.run(command, env=environment(site), input=told, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_plays_an_outside_game_and_replay_reads_its_record(site: Path, tmp_path: Path, game: str) -> None:
    """``referee`` plays a seeded game of it by the first legal action each time, and ``replay`` accepts the record."""
    begin = {"cmd": "new", "game": game, "seats": ["Ada", "Ben"], "seed": 7}
    process = subprocess.Popen(
        [sys.executable, "-m", "tabletop", "referee"],
        env=environment(site), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    asks, answers = process.stdin, process.stdout
    assert asks is not None
    assert answers is not None

    def ask(**request: object) -> dict[str, Any]:
        asks.write(json.dumps(request) + "\n")
        asks.flush()
        answer: dict[str, Any] = json.loads(answers.readline())
        assert answer["ok"], answer
        return answer

    with process:
        ask(**begin)
        while actions := ask(cmd="legal")["actions"]:
            ask(cmd="do", action=actions[0])
        assert ask(cmd="position")["position"]["turn"]["phase"] == "over"
        assert len(ask(cmd="score")["seats"]) == 2
        for seat in (None, 0, 1):
            assert ask(cmd="view", seat=seat)["view"]["game"] == game
        ask(cmd="load", position=ask(cmd="position")["position"])
        ask(**begin)
        record = ask(cmd="record")["record"]
        asks.close()
    file = tmp_path / "record.txt"
    file.write_text(record, encoding="utf-8")
    replayed = run(site, "replay", str(file), "--json")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["game"] == game


@pytest.mark.parametrize("game", GAMES)
def test_tags_of_an_outside_game_are_printed_and_read(site: Path, tmp_path: Path, game: str) -> None:
    """Sheets, whole pieces, a list and pictures of tags are made; a photograph of two tags names their pieces."""
    *two, count = GAMES[game]
    for extra in ([], ["--proxies"], ["--set", "B"]):
        out = tmp_path / "sheets.pdf"
        done = run(site, "tags", "--game", game, "--out", str(out), *extra)
        assert done.returncode == 0, done.stderr
        assert out.read_bytes().startswith(b"%PDF")
    assert len(json.loads(run(site, "tags", "--game", game, "--list", "--json").stdout)) == count
    assert run(site, "tags", "--game", game, "--png", str(tmp_path)).returncode == 0
    tags = [cv2.imread(str(tmp_path / f"{piece}.png"), cv2.IMREAD_GRAYSCALE) for piece in two]
    table = np.full((400, 700), 120, np.uint8)
    for place, tag in enumerate(tags):
        assert tag is not None
        table[80 : 80 + tag.shape[0], 60 + 320 * place : 60 + 320 * place + tag.shape[1]] = tag
    photograph = tmp_path / "photograph.png"
    assert cv2.imwrite(str(photograph), table)
    told = run(site, "read", str(photograph))
    answer = json.loads(told.stdout)
    assert told.returncode == 0, told.stderr
    assert [seen["id"] for seen in answer["tags"]] == two
    assert answer["foreign"] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_simulated_camera_reads_a_whole_outside_game(site: Path, game: str) -> None:
    """From its declaration alone, its buttons are listed and a simulated game is read without a mistake."""
    panel = run(site, "panel", "--game", game)
    assert (panel.returncode, panel.stderr) == (0, "")
    assert "| phase | MONEY |" in panel.stdout
    played = run(site, "demo", "--game", game, "--headless", "--games", "1", "--json")
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)
    assert (told["finished"], told["wrong"], told["missed"]) == (1, 0, 0), played.stderr


@pytest.mark.parametrize("game", GAMES)
def test_scoring_photographs_of_a_game_without_that_part_is_refused(site: Path, tmp_path: Path, game: str) -> None:
    """``score`` refuses a game without scoring of photographs in one sentence and with status 2."""
    done = run(site, "score", str(tmp_path / "no.jpg"), "--game", game)
    assert done.returncode == 2
    assert len(done.stderr.split("Error: ")[1].splitlines()) == 1


def fetched(address: str) -> str:
    """Return the page at an address that was just printed."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
        page: bytes = answer.read()
        return page.decode()


@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_an_outside_game_on_its_pages(site: Path, game: str) -> None:
    """``demo`` starts with as many seats as the game allows, serves its table page, and ends when interrupted."""
    command = [sys.executable, "-m", "tabletop", "demo", "--game", game, "--port", "0", "--speed", "20"]
    with subprocess.Popen(command, env=environment(site), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(line.split()[-1] for line in process.stdout if "for a TV or tablet" in line)
        page = fetched(address)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert "Anna" in page
    assert "cannot be shown" not in page
    assert process.returncode == 0
    assert "the table is closed" in rest.lower()


def test_a_game_that_cannot_be_loaded_is_named_and_stops_no_other(tmp_path: Path) -> None:
    """Commands for one game say why it cannot be loaded; commands for all games report it and continue without it."""
    info = tmp_path / "ruin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ruin\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tabletop.games]\nruin = no_such_module:GAME\n")
    for arguments in (["tags", "--game", "ruin"], ["panel", "--game", "ruin"], ["demo", "--game", "ruin"]):
        done = run(tmp_path, *arguments)
        assert done.returncode == 2
        assert "The installed game 'ruin' cannot be loaded" in done.stderr
        assert "Traceback" not in done.stderr
    setup = run(tmp_path, "setup", "--simulated", "--config", str(tmp_path / "table.toml"))
    assert setup.returncode == 0
    assert setup.stderr.startswith("The installed game 'ruin' cannot be loaded")
    assert "  palazzo: Palazzo, 2 to 4 seats" in setup.stdout
    picture = tmp_path / "grey.png"
    assert cv2.imwrite(str(picture), np.full((200, 200), 120, np.uint8))
    read = run(tmp_path, "read", str(picture))
    assert read.returncode == 0
    assert read.stderr.count("\n") == 1
    assert json.loads(read.stdout)["tags"] == []


@pytest.mark.parametrize("arguments", ["demo --headless --games 1", "tournament --bots thrifty,sound --games 1"])
def test_a_part_of_the_wrong_type_is_named(tmp_path: Path, arguments: str) -> None:
    """If a package offers something other than a Strategy to the bots, the command names it and ends with status 2."""
    site = install(tmp_path / "site")
    (info,) = site.glob("lantern*.dist-info/entry_points.txt")
    info.write_text(f"{info.read_text()}[tabletop.games.bots]\nlantern = my_package.lantern:LANTERNS\n")
    command, *options = arguments.split()
    done = run(site, command, "--game", "lantern", *options)
    assert done.returncode == 2, done.stderr
    assert "my_package.lantern:LANTERNS in tabletop.games.bots must be of type Strategy, not tuple" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_tests_that_list_games_still_pass(site: Path) -> None:
    """Tests that list the games still pass with two more installed."""
    tests = [
        "tests/cli/test_cli.py",
        "tests/rules/test_protocol.py",
        "tests/setup/test_wizard.py",
        "tests/test_structure.py",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "game", *tests]
    done = subprocess.run(command, env=environment(site), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
