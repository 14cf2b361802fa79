"""The real ``tabletop serve``, with its devices driven by the test and its lights, pages and journal read back."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from devices import CAMERA, PATIENCE, Feed, eventually, level, pull

from tabletop.hardware.panel.lights import RHYTHMS, Pattern
from tabletop.hardware.panel.panel_file import load
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import Statement, parse, step_of
from tabletop.simulator.table.hands import Push

ROOT = Path(__file__).parents[3]
WIRING = load()
PIN = {wire.name: wire.pin for wire in WIRING.buttons}
LIGHT = {signal: wire.pin for wire in WIRING.lights for signal in wire.shows}
SCRIPT = Path(os.environ["SCENARIO"]).read_text(encoding="utf-8")
SCENES = Path(os.environ["SCENES"])
PORT = 8099
REST = 0.5
"""Seconds between two reads of the journal or a page: each takes processor time from the table."""
WATCHED = 2.2
"""Seconds for which a light is watched, longer than the pause of any rhythm."""


class Served:
    """A table served in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.told = folder / "told.txt"
        with self.told.open("w") as told:
            serve = [sys.executable, "-m", "tabletop", "serve", "--config", str(folder / "table.toml"), *words]
            self.process = subprocess.Popen(serve, cwd=ROOT, stdout=told, stderr=subprocess.STDOUT)
        assert eventually(self._answers, PATIENCE, REST), f"the pages do not answer: {self.told.read_text()}"

    def _answers(self) -> bool:
        assert self.process.poll() is None, f"tabletop serve ended by itself: {self.told.read_text()}"
        try:
            return bool(self.page())
        except OSError:
            return False

    def page(self) -> str:
        """Return the visible text of the table's page."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=PATIENCE) as page:
                text = page.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"the page is an error {error.code}: {self.told.read_text()}") from error
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())

    def end(self, number: int) -> int:
        """Send a signal to the process and return its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


class Table:
    """Pictures of a simulated table fed to the real camera device, and presses on the real pins.

    The scenario is played paragraph by paragraph; each expected result has to come within a generous time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = parse(SCRIPT, GAME)
        self.feed = Feed(_picture(0), "MJPG")
        self._checked = 1
        self._laid = 0
        self._read: tuple[list[tuple[int, int]], Match] | None = None
        self.broken = False
        names = ", ".join(f'"{name}"' for name in self.script.seats)
        (folder / "table.toml").write_text(
            f'seats = [{names}]\n[camera]\nsource = "opencv:{CAMERA}"\nwork = 100\n'
            f'[pages]\nbind = "127.0.0.1"\nport = {PORT}\n'
        )
        for pin in PIN.values():
            pull(pin, up=True)
        self.served = Served(folder)

    @property
    def match(self) -> Match:
        """The match in the journal on disk, read again only if something was written since."""
        (path,) = (self.folder / "games").glob("*.tabletop")
        files = [path, *path.parent.glob(f"{path.name}-wal")]
        written = [(stat.st_size, stat.st_mtime_ns) for stat in (file.stat() for file in files)]
        if self._read is None or self._read[0] != written:
            self._read = written, read_events(path)[1]
        return self._read[1]

    def play(self, heading: str) -> None:
        """Play the paragraph of the script whose comment begins with ``heading``."""
        begun = time.monotonic()
        for line in self._paragraph(heading):
            step = step_of(line, lambda zone: (0.0, 0.0))
            if step is not None and not isinstance(step, Push):
                self._laid = line.number
                continue
            self._show()
            if step is None:
                check = getattr(self, f"_{line.word.replace('-', '_')}")
                assert eventually(lambda check=check, line=line: check(line), PATIENCE, REST), self._failed(line)
            else:
                self.press(step.button, step.bounces)
        self._show()
        print(f"{heading}: {time.monotonic() - begun:.0f} s", flush=True)

    def _show(self) -> None:
        """Show everything laid since the last press or check at once, as the simulated scenarios do."""
        if self._laid:
            self.feed.show(_picture(self._laid))
        self._laid = 0

    def press(self, button: str, bounces: int = 0) -> None:
        """Press a button whose contact bounces when it closes and when it opens.

        It is held longer than by a finger: a busy machine lets the guest sleep for a tenth of a second at times.
        """
        for up in (False, True):
            for _ in range(bounces):
                pull(PIN[button], up=up)
                pull(PIN[button], up=not up)
            pull(PIN[button], up=up)
            time.sleep(0.4)

    def lit(self) -> set[str]:
        """Return the signals that are lit at this moment."""
        return {signal for signal, pin in LIGHT.items() if level(pin)}

    def end(self) -> None:
        """Kill the program and unplug the camera."""
        self.served.process.kill()
        self.served.process.wait()
        self.feed.stop()

    def _paragraph(self, heading: str) -> Iterator[Statement]:
        lines = SCRIPT.splitlines()
        begin = next(number for number, line in enumerate(lines) if line.startswith(f"# {heading}"))
        end = lines.index("", begin) if "" in lines[begin:] else len(lines)
        return (line for line in self.script.lines if begin < line.number <= end)

    def _failed(self, line: Statement) -> str:
        acts = [GAME.format(GAME.action(dict(event.data))) for event in self.match.events if event.kind == "action"]
        told = self.served.told.read_text()[-2000:]
        return f"line {line.number}, {line.word} {line.text}: {acts}; {self.lit()}; {self.served.page()}; {told}"

    def _accepted(self, line: Statement) -> bool:
        events = [event for event in self.match.events if event.number > self._checked and event.kind == "action"]
        if not events:
            return False
        assert GAME.action(dict(events[0].data)) == GAME.parse(line.text), f"{dict(events[0].data)} instead"
        self._checked = events[0].number
        return True

    def _turn_of(self, line: Statement) -> bool:
        position = self.match.position
        return line.parts == ("-" if position.decider is None else str(position.decider), position.phase)

    def _said(self, line: Statement) -> bool:
        return line.text.lower() in self.served.page().lower()

    def _light(self, line: Statement) -> bool:
        pin, wanted = LIGHT[line.parts[0]], line.parts[1]
        return shines(lambda: level(pin)) == wanted


def _picture(line: int) -> bytes:
    """Return the picture of the table after a line of the script."""
    return (SCENES / f"{line}.jpg").read_bytes()


def shines(lit: Callable[[], bool]) -> str:
    """Return the name of a light's rhythm, after watching it for longer than any rhythm or for a few changes."""
    changes: list[tuple[float, bool]] = [(time.monotonic(), lit())]
    while time.monotonic() < changes[0][0] + WATCHED and len(changes) < 8:
        if lit() != changes[-1][1]:
            changes.append((time.monotonic(), not changes[-1][1]))
        time.sleep(0.01)
    if len(changes) == 1:
        return "steady" if changes[0][1] else "off"
    # The first stretch began before it was watched, and the last one is not over.
    whole = [(before[1], after[0] - before[0]) for before, after in pairwise(changes[1:])]
    return _rhythm([took for on, took in whole if on], [took for on, took in whole if not on])


def _rhythm(lit: Sequence[float], dark: Sequence[float]) -> str:
    """Return the name of the rhythm whose longest light and longest pause are nearest to these, in seconds."""

    def far(pattern: Pattern) -> float:
        on, off = RHYTHMS[pattern][::2], RHYTHMS[pattern][1::2]
        return abs(max(on) - max(lit, default=max(on))) + abs(max(off) - max(dark, default=max(off)))

    return min(RHYTHMS, key=far).name.lower()
