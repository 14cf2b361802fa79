"""The dialogue of ``tabletop edition enrol``: piece by piece, or with a camera that reads which pieces are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import click

from tabletop.rules.edition import Enrolment

ReadPieces = Callable[[], Sequence[str]]
"""Returns the game's pieces in front of the camera, sorted.  Raises click.ClickException if there is no picture."""

CAPTURE_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Book:
    """The answers given so far, each saved before anything else happens."""

    form: Enrolment
    answers: dict[str, str]
    save: Callable[[Mapping[str, str]], None]

    def enter(self, pieces: Sequence[str], answer: str) -> None:
        """Keep one answer for these pieces.  Raises ValueError with a sentence if it is not a possible answer."""
        self.answers.update(dict.fromkeys(pieces, self.form.normal(answer)))
        self.save(self.answers)

    @property
    def left(self) -> int:
        """The number of pieces that have no answer yet."""
        return len(self.form.pieces) - len(self.answers)


def ask(book: Book, asked: Sequence[str]) -> None:
    """Ask for the pieces in turn; ``back`` goes one back."""
    if asked:
        click.echo(f"Each {book.form.kind}: {book.form.answers}. {len(asked)} to enter.", err=True)
    at = 0
    while at < len(asked):
        piece = asked[at]
        answer = click.prompt(f"{piece} ({book.form.pieces[piece]})", default=book.answers.get(piece), err=True)
        if answer.strip() == "back":
            at = max(0, at - 1)
        elif _entered(book, [piece], answer):
            at += 1


def watch(book: Book, look: ReadPieces) -> None:
    """Ask what is printed on the pieces that the camera sees, until none is left or the answer is ``done``."""
    form, kind = book.form, book.form.kind
    what = f"one {kind} at a time" if form.single else f"{kind}s of one kind, several at once if you like,"
    click.echo(f"Show {what} to the camera and answer {form.answers}; type done to finish.", err=True)
    while book.left:
        answer = click.prompt(f"{book.left} {kind}{'s' if book.left > 1 else ''} left", err=True)
        if answer.strip() == "done":
            return
        seen = [piece for piece in look() if piece in form.pieces]
        if not seen:
            click.echo(f"No {kind} is visible: hold its tag towards the camera, nearer and in better light.", err=True)
        elif form.single and len(seen) > 1:
            click.echo(f"One {kind} at a time: {', '.join(seen)} are visible.", err=True)
        elif _entered(book, seen, answer):
            click.echo(f"{', '.join(seen)}: {book.answers[seen[0]]}", err=True)


def _entered(book: Book, pieces: Sequence[str], answer: str) -> bool:
    """Keep the answer and return True; if it is not a possible answer, say so and return False."""
    try:
        book.enter(pieces, answer)
    except ValueError as error:
        click.echo(str(error), err=True)
        return False
    return True


@contextmanager
def piece_reader(spec: str, game: str) -> Iterator[ReadPieces]:
    """Provide a function that looks for the pieces of a game through the camera that ``--camera`` names."""
    from tabletop.hardware.cameras.opener import opener
    from tabletop.hardware.errors import CameraLost, CameraUnknown
    from tabletop.rules import registry
    from tabletop.vision.image.load import Picture
    from tabletop.vision.kit import Kit
    from tabletop.vision.photo.read_photo import read_photo
    from tabletop.vision.tags import payloads

    played = registry.game(game)
    try:
        camera = opener(spec, time.monotonic)()
    except CameraUnknown as error:
        raise click.UsageError(str(error)) from None
    except CameraLost as error:
        raise click.ClickException(str(error)) from None

    def look() -> Sequence[str]:
        try:
            frame = camera.capture(time.monotonic(), CAPTURE_TIMEOUT_S)
            colour = frame.grey[:, :, None].repeat(3, axis=2) if frame.colour is None else frame.colour
        except CameraLost as error:
            raise click.ClickException(str(error)) from None
        reading = read_photo(Picture(spec, frame.grey, colour), Kit(played))
        pieces = {payloads.piece_of(played, seen.payload) for seen in reading.sightings}
        return sorted(piece for piece in pieces if piece is not None)

    with closing(camera):
        yield look
