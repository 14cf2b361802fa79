"""The whole measurement: which parts are real, how long things take, how hot the processor gets, how much memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tabletop.config import NO_CAMERA, SIMULATED_CAMERA, Config
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.diagnostics.check import ProbedMachine
from tabletop.hardware.diagnostics.linux import memory_mb, temperature
from tabletop.hardware.diagnostics.probes import existing_folder, power
from tabletop.hardware.errors import HardwareError, PinsError
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import read_wiring
from tabletop.hardware.panel.pin_factories import open_factory
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.runtime import network
from tabletop.runtime.bench import reactions, reading
from tabletop.runtime.bench.figures import (
    BenchError,
    Figure,
    HardwarePart,
    Measurements,
    describe_machine,
    figure,
    time_repeatedly,
)
from tabletop.runtime.bench.reactions import PressedPanel
from tabletop.runtime.camera_source import camera_opener
from tabletop.setup import tablefile

FRAME_TIMEOUT_S = 5.0
"""After this time without a frame the camera counts as lost."""
START_TIMEOUT_S = 180.0
MAX_SETTLING_S = 5.0
"""How long a started table looks at its pieces before its memory is measured."""
EXIT_TIMEOUT_S = 30.0
"""How long a table may take to stop, seconds."""
POLL_INTERVAL_S = 0.05

Say = Callable[[str], None]


def run(config: Config, seconds: float, say: Say) -> Measurements:
    """Measure this machine as a table with that configuration for about ``seconds``; ``say`` reports the progress.

    A missing camera or panel is replaced by that of the demo.  Raises BenchError.
    """
    game = registry.game(config.game)
    if game.table is None:
        game = registry.game(registry.DEFAULT)
    cold = temperature()
    say("Camera and pins …")
    camera, config = _camera(config, game)
    pins, config = _pins(config)
    figures: list[Figure] = []
    notes: list[str] = []
    try:
        with tempfile.TemporaryDirectory(prefix=".tabletop-bench-", dir=existing_folder(config.games)) as folder:
            for item in _all(config, game, Path(folder), seconds, say, camera.real, pins.real):
                notes.append(item) if isinstance(item, str) else figures.append(item)
    except HardwareError as error:
        raise BenchError(str(error)) from None
    except OSError as error:
        raise BenchError(f"{error.filename or config.games} cannot be used: {error.strerror}.") from None
    hot = temperature()
    if cold is not None and hot is not None:
        figures.append(Figure("processor, before → after", "°C", round(cold, 1), round(hot, 1), 2))
    notes += [f"Power: {check.fact}" for check in power(ProbedMachine(config, time.monotonic, time.time))]
    disk = HardwarePart("disk", True, "where the games of this table are")
    return Measurements(describe_machine(), (camera, pins, disk), tuple(figures), tuple(notes))


def _all(
    config: Config, game: Game, folder: Path, seconds: float, say: Say, real_camera: bool, real_pins: bool
) -> Iterator[Figure | str]:
    """Iterate over all figures, and over sentences on what was left out."""

    def open_panel() -> PressedPanel:
        wires = read_wiring(config.panel.file, panel_file.taken_pins() if config.panel.pins == "gpio" else {})
        return PressedPanel(wires, open_factory(config.panel.pins, config.panel.chip, folder))

    say("Starting a table …")
    yield from start_figures(config, folder, min(MAX_SETTLING_S, seconds / 10), real_camera and real_pins)
    say("Pictures …")
    spent = capture_times(camera_opener(config.camera, game, len(config.seats), time.monotonic), seconds / 12)
    yield figure("capture at full size", spent, real=real_camera)
    say("Presses and phones …")
    for name in ("presses", "acts", "commits"):
        (folder / name).mkdir()
    yield figure("press → light", reactions.presses(game, folder / "presses", open_panel, seconds / 8), real=real_pins)
    yield figure("act → phone", reactions.acts(game, folder / "acts", seconds / 12))
    yield figure("journal commit", reactions.commits(game, folder / "commits", seconds / 20))
    yield from reading.sizes(game, seconds / 2, say)


def _camera(config: Config, game: Game) -> tuple[HardwarePart, Config]:
    """Return whether the camera gives pictures, and the configuration with one that does."""
    source = config.camera.source
    instead = replace(config, camera=replace(config.camera, source=SIMULATED_CAMERA))
    if source in (SIMULATED_CAMERA, NO_CAMERA):
        return HardwarePart("camera", False, "the demo's: no camera is asked for"), instead
    try:
        camera = camera_opener(config.camera, game, len(config.seats), time.monotonic)()
        try:
            height, width = camera.capture(time.monotonic(), FRAME_TIMEOUT_S).grey.shape
        finally:
            camera.close()
    except HardwareError as error:
        return HardwarePart("camera", False, f"the demo's: {error}"), instead
    return HardwarePart("camera", True, f"{camera.about}, {width} × {height} px"), config


def _pins(config: Config) -> tuple[HardwarePart, Config]:
    """Return whether the panel's pins work, and the configuration with pins that do."""
    instead = replace(config, panel=replace(config.panel, pins="mock"))
    if config.panel.pins != "gpio":
        return HardwarePart("pins", False, "in memory: no real ones are asked for"), instead
    try:
        with tempfile.TemporaryDirectory() as work:
            panel = PressedPanel(
                read_wiring(config.panel.file, panel_file.taken_pins()),
                open_factory("gpio", config.panel.chip, Path(work)),
            )
            number = panel.chip
            panel.close()
    except PinsError as error:
        return HardwarePart("pins", False, f"in memory: {error}"), instead
    return HardwarePart("pins", True, f"/dev/gpiochip{number}; the lights are real, the presses the program's"), config


