"""Measuring a machine: every figure is taken, says whether hardware was real, and can be written, sent and read."""

from __future__ import annotations

import json
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tabletop.cli import main
from tabletop.config import CameraConfig, Config, PagesConfig, PanelConfig, PiecesConfig, load
from tabletop.hardware.diagnostics import linux
from tabletop.hardware.errors import CameraLost, PinsError
from tabletop.messages import Message
from tabletop.rules.palazzo import GAME
from tabletop.runtime.bench import bench, figures, reading, report
from tabletop.runtime.bench.figures import BenchError, Figure, HardwarePart, Measurements
from tabletop.setup import tablefile

SMALL = (1280, 720)
NAMES = {
    "start → ready", "memory of the table", "capture at full size", "press → light", "act → phone", "journal commit",
    "still check, 1280 × 720", "part of 100 mm, 1280 × 720", "whole table, 1280 × 720",
}  # fmt: skip
"""Figures measured on every machine, at one size of pictures."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any, Path]:
    """What the command prints and writes on this machine, which has neither camera nor pins."""
    folder = tmp_path_factory.mktemp("bench")
    (folder / "table.toml").write_text('seats = ["Secretive Sam", "Bea"]\n')
    words = ["bench", "--seconds", "1", "--config", str(folder / "table.toml"), "--out", str(folder / "figures.json")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "PICTURE_SIZES_PX", (SMALL,))
        done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout, json.loads((folder / "figures.json").read_text()), folder


def test_every_figure_is_measured_and_greater_than_zero(written: tuple[str, Any, Path]) -> None:
    told = {one["name"]: one for one in written[1]["figures"]}
    assert told.keys() >= NAMES
    assert all(0 < told[name]["median"] <= told[name]["worst"] for name in NAMES)


def test_figures_without_real_hardware_are_marked_with_the_reason(written: tuple[str, Any, Path]) -> None:
    """Figures taken without a real camera or real pins are marked, with the reason; the others are not."""
    printed, data, _ = written
    assert [(one["name"], one["real"]) for one in data["parts"]] == [("camera", False), ("pins", False), ("disk", True)]
    assert "NOT real: the demo's: The camera picamera2 cannot be used" in printed
    unreal = {one["name"] for one in data["figures"] if not one["real"]}
    assert unreal == {"start → ready", "memory of the table", "capture at full size", "press → light"}


def test_the_figures_stand_beside_those_of_the_reference_machine(written: tuple[str, Any, Path]) -> None:
    """Each line has the machine's figure beside the reference machine's, which covers every picture size."""
    known = {one.name for one in report.reference().figures}
    sizes = {name for name in NAMES if "1280" not in name} | {
        f"{what}, {width} × {height}"
        for what in ("still check", "part of 100 mm", "whole table")
        for width, height in reading.PICTURE_SIZES_PX
    }
    assert known >= sizes
    assert next(line for line in written[0].splitlines() if line.startswith("journal commit")).count(" ms") == 2


def test_the_file_names_no_person_host_or_folder(written: tuple[str, Any, Path]) -> None:
    """The file of figures names no person, host or folder, and is read back as it was written."""
    text = json.dumps(written[1])
    assert not {"Sam", "Bea", socket.gethostname(), str(Path.home()), str(written[2])} & set(text.split('"'))
    assert "Secretive" not in text
    assert str(written[2]) not in text
    assert json.loads(json.dumps(Measurements.from_json(written[1]).to_json())) == written[1]


def test_nothing_is_left_beside_the_games(written: tuple[str, Any, Path]) -> None:
    assert {path.name for path in written[2].iterdir()} == {"table.toml", "figures.json"}


@pytest.mark.parametrize(
    "data", [None, [], {}, {"format": 2}, {"format": 1, "machine": {}, "parts": [{}], "figures": [], "notes": []}]
)
def test_a_file_without_measurements_is_refused(data: Any) -> None:
    with pytest.raises(BenchError):
        Measurements.from_json(data)


def test_a_machine_is_described_by_its_board(tmp_path: Path) -> None:
    """A Raspberry Pi is described by its board's name from the device tree, with its memory."""
    for path, text in {
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "proc/meminfo": "MemTotal:        4126744 kB\nMemAvailable:    3000000 kB\n",
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "sys/class/thermal/thermal_zone0/temp": "48850\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    told = figures.describe_machine(tmp_path)
    assert (told["board"], told["memory"]) == ("Raspberry Pi 5 Model B Rev 1.0", "4030 MB")
    assert told["system"].startswith("Debian GNU/Linux 13 (trixie)")
    assert linux.temperature(tmp_path) == 48.85
    assert linux.temperature(tmp_path / "nowhere") is None


def test_a_size_without_enough_memory_is_left_out_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "memory_mb", lambda name: 20)
    told = [*reading.sizes(GAME, 0, lambda _: None)]
    assert [str(one) for one in told] == [
        f"Pictures of {width} × {height} px were left out: this machine has too little free memory."
        for width, height in reading.PICTURE_SIZES_PX
    ]


