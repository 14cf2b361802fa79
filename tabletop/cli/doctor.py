"""``tabletop doctor``: is this machine fit to be a table?"""

from __future__ import annotations

from pathlib import Path

import click

COLOURS = {"ok": "green", "warning": "yellow", "fault": "red"}


@click.command()
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="The table's table.toml.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@click.pass_context
def command(context: click.Context, config: Path | None, as_json: bool) -> None:
    """Try everything a table needs on this machine: one line each, with the mend where something is wrong.

    Exit status 1 if there is a fault.  A table that is being served holds camera, pins and port: stop it before.
    """
    import json
    import time

    from tabletop.config import ConfigError, load
    from tabletop.hardware import doctor

    try:
        settings = load(config)
    except ConfigError as error:
        click.echo(str(error), err=True)
        context.exit(2)
    checks = doctor.examine(doctor.Machine(settings, time.monotonic, time.time))
    if as_json:
        lines = [{"check": c.name, "state": c.state.value, "fact": c.fact, "mend": c.mend} for c in checks]
        click.echo(json.dumps(lines, ensure_ascii=False, indent=1))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            state = click.style(f"{check.state.value:8}", fg=COLOURS[check.state.value])
            click.echo(f"{state} {check.name:{width}}  {check.fact}")
            if check.mend:
                click.echo(f"{'':8} {'':{width}}  → {check.mend}")
    if not doctor.fit(checks):
        context.exit(1)
