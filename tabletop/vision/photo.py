"""A photograph from somebody's phone, as bytes, read into piece ids: the four cards of a deal, a correction."""

from __future__ import annotations

import io

from tabletop.rules.game import Game
from tabletop.vision import tags
from tabletop.vision.pictures import open_picture
from tabletop.vision.still import read_still

NAME = "The photograph"


def pieces_in(data: bytes, game: Game) -> list[str]:
    """Return the ids of the game's pieces in a photograph, sorted; markers and foreign codes are left out.

    Raises PictureError (a ValueError), a sentence, where the bytes are no usable picture.
    """
    still = read_still(open_picture(io.BytesIO(data), NAME), game)
    found = {tags.piece_of(game, sighting.payload) for sighting in still.sightings}
    return sorted(piece for piece in found if piece is not None)
