"""Picture files of a final table → their score, and for each file a picture of what was understood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tabletop.files import text
from tabletop.rules.edition import EditionError, parse
from tabletop.rules.game import Game
from tabletop.rules.patrician.components import SEATS
from tabletop.rules.patrician.edition import Edition
from tabletop.vision.errors import PictureError
from tabletop.vision.image.load import ENOUGH_MEGAPIXELS, MOST_UNPACKED, open_picture
from tabletop.vision.photo.read_photo import PhotoReading, read_photo
from tabletop.vision.report.score_picture import ScorePicture
from tabletop.vision.score.palazzo import PalazzoTally
from tabletop.vision.score.patrician import PatricianTally
from tabletop.vision.score.piecepack import PiecepackTally
from tabletop.vision.score.score import Score, score
from tabletop.vision.score.tally import Tally
from tabletop.vision.tags.catalogue import TAG_MM


class TallyError(ValueError):
    """A final table cannot be scored as it was asked; the text says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One picture file with what it shows; the picture itself, tens of megabytes, is not kept."""

    path: Path
    reading: PhotoReading


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores the final table of one game; ``set_letter`` None: the one that most tags have; ``size_mm`` of the tags."""

    game: Game
    tally: Tally
    set_letter: str | None = None
    size_mm: float = TAG_MM

    def read(self, path: Path) -> Read:
        """Return what a picture file shows.  Raises PictureError where it is no usable picture."""
        picture = open_picture(path)
        return Read(path, read_photo(picture, self.game, self.set_letter, self.size_mm, tally=self.tally))

    def score(self, pictures: Sequence[Read]) -> Score:
        """Return what pictures say together."""
        return score([each.reading for each in pictures], self.game, self.tally)

    def drawn(self, pictures: Sequence[Read], found: Score, number: int) -> Image.Image:
        """Return the picture of that number with what was understood drawn in.

        Raises PictureError where the file is there no more.
        """
        one = pictures[number]
        # Unpacked whole a large picture would take more memory than reading it did.
        picture = open_picture(one.path, unpacked=MOST_UNPACKED if one.reading.plane is None else ENOUGH_MEGAPIXELS)
        return ScorePicture(picture, one.reading, found, number, self.game, self.tally).understood()


def tally_of(game: Game, turrets: Iterable[str] = (), edition: Path | None = None) -> Tally:
    """Return how a game's final table is scored.

    ``turrets``: structures of the piecepack on which one stands; ``edition``: a file that says what Patrician's cards
    show.  Raises TallyError for what this game does not have, and for a file that cannot be used.
    """
    stand = frozenset(turrets)
    if stand and game.name != "piecepack":
        raise TallyError(f"{game.title} has no turrets.")
    if edition is not None and game.name != "patrician":
        raise TallyError(f"The score of {game.title} does not depend on an edition.")
    if game.name == "palazzo":
        return PalazzoTally()
    if game.name == "piecepack":
        strange = sorted(one for one in stand if one not in game.pieces or game.pieces[one].kind != "structure")
        if strange:
            raise TallyError(f"There is no structure {strange[0]!r}; they are called TM0 to TC5.")
        return PiecepackTally(stand)
    if game.name == "patrician":
        return PatricianTally() if edition is None else PatricianTally(_edition(edition))
    raise TallyError(f"Nothing says how the final table of {game.title} is scored from pictures.")


def save(image: Image.Image, path: Path) -> None:
    """Write a picture.  Raises PictureError where that cannot be done."""
    try:
        image.save(path, quality=88)
    except (OSError, ValueError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        raise PictureError(str(path), f"the picture cannot be written ({why}).") from None


def _edition(path: Path) -> Edition:
    try:
        return Edition.parse(parse(text.read(path)), max(SEATS))
    except (OSError, UnicodeDecodeError) as error:
        raise TallyError(f"{path}: the edition cannot be read ({error}).") from None
    except EditionError as error:
        raise TallyError(f"{path}: {error}.") from None
