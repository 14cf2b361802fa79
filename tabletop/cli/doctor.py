"""``tabletop doctor``: is this machine fit to be a table?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.common.files import check_apart, put
from tabletop.cli.common.shared_options import config_option, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabletop.config import Config
    from tabletop.hardware.diagnostics.check import Check

COLOURS = {"ok": "green", "warning": "yellow", "fault": "red"}


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@click.option(
    "--bug-report",
    "--bundle",
    "report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.zip",
    help="Also write a bug report: this list, settings, log and the newest game's record, without names and hands.",
)
@click.option("--with-picture", is_flag=True, help="Add the camera's picture, which shows the table as it is now.")
@click.pass_context
def command(context: click.Context, file: Path | None, as_json: bool, report: Path | None, with_picture: bool) -> None:
    """Check everything that a table needs on this machine.

    Each check prints one line, with the fix if something is wrong; the exit status is 1 if there is a fault.  A running
    table holds the camera, the pins and the port: stop it first, or look at its health page instead.
    """
    import json

    from tabletop.hardware.diagnostics.doctor import fit
    from tabletop.runtime.health.diagnostics import examine

    if with_picture and report is None:
        raise click.UsageError("--with-picture works only with --bug-report.")
    check_apart("--bug-report", report, file)
    config = settings(file)
    checks = examine(config)
    if as_json:
        click.echo(json.dumps([check.to_json() for check in checks], indent=1))
    else:
        _print(checks)
    if report is not None:
        _write(report, config, file, checks, with_picture)
    if not fit(checks):
        context.exit(1)


def _print(checks: Sequence[Check]) -> None:
    width = max(len(check.name) for check in checks)
    for check in checks:
        state = click.style(f"{check.state.value:8}", fg=COLOURS[check.state.value])
        sentence = f"{check.fact} → {check.fix}" if check.fix else check.fact
        click.echo(f"{state} {check.name:{width}}  {' '.join(sentence.split())}")


def _write(path: Path, config: Config, file: Path | None, checks: Sequence[Check], with_picture: bool) -> None:
    from tabletop.hardware.diagnostics.check import run_command
    from tabletop.runtime.health import bug_report
    from tabletop.runtime.health.log_tail import MAX_LOG_LINES

    log = run_command(["journalctl", "--unit", "tabletop", "--lines", str(MAX_LOG_LINES), "--no-pager"]) or ""
    pictures = _pictures(config) if with_picture else []
    put(path, bug_report.make(config, file, checks, log, pictures))
    click.echo(f"{path}: to see what is in it, run tabletop replay {path}.", err=True)


def _pictures(config: Config) -> list[bytes]:
    """Return one picture of the camera as JPEG; if it gives none, print why and return nothing."""
    import time

    from tabletop.hardware.errors import HardwareError
    from tabletop.rules import registry
    from tabletop.rules.game import Illegal
    from tabletop.runtime.camera_source import camera_opener
    from tabletop.vision.report import live_overlay

    try:
        camera = camera_opener(config.camera, registry.game(config.game), len(config.seats), time.monotonic)()
        try:
            return [live_overlay.draw(camera.capture(time.monotonic(), 5.0), None)]
        finally:
            camera.close()
    except (HardwareError, Illegal) as error:
        click.echo(f"It contains no picture: {error}", err=True)
        return []
