"""``tabletop setup`` in the terminal, with a simulated camera and panel, from its first question to table.toml."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli.common.console import Console
from tabletop.cli.setup import _camera, _panel, command, run_wizard
from tabletop.config import Config, PanelConfig, load
from tabletop.hardware.cameras.present import PresentCamera
from tabletop.hardware.panel.panel_file import load as wiring
from tabletop.messages import EMPTY, Message
from tabletop.runtime import maintenance
from tabletop.service.steps import how_to_start
from tabletop.setup.wizard import SetupWizard
from tabletop.vision.aim.assessment import Aim
from tests.setup.fake_camera import FakeCamera


class Person:
    """Somebody at the terminal, who types a line when the wizard has reached its question."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines.get, None)

    def types(self, *lines: str) -> None:
        for line in lines:
            self._lines.put(f"{line}\n")

    def leaves(self) -> None:
        self._lines.put(None)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll often and show an empty table, so that no test waits."""
    monkeypatch.setattr(maintenance, "_simulated", lambda wizard: FakeCamera())
    monkeypatch.setattr("tabletop.setup.devices.POLL_INTERVAL_S", 0.005)
    monkeypatch.setattr("tabletop.cli.common.console.POLL_INTERVAL_S", 0.005)


def test_a_panel_file_that_cannot_be_used_does_not_stop_a_simulated_setup(tmp_path: Path) -> None:
    """If the configured panel file cannot be used, a simulated setup uses the shipped one."""
    config = Config(panel=PanelConfig(file=tmp_path / "none.toml"))
    wizard, _ = maintenance.setup(config, tmp_path / "table.toml", simulated=True)
    assert wizard.outcomes == SetupWizard(Config(), wizard.file, wiring()).outcomes
    assert not maintenance.setup(config, wizard.file, simulated=False)[0].outcomes


def test_the_whole_wizard_ends_in_a_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A simulated finger presses buttons, the camera sees an empty table, a person types the rest; it is saved."""
    file = tmp_path / "table.toml"
    wizard, devices = maintenance.setup(Config(), file, simulated=True)
    person = Person()
    person.types("palazzo", "Ada, Ben", "box", "none", "B", "25", "Ben=strong")
    with devices:
        see = wizard.see

        def seen(source: str, aim: Aim | None, trouble: Message = EMPTY) -> None:
            see(source, aim, trouble)
            person.types("", "none", "y")

        wizard.see = seen  # type: ignore[method-assign]
        run_wizard(wizard, Console(person))
    config = load(file)
    assert (config.game, config.seats, config.bots) == ("palazzo", ("Ada", "Ben"), ("", "strong"))
    assert (config.pieces.set, config.pieces.scale) == ("B", 1.25)
    said = capsys.readouterr().out
    assert "Press the button that is lit: Money (place 11)" in said
    assert "Does this light blink slowly: quarry 1 (place 26)?" in said
    assert "Not ready yet.  markers 0 of" in said
    assert f"{file} has been saved" in said
    assert not (tmp_path / "setup.json").exists()


def test_trials_can_be_answered_on_the_keyboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a panel, answers on the keyboard mark trials as wrong or skip them; the person can leave at any time."""
    wizard = SetupWizard(Config(), tmp_path / "table.toml", wiring())
    wizard.go("panel")
    person = Person()
    person.types("n", *[""] * 16, "y")
    person.types("n")
    person.leaves()
    run_wizard(wizard, Console(person))
    said = capsys.readouterr().out
    assert "✗ button MONEY. Check MONEY (GPIO 17, header pin 11)" in said
    assert "Stopped. Run the same command again to continue." in said
    assert (tmp_path / "setup.json").exists()


def test_a_table_without_a_panel_is_not_asked_about_buttons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One letter skips all trials of a panel; when that step is reached again, it asks whether there is still none."""
    wizard = SetupWizard(Config(), tmp_path / "table.toml", wiring())
    for typed in ("x\n", "\n"):
        wizard.go("panel")
        _panel(wizard, Console([typed]))
        assert (wizard.draft.step, wizard.draft.panel, wizard.draft.tried) == ("camera", False, {})
    said = capsys.readouterr().out
    assert said.count("Type x to play on the pages.") == 1
    assert "Go on without buttons and lights? (y/n) [y]" in said


def test_a_camera_that_is_plugged_in_is_chosen_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A connected camera can be chosen by its number in the list."""
    there = [PresentCamera("picamera2", Message("own")), PresentCamera("opencv:/dev/v4l/by-id/x", Message("Webcam"))]
    wizard = SetupWizard(Config(), tmp_path / "table.toml", wiring(), lambda: there)
    wizard.go("camera")
    _camera(wizard, Console(["2\n", "\n"]))
    assert (wizard.draft.source, wizard.draft.step) == ("opencv:/dev/v4l/by-id/x", "sheets")
    assert "  2: opencv:/dev/v4l/by-id/x (Webcam)\n" in capsys.readouterr().out


def test_an_installed_table_is_started_as_a_service(tmp_path: Path) -> None:
    """After the setup, an installed table is started as a service and any other one in the terminal."""
    assert how_to_start(Path("/var/lib/tabletop/table.toml")) == "sudo systemctl start tabletop"
    assert how_to_start(tmp_path / "table.toml") == f"tabletop serve --config {tmp_path}/table.toml"


def test_seats_without_a_level_are_played_by_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seats without a level in the configuration are played by people, even if it names levels for earlier seats."""
    config = Config(seats=("Ada", "Ben", "Cem"), bots=("", "strong"))
    wizard = SetupWizard(config, tmp_path / "table.toml", wiring())
    wizard.go("save")
    run_wizard(wizard, Console(["y\n"]))
    assert "with Ada, Ben (the computer, strong), Cem; camera" in capsys.readouterr().out


def test_a_wrong_choice_is_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wizard = SetupWizard(Config(), tmp_path / "table.toml", None)
    person = Person()
    person.types("chess", "palazzo", "Ada", *[""] * 5, "palazzo", "Ada, Ben", *[""] * 4, "Cleo=sound")
    person.types("palazzo", "Ada, Ben", *[""] * 4, "Ben=genius", "palazzo", "Ada, Ben", *[""] * 5)
    person.leaves()
    run_wizard(wizard, Console(person))
    said = capsys.readouterr().out
    assert "Please type one of: palazzo" in said
    assert "2 to 4 seats, not 1" in said
    assert "There is no seat “Cleo”" in said
    assert "There is no level “genius”: choose random, thrifty, sound" in said
    assert wizard.draft.seats == ("Ada", "Ben")


def test_a_file_that_is_not_a_configuration_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("\ncolour = 1\n")
    done = CliRunner().invoke(command, ["--config", str(file), "--simulated"])
    assert done.exit_code == 2
    assert "line 2" in done.output


def test_a_missing_folder_is_bad_usage(tmp_path: Path) -> None:
    assert CliRunner().invoke(command, ["--config", str(tmp_path / "none/table.toml")]).exit_code == 2


def test_options_for_the_page_are_refused_without_the_page(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--config", str(tmp_path / "table.toml"), "--port", "9000"])
    assert (done.exit_code, "they work only with --page" in done.output) == (2, True)
