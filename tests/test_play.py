"""``./play`` helps without installing anything, and describes every command in a whole sentence."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from doubles.browsers import BROWSERS
from doubles.clock import PATIENCE
from tabletop import __version__
from tabletop.cli import main
from tabletop.cli.common import extras
from tabletop.cli.common.summaries import CHECKOUT, PROGRAM
from tests import conftest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with nothing but the files that ``./play`` reads before it makes an environment."""
    for name in ("play", "tabletop/__init__.py", "tabletop/cli/common/summaries.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def play(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``./play`` of the clone and check that it installed nothing."""
    done = subprocess.run(
        [sys.executable, "play", *arguments], cwd=clone, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert not (clone / ".venv").exists()
    return done


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)], ids=str)
def test_help_lists_every_command_in_a_whole_sentence_and_installs_nothing(
    clone: Path, arguments: tuple[str, ...]
) -> None:
    """The help lists each command of the program and of the checkout with its uncut sentence, in 80 columns."""
    done = play(clone, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    for name, sentence in (PROGRAM | CHECKOUT).items():
        assert f"  {name:<11} {sentence}\n" in done.stdout
        assert sentence.endswith(".")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_an_interrupt_prints_how_to_continue(clone: Path) -> None:
    """Ctrl-C while libraries are installed prints how to continue instead of a traceback."""
    (clone / "tabletop/cli/common/summaries.py").write_text("raise KeyboardInterrupt\n")
    done = play(clone)
    assert (done.returncode, done.stderr) == (130, "\nStopped. Run the same command again to continue.\n")


def test_a_link_to_play_runs_the_same_command(clone: Path, tmp_path: Path) -> None:
    """A link to ``play`` in another folder runs the clone that it leads to."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/play").symlink_to(clone / "play")
    done = subprocess.run([sys.executable, "bin/play", "--help"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["test", "check", "fix", "coverage", "texts", "hil"])
def test_help_of_a_development_command_installs_nothing(clone: Path, command: str) -> None:
    """``./play test --help`` prints its sentence and makes no environment for it."""
    done = play(clone, command, "--help")
    assert done.returncode == 0
    assert f"./play {command}" in done.stdout
    assert CHECKOUT[command] in done.stdout


def test_an_unknown_command_is_refused_before_anything_is_installed(clone: Path) -> None:
    """A mistyped command is refused with status 2 and one sentence, before an environment is made."""
    done = play(clone, "tset")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is no command 'tset'; ./play --help lists them.\n"


def test_the_version_is_the_packages(clone: Path) -> None:
    """``./play --version`` prints the version without making an environment."""
    assert play(clone, "--version").stdout == f"tabletop, version {__version__}\n"


def test_prepare_makes_an_environment(clone: Path) -> None:
    """``./play --prepare`` makes the environment from the pinned requirements and prints nothing on standard output."""
    (clone / "requirements.txt").touch()
    done = subprocess.run(
        [sys.executable, "play", "--prepare"], cwd=clone, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    probe = [str(clone / ".venv/bin/python"), "-I", "-c", "import tabletop; print(tabletop.__file__)"]
    said = subprocess.run(probe, cwd="/", capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    assert said.strip() == str(clone / "tabletop/__init__.py")


@pytest.mark.parametrize(("folder", "answers"), [("environment", True), ("system", False)])
def test_an_environment_whose_python_was_replaced_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str, answers: bool
) -> None:
    """An environment counts as broken if only the system's pip answers, as after an upgrade of the system's Python."""
    (tmp_path / folder / "pip").mkdir(parents=True)
    (tmp_path / folder / "pip/__init__.py").touch()
    python = tmp_path / "python"
    begin = (
        f"import sys; sys.prefix = {str(tmp_path / 'environment')!r}; sys.path.insert(0, {str(tmp_path / folder)!r}); "
    )
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{begin} $2"\n')
    python.chmod(0o755)
    venv_answers = runpy.run_path(str(ROOT / "play"), run_name="play")["venv_answers"]
    monkeypatch.setitem(venv_answers.__globals__, "PYTHON", str(python))
    assert venv_answers() is answers


def test_a_32_bit_system_is_refused_before_anything_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A 32-bit system is refused with a sentence, because the libraries come ready-made for 64-bit systems only."""
    started: list[object] = []
    monkeypatch.setattr(os, "execv", lambda *command: started.append(command))
    monkeypatch.setattr(os, "chdir", started.append)
    monkeypatch.setattr(sys, "argv", ["play", "install"])
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    main = runpy.run_path(str(ROOT / "play"), run_name="play")["main"]
    monkeypatch.setitem(main.__globals__, "prepare", lambda *command, **_more: started.append(command))
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "64-bit" in capsys.readouterr().err
    assert not started


def test_the_program_lists_its_commands_in_the_same_sentences() -> None:
    """``tabletop --help`` prints each command's whole sentence."""
    said = " ".join(CliRunner().invoke(main, ["--help"]).stdout.split())
    assert [f"{name} {sentence}" in said for name, sentence in PROGRAM.items()] == [True] * len(PROGRAM)


@pytest.mark.parametrize("name", PROGRAM)
def test_the_help_of_a_command_begins_with_its_sentence(name: str) -> None:
    """A command's own help begins with its sentence in the list."""
    said = CliRunner().invoke(main, [name, "--help"])
    assert said.exit_code == 0
    assert f"\n\n  {PROGRAM[name]}\n" in said.stdout


def test_every_command_is_listed_once() -> None:
    """Each command in the list has a module, and none is in both lists."""
    assert all((ROOT / "tabletop/cli" / f"{name}.py").exists() for name in PROGRAM)
    assert not set(PROGRAM) & set(CHECKOUT)
    assert set(extras.EXTRAS) <= set(PROGRAM)


@pytest.mark.parametrize(
    ("there", "known", "brought"),
    [
        ((), True, ["chromium-headless-shell"]),
        ((), False, ["chromium"]),
        (("chromium",), True, ["chromium-headless-shell"]),
        (("chromium",), False, []),
        (("chromium-headless-shell",), True, []),
    ],
)
def test_the_headless_browser_is_installed_if_apt_has_it(
    monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], known: bool, brought: list[str]
) -> None:
    """chromium-headless-shell, twice as fast, is installed even beside another browser; without it, chromium."""
    found, installed = {*there, "pdftoppm", "espeak-ng", "systemd-analyze"}, []

    def apt_install(packages: list[str], _why: str, needed: bool) -> None:
        installed.extend(packages)
        found.update(packages)

    bring_tools = runpy.run_path(str(ROOT / "play"), run_name="play")["bring_tools"]
    told = bring_tools.__globals__
    monkeypatch.setitem(told, "in_apt", lambda _package: known)
    monkeypatch.setitem(told, "apt_install", apt_install)
    monkeypatch.setattr(shutil, "which", lambda name, **_where: name if name in found else None)
    bring_tools("test")
    assert installed == brought
    assert told["BROWSERS"] == BROWSERS


