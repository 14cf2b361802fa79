"""Whatever terminal, disk and folder are like, a command ends with one sentence and never with a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from doubles.clock import PATIENCE
from tabletop.cli import main, panel
from tabletop.config import Config
from tabletop.files import atomic
from tabletop.match.errors import JournalError
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.runtime import serve
from tests.ports import free_port

LIST = ("tags", "--list")
ROOT = Path(__file__).parents[2]


def run(*command: str, folder: Path = ROOT, **given: object) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own and return how it ended."""
    arguments = [sys.executable, "-m", "tabletop", *command]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": PATIENCE, **given}
    return subprocess.run(arguments, cwd=folder, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("command", [LIST, ("--help",)], ids=" ".join)
def test_a_full_disk_under_the_output_is_reported_in_one_sentence(command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(*command, stdout=full)
    assert (done.returncode, done.stderr) == (1, "Error: The output cannot be used: no space left on device.\n")


def test_an_error_is_printed_in_its_own_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, as of a full disk during a demo, is printed as its own sentence, then its advice and its file."""

    def refused(**_given: object) -> None:
        raise JournalError("a.tabletop", "There is no room.", Message("Free some space."))

    monkeypatch.setattr(panel.command, "callback", refused)
    done = CliRunner().invoke(main, ["panel"])
    assert (done.exit_code, done.stderr) == (1, "Error: There is no room. Free some space. (a.tabletop)\n")


def test_a_closed_pipe_ends_the_command_silently() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = run(*LIST, stdout=pipe)
    assert (done.returncode, done.stderr) == (1, "")


def test_an_interrupt_while_the_program_loads_prints_nothing(tmp_path: Path) -> None:
    # A library that is interrupted while it is loaded, in place of the first one that the program loads.
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    done = run("--help", env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_an_interrupted_command_says_that_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(panel.command, "callback", interrupted)
    done = CliRunner().invoke(main, ["panel"])
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", "\nStopped before it had finished.\n")


def test_letters_that_the_terminal_lacks_are_printed_as_escapes() -> None:
    done = run("panel", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert r"560 \u03a9" in done.stdout


@pytest.mark.parametrize(
    ("command", "key"), [(["read"], "image"), (["score", "--json"], "error")], ids=["read", "score"]
)
def test_json_is_the_same_in_every_encoding_of_the_terminal(command: list[str], key: str) -> None:
    r"""JSON output is plain ASCII: letters beyond ASCII are written as \u00fc, which any terminal or pipe can carry."""
    done = CliRunner(charset="ascii").invoke(main, [*command, "grün.jpg"])
    assert json.loads(done.stdout)[key].startswith("grün.jpg")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["setup", "--simulated", "--config"], "Please type one of: palazzo, patrician, piecepack."),
        (["edition", "enrol", "--game", "palazzo"], "'�' is not a stack"),
    ],
    ids=lambda given: given[0],
)
def test_input_in_another_encoding_is_asked_for_again(command: list[str], said: str, tmp_path: Path) -> None:
    """Input in another encoding is asked for again; the setup once waited forever for a line that it could not read."""
    done = run(
        *(*command, str(tmp_path / "made.toml")),
        input="\udcff\n",
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_deleted_current_folder_is_reported_in_one_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    # The shell that stands in the folder removes it: a process cannot be started in a folder that does not exist.
    script = f'rmdir "{gone}"; exec "{sys.executable}" -m tabletop tags --list'
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("Error: The folder you are in is gone: go to another one, and start again.\n")


@pytest.mark.parametrize(("closed", "said"), [("<&-", ""), (">&-", ""), ("2>&-", '{"ok":false')])
def test_a_closed_stream_counts_as_an_empty_one(closed: str, said: str) -> None:
    script = f'echo "{{}}" | "{sys.executable}" -m tabletop referee {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (done.stdout[:11], len(done.stdout.splitlines())) == (said, bool(said))


@pytest.mark.parametrize("what", [["tags", "--out"], ["doctor", "--bundle"]])
def test_a_file_that_cannot_be_written_is_named_and_nothing_is_left_of_it(tmp_path: Path, what: list[str]) -> None:
    missing = tmp_path / "missing" / "file.pdf"
    done = CliRunner().invoke(main, [*what, str(missing)])
    assert (done.exit_code, missing.parent.exists()) == (1, False)
    assert done.stderr == f"Error: {missing} cannot be written: no such file or directory.\n"


@pytest.mark.parametrize(
    "what",
    [
        ["train", "--rounds", "1", "--pairs", "1", "--games", "2", "--out"],
        ["tournament", "--bots", "random,random", "--games", "1", "--csv"],
        ["analyse", "-", "--svg"],
        ["bench", "--seconds", "1", "--out"],
    ],
    ids=lambda what: what[0],
)
def test_a_file_that_cannot_be_written_is_named_before_the_long_work(tmp_path: Path, what: list[str]) -> None:
    """An output file that cannot be written is named before the long work begins; an existing file is kept."""
    missing, there = tmp_path / "missing" / "file", tmp_path / "file"
    done = CliRunner().invoke(main, [*what, str(missing)])
    assert (done.exit_code, done.stderr) == (1, f"Error: {missing} cannot be written: no such file or directory.\n")
    there.write_text("kept")
    atomic.check_writable(there)
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(there, "kept")]


@pytest.mark.parametrize(
    "command",
    [
        ["analyse", "FILE", "--svg", "FILE"],
        ["tags", "--proxies", "--game", "patrician", "--edition", "FILE", "--out", "FILE"],
        ["panel", "--file", "FILE", "--front", "FILE"],
        ["doctor", "--config", "FILE", "--bug-report", "FILE"],
        ["bench", "--config", "FILE", "--out", "FILE"],
        ["score", "FILE", "--picture", "FILE"],
    ],
    ids=lambda command: command[0],
)
def test_no_command_overwrites_its_own_input(tmp_path: Path, command: list[str]) -> None:
    """A command refuses to overwrite its own input, even if the file is given by another name."""
    read, other = tmp_path / "read", tmp_path / "link"
    read.write_text("somebody's work")
    other.symlink_to(read)
    names = iter([str(read), str(other)])
    done = CliRunner().invoke(main, [next(names) if word == "FILE" else word for word in command])
    assert (done.exit_code, f"would replace {other}, which is read." in done.stderr) == (2, True)
    assert read.read_text() == "somebody's work"


def test_no_half_written_file_is_left(tmp_path: Path) -> None:
    # The shell's limit is in blocks of 512 bytes; the sheets need hundreds of them.
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -f 8; exec "{sys.executable}" -m tabletop tags --out {tmp_path}/sheets.pdf'],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, list(tmp_path.iterdir())) == (1, [])
    assert done.stderr == f"Error: {tmp_path}/sheets.pdf cannot be written: file too large.\n"


def test_a_device_is_written_to_directly() -> None:
    done = run("tags", "--out", "/dev/stdout", text=False)
    assert done.stdout[:5] == b"%PDF-"  # type: ignore[comparison-overlap]
    assert Path("/dev/stdout").exists()


def test_writing_to_a_link_keeps_the_link(tmp_path: Path) -> None:
    """Writing to a link, such as /dev/stdout under a redirection, keeps the link and replaces the file it leads to."""
    link, real = tmp_path / "link", tmp_path / "elsewhere" / "real"
    real.parent.mkdir()
    link.symlink_to(real)
    for content in ("new", "newer"):
        atomic.check_writable(link)
        atomic.write(link, content)
        assert (link.is_symlink(), real.read_text()) == (True, content)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["elsewhere", "link", "real"]


TABLES = (["serve"], ["doctor"], ["setup"], ["aim", "--once"])
"""Commands that take a table's settings."""


@pytest.mark.parametrize("command", TABLES, ids=" ".join)
def test_settings_that_cannot_be_used_are_bad_usage_for_every_command(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text("colour = 1\n")
    done = CliRunner().invoke(main, [*command, "--config", str(file)])
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"Error: {file}, line 1: the file has no key “colour”")


def test_a_service_whose_settings_cannot_be_used_ends_with_the_same_status(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("colour = 1\n")
    assert CliRunner().invoke(main, ["serve", "--service", "--config", str(file)]).exit_code == 2


@pytest.mark.parametrize(
    "command",
    [["tags", "--size"], ["score", "none.jpg", "--size"], ["demo", "--speed"], ["aim", "--field"]],
    ids=" ".join,
)
def test_nan_is_outside_every_range(command: list[str]) -> None:
    done = CliRunner().invoke(main, [*command, "nan"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'nan' is not a number." in done.stderr


def test_a_table_can_be_served_without_a_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """``--camera none`` and ``--pins none`` serve a table without them; aiming refuses to do without a camera."""
    served: list[Config] = []
    monkeypatch.setattr(serve, "run", lambda config, *_, **__: served.append(config))
    assert CliRunner().invoke(main, ["serve", "--camera", "none", "--pins", "none"]).exit_code == 0
    assert (served[0].camera.source, served[0].panel.pins) == ("none", "none")
    assert CliRunner().invoke(main, ["aim", "--camera", "none"]).exit_code == 2


def test_a_table_is_served_as_the_settings_in_its_folder_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table.toml in the current folder is used and named in one line; another file, or none, is used on demand."""
    served: list[Config] = []
    monkeypatch.setattr(serve, "run", lambda config, *_, **__: served.append(config))
    monkeypatch.chdir(tmp_path)

    def seats(*options: str, **environment: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["serve", *options], env=environment)
        assert (done.exit_code, done.stdout) == (0, "")
        return len(served.pop().seats), done.stderr

    assert seats() == (3, "")
    (tmp_path / "table.toml").write_text('seats = ["Ada", "Ben"]')
    (tmp_path / "other.toml").write_text('seats = ["Ada", "Ben", "Cleo", "Dan"]')
    assert seats() == (2, "Using the settings in ./table.toml; --config none uses the default ones.\n")
    assert seats("--config", "none") == seats(TABLETOP_CONFIG="none") == (3, "")
    assert seats("--config", "other.toml") == seats(TABLETOP_CONFIG="other.toml") == (4, "")


@pytest.mark.parametrize("command", [["serve"], ["aim"], ["edition", "enrol", "x.toml", "--game", "palazzo"]])
def test_a_name_that_means_no_camera_is_bad_usage_for_every_command(command: list[str]) -> None:
    done = CliRunner().invoke(main, [*command, "--camera", "telescope"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "There is no camera “telescope”; choose picamera2" in done.stderr


def test_an_unreadable_panel_file_is_bad_usage_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    done = CliRunner().invoke(main, ["panel", "--file", str(file)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"Error: {file} cannot be read: No such file or directory.\n"


@pytest.mark.parametrize(
    ("hole", "why"), [("30", "works only with --front"), ("nan", "not a number"), ("4", "not in the range")]
)
def test_an_impossible_size_of_hole_is_bad_usage(hole: str, why: str) -> None:
    done = CliRunner().invoke(main, ["panel", "--hole", hole])
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


@pytest.mark.parametrize("command", [["serve"], ["aim", "--once"]], ids=" ".join)
def test_an_unknown_game_is_reported_in_one_sentence(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'game = "chess"\n[panel]\npins = "mock"\n[pages]\nport = {free_port()}\n')
    done = CliRunner().invoke(main, [*command, "--config", str(file)])
    assert done.exit_code == 1
    assert f"Error: There is no game 'chess'; there are: {', '.join(registry.names())}." in done.stderr


@pytest.mark.parametrize("other", [["--list"], ["--png", "tags"]], ids=" ".join)
@pytest.mark.parametrize("sheets", [["--proxies"], ["--out", "tags.pdf"], ["--paper", "a4"]], ids=" ".join)
def test_options_for_print_sheets_are_refused_with_other_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: list[str], sheets: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["tags", *other, *sheets])
    assert (done.exit_code, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert f"Error: {sheets[0]} is about the printed sheets" in done.stderr


@pytest.mark.parametrize("command", [["score"], ["read"], ["replay"], ["edition", "check"]], ids=" ".join)
def test_read_errors_are_in_the_json_document_too(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "none of this name"
    done = CliRunner().invoke(main, [*command, str(file), "--json"])
    [told] = done.stdout.splitlines()
    assert "no such file or directory" in json.loads(told)["error"].lower()
    assert done.exit_code in (1, 2)


@pytest.mark.parametrize(
    "command", [["replay"], ["edition", "check"], ["panel", "--file"], ["doctor", "--config"]], ids=" ".join
)
def test_an_unreadable_settings_file_is_bad_usage_for_every_command(tmp_path: Path, command: list[str]) -> None:
    done = CliRunner().invoke(main, [*command, str(tmp_path / "none of this name")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "none of this name" in done.stderr


def options_named(name: str) -> dict[str, click.Option]:
    """Return the options of that name of all commands, keyed by the commands' names."""
    context = click.Context(main)
    commands = {command: main.get_command(context, command) for command in main.list_commands(context)}
    for group, command in [*commands.items()]:
        if isinstance(command, click.Group):
            commands |= {f"{group} {part}": one for part, one in command.commands.items()}
    return {
        command: option
        for command, made in commands.items()
        for option in (made.params if made is not None else ())
        if isinstance(option, click.Option) and name in option.opts
    }


@pytest.mark.parametrize("name", ["--seats", "--seat"])
def test_only_a_game_limits_the_number_of_seats(name: str) -> None:
    """No option limits the number of seats: a game from another package may have six and checks its own range."""
    found = options_named(name)
    assert found
    assert {(one.type.min, one.type.max) for one in found.values() if isinstance(one.type, click.IntRange)} == {
        (1, None)
    }
    assert all(isinstance(one.type, click.IntRange) for one in found.values())


def test_the_option_for_the_make_has_the_same_help_everywhere() -> None:
    found = options_named("--make")
    assert len(found) > 2
    assert {(one.help or "").partition("  ")[0] for one in found.values()} == {
        "The make of the pieces, such as printed or box."
    }


def test_the_list_of_commands_loads_no_game() -> None:
    """The help of a command does not load the games: they are loaded when one is named."""
    program = "import sys, tabletop.cli.edition; print([name for name in sys.modules if name.endswith('.enrolment')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"


def test_an_edition_is_checked_for_as_many_seats_as_its_game_has(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("game = 'patrician'\n")
    done = CliRunner().invoke(main, ["edition", "check", str(path), "--seats", "7"])
    assert (done.exit_code, "Patrician is for 2 to 5 seats, not 7." in done.stderr) == (2, True)
