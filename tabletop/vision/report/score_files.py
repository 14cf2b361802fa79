"""Scores picture files of a final table, and draws for each file what was recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from tabletop.files import text
from tabletop.messages import Message
from tabletop.rules.edition import EditionError, parse
from tabletop.rules.game import Game
from tabletop.vision.errors import PictureError
from tabletop.vision.image.load import MAX_UNPACKED_MEGAPIXELS, TARGET_MEGAPIXELS, open_picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading, read_photo
from tabletop.vision.report.score_picture import ScorePicture
from tabletop.vision.score.score import Score, score
from tabletop.vision.score.tally import (
    NO_CARRIER,
    StatedFacts,
    Tally,
    TallyError,
    carriers_of,
    no_such_seat,
    scoring_of,
)

NOTHING_TOLD = StatedFacts()


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One picture file with its reading; the picture itself, tens of megabytes, is not kept."""

    path: Path
    reading: PhotoReading


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores the final table of one game, played with a kit; with ``any_set`` the set is that of most tags."""

    kit: Kit
    tally: Tally
    any_set: bool = True
    playing: int | None = None
    """The number of seats that play, if stated."""

    def read(self, path: Path) -> Read:
        """Return a picture file with its reading.  Raises PictureError if it is not a usable picture."""
        picture = open_picture(path)
        return Read(path, read_photo(picture, self.kit, tally=self.tally, any_set=self.any_set))

    def score(self, pictures: Sequence[Read]) -> Score:
        """Return the score from all pictures together."""
        return score([each.reading for each in pictures], self.kit.game, self.tally, self.playing)

    def drawn(self, pictures: Sequence[Read], found: Score, number: int) -> Image.Image:
        """Return the picture with that number, with the recognised pieces drawn in.

        Raises PictureError if the file is gone.
        """
        one = pictures[number]
        # Decoded at full size, a large picture would take more memory than reading it did.
        picture = open_picture(
            one.path, unpacked=MAX_UNPACKED_MEGAPIXELS if one.reading.plane is None else TARGET_MEGAPIXELS
        )
        return ScorePicture(picture, one.reading, found, number, self.kit.game, self.tally).understood()


def tally_of(game: Game, facts: StatedFacts = NOTHING_TOLD, edition: Path | None = None) -> Tally:
    """Return the tally of a game's final table.

    ``facts``: the stated facts; ``edition``: a file that says what is printed on the pieces.  Raises TallyError for
    facts that do not apply to the game, and for a file that cannot be used.
    """
    scoring, carriers = scoring_of(game), facts.carriers
    if carriers and not scoring.carrier_kind:
        raise TallyError(Message("{game} has no pieces that carry others.", game=game.title))
    _check_tokens(game, facts.tokens, scoring.tokens)
    carrier_ids = carriers_of(game)
    if NO_CARRIER in carriers and len(carriers) > 1:
        raise TallyError(Message("Say {none} alone, or name pieces.", none=NO_CARRIER))
    if strange := sorted(carriers.difference(carrier_ids, {NO_CARRIER})):
        raise TallyError(
            Message(
                "There is no {kind} {name}; they are called {first} to {last}.",
                kind=scoring.carrier_kind,
                name=repr(strange[0]),
                first=carrier_ids[0],
                last=carrier_ids[-1],
            )
        )
    if edition is None:
        return scoring.tally(facts)
    if not scoring.has_editions:
        raise TallyError(Message("The score of {game} does not depend on an edition.", game=game.title))
    try:
        return scoring.tally(replace(facts, edition=parse(text.read(edition))))
    except (OSError, UnicodeDecodeError) as error:
        raise TallyError(f"{edition}: the edition cannot be read ({error}).") from None
    except EditionError as error:
        raise TallyError(f"{edition}: {error}.") from None


def _check_tokens(game: Game, tokens: Mapping[int, int], worth: int) -> None:
    """Raise TallyError for impossible tokens; ``worth``: the total points of all tokens of the game."""
    if not tokens:
        return
    if not worth:
        raise TallyError(Message("{game} has no tokens.", game=game.title))
    strange = sorted(tokens.keys() - set(range(max(game.seat_range))))
    if strange:
        raise TallyError(no_such_seat(game, strange[0]))
    total = sum(tokens.values())
    if total > worth:
        raise TallyError(
            Message(
                "The tokens add up to {total} points, but all tokens of {game} are worth {worth}.",
                total=total,
                game=game.title,
                worth=worth,
            )
        )


def save(image: Image.Image, path: Path) -> None:
    """Write a picture.  Raises PictureError if that cannot be done."""
    try:
        image.save(path, quality=88)
    except (OSError, ValueError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        raise PictureError(str(path), Message("the picture cannot be written ({error}).", error=why)) from None
