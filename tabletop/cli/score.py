"""``tabletop score``: final scores from photographs."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.common.files import check_apart
from tabletop.cli.common.progress import report_if_slow
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
from tabletop.rules.game import Illegal

if TYPE_CHECKING:
    from tabletop.rules.game import Game
    from tabletop.vision.report.score_files import Read, Scorer
    from tabletop.vision.score.score import Score
    from tabletop.vision.score.tally import StatedFacts

Say = Callable[["Score"], None]
POLL_INTERVAL_S = 0.5
"""The time between two looks at a folder."""


class SeatPoints(click.ParamType[tuple[int, int]]):
    """The points of a seat, which people count from 1: ``1=15``."""

    name = "SEAT=POINTS"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return the seat, from 0, and its points."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"([1-9]\d?)=(\d{1,4})", value.strip(), re.ASCII)
        if match is None:
            self.fail(f"{value!r} is not SEAT=POINTS, such as 1=15 for seat 1.", param, ctx)
        return int(match[1]) - 1, int(match[2])


@click.command()
@click.argument("images", nargs=-1, metavar="[IMAGE...]", type=click.Path(path_type=Path))
@game_option
@click.option("--set", "letter", type=SetLetter(), help="The set letter of the tags; usually found automatically.")
@click.option("--size", "size_mm", type=Between(5, 100), default=20.0, show_default=True, help="Tag size, mm.")
@make_option("Usually found automatically.")
@seats_option("How many people played: a seat that no picture shows is a doubt.", "playing")
@click.option(
    "--carrier",
    "--turret",
    "carriers",
    multiple=True,
    metavar="PIECE",
    help="A piece that carries one without a tag, such as a turret, or none; may be given more than once.",
)
@click.option(
    "--tokens",
    multiple=True,
    type=SeatPoints(),
    help="What a seat's tokens are worth if no picture shows it, such as 1=15.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    type=(str, str),
    metavar="NAME VALUE",
    help="How you play where the rules leave a choice; may be given more than once.",
)
@click.option("--edition", type=click.Path(path_type=Path), help="The file that says what is printed on your pieces.")
@click.option(
    "--picture", type=click.Path(path_type=Path, dir_okay=False), help="Draw what was understood into this file."
)
@click.option(
    "--watch", type=click.Path(path_type=Path), metavar="DIR", help="Score each picture that arrives in this folder."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (with --watch one per line).")
@click.pass_context
def command(
    context: click.Context, images: tuple[Path, ...], game: str, letter: str | None, size_mm: float, make: str,
    playing: int | None, carriers: tuple[str, ...], tokens: tuple[tuple[int, int], ...],
    options: tuple[tuple[str, str], ...], edition: Path | None,
    picture: Path | None, watch: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Score a finished game from photographs.

    You can give any number of IMAGEs of the table or of its seats, taken from any side.  If a picture shows seat
    markers, it is scored for those seats; otherwise each picture shows one seat, in the order of the pictures.  In
    games whose pieces all face their seat, pieces that face another way belong to further seats, clockwise.  Several
    pictures of a seat are merged.  The exit status is 1 if something is in doubt or breaks a building rule.

    --watch DIR waits for pictures that a phone syncs to that folder.  After each new one it scores all of them, and
    draws what it understood beside the new one (NAME.understood.jpg).  A picture that is deleted no longer counts.
    Press Ctrl-C to stop.
    """
    from tabletop.vision.errors import PictureError

    for_seats(game_of(game), playing)
    told = _told(game_of(game), make, carriers, tokens, options)
    scorer = replace(_scorer(game, letter, size_mm, told, edition), playing=playing)
    if not images and watch is None:
        raise click.UsageError("Missing argument 'IMAGE...': name a picture, or a folder with --watch.")
    if picture is not None:
        _check_picture(picture, images)

    def say(score: Score) -> None:
        report = {"error": None, **score.to_json()}
        click.echo(json.dumps(report) if as_json else score.in_words())

    try:
        read = {}
        for path in images:
            with report_if_slow(f"Reading {path}"):
                read[path] = scorer.read(path)
        sound = _score(scorer, read, picture, say) if images else True
        if watch is not None:
            _watch(watch, scorer, read, say, time.monotonic, time.sleep)
    except PictureError as error:
        if as_json:
            click.echo(json.dumps({"error": str(error)}))
        raise click.ClickException(str(error)) from None
    if not sound and watch is None:
        context.exit(1)


