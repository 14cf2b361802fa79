"""``tabletop export``: played games as tables for a spreadsheet or a notebook."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from tabletop.cli.common.files import folder_at

FORMATS = ("csv", "jsonl", "parquet")


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("export"),
    show_default=True,
    help="The folder to write the tables to.",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    help="The format of the tables; may be given more than once.  [default: csv]",
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def command(folder: Path, out: Path, formats: tuple[str, ...]) -> None:
    """Write played games as tables of games, seats and actions.

    FOLDER contains records, tournaments or the games of a table, also in subfolders.  docs/data.md explains the
    columns.  The tables include everybody's hands, so they are only for people who may see everything.
    """
    from tabletop.bots.tournament.tournament_folder import OtherTournament
    from tabletop.match.errors import JournalError
    from tabletop.match.export.rows import rows_of
    from tabletop.match.export.sources import files_in, read_game
    from tabletop.match.export.writers import tables_in
    from tabletop.rules.game import Illegal
    from tabletop.rules.text.record import RecordError

    kinds = tuple(dict.fromkeys(formats)) or FORMATS[:1]
    if "parquet" in kinds:
        importlib.import_module("pyarrow")  # if it is missing, fail before anything is written
    folder_at(out)
    exported = left_out = 0
    try:
        with tables_in(out, kinds) as tables:
            for path in files_in(folder):
                try:
                    game = read_game(path, folder)
                except (RecordError, JournalError, OtherTournament, Illegal, OSError) as error:
                    click.echo(f"{path} is left out: {error}", err=True)
                    left_out += 1
                    continue
                exported += 1
                for table, row in rows_of(game):
                    for writer in tables[table]:
                        writer.add(row)
            if not exported:
                raise click.ClickException(f"There are no games in {folder} that could be exported.")
    except OSError as error:
        raise click.ClickException(f"The tables cannot be written to {out}: {error.strerror or error}.") from None
    click.echo(f"Games in {out}: {exported}", err=True)
    if left_out:
        raise SystemExit(1)
