"""``tabletop panel``: a panel file as a pin table and as drawings."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="A panel file; without it the shipped one."
)
@click.option(
    "--svg", type=click.Path(file_okay=False, path_type=Path), help="Also draw header.svg and circuits.svg here."
)
@click.pass_context
def command(context: click.Context, file: Path | None, svg: Path | None) -> None:
    """Check a panel file and print its pin table (Markdown).

    Exit status 1 where it cannot be wired so; the message names the line.
    """
    from tabletop.hardware import pinout, wiring
    from tabletop.hardware.errors import WiringError

    try:
        wired = wiring.load(file)
        if svg is not None:
            svg.mkdir(parents=True, exist_ok=True)
            (svg / "header.svg").write_text(pinout.header_drawing(wired), "utf-8")
            (svg / "circuits.svg").write_text(pinout.circuits_drawing(wired), "utf-8")
    except WiringError as error:
        click.echo(str(error), err=True)
        context.exit(1)
    except OSError as error:
        click.echo(f"{error.filename}: {error.strerror}.", err=True)
        context.exit(2)
    click.echo(pinout.table(wired), nl=False)
