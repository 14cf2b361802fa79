"""The end of a game can be laid out and photographed, with the same result each time."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from doubles.final_table import final_position, laid_table
from tabletop.rules.game import Game
from tabletop.rules.palazzo import GAME as PALAZZO
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.piecepack import GAME as PIECEPACK
from tabletop.simulator.camera.lens import hold_phone


@pytest.mark.parametrize("game", [PALAZZO, PATRICIAN, PIECEPACK], ids=lambda game: game.name)
def test_a_seed_gives_one_end_of_a_game(game: Game) -> None:
    ends = [final_position(game, ("Ann", "Bob"), seed) for seed in (3, 3, 4)]
    assert all(end.over for end in ends)
    assert ends[0] == ends[1] != ends[2]


def test_a_phone_photographs_the_table_in_colour_at_its_own_size() -> None:
    world = laid_table(final_position(PALAZZO, ("Ann", "Bob"), seed=1), harsh=0)
    phone = hold_phone(world.table.middle, 1200, tilt=30, azimuth=90)
    small = replace(phone, size=(504, 378), focal=phone.focal / 8)
    photograph = Image.open(io.BytesIO(world.photograph(small)))
    assert (photograph.size, photograph.mode) == ((504, 378), "RGB")
