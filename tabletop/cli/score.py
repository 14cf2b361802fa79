"""``tabletop score``: final scores from photographs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path(path_type=Path))
@click.option("--game", default="palazzo", show_default=True, help="The game that was played.")
@click.option("--set", "set_letter", metavar="LETTER", help="The set letter of the tags; as a rule it is found.")
@click.option("--size", "size_mm", type=click.FloatRange(5, 100), default=20.0, show_default=True, help="Tag size, mm.")
@click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), help="Draw here what was understood.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(
    context: click.Context,
    images: tuple[Path, ...],
    game: str,
    set_letter: str | None,
    size_mm: float,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Score the final table from photographs: one IMAGE of the table, or one a seat.

    With seat markers in a picture their seats are scored; a picture without shows one seat, in the order of the
    pictures.  Exit status 1 where something could not be read or breaks a building rule.
    """
    import json

    from tabletop.rules import registry
    from tabletop.rules.game import Illegal
    from tabletop.vision.errors import PictureError
    from tabletop.vision.picture import Drawing
    from tabletop.vision.pictures import open_picture
    from tabletop.vision.score import score
    from tabletop.vision.still import read_still
    from tabletop.vision.tags import SETS

    try:
        played = registry.game(game)
    except Illegal as error:
        raise click.BadParameter(error.message, param_hint="--game") from None
    if played.name != "palazzo":
        raise click.BadParameter(f"{played.title} is not scored from pictures; Palazzo is.", param_hint="--game")
    if set_letter is not None and set_letter.upper() not in SETS:
        raise click.BadParameter(f"A set is one letter A to Z, not {set_letter!r}.", param_hint="--set")
    letter = set_letter.upper() if set_letter is not None else None
    try:
        pictures = [open_picture(image) for image in images]
    except PictureError as error:
        raise click.ClickException(str(error)) from None
    stills = [read_still(each, played, letter, size_mm) for each in pictures]
    found = score(stills, played)
    if picture is not None:
        for number, (each, still) in enumerate(zip(pictures, stills, strict=True)):
            drawn = Drawing(each).understood(still, found, played, number)
            _save(drawn, picture if number == 0 else picture.with_stem(f"{picture.stem}-{number + 1}"))
    click.echo(json.dumps(found.to_json(), ensure_ascii=False) if as_json else found.in_words())
    if not found.sound:
        context.exit(1)


def _save(drawn: object, path: Path) -> None:
    from PIL import Image

    assert isinstance(drawn, Image.Image)
    try:
        drawn.save(path)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: the picture cannot be written ({error}).") from None
