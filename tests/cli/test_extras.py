"""With only the rules installed, a command runs or says in one sentence what it needs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from doubles.clock import PATIENCE
from tabletop.cli.common.extras import EXTRAS, LIBRARIES, missing
from tabletop.cli.common.summaries import PROGRAM

ROOT = Path(__file__).parents[2]
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "aim": ("--once",),
    "read": ("x.png",),
    "score": ("x.png",),
    "demo": ("--headless",),
}
ARGUMENTS["edition"] = ("enrol", "--game", "palazzo", "x.toml")
ARGUMENTS["export"] = (".", "--format", "parquet")
ARGUMENTS["tournament"] = ("--bots", "random,random")
ARGUMENTS["train"] = ("--rounds", "0", "--pairs", "1", "--games", "2", "--out", "x.json")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the package and click side by side, as ``pip install tabletop`` leaves them."""
    click = importlib.util.find_spec("click")
    assert click is not None
    assert click.origin is not None
    (tmp_path / "click").symlink_to(Path(click.origin).parent)
    (tmp_path / "tabletop").symlink_to(ROOT / "tabletop")
    (tmp_path / "x.png").write_bytes(b"")
    return tmp_path


def run(bare: Path, *command: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(bare), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-S", "-m", "tabletop", *command], cwd=bare, env=environment, input=text,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("command", sorted(set(EXTRAS) - {"panel", "edition"}))
def test_a_command_without_its_libraries_names_the_extras(bare: Path, command: str) -> None:
    """A command without its libraries ends with one sentence that names the pip command, and without a traceback."""
    done = run(bare, command, *ARGUMENTS.get(command, ()))
    wanted = f"Error: tabletop {command} needs more than the rules: pip install 'tabletop[{EXTRAS[command]}]'.\n"
    assert (done.returncode, done.stderr) == (1, wanted)


@pytest.mark.parametrize("command", PROGRAM)
def test_every_command_helps_without_any_extra(bare: Path, command: str) -> None:
    """``--help`` of each command needs no library but click."""
    assert run(bare, command, "--help").returncode == 0


def test_the_referee_answers_without_any_extra(bare: Path) -> None:
    """The referee runs with nothing but click installed, because its protocol is part of the rules."""
    request = {"cmd": "new", "game": "palazzo", "seats": ["Ada", "Ben"], "seed": 7}
    done = run(bare, "referee", text=json.dumps(request) + "\n")
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_a_missing_module_of_our_own_is_not_blamed_on_an_extra() -> None:
    """Only a missing module that an extra would install is reported as a missing extra."""
    assert missing("demo", ModuleNotFoundError(name="tabletop.lost")) is None
    assert missing("referee", ModuleNotFoundError(name="cv2")) is None
    assert {"cv2", "flask", "reportlab"} <= LIBRARIES
