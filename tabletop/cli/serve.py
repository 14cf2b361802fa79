"""``tabletop serve``: the real table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from tabletop.cli.choices import camera_option, config_option


@click.command()
@config_option
@camera_option
@click.option("--pins", type=click.Choice(["gpio", "mock"]), help="Real pins, or pins in memory only.")
@click.option("--bind", help="The address that is listened on; 127.0.0.1 keeps phones out.")
@click.option("--port", type=click.IntRange(1, 65535), help="Where the pages are.")
@click.option("--new", "fresh", is_flag=True, help="Start another match though one is unfinished (it is kept).")
@click.option("--service", is_flag=True, help="As the system's service: after failed starts go into safe mode.")
def command(
    file: Path | None, camera: str | None, pins: str | None, bind: str | None, port: int | None, fresh: bool,
    service: bool,
) -> None:  # fmt: skip
    """Serve a real table: camera, panel and pages.  An unfinished match is taken up where it was left.

    Before a simulated camera nobody plays: it shows a laid table that stays as it is (tabletop demo plays at one).
    """
    if service:
        _unattended(file)
        return
    from tabletop import config, serve

    try:
        settings = config.load(file)
        settings = replace(
            settings,
            camera=replace(settings.camera, source=camera or settings.camera.source),
            panel=replace(settings.panel, pins=pins or settings.panel.pins),
            pages=replace(settings.pages, bind=bind or settings.pages.bind, port=port or settings.pages.port),
        )
        serve.run(settings, click.echo, fresh=fresh, file=file)
    except serve.TROUBLES as error:
        raise click.ClickException(str(error)) from None


def _unattended(file: Path | None) -> None:
    from tabletop import serve, unattended
    from tabletop.workshop import WorkshopError

    if file is None:
        raise click.UsageError("--service needs --config: what is kept of the starts lies beside that file.")
    try:
        unattended.run(file, click.echo)
    except (*serve.TROUBLES, WorkshopError) as error:
        raise click.ClickException(str(error)) from None
