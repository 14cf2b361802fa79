"""Probes of what a table needs besides the machine: tag readers, pieces, panel, pins, camera, voice."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.config import NO_CAMERA, NO_PANEL, SIMULATED_CAMERA
from tabletop.hardware import voice
from tabletop.hardware.cameras import present
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.diagnostics.check import Check, CheckState, Probe, ProbedMachine
from tabletop.hardware.errors import CameraLost, PinsError, VoiceLost
from tabletop.hardware.panel import chips, gpio, panel_file, pin_factories
from tabletop.messages import Message, foreign, join, said_by
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.vision.aim import advice, assess
from tabletop.vision.decode.decoders import QrDecoder, Zbar, Zxing
from tabletop.vision.frame import Frame, Grey
from tabletop.vision.kit import Kit, KitError

TEST_CARD = "TT:WH"
"""The payload of the test card: the marker of a warehouse."""
FIRST_FRAME_TIMEOUT_S = 5.0


def sample_card() -> Grey:
    """Return a picture of a tag as a camera would show it at best: 8 px per module."""
    import segno

    modules = np.array([list(row) for row in segno.make_qr(TEST_CARD, error="h", version=1).matrix_iter(border=4)])
    return np.where(np.kron(modules, np.ones((8, 8))) > 0, 0, 255).astype(np.uint8)


def readers(_: ProbedMachine) -> Iterable[Check]:
    """Check whether each tag reader reads the test card."""
    yield _reads("zxing-cpp", Zxing, CheckState.FAULT, Message("Delete .venv and start again: it will be recreated."))
    yield _reads("libzbar", Zbar, CheckState.WARNING, foreign("sudo apt-get install libzbar0 (Debian 13: libzbar0t64)"))


def _reads(name: str, kind: type[Zxing] | type[Zbar], without: CheckState, fix: Message) -> Check:
    try:
        reader: QrDecoder = kind()
    except (ImportError, OSError):
        return Check(name, without, Message("It is missing; tags are read without it."), fix)
    if [code.text for code in reader.read(sample_card()).codes] == [TEST_CARD]:
        return Check(name, CheckState.OK, Message("reads the test card"))
    return Check(name, CheckState.FAULT, Message("It cannot read the test card."), fix)


def pieces(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the game exists with the make, set and scale in the settings."""
    config = machine.config.pieces
    try:
        game = registry.game(machine.config.game)
    except Illegal as illegal:
        yield Check("pieces", CheckState.FAULT, foreign(str(illegal)), foreign(f'game = "{registry.DEFAULT}"'))
        return
    try:
        kit = Kit(game, config.make, config.set, config.scale)
    except KitError as error:
        yield Check(
            "pieces", CheckState.FAULT, said_by(error), foreign(f'[pieces] make = "{next(iter(game.makes), "")}"')
        )
        return
    make = config.make or next(iter(game.makes), "")
    facts = {"game": game.title, "make": make or "–", "set": config.set or "–", "mm": f"{kit.tag_mm:g}"}
    yield Check("pieces", CheckState.OK, Message("{game}, make {make}, set {set}, tags of {mm} mm", **facts))


