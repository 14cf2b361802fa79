"""What a photograph of the table means: when it agrees with the record, and which pieces are then confirmed."""

from __future__ import annotations

import pytest

from doubles.fake_photo_reader import Sight
from doubles.positions import phases
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tabletop.rules.layout import Arrangement, Layout, Spread
from tabletop.web.views.photo_queue import Photo
from tabletop.web.views.table_photo import PhotoMeaning, meaning

SEATS = 3


def meant(position: Position, seat: int | None, zone: str, there: Arrangement) -> PhotoMeaning:
    """Return what a photograph of one zone means for a seat or, if it is None, for the host."""
    sight = Sight(layout=Layout({zone: there}))
    photo = Photo("key", "table", "owner", seat, position.game.name, mark="", before="", since=0.0, seen=sight)
    return meaning(photo, position)


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_a_photograph_of_what_lies_after_an_act_never_agrees_with_the_record_before_it(name: str) -> None:
    """No photograph taken after an act, even an incomplete one, agrees for any seat with the record before it."""
    walk = play_random_game(registry.game(name), 4, SEATS)
    table = walk.game.table
    assert table is not None
    printed, compared = {zone.name for zone in table.zones(SEATS)}, 0
    for before, after in zip(walk.positions, walk.positions[1:], strict=False):
        was, now = before.layout(), after.layout()
        if before.decider is None:
            continue
        for zone in (zone for zone in now if zone in printed - now.hidden and was.get(zone) != now[zone]):
            for seat in (None, before.decider, (before.decider + 1) % SEATS):
                assert not meant(before, seat, zone, now[zone]).agrees, (before.phase, zone, seat)
                compared += 1
    assert compared


def test_only_pieces_that_lie_where_the_record_has_them_are_believed_to() -> None:
    """A tile on its way may lie in a zone that agrees, but is not confirmed to belong there."""
    position = phases()["place"]
    row, [tile, *_] = position.layout().pieces("row"), sorted(position.layout().pieces("pending"))
    found = meant(position, position.decider, "row", Spread(row | {tile}))
    assert found.agrees
    assert found.matching == dict.fromkeys(row, "row")
