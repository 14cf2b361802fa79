"""``tabletop serve``: the real table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from tabletop.cli.common.shared_options import BadSettings, camera_or_none_option, config_option, settings


@click.command()
@config_option
@camera_or_none_option
@click.option("--pins", type=click.Choice(["gpio", "mock", "none"]), help="Real pins, pins in memory, or no panel.")
@click.option("--bind", help="The address to listen on; 127.0.0.1 keeps phones out.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the pages.")
@click.option(
    "--new", "fresh", is_flag=True, help="Start another match even if the last one is unfinished (it is kept)."
)
@click.option("--skip-unreadable", "skip", is_flag=True, help="Resume the newest match that can be read.")
@click.option("--service", is_flag=True, help="Run as a system service: enter safe mode after failed starts.")
def command(
    file: Path | None, camera: str | None, pins: str | None, bind: str | None, port: int | None, fresh: bool,
    skip: bool, service: bool,
) -> None:  # fmt: skip
    """Run a real table: its camera, its panel and its pages.

    Its settings are those in table.toml, as tabletop setup writes it.  An unfinished match is resumed where it was
    left.  A simulated camera shows a table on which nothing happens; to see bots play at one, use tabletop demo.
    """
    if service:
        _unattended(file)
        return
    from tabletop.match.errors import UnreadableMatch
    from tabletop.runtime import serve

    config = settings(file)
    config = replace(
        config,
        camera=replace(config.camera, source=camera or config.camera.source),
        panel=replace(config.panel, pins=pins or config.panel.pins),
        pages=replace(config.pages, bind=bind or config.pages.bind, port=port or config.pages.port),
    )
    try:
        serve.run(config, click.echo, fresh=fresh, skip=skip, file=file)
    except UnreadableMatch as error:
        ways = "--new starts another game, --skip-unreadable resumes the newest that can be read; no file is changed."
        raise click.ClickException(f"{error} To continue: {ways}") from None
    except serve.START_ERRORS as error:
        raise click.ClickException(str(error)) from None


def _unattended(file: Path | None) -> None:
    from tabletop.config import ConfigError
    from tabletop.runtime import serve, service_main
    from tabletop.runtime.maintenance import MaintenanceError

    if file is None:
        raise click.UsageError("--service needs --config: the count of starts is kept beside that file.")
    try:
        service_main.run(file, click.echo)
    except ConfigError as error:
        raise BadSettings(str(error)) from None
    except (*serve.START_ERRORS, MaintenanceError) as error:
        raise click.ClickException(str(error)) from None