def _told(
    game: Game, make: str, carriers: tuple[str, ...], tokens: tuple[tuple[int, int], ...],
    options: tuple[tuple[str, str], ...],
) -> StatedFacts:  # fmt: skip
    """Return what the options state about the final table; an impossible statement is bad usage."""
    from tabletop.vision.score.tally import StatedFacts

    check_make(game, make)
    twice = sorted(seat for seat, count in Counter(seat for seat, _ in tokens).items() if count > 1)
    if twice:
        raise click.BadParameter(f"Seat {twice[0] + 1} is named twice.", param_hint="--tokens")
    values = {str(value).lower(): value for name, _ in options for value in game.options.get(name, ())}
    chosen = {name: values.get(value, value) for name, value in options}
    try:
        game.new([str(seat + 1) for seat in range(min(game.seat_range))], chosen)
    except Illegal as error:
        raise click.BadParameter(error.message, param_hint="--option") from None
    return StatedFacts(frozenset(carriers), dict(tokens), make=make, options=chosen)


def _scorer(game: str, letter: str | None, size_mm: float, told: StatedFacts, edition: Path | None) -> Scorer:
    from tabletop.vision.kit import Kit, KitError
    from tabletop.vision.report.score_files import Scorer, tally_of
    from tabletop.vision.score.tally import TallyError
    from tabletop.vision.tags.catalogue import TAG_MM

    played = game_of(game)
    try:
        kit = Kit(played, told.make, letter or "", size_mm / TAG_MM)
        tally = tally_of(played, told, edition)
    except (KitError, TallyError) as error:
        raise click.UsageError(str(error)) from None
    return Scorer(kit, tally, any_set=letter is None)


def _check_picture(picture: Path, images: Sequence[Path]) -> None:
    """Raise UsageError if nothing would be drawn into that picture, or it would replace a photograph."""
    if not images:
        raise click.UsageError("--picture works only with IMAGEs; --watch draws beside each picture that arrives.")
    for number in range(len(images)):
        check_apart("--picture", _drawn_into(picture, number), *images)


def _drawn_into(picture: Path, number: int) -> Path:
    """Return the file into which what was understood of picture ``number``, from 0, is drawn."""
    return picture if number == 0 else picture.with_stem(f"{picture.stem}-{number + 1}")


def _score(scorer: Scorer, read: dict[Path, Read], picture: Path | None, say: Say) -> bool:
    """Print the score of all pictures, and draw each if ``picture`` is given; return whether the score is sound."""
    from tabletop.vision.report.score_files import save

    pictures = [*read.values()]
    score = scorer.score(pictures)
    say(score)
    if picture is not None:
        for number in range(len(pictures)):
            save(scorer.drawn(pictures, score, number), _drawn_into(picture, number))
    return score.sound


def _watch(
    folder: Path,
    scorer: Scorer,
    read: dict[Path, Read],
    say: Say,
    clock: Callable[[], float],
    wait: Callable[[float], None],
) -> None:
    """Score again whenever pictures come or go, until interrupted; ``clock`` and ``wait`` work in seconds."""
    from tabletop.vision.image.load import HEIC_UNREADABLE
    from tabletop.vision.report.inbox import Inbox

    try:
        inbox = Inbox(folder)
        already = f" (ignoring {inbox.waiting} already there)" if inbox.waiting else ""
        click.echo(f"Waiting for pictures in {folder}{already}. Press Ctrl-C to stop.", err=True)
        while True:
            news = inbox.poll(clock())
            for path in news.strange:
                click.echo(f"{path.name}: {HEIC_UNREADABLE}", err=True)
            for path in news.gone:
                read.pop(path, None)
            come = [path for path in news.come if _take(scorer, read, path)]
            if come or (news.gone and read):
                _tell(scorer, read, come, say)
            wait(POLL_INTERVAL_S)
    except KeyboardInterrupt:
        click.echo(f"Pictures counted: {len(read)}", err=True)
    except OSError as error:
        raise click.ClickException(f"{folder}: the folder cannot be read ({error.strerror}).") from None


def _take(scorer: Scorer, read: dict[Path, Read], path: Path) -> bool:
    """Read a picture that arrived and return True; report one that cannot be read, and read it when it changes."""
    from tabletop.vision.errors import PictureError

    read.pop(path, None)
    try:
        read[path] = scorer.read(path)
    except PictureError as error:
        click.echo(str(error), err=True)
        return False
    return True


def _tell(scorer: Scorer, read: dict[Path, Read], come: list[Path], say: Say) -> None:
    """Print the score of all pictures that count, and draw those that have just come."""
    from tabletop.vision.errors import PictureError
    from tabletop.vision.report.inbox import beside
    from tabletop.vision.report.score_files import save

    paths, pictures = [*read], [*read.values()]
    score = scorer.score(pictures)
    click.echo(f"Pictures: {', '.join(f'{number} {path.name}' for number, path in enumerate(paths, 1))}", err=True)
    say(score)
    for path in come:
        try:
            save(scorer.drawn(pictures, score, paths.index(path)), beside(path))
        except PictureError as error:
            click.echo(str(error), err=True)  # deleted meanwhile, or the disk is full: the score was printed
