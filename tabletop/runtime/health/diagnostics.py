"""The health of a table: the doctor's checks, even while the table is running and holds its devices itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from tabletop.config import Config
from tabletop.files import text
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.diagnostics import doctor, probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, Probe, ProbedMachine
from tabletop.hardware.panel import panel_file
from tabletop.match import store
from tabletop.match.errors import JournalError
from tabletop.match.journal_file import read_events
from tabletop.messages import EMPTY, Message, foreign, join, said_by
from tabletop.rules import registry
from tabletop.rules.edition import EditionError
from tabletop.rules.game import Illegal
from tabletop.runtime import editions
from tabletop.runtime.running_table import RunningTable


def examine(config: Config, instead: Mapping[str, Probe] | None = None) -> list[Check]:
    """Carry out the doctor's checks and read the stored games; probes in ``instead`` replace those of the same name."""
    machine = ProbedMachine(config, time.monotonic, time.time)
    return [*doctor.examine(machine, instead or {}), game(config), *games(config)]


def game(config: Config) -> Check:
    """Check that a game can begin with the game, seats, options and edition of the configuration."""
    try:
        registry.game(config.game).new(config.seats, config.options)
    except Illegal as error:
        return Check("game", CheckState.FAULT, said_by(error), Message("Change game, seats or options in table.toml."))
    if config.edition is None:
        return Check("game", CheckState.OK, Message("starts with the settings of this table"))
    try:
        registry.game(config.game).new(config.seats, config.options, editions.read(config.edition))
    except (EditionError, Illegal) as error:
        fix = foreign(f"tabletop edition check {config.edition}")
        return Check("game", CheckState.FAULT, editions.unusable(config.edition, error), fix)
    return Check("game", CheckState.OK, Message("starts with the edition {file}", file=config.edition))


def games(config: Config) -> Iterable[Check]:
    """Check that every stored game can be read."""
    paths = sorted(config.games.glob(f"*{store.SUFFIX}"))
    bad = []
    for path in paths:
        try:
            read_events(path)
        except JournalError:
            bad.append(text.readable(path.name))
    if bad:
        fix = Message("They do no harm. Keep the files: what is left in them may still be recovered.")
        yield Check("games", CheckState.WARNING, Message("Cannot be read: {games}.", games=tuple(bad)), fix)
    else:
        yield Check("games", CheckState.OK, Message("{count} saved, all readable", count=len(paths)))


def pages_here() -> Mapping[str, Probe]:
    """Return the probe that replaces the check of the port, which these pages themselves use."""

    def port(_: ProbedMachine) -> Iterable[Check]:
        yield Check("port", CheckState.OK, Message("these pages run there"))

    return {"port": port}


def while_served(table: RunningTable) -> Mapping[str, Probe]:
    """Return probes for the devices that a running table holds: they ask the table and open nothing a second time."""

    def panel(machine: ProbedMachine) -> Iterable[Check]:
        if table.no_pins is not None:
            yield Check("pins", CheckState.FAULT, table.no_pins.fact, table.no_pins.fix)
            return
        wires = table.panel.panel.wiring
        yield probes_table.budget(wires)
        if wires == panel_file.EMPTY_WIRING:
            return
        yield probes_table.factory_in_use(table.panel.panel.factory, machine)
        yield _buttons(table)

    def camera(machine: ProbedMachine) -> Iterable[Check]:
        yield _camera(table, machine)

    return {**pages_here(), "panel": panel, "camera": camera}


def _buttons(table: RunningTable) -> Check:
    """Return the check of the buttons: which ones the referee knows to be stuck or loose."""
    sentences = [said.text for said in table.mailbox.snapshot.say if said.code in ("button-stuck", "button-loose")]
    if sentences:
        fix = Message("Look for a short circuit or a loose contact; the pages have every button meanwhile.")
        return Check("buttons", CheckState.WARNING, join(sentences), fix)
    return Check("buttons", CheckState.OK, Message("none is stuck"))


def _camera(table: RunningTable, machine: ProbedMachine) -> Check:
    source = machine.config.camera.source
    if table.camera_loop is None:
        return Check("camera", CheckState.OK, Message("none requested: played without one"))
    frame = table.camera_loop.last
    if table.mailbox.snapshot.camera is CameraState.LOST:
        lost = table.camera.lost if table.camera is not None else None
        fact = lost.fact if lost is not None else Message("{camera} gives no picture at this moment.", camera=source)
        fix = Message("The table keeps trying; meanwhile the game continues without it. Check the cable.")
        return Check("camera", CheckState.FAULT, fact, (lost.fix if lost is not None else EMPTY) or fix)
    if frame is None:
        fact = Message("{camera} has not given a picture yet.", camera=source)
        return Check("camera", CheckState.WARNING, fact, Message("Wait a moment, then look again."))
    height, width = frame.grey.shape
    age = machine.clock() - frame.time
    facts = {"camera": source, "width": width, "height": height, "age": f"{age:.1f}"}
    fact = Message("{camera}: {width} × {height} px, the newest picture is {age} s old", **facts)
    return Check("camera", CheckState.OK, fact)