def panel(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the panel file is valid, and whether the pins answer."""
    if machine.config.panel.pins == NO_PANEL:
        yield budget(panel_file.EMPTY_WIRING)
        return
    try:
        wired = gpio.read_wiring(machine.config.panel.file, panel_file.taken_pins(machine.root / "dev"))
    except PinsError as error:
        yield Check("panel", CheckState.FAULT, error.fact, error.fix)
        return
    yield budget(wired)
    yield from _pins(machine, wired)


def budget(wired: panel_file.Wiring) -> Check:
    """Report the panel's buttons and lights and how much current it draws."""
    if wired == panel_file.EMPTY_WIRING:
        return Check("panel", CheckState.OK, Message("none requested: played on the pages only"))
    fact = Message(
        "{buttons} buttons, {lights} lights, {draws} of {limit} mA with everything lit",
        buttons=len(wired.buttons),
        lights=len(wired.lights),
        draws=f"{wired.milliamps:.0f}",
        limit=f"{wired.total_limit:.0f}",
    )
    return Check("panel", CheckState.OK, fact)


def factory_in_use(factory: Any, machine: ProbedMachine) -> Check:
    """Report which library really holds the pins, on which chip, and where it keeps its pipe."""
    name = type(factory).__name__
    if name == "MockFactory":
        fact = Message("Mock pins are in use: real buttons do nothing.")
        return Check("pins", CheckState.WARNING, fact, foreign('[panel] pins = "gpio"'))
    if name != "LGPIOFactory":
        fix = foreign("sudo apt-get install python3-lgpio; unset GPIOZERO_PIN_FACTORY.")
        return Check(
            "pins", CheckState.FAULT, Message("{name} holds the pins; only lgpio sees every edge.", name=name), fix
        )
    number: Any = getattr(factory, "chip", "?")
    labels = {chip.number: f" ({chip.label})" for chip in chips.present_chips(machine.root / "dev") if chip.label}
    device = f"/dev/gpiochip{number}{labels.get(number, '')}"
    pipe = machine.environment.get("LG_WD")
    if pipe is None:
        return Check("pins", CheckState.OK, Message("lgpio on {device}, its pipe in the working folder", device=device))
    return Check("pins", CheckState.OK, Message("lgpio on {device}, its pipe in {folder}", device=device, folder=pipe))


def _pins(machine: ProbedMachine, wired: panel_file.Wiring) -> Iterable[Check]:
    if machine.config.panel.pins == "mock":
        fact = Message("Mock pins are requested: real buttons do nothing.")
        yield Check("pins", CheckState.WARNING, fact, foreign('[panel] pins = "gpio"'))
        return
    work = Path(machine.environment.get("LG_WD", Path.cwd()))
    if not os.access(work, os.W_OK):
        fix = Message("Set LG_WD to a folder that this user may write to.")
        fact = Message("The pin library cannot write its pipe into {folder}.", folder=work)
        yield Check("pins", CheckState.FAULT, fact, fix)
        return
    try:
        factory = pin_factories.gpio_factory(machine.config.panel.chip, work)
        opened = gpio.Panel(wired, factory, machine.clock)
    except PinsError as error:
        yield Check("pins", CheckState.FAULT, error.fact, error.fix)
        return
    held = tuple(wire.name for wire in wired.buttons if opened.down(wire.name))
    opened.close()
    yield factory_in_use(factory, machine)
    if held:
        fix = Message("Release it, or look for a short circuit or a button wired the other way (active).")
        yield Check("buttons", CheckState.WARNING, Message("Pressed at this moment: {buttons}.", buttons=held), fix)
    else:
        yield Check("buttons", CheckState.OK, Message("every pin can be opened, and no button is pressed"))


def camera(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the camera gives a fresh picture."""
    source = machine.config.camera.source
    if source == NO_CAMERA:
        yield Check("camera", CheckState.OK, Message("none requested: played without one"))
        return
    if source == SIMULATED_CAMERA:
        fact = Message("A simulated camera is requested.")
        yield Check("camera", CheckState.WARNING, fact, foreign('[camera] source = "picamera2"'))
        return
    try:
        opened = opener(source, machine.clock, mains=machine.config.camera.mains, size=machine.config.camera.size)()
    except CameraLost as lost:
        yield Check("camera", CheckState.FAULT, lost.fact, _fix(lost, machine))
        return
    try:
        frame = opened.capture(machine.clock(), FIRST_FRAME_TIMEOUT_S)
    except CameraLost as lost:
        yield Check("camera", CheckState.FAULT, lost.fact, _fix(lost, machine))
        return
    finally:
        opened.close()
    yield from focus_checks(opened.about)
    yield from modes(machine)
    height, width = frame.grey.shape
    late = (machine.clock() - frame.time) * 1000
    size = {"camera": opened.about, "width": width, "height": height}
    fact = Message("{camera}: {width} × {height} px, {late} ms after its exposure", late=f"{late:.0f}", **size)
    yield Check("camera", CheckState.OK, fact)
    yield from names(machine)
    yield from _size(machine, frame)
    if frame.grey.std() < 3:
        fix = Message("Take the cap off, turn the lamp on.")
        fact = Message("The whole picture looks the same (brightness {grey}).", grey=f"{frame.grey.mean():.0f}")
        yield Check("picture", CheckState.WARNING, fact, fix)


def _size(machine: ProbedMachine, frame: Frame) -> Iterable[Check]:
    """Report whether smaller pictures would suffice, if the table lies before the camera."""
    config = machine.config
    try:
        game = registry.game(config.game)
        if frame.grey.shape[1] < advice.LARGE_WIDTH_PX or game.table is None:
            return
        kit = Kit(game, config.pieces.make, config.pieces.set, config.pieces.scale)
    except (Illegal, KitError):
        return  # the probe of the pieces reports it
    for hint in assess.assess_frame(frame, assess.aim_target(kit, len(config.seats))).advice:
        if hint.code == advice.SMALLER_HINT:
            yield Check("size", CheckState.OK, hint.message)


def focus_checks(about: str) -> Iterable[Check]:
    """Report how the lens is focused, if the camera says so."""
    if "fixed focus" in about:
        fix = Message("Turn the lens ring until tabletop setup reads the most tags, then fix it in place.")
        yield Check("focus", CheckState.WARNING, Message("This camera does not focus by itself."), fix)
    elif "autofocus" in about:
        yield Check("focus", CheckState.OK, Message("focuses by itself at the start, then stays like that"))


def names(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether a USB camera will still be found after it was unplugged."""
    kind, _, device = machine.config.camera.source.partition(":")
    if kind == "opencv" and (stable := present.stable_source(device, machine.root)):
        fact = Message("Plugged in again, this camera may get another number.")
        yield Check("camera", CheckState.WARNING, fact, foreign(f'[camera] source = "{stable}"'))


def modes(machine: ProbedMachine) -> Iterable[Check]:
    """Report the camera's picture sizes, and whether a USB camera's own autofocus is on, from the system's tools."""
    source = machine.config.camera.source
    kind, _, device = source.partition(":")
    if source == "picamera2":
        listing = machine.run(["rpicam-hello", "--list-cameras"]) or machine.run(["libcamera-hello", "--list-cameras"])
        sizes = re.findall(r"\b(\d{3,5}x\d{3,5}) \[([\d.]+) fps", listing or "")
        if sizes:
            yield Check(
                "modes",
                CheckState.OK,
                join(
                    (Message("{size} ({rate} a second)", size=size, rate=round(float(rate))) for size, rate in sizes),
                    ", ",
                ),
            )
    elif kind == "opencv":
        path = f"/dev/video{device}" if device.isdigit() else device
        listing = machine.run(["v4l2-ctl", "--device", path, "--list-formats-ext", "--list-ctrls"])
        sizes = sorted(
            set(re.findall(r"Discrete (\d+)x(\d+)", listing or "")), key=lambda size: (-int(size[0]), -int(size[1]))
        )
        if sizes:
            yield Check("modes", CheckState.OK, foreign(", ".join(f"{width}x{height}" for width, height in sizes)))
        if re.search(r"focus_auto\S*.*value=1", listing or ""):
            fix = foreign(f"v4l2-ctl --device {path} --set-ctrl focus_automatic_continuous=0")
            yield Check(
                "focus",
                CheckState.WARNING,
                Message("The camera refocuses by itself and may hunt in the middle of a game."),
                fix,
            )


def _fix(lost: CameraLost, machine: ProbedMachine) -> Message:
    """Return what to do about a camera that gives no picture: the error's own advice, or what helps most often."""
    if lost.fix:
        return lost.fix
    if machine.config.camera.source == "picamera2":
        return Message("Power off, reseat the ribbon cable; rpicam-hello must show a picture.")
    return Message("Check its cable, and source under [camera] in table.toml.")


def speech(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the table can speak, if it is set to."""
    if not machine.config.voice.on:
        yield Check("voice", CheckState.OK, Message("off; a TV page can speak instead"))
    elif (program := voice.speech_program_path()) is None:
        fact = Message("{program} is not installed.", program=voice.SPEECH_PROGRAM)
        yield Check("voice", CheckState.WARNING, fact, voice.INSTALL_FIX)
    else:
        try:
            voice.try_output(machine.root / "dev/snd")
        except VoiceLost as lost:
            yield Check("voice", CheckState.WARNING, lost.fact, lost.fix)
            return
        language = machine.config.language
        yield Check("voice", CheckState.OK, Message("{program} speaks {language}", program=program, language=language))


ALL: Mapping[str, Probe] = {
    "readers": readers,
    "pieces": pieces,
    "panel": panel,
    "camera": camera,
    "speech": speech,
}
"""The probes by name, in the order in which faults should be fixed."""
