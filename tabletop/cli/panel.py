"""``tabletop panel``: a panel file as a pin table and as drawings, and what its buttons mean in a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.common.files import check_apart, folder_at, put
from tabletop.cli.common.shared_options import BadSettings, Between, game_of
from tabletop.rules import registry

if TYPE_CHECKING:
    from tabletop.hardware.panel.panel_file import Wiring


@click.command()
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A panel file.  [default: the one that comes with tabletop]",
)
@click.option(
    "--svg",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write the drawings of the wiring guide to this folder.",
)
@click.option(
    "--front", type=click.Path(dir_okay=False, path_type=Path), help="Also write a drilling template, 1:1, as a PDF."
)
@click.option(
    "--hole", type=Between(5, 40), help="The diameter of the button holes in it, in mm (with --front).  [default: 28]"
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The PDF's paper.")
@click.option("--game", type=click.Choice(registry.names()), help="Print what each button does in each phase instead.")
def command(
    file: Path | None, svg: Path | None, front: Path | None, hole: float | None, paper: str, game: str | None
) -> None:
    """Check the file that assigns the pins, and print the wiring.

    The table is printed as Markdown.  The exit status is 1 if the panel cannot be wired this way; the message names the
    line.
    """
    from tabletop.hardware.drawings import pinout
    from tabletop.hardware.drawings.drawings import DRAWINGS
    from tabletop.hardware.errors import WiringError
    from tabletop.hardware.panel import panel_file

    if hole is not None and front is None:
        raise click.UsageError("--hole works only with --front.")
    check_apart("--front", front, file)
    try:
        wired = panel_file.load(file)
    except WiringError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise BadSettings(f"{file} cannot be read: {error.strerror}.") from None
    if svg is not None:
        folder_at(svg)
        for name, drawing in DRAWINGS.items():
            put(svg / f"{name}.svg", drawing(wired))
    if front is not None:
        _template(wired, front, hole, paper)
    if game is not None:
        played = game_of(game)
        if played.buttons:
            click.echo(pinout.meanings(wired, played.buttons), nl=False)
        else:
            click.echo(f"{played.title} gives the panel's buttons no meaning: it is played on its pages.", err=True)
    else:
        click.echo(pinout.table(wired), nl=False)


def _template(wired: Wiring, file: Path, hole: float | None, paper: str) -> None:
    from tabletop.hardware.drawings.front import BUTTON_HOLE_MM, front
    from tabletop.printing.panel_front import FrontTooLarge, panel_front_pdf

    try:
        put(file, panel_front_pdf(front(wired, BUTTON_HOLE_MM if hole is None else hole), paper))
    except FrontTooLarge as error:
        raise BadSettings(str(error)) from None