def test_figures_are_medians_and_the_worst() -> None:
    assert figures.figure("x", [0.001, 0.002, 0.009]) == Figure("x", "ms", 2.0, 9.0, 3)
    assert figures.figure("x", [1.5], unit="s", real=False) == Figure("x", "s", 1.5, 1.5, 1, False)


def test_a_stand_in_is_marked_and_an_unknown_figure_has_nothing_beside_it() -> None:
    here = Measurements(
        {"board": "here"}, (HardwarePart("pins", True, "chip 15"),), (Figure("a", "ms", 1.0, 2.0, 3, False),)
    )
    there = Measurements({"board": "there"}, (), ())
    (line,) = (line for line in report.in_words(here, there).splitlines() if line.startswith("a "))
    assert line.split() == ["a", "1.0", "ms°", "2.0", "3", "–"]


def test_a_table_that_does_not_start_is_reported_in_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file where the folder of the games should be")
    config = Config(pages=PagesConfig(bind="127.0.0.1"))
    with pytest.raises(BenchError, match=r"did not start: .*/games for the games"):
        [*bench.start_figures(config, tmp_path, 0.0, real=True)]


def test_the_measured_table_has_the_settings_of_this_one(tmp_path: Path) -> None:
    """The table started for the measurement has the camera, the pieces and the panel of the configuration."""
    camera, pieces = CameraConfig("simulated", 60, 3, 30, (1280, 720)), PiecesConfig("box", "B", 1.25)
    own = Config(camera=camera, pieces=pieces, panel=PanelConfig("mock", chip=2))
    tablefile.save(tmp_path / "table.toml", bench._settings(own, tmp_path, 8080))
    told = load(tmp_path / "table.toml")
    assert (told.camera, told.pieces, told.panel) == (own.camera, own.pieces, own.panel)


@pytest.mark.parametrize(
    "lost",
    [CameraLost("usb", "The camera {camera} is gone."), PinsError(Message("The pins are gone."), Message("Look."))],
    ids=lambda lost: type(lost).__name__,
)
def test_hardware_that_vanishes_meanwhile_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, lost: Exception
) -> None:
    def lose(*_: object) -> None:
        raise lost

    monkeypatch.setattr(bench, "_all", lose)
    with pytest.raises(BenchError, match=f"^{lost}$"):
        bench.run(Config(camera=CameraConfig("none"), panel=PanelConfig("mock")), 1, lambda _: None)


def test_a_folder_that_cannot_be_written_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    monkeypatch.setattr(bench, "_pins", lambda config: (HardwarePart("pins", False, ""), config))
    with pytest.raises(BenchError, match=f"{tmp_path} cannot be used: Permission denied"):
        bench.run(Config(games=tmp_path), 1, lambda _: None)


def test_an_unknown_game_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('game = "chess"\n')
    done = CliRunner().invoke(main, ["bench", "--config", str(tmp_path / "table.toml")])
    assert (done.exit_code, done.stderr[:31]) == (1, "Error: There is no game 'chess'")
