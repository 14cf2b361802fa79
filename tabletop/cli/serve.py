"""``tabletop serve``: the real table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False, path_type=Path), help="The table's table.toml.")
@click.option("--camera", help="picamera2, opencv:DEVICE (opencv:0) or images:FOLDER; overrides the file.")
@click.option("--pins", type=click.Choice(["gpio", "mock"]), help="Real pins, or pins in memory only.")
@click.option("--bind", help="The address that is listened on; 127.0.0.1 keeps phones out.")
@click.option("--port", type=click.IntRange(1, 65535), help="Where the pages are.")
@click.option("--new", "fresh", is_flag=True, help="Start another match though one is unfinished (it is kept).")
def command(
    file: Path | None, camera: str | None, pins: str | None, bind: str | None, port: int | None, fresh: bool
) -> None:
    """Serve a real table: camera, panel and pages.  An unfinished match is taken up where it was left."""
    from tabletop import config, serve
    from tabletop.hardware.errors import HardwareError
    from tabletop.referee.errors import RefereeError
    from tabletop.rules.game import Illegal

    if camera == "simulated":
        raise click.UsageError("The simulated camera needs simulated people: that is tabletop demo.")
    try:
        settings = config.load(file)
        settings = replace(
            settings,
            camera=replace(settings.camera, source=camera or settings.camera.source),
            panel=replace(settings.panel, pins=pins or settings.panel.pins),
            pages=replace(settings.pages, bind=bind or settings.pages.bind, port=port or settings.pages.port),
        )
        serve.run(settings, click.echo, fresh=fresh)
    except (config.ConfigError, serve.ServeError, HardwareError, RefereeError, Illegal) as error:
        raise click.ClickException(str(error)) from None
