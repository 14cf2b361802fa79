"""The table as a service: nobody sits in front of the machine, so failed starts end in safe mode, not in silence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabletop import config
from tabletop.hardware.errors import HardwareError
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import is_held
from tabletop.hardware.panel.pin_factories import open_factory
from tabletop.match import store
from tabletop.match.errors import UnreadableMatch
from tabletop.messages import EMPTY, Message, foreign, join, said_by
from tabletop.runtime import maintenance, network, serve
from tabletop.service.notify import Notifier
from tabletop.service.starts import StartsFile

SAFE_MODE_BUTTON = "UNDO"
"""The button that asks for safe mode when it is held while the table starts."""

PASSED_OVER_ADVICE = Message(
    "If you start the table here, this game is skipped: the table continues with the newest game that can be read, "
    "or begins another. The file is kept."
)


def run(file: Path, say: Callable[[str], None]) -> None:
    """Serve the table, or, after failed starts or on request, its pages alone.

    Raises one of serve.START_ERRORS, or MaintenanceError.
    """
    memory, notify, leave = StartsFile(file.parent), Notifier(), None
    before = memory.begin()
    why = before.reason
    try:
        settings = config.load(file)
        why = why or (Message("The button UNDO was held while the table started.") if _asked_for(settings) else EMPTY)
        if not why:
            network.await_address(settings.pages.bind, settings.pages.port)
            serve.run(settings, say, service=serve.Supervision(notify, memory), file=file)
    except UnreadableMatch as error:
        # Another start would fail in the same way: somebody has to say on a page that the match may be passed over.
        why, leave = join((said_by(error), PASSED_OVER_ADVICE)), partial(store.pass_over, settings.games)
    except Exception as error:
        trouble = (
            said_by(error) if isinstance(error, serve.START_ERRORS) else foreign(f"{type(error).__name__}: {error}")
        )
        # On a full or read-only disk failed starts cannot be counted: then the first one is enough.
        if not why and memory.failed(trouble):
            raise
        why = why or trouble
    if why:
        maintenance.run(file, say, why=why, notify=notify, leave=leave)
    # The table was ended on purpose: the next start is a normal one, unless safe mode was asked for meanwhile.
    if not memory.read().asked or why:
        memory.forget()


def _asked_for(settings: config.Config) -> bool:
    """Return whether safe mode's button is down.  Pins that cannot be used are reported when the table is served."""
    try:
        wires = panel_file.load(settings.panel.file)
        settings.games.mkdir(parents=True, exist_ok=True)
        button = next((wire for wire in wires.buttons if wire.name == SAFE_MODE_BUTTON), None)
        return button is not None and is_held(
            button, lambda: open_factory(settings.panel.pins, settings.panel.chip, settings.games)
        )
    except (HardwareError, OSError):
        return False
