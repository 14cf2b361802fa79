"""``tabletop panel``: a panel file as a pin table and as drawings, and what its buttons mean in a game."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from tabletop.cli.files import folder_at, put
from tabletop.cli.shared_options import BadSettings

GAMES = ("palazzo", "patrician", "piecepack")
"""The games that say what the panel's buttons mean."""


@click.command()
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="A panel file; the shipped one by default."
)
@click.option(
    "--svg", type=click.Path(file_okay=False, path_type=Path), help="Also draw header, circuits, legs and stand here."
)
@click.option("--game", type=click.Choice(GAMES), help="Print what each button means in each phase instead.")
def command(file: Path | None, svg: Path | None, game: str | None) -> None:
    """Check a panel file and print which pin goes where.

    The table is Markdown.  The exit status is 1 if the panel cannot be wired like that; the message names the line.
    """
    from tabletop.hardware.drawings import pinout
    from tabletop.hardware.drawings.drawings import DRAWINGS
    from tabletop.hardware.errors import WiringError
    from tabletop.hardware.panel import wiring

    try:
        wired = wiring.load(file)
    except WiringError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise BadSettings(f"{file} cannot be read: {error.strerror}.") from None
    if svg is not None:
        folder_at(svg)
        for name, drawing in DRAWINGS.items():
            put(svg / f"{name}.svg", drawing(wired))
    if game is not None:
        buttons = importlib.import_module(f"tabletop.rules.{game}.table.buttons").BUTTONS
        click.echo(pinout.meanings(wired, buttons), nl=False)
    else:
        click.echo(pinout.table(wired), nl=False)
