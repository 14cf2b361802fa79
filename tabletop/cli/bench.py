"""``tabletop bench``: what can this machine do as a table?"""

from __future__ import annotations

from pathlib import Path

import click

from tabletop.cli.common.files import check_apart, put, writable
from tabletop.cli.common.shared_options import Between, config_option, settings


@click.command()
@config_option
@click.option("--seconds", type=Between(1, 3600), default=180.0, show_default=True, help="About how long it takes.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    callback=writable,
    help="Also write the figures as JSON.",
)
def command(file: Path | None, seconds: float, out: Path | None) -> None:
    """Measure how well this machine runs a table.

    This starts a table, takes pictures, presses buttons, reads tables of every size, and prints how long each step
    took, beside the times of the development machine.  If there is no camera or panel, the demo's are used and the
    figures are marked.  Stop a running table first, because it holds the camera and the pins.
    """
    import json

    from tabletop.rules.game import Illegal
    from tabletop.runtime.bench import bench, report
    from tabletop.runtime.bench.figures import BenchError

    check_apart("--out", out, file)
    config = settings(file)
    try:
        measured = bench.run(config, seconds, lambda text: click.echo(text, err=True))
    except (BenchError, Illegal) as error:
        raise click.ClickException(str(error)) from None
    click.echo(report.in_words(measured, report.reference()))
    if out is not None:
        put(out, json.dumps(measured.to_json(), ensure_ascii=False, indent=1) + "\n")
        click.echo(f"{out} contains the same as JSON, without any names of people, hosts or networks.", err=True)
