"""The whole ``tabletop serve`` on real devices: camera, pins and pages of one process, its end and its return."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from devices import CAMERA, Feed, eventually, level, pull

from tabletop.hardware.wiring import load

ROOT = Path(__file__).parents[3]
WIRING = load()
PIN = {wire.name: wire.pin for wire in WIRING.buttons}
LIGHT = {signal: wire.pin for wire in WIRING.lights for signal in wire.shows}
START_S = 90.0
"""Emulation needs its time to import everything."""
PORT = 8099


class Served:
    """A running table in a process of its own."""

    def __init__(self, folder: Path) -> None:
        for pin in PIN.values():
            pull(pin, up=True)
        config = folder / "table.toml"
        config.write_text(
            f'seats = ["Ada", "Ben", "Cy"]\n[camera]\nsource = "opencv:{CAMERA}"\n'
            f'[pages]\nbind = "127.0.0.1"\nport = {PORT}\n'
        )
        serve = [sys.executable, "-m", "tabletop", "serve", "--config", str(config)]
        self.process = subprocess.Popen(serve, cwd=ROOT)
        assert eventually(self.answers, START_S), "the pages do not answer"

    def answers(self) -> bool:
        assert self.process.poll() is None, "tabletop serve ended by itself"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=5) as page:
                return bool(page.status == 200)
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("table")


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    feed = Feed(90)
    served = Served(folder)
    yield served
    if served.process.poll() is None:
        served.end(signal.SIGKILL)
    feed.stop()


def lit() -> set[str]:
    return {signal for signal, pin in LIGHT.items() if level(pin)}


def test_lights_answer_a_press_and_go_out_at_the_end(served: Served) -> None:
    """BUY is not legal while the table is set up: the light that says so flashes.  SIGTERM leaves no light on."""
    assert eventually(lambda: "legal" in lit())
    pull(PIN["BUY"], up=False)
    assert eventually(lambda: "illegal" in lit())
    pull(PIN["BUY"], up=True)
    assert served.end(signal.SIGTERM) == 0
    assert lit() == set()


def test_a_table_that_was_killed_comes_back(served: Served) -> None:
    """SIGKILL, as a power cut: the lines are given back by the kernel, the match is taken up where it was left."""
    assert eventually(lambda: "legal" in lit())
    served.end(signal.SIGKILL)
    assert lit() == set()
    again = Served(Path(os.fspath(served.process.args[-1])).parent)  # type: ignore[index]
    assert eventually(lambda: "legal" in lit())
    assert again.end(signal.SIGTERM) == 0
