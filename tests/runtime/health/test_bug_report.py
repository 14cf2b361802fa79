"""A bug report says what is wrong at a table, can be opened by replay, and contains no name, code or hand."""

from __future__ import annotations

import functools
import io
import json
import random
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli import doctor as doctor_command
from tabletop.cli.doctor import command as doctor
from tabletop.cli.replay import command as replay_command
from tabletop.config import CameraConfig, Config, PanelConfig
from tabletop.hardware.diagnostics.check import Check, CheckState
from tabletop.match import store
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.referee.admin import adopted_position
from tabletop.rules.palazzo import GAME
from tabletop.rules.text import record_text
from tabletop.rules.text.replay import replay
from tabletop.runtime.health import bug_report, diagnostics
from tests.referee.support import random_facts

NAMES = ("Adalbert", "Beatrix")
CHECKS = [
    Check("disk", CheckState.OK, Message("much space")),
    Check("camera", CheckState.FAULT, Message("Beatrix holds it."), Message("Ask her.")),
]


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A table in whose folder a game is being played."""
    games = tmp_path / "games"
    journal, match = store.start(games, GAME, NAMES, 1.9e9)
    rng = random.Random(4)
    for _ in range(40):
        position = match.position
        action = GAME.draw(position, rng) if position.decider is None else rng.choice(list(position.legal.thrifty()))
        (event,) = journal.append([Fact(EventKind.ACTION, action.to_json(), position.decider, Source.PAGE, 1.9e9)])
        match = match.with_event(event)
    journal.close()
    return Config(seats=NAMES, games=games, panel=PanelConfig("mock"), camera=CameraConfig("simulated"))


def made(config: Config, log: str = "", pictures: tuple[bytes, ...] = (), file: Path | None = None) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(bug_report.make(config, file, CHECKS, log, pictures)))
    return {name: archive.read(name) for name in archive.namelist()}


def test_a_report_holds_the_list_the_log_and_the_record(config: Config) -> None:
    parts = made(config, log="something happened\n")
    assert json.loads(parts["checks.json"])[0] == {"check": "disk", "state": "ok", "fact": "much space", "fix": ""}
    assert parts["log.txt"] == b"something happened\n"
    assert b"palazzo" in parts["record.txt"]


def test_nobody_is_named(config: Config, tmp_path: Path) -> None:
    """No name occurs in a report, whether from the settings or chosen on a phone."""
    (config.games / "seats.json").write_text(json.dumps({"holders": {}, "hosts": [], "names": {"1": "Trixie"}}))
    file = tmp_path / "table.toml"
    file.write_text('seats = ["Adalbert", "Beatrix"]\n')
    told = b"".join(made(config, "Trixie joined; Adalbert left\n", file=file).values()).decode()
    assert not [name for name in (*NAMES, "Trixie") if name in told]
    assert 'seats = ["Seat 1", "Seat 2"]' in told
    assert "Seat 2 joined; Seat 1 left" in told


def test_nobody_is_named_by_the_escapes_of_a_file_either(config: Config, tmp_path: Path) -> None:
    """Names are also removed where quotes or letters beyond ASCII are escaped, in table.toml as in the checks."""
    names = ('Jo "J" Smith', "Zo\u00eb", "\U0001f98a")
    file = tmp_path / "table.toml"
    file.write_text(r'seats = ["Jo \"J\" Smith", "Zo\u00EB", "\U0001F98A"]  # "Zoë", "\ud83e\udd8a"')
    checks = [Check("camera", CheckState.FAULT, Message('Jo "J" Smith holds it.'))]
    archive = zipfile.ZipFile(io.BytesIO(bug_report.make(replace(config, seats=names), file, checks, "")))
    assert archive.read("table.toml").decode() == 'seats = ["Seat 1", "Seat 2", "Seat 3"]  # "Seat 2", "Seat 3"'
    assert json.loads(archive.read("checks.json"))[0]["fact"] == "Seat 1 holds it."


@pytest.mark.parametrize(
    "text",
    [
        'seats = ["Cordelia", "Dorothea"]\ncolour = 1\n',
        'seats = [\n  "Cordelia",\n  "Dorothea\n]\ncolour = 1\n',
        '[pages]\nport = 1\n\nseats = ["Cordelia", "Dorothea"]\n\n[camera]\ncolour = 1\n',
        'seats = ["Cordelia", "Dorothea"]\n',
    ],
)
def test_nobody_is_named_by_settings_that_the_table_does_not_use(config: Config, tmp_path: Path, text: str) -> None:
    """Names in a faulty or newer settings file, which the table does not use, are removed as well."""
    file = tmp_path / "table.toml"
    file.write_text(text)
    told = made(config, file=file)["table.toml"].decode()
    assert not re.search("Cordelia|Dorothea", told)
    assert ("colour = 1" in told) == ("colour" in text)


def test_a_report_is_made_even_if_the_settings_cannot_be_read(config: Config, tmp_path: Path) -> None:
    """A report is made even if the settings cannot be read, for instance because a folder is in their place."""
    (tmp_path / "table.toml").mkdir()
    assert b"Is a directory" in made(config, file=tmp_path / "table.toml")["table.toml"]


@pytest.mark.parametrize("escape", ["\\n", "\\t", "\\x1b", "\\u201c", "\\U0001F98A"])
def test_nobody_is_named_directly_behind_an_escape(escape: str) -> None:
    r"""A name directly behind an escape such as ``\n`` is removed, while longer words that contain it are kept."""
    assert bug_report.scrub(f'"camera:{escape}Ada holds it"', {"Ada": "Seat 1"}) == f'"camera:{escape}Seat 1 holds it"'
    assert bug_report.scrub("Adalbert, Canada", {"Ada": "Seat 1", "ada": "Seat 2"}) == "Adalbert, Canada"


def test_nobody_is_named_at_the_beginning_of_a_line_of_the_list(config: Config) -> None:
    checks = [Check("camera", CheckState.FAULT, Message("It is held by:\nBeatrix"))]
    archive = zipfile.ZipFile(io.BytesIO(bug_report.make(config, None, checks, "")))
    assert json.loads(archive.read("checks.json"))[0]["fact"] == "It is held by:\nSeat 2"


def test_nobody_is_named_whom_only_the_stored_games_know(config: Config) -> None:
    """Names that only stored games know, as typed on the host's page for the next game, are removed as well."""
    journal, _ = store.start(config.games, GAME, ("Cordelia", "Dorothea"), 1.95e9)
    journal.append([Fact(EventKind.NAMES, {"names": ["Cordelia", "Eleonore"]}, None, Source.HOST, 1.95e9)])
    journal.close()
    told = made(config, "Palazzo with Cordelia, Dorothea.\nEleonore asks.\n")["log.txt"].decode()
    assert told == "Palazzo with Seat 1, Seat 2.\nSeat 2 asks.\n"


