"""The table as the machine's service: nobody sits before it, so failed starts end in safe mode, not in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tabletop import config
from tabletop.hardware.errors import HardwareError
from tabletop.hardware.panel import wiring
from tabletop.hardware.panel.pins import held, open_factory
from tabletop.messages import EMPTY, Message
from tabletop.runtime import maintenance, serve
from tabletop.service.notify import Notifier
from tabletop.service.starts import StartsFile

SAFE = "UNDO"
"""The button that asks for safe mode when it is held while the table starts."""


def run(file: Path, say: Callable[[str], None]) -> None:
    """Serve the table, or, after failed starts or where it is asked for, its pages alone.

    Raises one of serve.TROUBLES.
    """
    memory, notify = StartsFile(file.parent), Notifier()
    before = memory.begin()
    why = before.reason
    try:
        settings = config.load(file)
        why = why or (Message("The button UNDO was held while the table started.") if _asked_for(settings) else EMPTY)
        if not why:
            serve.run(settings, say, service=serve.Supervision(notify, memory), file=file)
    except serve.TROUBLES as error:
        if not why:
            memory.failed(str(error))
            raise
    except Exception as error:
        memory.failed(f"{type(error).__name__}: {error}")
        raise
    if why:
        maintenance.run(file, say, why=why, notify=notify, unattended=True)
    # It was ended here on purpose: the next start is a usual one, unless safe mode was asked for meanwhile.
    if not memory.read().asked or why:
        memory.well()


def _asked_for(settings: config.Config) -> bool:
    """Return whether safe mode's button is down.  Pins that cannot be had are told when the table is served."""
    try:
        wires = wiring.load(settings.panel.file)
        settings.games.mkdir(parents=True, exist_ok=True)
        button = next((wire for wire in wires.buttons if wire.name == SAFE), None)
        return button is not None and held(
            button, lambda: open_factory(settings.panel.pins, settings.panel.chip, settings.games)
        )
    except (HardwareError, OSError):
        return False