def capture_times(opened: Callable[[], Camera], seconds: float) -> list[float]:
    """Return the seconds from asking for a picture until the whole of it was there, for each repeat."""
    camera = opened()
    try:
        return time_repeatedly(lambda: camera.capture(time.monotonic(), FRAME_TIMEOUT_S).grey, seconds)
    finally:
        camera.close()


def start_figures(config: Config, folder: Path, looked: float, real: bool) -> Iterator[Figure]:
    """Start the whole table in a process of its own; iterate over the figures of its starting time and its memory.

    ``looked``: the seconds for which it looks at the table before its memory is measured.
    """
    file, port = folder / "table.toml", network.free_port(reactions.HOST)
    tablefile.save(file, _settings(config, folder / "games", port))
    begun = time.monotonic()
    serve = [sys.executable, "-m", "tabletop", "serve", "--config", str(file)]
    with (folder / "told.txt").open("w") as log:
        table = subprocess.Popen(serve, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        _await_pages(table, f"http://{reactions.HOST}:{port}/", folder / "told.txt")
        yield figure("start → ready", [time.monotonic() - begun], unit="s", real=real)
        time.sleep(looked)
        most = memory_mb("VmHWM", file=f"proc/{table.pid}/status")
        yield Figure("memory of the table", "MB", most, most, 1, real)
    finally:
        table.terminate()
        try:
            table.wait(EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            table.kill()
            table.wait()


def _settings(config: Config, games: Path, port: int) -> Mapping[tuple[str, ...], tablefile.Value]:
    """Return the settings of the measured table: all those of the configuration that affect its time and memory."""
    camera, pieces, panel = config.camera, config.pieces, config.panel
    size = "" if camera.size is None else f"{camera.size[0]}x{camera.size[1]}"
    own: dict[tuple[str, ...], tablefile.Value] = {
        ("game",): config.game,
        ("seats",): list(config.seats),
        ("games",): str(games),
        ("pieces", "make"): pieces.make,
        ("pieces", "set"): pieces.set,
        ("pieces", "scale"): pieces.scale,
        ("camera", "source"): camera.source,
        ("camera", "mains"): camera.mains,
        ("camera", "size"): size,
        ("camera", "rate"): camera.rate,
        ("camera", "work"): camera.work,
        ("panel", "pins"): panel.pins,
        ("pages", "bind"): reactions.HOST,
        ("pages", "port"): port,
    }
    if panel.chip is not None:
        own["panel", "chip"] = panel.chip
    if panel.file is not None:
        own["panel", "file"] = str(panel.file.absolute())
    return own


def _await_pages(table: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Wait until a table's pages answer.  Raises BenchError if they do not."""
    end = time.monotonic() + START_TIMEOUT_S
    while table.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=START_TIMEOUT_S):  # noqa: S310 (its own table)
                return
        except OSError:
            time.sleep(POLL_INTERVAL_S)
    raise BenchError(f"The table did not start: {log.read_text('utf-8', 'replace').strip()[-500:]}")
