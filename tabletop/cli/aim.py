"""``tabletop aim``: is the camera aimed well?"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.common.shared_options import (
    Between,
    camera_option,
    config_option,
    for_seats,
    own_game_option,
    seats_option,
    settings,
)
from tabletop.rules import registry

if TYPE_CHECKING:
    from tabletop.runtime.aiming import AimedFrame

CLEAR_SCREEN = "\x1b[H\x1b[2J"


@click.command()
@config_option
@camera_option
@own_game_option
@seats_option("How many seats the table is laid for; overrides the file.")
@click.option(
    "--field",
    type=Between(20, 150),
    help="The camera's angle of view across, in degrees.  [default: what most cameras have]",
)
@click.option("--once", is_flag=True, help="Look once; the exit status is 1 if the camera is not aimed well.")
@click.option(
    "--picture", type=click.Path(path_type=Path, dir_okay=False), help="Write each new picture to this file, as JPEG."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per look.")
@click.pass_context
def command(
    context: click.Context, file: Path | None, camera: str | None, game: str | None, seats: int | None,
    field: float | None, once: bool, picture: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Report how well the camera sees each area, and how to aim it.

    Lay out the zone cards and some pieces.  The report is repeated until you press Ctrl-C.

    To see it on your phone, open /host/aim at a running table (this command cannot share the camera with it), or run
    tabletop setup --page before the first game.
    """
    from tabletop.hardware.errors import HardwareError
    from tabletop.rules.game import Illegal
    from tabletop.runtime import aiming
    from tabletop.runtime.camera_source import camera_opener
    from tabletop.runtime.serve import kit_of
    from tabletop.vision.errors import PictureError
    from tabletop.vision.geometry.camera_pose import DEFAULT_FIELD_DEG
    from tabletop.vision.kit import KitError

    config = settings(file)
    try:
        played, number = registry.game(game or config.game), seats or len(config.seats)
        for_seats(played, number)
        source = replace(config.camera, source=camera or config.camera.source)
        open_camera = camera_opener(source, played, number, time.monotonic)
        view = aiming.AimSession(open_camera, time.monotonic)
        finder = aiming.Viewfinder(
            kit_of(config, played), number, view.newest, time.monotonic, field or DEFAULT_FIELD_DEG
        )
        ready = aiming.run(view, finder, _say(as_json, once), time.sleep, once=once, picture=picture)
    except (Illegal, HardwareError, PictureError, KitError, aiming.AimError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        ready = True
    if not ready:
        context.exit(1)


def _say(as_json: bool, once: bool) -> Callable[[AimedFrame | str], None]:
    """Return a function that prints a look, or a message from the camera, in the terminal."""
    from tabletop.runtime import aiming

    def say(look: AimedFrame | str) -> None:
        if isinstance(look, str):
            click.echo(look, err=True)
        elif as_json:
            click.echo(json.dumps(look.aim.to_json()))
        else:
            redraw = not once and sys.stdout.isatty()
            text = aiming.in_words(look.aim)
            click.echo(f"{CLEAR_SCREEN}{text}" if redraw else text)

    return say
