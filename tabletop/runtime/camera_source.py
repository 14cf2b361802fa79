"""The camera that ``--camera`` or table.toml names: a real one, or the simulated one above a table laid for a game."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tabletop.config import SIMULATED_CAMERA, CameraConfig
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.errors import CameraUnknown
from tabletop.messages import Message
from tabletop.rules.game import Game

SIMULATED_SIZE_PX = (2304, 1296)
"""The size of the simulated camera's pictures if none is set."""


def camera_opener(camera: CameraConfig, game: Game, seats: int, clock: Callable[[], float]) -> Callable[[], Camera]:
    """Return a function that opens a camera above a table of that game, laid for that many seats.

    Raises CameraUnknown for an unknown name, and for the simulated camera of a game without a table.
    """
    if camera.source != SIMULATED_CAMERA:
        return opener(camera.source, clock, mains=camera.mains, size=camera.size)
    from tabletop.simulator.play.shared_camera import SharedCamera
    from tabletop.simulator.world import World

    if game.table is None:
        raise CameraUnknown(
            Message("{game} is played on its pages, without a camera: there is nothing to simulate.", game=game.title)
        )
    names = [f"Seat {seat + 1}" for seat in range(seats)]

    def opened() -> SharedCamera:
        world = World(game, names, 1, 1, camera.size or SIMULATED_SIZE_PX, colour=True, clock=clock)
        return SharedCamera(lambda: world, threading.RLock())

    return opened
