"""``tabletop tags``: tags to print, as sheets, as pictures, as a list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tabletop.cli.common.files import check_apart, folder_at, put
from tabletop.cli.common.shared_options import (
    Between,
    SetLetter,
    check_make,
    for_seats,
    game_of,
    game_option,
    make_option,
    seats_option,
)

if TYPE_CHECKING:
    from tabletop.vision.kit import Kit
    from tabletop.vision.tags.catalogue import Entry

PX_PER_MODULE = 10
"""The resolution of the pictures of single tags."""
SHEET_OPTIONS = ("paper", "out", "proxies", "seats", "edition")
"""The options that apply only to the print sheets."""


@click.command()
@game_option
@make_option()
@click.option(
    "--set", "letter", default="", type=SetLetter(), help="A to Z, for a second copy of the game in the same room."
)
@click.option("--size", "size_mm", type=Between(8, 100), default=20.0, show_default=True, help="Tag size, mm.")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="The size of the sheets.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF to write.  [default: GAME-tags.pdf]"
)
@seats_option("Print only what this many seats need.  [default: everything]")
@click.option(
    "--edition",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What is printed on the pieces of your box (with --proxies).",
)
@click.option("--proxies", is_flag=True, help="Print complete tiles and cards instead of tags to stick on.")
@click.option(
    "--png", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write one picture per tag."
)
@click.option("--list", "as_list", is_flag=True, help="List the tags.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (with --list).")
@click.pass_context
def command(
    context: click.Context, game: str, make: str, letter: str, size_mm: float, paper: str, out: Path | None,
    seats: int | None, edition: Path | None, proxies: bool, png: Path | None, as_list: bool, as_json: bool,
) -> None:  # fmt: skip
    """Print the tags of a game, or complete tiles and cards, as PDF.

    The sheets are true to size and include the zone cards.  You can also get the tags as single pictures or as a list.
    """
    from tabletop.vision.kit import Kit
    from tabletop.vision.tags.catalogue import TAG_MM

    played = game_of(game)
    if as_json and not as_list:
        raise click.UsageError("--json works only with --list.")
    chosen = [name for name in SHEET_OPTIONS if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if chosen and (as_list or png is not None):
        raise click.UsageError(f"--{chosen[0]} is about the printed sheets and does not work with --list or --png.")
    check_make(played, make)
    kit = Kit(played, make, letter, size_mm / TAG_MM)
    entries = list(kit.entries.values())
    if as_list:
        _print_list(entries, as_json)
    if png is not None:
        _write_pictures(entries, png)
    if as_list or png is not None:
        return
    for_seats(played, seats)
    if edition is not None and not proxies:
        raise click.UsageError("--edition works only with --proxies.")
    check_apart("--out", out, edition)
    made = _sheets(kit, paper.lower(), seats or 0, edition, proxies=proxies)
    target = out or Path(f"{played.name}{f'-{letter}' if letter else ''}-{'proxies' if proxies else 'tags'}.pdf")
    put(target, made)
    click.echo(f"{target}: print it at 100 % and check the ruler on any page.", err=True)
    _tell_smaller(kit)


def _sheets(kit: Kit, paper: str, seats: int, edition: Path | None, *, proxies: bool) -> bytes:
    from tabletop.printing import proxy_pdf, tag_pdf
    from tabletop.printing.game_sheets import sheets_of
    from tabletop.rules.edition import EditionError
    from tabletop.runtime import editions

    if not proxies:
        return tag_pdf(kit, paper, seats)
    if edition is None:
        return proxy_pdf(kit, paper, seats)
    if sheets_of(kit.game).faces is None:
        raise click.BadParameter(f"The pieces of {kit.game.title} show the same in every box.", param_hint="--edition")
    try:
        return proxy_pdf(kit, paper, seats, editions.read(edition))
    except EditionError as error:
        raise click.BadParameter(f"{edition}: {error}.", param_hint="--edition") from None


def _tell_smaller(kit: Kit) -> None:
    """Say which pieces have smaller tags than requested."""
    from tabletop.printing.proxies import smaller_tags

    if smaller := smaller_tags(kit):
        named = ", ".join(f"{kind} {side:g} mm" for kind, side in smaller.items())
        click.echo(f"Some pieces have no room for such large tags, so theirs are smaller: {named}.", err=True)


def _print_list(entries: list[Entry], as_json: bool) -> None:
    import json

    from tabletop.vision.tags.patterns import QUIET_MODULES

    if as_json:
        rows = [
            {
                "id": entry.id,
                "payload": entry.payload,
                "kind": entry.kind,
                "size_mm": entry.size_mm,
                "quiet_modules": QUIET_MODULES,
            }
            for entry in entries
        ]
        click.echo(json.dumps(rows))
        return
    for entry in entries:
        click.echo(f"{entry.id:8}{entry.payload:12}{entry.kind:10}{entry.size_mm:g} mm")


def _write_pictures(entries: list[Entry], folder: Path) -> None:
    from io import BytesIO

    from PIL import Image

    from tabletop.vision.tags.patterns import TAG_MODULES, draw, pattern

    folder_at(folder)
    for entry in entries:
        data = BytesIO()
        density = PX_PER_MODULE * TAG_MODULES / entry.size_mm * 25.4
        Image.fromarray(draw(pattern(entry.payload), PX_PER_MODULE)).save(data, "PNG", dpi=(density, density))
        put(folder / f"{entry.id}.png", data.getvalue())
    click.echo(f"{len(entries)} pictures in {folder}.", err=True)
