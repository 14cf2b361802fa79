"""The table without a game: the pages for its health and setup that ``tabletop setup --page`` and safe mode serve.

Neither camera nor pins are touched before a step of the setup asks for them: one of them may be the reason for safe
mode.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.config import SIMULATED_CAMERA, CameraConfig, Config, ConfigError, PagesConfig, load
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.cameras.present import present_cameras
from tabletop.hardware.diagnostics.check import Check
from tabletop.hardware.errors import CameraLost, CameraUnknown, WiringError
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.pin_factories import mock_factory, open_factory
from tabletop.messages import EMPTY, Message, join, said_by
from tabletop.rules import registry
from tabletop.runtime import network, page_server
from tabletop.runtime.camera_source import camera_opener
from tabletop.runtime.health import bug_report, diagnostics
from tabletop.runtime.health.log_tail import LogTail
from tabletop.service.notify import Notifier
from tabletop.service.watchdog import Watchdog
from tabletop.setup.devices import Devices
from tabletop.setup.wizard import SetupWizard
from tabletop.web.http.addresses import is_loopback
from tabletop.web.pages.health import HealthActions
from tabletop.web.pages.safe_mode import create_maintenance_app
from tabletop.web.seating import seats_file
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code

PRESS_S = 0.05
"""How long a simulated finger holds a button, and rests before the next: longer than any bounce."""


class MaintenanceError(RuntimeError):
    """The pages cannot be served; the text says why and what to do."""


def run(
    file: Path,
    say: Callable[[str], None],
    *,
    why: str = "",
    notify: Notifier | None = None,
    leave: Callable[[], object] | None = None,
    simulated: bool = False,
    bind: str | None = None,
    port: int | None = None,
) -> None:
    """Serve health and setup until the process is told to stop, or until somebody starts the table on a page.

    ``why`` is the reason for safe mode (empty: this is setup).  ``notify`` reaches the service manager, which starts
    the table again after this ends (None: nothing does).  ``leave`` is called before a page ends it.  Raises
    MaintenanceError.
    """
    config, trouble = config_or_shipped(file)
    host, number = _place(config.pages, bind, port, served=notify is not None)
    status = f"Safe mode: {why}" if why else "Being set up"
    watchdog = Watchdog(notify or Notifier({}), {}, time.monotonic, status=status)
    wizard, devices = setup(config, file, simulated=simulated)
    log = LogTail()
    with page_server.stop_signal() as ended, log.attached(), devices:
        room = Room(new_code(), seats=(), host_code=(code := new_code(8)), store=_store(config))
        addresses = network.addresses_of(host, config.pages.hosts, number)
        actions = _health_actions(
            file, (host, number), devices, log,
            partial(_leave_safe_mode, ended, leave) if notify is not None else None,
        )  # fmt: skip
        pages = create_maintenance_app(
            wizard, actions, room=room, addresses=addresses, why=join(filter(None, (why, trouble))),
            picture=devices.picture, games=registry.games(),
        )  # fmt: skip
        say(status if why else "The table can be set up on its page.")
        say(f"  open        {addresses[0]}/   one-time code {code}")
        network.tell_changes(addresses, say)
        page_server.serve(pages, host, number, ended, watchdog.beat, addresses)
        if notify is not None:
            notify.stopping()


def _place(pages: PagesConfig, bind: str | None, port: int | None, *, served: bool) -> tuple[str, int]:
    """Return the address and the port of the pages.  Raises MaintenanceError if none can be used.

    Those of the configuration may be what keeps a table from being ``served`` as a service; then the shipped defaults
    are tried.  A table that only its own machine may reach, for instance behind a proxy, stays closed to all others.
    """
    host, shipped = bind or pages.bind, PagesConfig()
    places = [(host, port or pages.port), (host if is_loopback(host) else shipped.bind, shipped.port)]
    for place in places if served else places[:1]:
        if not (busy := network.port_in_use(*place)):
            return place
    raise MaintenanceError(busy)


def _leave_safe_mode(ended: page_server.StopRequest, leave: Callable[[], object] | None) -> None:
    """End safe mode on request of a page."""
    if leave is not None:
        leave()
    ended.set()


def _health_actions(
    file: Path, place: tuple[str, int], devices: Devices, log: LogTail, leave: Callable[[], None] | None
) -> HealthActions:
    """Return the actions of the health page, which is served at ``place``.

    While checks run, the devices of the setup are released.
    """

    def examined() -> list[Check]:
        config = config_or_shipped(file)[0]
        here = place == (config.pages.bind, config.pages.port)
        with devices.resting():
            return diagnostics.examine(config, diagnostics.pages_here() if here else {})

    def report(pictures: bool) -> bytes:
        picture = devices.picture() if pictures else None
        return bug_report.make(config_or_shipped(file)[0], file, examined(), log.text(), [picture] if picture else [])

    return HealthActions(lambda: [check.to_json() for check in examined()], report, leave)


def config_or_shipped(file: Path) -> tuple[Config, Message]:
    """Return a file's configuration, or the shipped one if there is none or it cannot be used, with the reason."""
    if not file.exists():
        return Config(games=file.parent / "games"), EMPTY
    try:
        return load(file), EMPTY
    except ConfigError as error:
        return Config(games=file.parent / "games"), said_by(error)


