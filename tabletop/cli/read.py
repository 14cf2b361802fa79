"""``tabletop read``: the tags in pictures."""

from __future__ import annotations

import click

from tabletop.cli.common.progress import report_if_slow


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path())
@click.option("--json", is_flag=True, expose_value=False, help="Has no effect: the output is always JSON lines.")
@click.pass_context
def command(context: click.Context, images: tuple[str, ...]) -> None:
    """Print the tags in each picture as one line of JSON.

    An IMAGE is a JPEG, PNG or WebP file.

    Corners are in px of the upright picture (rotated as its EXIF data says), clockwise from the code's own top left,
    without the quiet zone; "size" is the width and height of the upright picture.  The exit status is 1 if a picture
    could not be read.
    """
    import json

    from tabletop.rules import registry
    from tabletop.vision.report.read_tags import read_file
    from tabletop.vision.tags import payloads

    games = registry.games()
    for fault in registry.faults():
        click.echo(fault.message, err=True)
    ids = payloads.ids(games)
    faults = 0
    for image in images:
        with report_if_slow(f"Reading {image}"):
            answer = read_file(image, ids, games)
        faults += answer["error"] is not None
        click.echo(json.dumps(answer))
    if faults:
        context.exit(1)
