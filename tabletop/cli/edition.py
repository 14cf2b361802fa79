"""``tabletop edition``: check an edition file, or enter what a table's own pieces show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tabletop.cli.common.files import put
from tabletop.cli.common.shared_options import BadSettings, for_seats, game_of, seats_option
from tabletop.rules import registry
from tabletop.rules.validate import without_unfit

if TYPE_CHECKING:
    from tabletop.rules.edition import Enrolment


class EditedGame(click.ParamType[str]):
    """The name of a game that has editions; no game is loaded before one is named."""

    name = "GAME"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name."""
        if value not in (known := registry.EDITIONS.parts()):
            self.fail(f"{value!r} is not a game with editions: choose {' or '.join(known)}.", param, ctx)
        return value


@click.group()
def command() -> None:
    """Enter what is printed on your pieces, or check it.

    Which stack a tile belongs to, or what a card shows, is printed only on the pieces, not in the published rules.
    """


@command.command(short_help="Check an edition file against the rules.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", type=EditedGame(), help="The game, if the file does not name it.")
@seats_option("Check only for games with this many seats.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def check(context: click.Context, file: Path, game: str | None, seats: int | None, as_json: bool) -> None:
    """Report which constraints of the rules FILE breaks, and where: one line per fault.

    The exit status is 1 if it breaks any, and 2 if it is not an edition.
    """
    try:
        data = _read(file)
        game = game or _game_of(file, data)
    except click.ClickException as error:
        if as_json:
            click.echo(json.dumps({"file": str(file), "error": error.message}))
        raise
    played = game_of(game)
    for_seats(played, seats)
    faults = list(registry.EDITIONS.parts()[game].faults(data, seats))
    if as_json:
        report = {"file": str(file), "error": None, "game": game, "faults": [fault._asdict() for fault in faults]}
        click.echo(json.dumps(report))
    else:
        for fault in faults:
            click.echo(f"{fault.where}: {fault.message}")
        if not faults:
            click.echo(f"{file}: a complete edition of {played.title}.")
    if faults:
        context.exit(1)


def _game_of(file: Path, data: Mapping[str, Any]) -> str:
    """Return the game that an edition is for; end the command if it does not name one that has editions."""
    game = registry.game_of(data)
    known = registry.EDITIONS.parts()
    if game in known:
        return game
    said = "does not say for which game it is" if game is None else f"is for {game[:40]!r}, a game without editions"
    raise BadSettings(f"{file} {said}; write game = one of {', '.join(known)} at its top.")


@command.command(short_help="Enter what is printed on your pieces, one after the other.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", type=EditedGame(), required=True, help="The game whose pieces you enter.")
@click.option("--again", multiple=True, metavar="PIECE", help="Ask for this piece again; may be given more than once.")
@click.option("--camera", metavar="SPEC", help="Let a camera read which piece it is: picamera2, opencv:0, images:DIR.")
@click.pass_context
def enrol(context: click.Context, file: Path, game: str, again: tuple[str, ...], camera: str | None) -> None:
    """Ask what is printed on each piece and write FILE.  You can stop at any time: the same command continues there.

    The possible answers are explained first, and FILE is saved after every answer.  `back` returns to the previous
    piece; an empty answer keeps what is in brackets.

    With --camera, you hold up a piece and say what is printed on it, and the camera reads its tag to find out which
    piece it is; if several pieces may share an answer, it applies to all that the camera sees.  With images:DIR, each
    answer uses the next picture.  Type `done` to finish.
    """
    from tabletop.cli.common import enrolling

    form = registry.EDITIONS.parts()[game]
    if not file.absolute().parent.is_dir():
        raise click.UsageError(f"There is no folder {file.absolute().parent}.")
    data = _read(file) if file.exists() else {}
    if registry.game_of(data) not in (None, game):
        other = without_unfit(str(registry.game_of(data))[:40])
        raise BadSettings(f"{file}: it is an edition of {other}, not of {game}.")
    for piece in again:
        if piece not in form.pieces:
            raise click.UsageError(f"{piece!r} is not a {form.kind}; they are called {_some(form.pieces)}.")
    book = enrolling.Book(form, form.entered(data), partial(_write, file, form, str(data.get("name", file.stem))))
    try:
        if camera is None:
            enrolling.ask(book, [piece for piece in form.pieces if piece in again or piece not in book.answers])
        else:
            with enrolling.piece_reader(camera, game) as look:
                enrolling.watch(book, look)
    except click.Abort:
        click.echo("\nStopped. Run the same command again to continue.", err=True)
        context.exit(1)
    if not file.exists():
        raise click.ClickException(f"Nothing was entered, so {file} was not written.")
    faults = list(form.faults(_read(file), None))
    for fault in faults:
        click.echo(f"{fault.where}: {fault.message}")
    if faults:
        click.echo(f"Enter one once more with: tabletop edition enrol {file} --game {game} --again PIECE", err=True)
        context.exit(1)
    click.echo(f"{file}: a complete edition of {game_of(game).title}.")


def _some(pieces: Iterable[str]) -> str:
    names = list(pieces)
    return f"{names[0]}, {names[1]} … {names[-1]}"


def _write(file: Path, form: Enrolment, name: str, answers: Mapping[str, str]) -> None:
    put(file, form.to_toml(name, answers))


def _read(file: Path) -> dict[str, Any]:
    """Return the data of an edition file; end the command with one sentence if the file cannot be used."""
    from tabletop.rules.edition import EditionError
    from tabletop.runtime.editions import read

    try:
        return read(file)
    except EditionError as error:
        raise BadSettings(f"{file}: {error}.") from error