def test_no_code_leaves_the_table(config: Config) -> None:
    log = (
        "  to join  http://192.168.1.5:8080/join?code=K7MPX2\n  host  http://192.168.1.5/host  one-time code HOST42XY\n"
    )
    told = made(config, log)["log.txt"].decode()
    assert "K7MPX2" not in told
    assert "HOST42XY" not in told
    assert "192.168.1.5" in told


def test_a_running_game_is_reported_as_a_spectator_knows_it(config: Config) -> None:
    """The record in a report is a spectator's: it names no card of a hand."""
    record = made(config)["record.txt"].decode()
    deals = [line for line in record.splitlines() if "deal" in line]
    assert len(deals) == 2
    assert all('"?"' in line for line in deals)


def test_pictures_are_in_a_report_only_if_somebody_added_them(config: Config) -> None:
    assert not [name for name in made(config) if name.endswith(".jpg")]
    assert made(config, pictures=(b"jpeg",))["picture-1.jpg"] == b"jpeg"


def test_replay_opens_a_report(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(bug_report.make(config, None, CHECKS, ""))
    done = CliRunner().invoke(replay_command, [str(path)])
    assert done.exit_code == 0, done.output
    assert "fault: camera: Seat 2 holds it." in done.stdout
    assert "disk" not in done.stdout
    assert "palazzo, rules" in done.stdout
    assert json.loads(CliRunner().invoke(replay_command, [str(path), "--json"]).stdout)["seats"] == ["Seat 1", "Seat 2"]


def test_a_report_without_a_game_is_still_a_report(config: Config, tmp_path: Path) -> None:
    empty = Config(games=tmp_path / "none", panel=config.panel, camera=config.camera)
    path = tmp_path / "report.zip"
    path.write_bytes(bug_report.make(empty, None, CHECKS, ""))
    done = CliRunner().invoke(replay_command, [str(path)])
    assert (done.exit_code, "no game" in done.stdout) == (0, True)


def zipped(about: str, checks: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", about)
        archive.writestr("checks.json", checks)
    return out.getvalue()


def torn() -> bytes:
    """Return a report whose list was damaged in transit."""
    name, data = b"checks.json", zipped("{}", json.dumps([{"check": "disk"}]))
    at = data.index(name) + len(name)
    return data[:at] + b"\xff\xff" + data[at + 2 :]


STRANGE = [zipped("[]", "[]"), zipped("{}", "7"), zipped("{}", '["disk"]'), zipped("{}", "null"), torn()]


@pytest.mark.parametrize("data", [b"PK", b"PK\3\4 not really a zip", b"PK\5\6" + bytes(18), *STRANGE])
def test_a_file_that_only_looks_like_a_report_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(data)
    done = CliRunner().invoke(replay_command, [str(path)])
    assert done.exit_code == 2
    assert "not a bug report" in done.stderr


def test_an_unreadable_game_is_named_and_does_not_stop_the_report(config: Config) -> None:
    (config.games / "2040-01-01-torn.tabletop").write_bytes(b"torn")
    (check,) = diagnostics.games(config)
    assert (check.state, "2040-01-01-torn.tabletop" in check.fact) == (CheckState.WARNING, True)
    assert b"palazzo" in made(config)["record.txt"]


def test_the_doctor_writes_a_report(config: Config, tmp_path: Path) -> None:
    file, out = tmp_path / "table.toml", tmp_path / "report.zip"
    file.write_text('seats = ["Adalbert", "Beatrix"]\n[panel]\npins = "mock"\n[camera]\nsource = "simulated"\n')
    done = CliRunner().invoke(doctor, ["--config", str(file), "--bug-report", str(out)])
    assert "tabletop replay" in done.stderr
    assert {"about.json", "checks.json", "table.toml", "record.txt"} <= set(zipfile.ZipFile(out).namelist())


def test_a_simulated_camera_gives_a_picture_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    (picture,) = doctor_command._pictures(Config(camera=CameraConfig("simulated", size=(640, 360))))
    assert picture.startswith(b"\xff\xd8")
    assert capsys.readouterr().err == ""


def test_the_doctor_prints_each_check_in_one_line_with_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [CHECKS[0], Check("camera", CheckState.FAULT, Message("It said:\nno\npicture."), Message("Ask her."))]
    monkeypatch.setattr(diagnostics, "examine", lambda _: checks)
    done = CliRunner().invoke(doctor)
    assert done.stdout == "ok       disk    much space\nfault    camera  It said: no picture. → Ask her.\n"
    assert done.exit_code == 1


def test_a_picture_needs_a_report() -> None:
    assert CliRunner().invoke(doctor, ["--with-picture"]).exit_code == 2


@pytest.mark.parametrize(("count", "over"), [(25, False), (5000, True)])
def test_the_record_of_a_corrected_game_is_right(tmp_path: Path, count: int, over: bool) -> None:
    """The record of a match that the host corrected replays to the right position, and hides hands until it is over."""
    journal, match = store.start(tmp_path, GAME, NAMES, 1.9e9)

    def record_facts(facts: list[Fact]) -> Match:
        return functools.reduce(Match.with_event, journal.append(facts), match)

    match = record_facts(random_facts(match, 20, seed=4))
    tile = match.position.to_json()["quarries"][0][0]
    corrected = adopted_position(match, {tile: "quarry4"})
    match = record_facts([Fact(EventKind.POSITION, {"position": corrected.to_json()}, None, Source.HOST, 1.9e9)])
    match = record_facts(random_facts(match, count, seed=5))
    journal.close()
    assert match.position.over is over
    text = made(Config(seats=NAMES, games=tmp_path))["record.txt"].decode()
    assert not any(name in text for name in NAMES)
    told = [line for line in replay(record_text.parse_record(text)) if line.action is not None]
    assert len(told) == (len(match.events) - 22 if over else 20)
    if over:
        assert told[-1].position.score() == match.position.score()