def setup(config: Config, file: Path, *, simulated: bool) -> tuple[SetupWizard, Devices]:
    """Return the wizard for a table.toml and its devices: the real ones, or simulated ones."""
    try:
        wires: panel_file.Wiring | None = panel_file.load(config.panel.file)
    except (WiringError, OSError):
        # A simulated panel needs none of its own.
        wires = panel_file.load() if simulated else None
    wizard = SetupWizard(config, file, wires, list if simulated else present_cameras)
    if wires is None or not simulated:
        folder = file.parent

        def pins() -> Any:
            # A panel is tried even if none was configured so far: it may have been connected now.
            return open_factory("mock" if config.panel.pins == "mock" else "gpio", config.panel.chip, folder)

        def camera(source: str) -> Camera:
            return opener(source, time.monotonic, mains=config.camera.mains, size=config.camera.size)()

        return wizard, Devices(wizard, wires, pins, camera, time.monotonic)
    factory = mock_factory()
    finger = _Finger(wizard, MockFingers(wires, factory))
    return wizard, Devices(wizard, wires, lambda: factory, lambda _: _simulated(wizard), time.monotonic, finger.press)


def _simulated(wizard: SetupWizard) -> Camera:
    """Return a camera above a table simulated for the chosen game and seats; raise CameraLost if none can be."""
    draft, simulated = wizard.draft, CameraConfig(source=SIMULATED_CAMERA)
    try:
        return camera_opener(simulated, registry.game(draft.game), len(draft.seats), time.monotonic)()
    except CameraUnknown as error:
        raise CameraLost(SIMULATED_CAMERA, "The camera {camera} shows nothing: {error}", error=said_by(error)) from None


class _Finger:
    """A simulated person at the panel, who presses what the wizard asks for and sees every light."""

    def __init__(self, wizard: SetupWizard, fingers: MockFingers) -> None:
        self._wizard, self._fingers = wizard, fingers

    def press(self) -> None:
        """Press the button that the wizard waits for, or OK if it asks about a light."""
        trial = self._wizard.trial
        if trial is not None:
            button = trial.wire.name if trial.is_button else "OK"
            self._fingers.press(button)
            time.sleep(PRESS_S)
            self._fingers.release(button)
            time.sleep(PRESS_S)


def _store(config: Config) -> Path | None:
    """Return the file that remembers hosts, so that the table's host is the host here as well; None if impossible."""
    try:
        config.games.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return seats_file.path_in(config.games)