def test_tests_are_compiled_once_even_where_python_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Compiled tests are kept, so that each of pytest's workers only has to load them."""
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert True\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    compile_tests = runpy.run_path(str(ROOT / "play"), run_name="play")["compile_tests"]
    monkeypatch.setitem(compile_tests.__globals__, "PYTHON", sys.executable)
    assert compile_tests().wait(PATIENCE) == 0
    assert [*tmp_path.glob("__pycache__/test_it.*pytest*.pyc")]


def test_the_program_is_compiled_with_its_environment(monkeypatch: pytest.MonkeyPatch, clone: Path) -> None:
    """Installing compiles the program even with PYTHONDONTWRITEBYTECODE, or every command would compile it again."""
    (clone / "needs.txt").write_text("")
    (clone / ".venv").mkdir()
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    install = runpy.run_path(str(clone / "play"), run_name="play")["install"]
    monkeypatch.setitem(install.__globals__, "PYTHON", sys.executable)
    run = subprocess.call
    monkeypatch.setattr(subprocess, "call", lambda command, **_how: 0 if "pip" in command else run(command))
    install("needs.txt")
    assert [*clone.glob("tabletop/__pycache__/__init__.*.pyc")]


@pytest.mark.parametrize("place", [*conftest.LONGEST, *conftest.QUICK, *conftest.NOT_QUICK])
def test_every_place_in_the_order_of_tests_exists(place: str) -> None:
    """Every file or folder named in the order of the tests or in the quick ones exists."""
    assert (ROOT / "tests" / place).exists()
