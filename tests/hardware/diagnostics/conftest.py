"""A machine that probes can examine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.config import CameraConfig, Config, PanelConfig
from tabletop.hardware.diagnostics.check import ProbedMachine
from tests.hardware.diagnostics.probed import PI


@pytest.fixture
def machine(tmp_path: Path) -> ProbedMachine:
    """A Pi on which nothing is wrong and nothing is wired."""
    files = {"proc/device-tree/model": PI + "\0", "etc/os-release": 'PRETTY_NAME="Debian 13"\n'}
    files |= {"run/systemd/timesync/synchronized": ""}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    config = Config(games=tmp_path / "games", panel=PanelConfig(pins="mock"), camera=CameraConfig("simulated"))
    return ProbedMachine(config, lambda: 7.0, lambda: 1.9e9, tmp_path, lambda _: "throttled=0x0", 1000, {})
