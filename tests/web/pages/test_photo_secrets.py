"""Photographs of the table reveal no piece's place that the record hides from the person who took them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import pytest

from doubles.fake_photo_reader import FakePhotoReader, Sight, send
from doubles.memory_table import MemoryTable
from doubles.pages import Pages, Phone
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tabletop.rules.layout import Anywhere, Hidden, Layout, Spread
from tests.web.pages.photos.photographed import exchanged

SEATS = 3


def texts_of(pages: Pages, phone: Phone, reader: FakePhotoReader, zones: Layout, *worlds: Position) -> list[str]:
    """Return what the page says of a photograph of these zones in each of some positions."""
    reader.sight = Sight(layout=zones)
    texts = []
    for world in worlds:
        pages.now += 60
        pages.mailbox.become(world)
        path = send(phone, "table").headers["Location"]
        texts.append(re.sub(r'name="on" value="\d+"', "", phone.get(path).text.replace(path, "")))
    return texts


def held_by_another(position: Position, piece: str, seat: int | None) -> Position | None:
    """Return a position with the same view for a seat in which a piece is in another seat's hand, or None."""
    hands = [held for place, held in position.hidden(seat).items() if place.endswith(".hand")]
    return exchanged_for_one(position, piece, list(itertools.chain(*hands)))


def exchanged_for_one(position: Position, piece: str, others: Sequence[str]) -> Position | None:
    """Return the position in which a piece has swapped places with one of the others, or None."""
    pieces = position.game.pieces
    likely = [other for other in others if pieces[other].kind == pieces[piece].kind]
    worlds = (exchanged(position, piece, other) for other in likely)
    return next((world for world in worlds if world is not None), None)


def turned_up(positions: Sequence[Position], host: bool) -> Iterator[tuple[Position, Position, Layout]]:
    """Yield positions before a draw, their like with the piece in another hand, and the zones after the draw."""
    for before, after, later in zip(positions, positions[1:], positions[2:], strict=False):
        if before.decider is None or after.decider is not None or after.over:
            continue
        was, now = before.layout(), later.layout()
        home = was.zone_of()
        brought = [
            piece for piece, zone in now.zone_of().items() if home[piece] in was.hidden and zone not in now.hidden
        ]
        possible = held_by_another(before, min(brought), None if host else before.decider) if brought else None
        zones = {zone: there for zone, there in now.items() if was.get(zone, there) != there}
        seen = {zone: there for zone, there in zones.items() if not isinstance(there, Hidden | Anywhere)}
        if possible is not None:
            yield before, possible, Layout(seen)


@pytest.mark.parametrize("name", registry.BUILT_IN)
@pytest.mark.parametrize("host", [False, True])
def test_a_photograph_of_an_act_does_not_tell_where_the_piece_was_that_chance_turned_up_after_it(
    name: str, host: bool
) -> None:
    """The page shows the act and nothing of the draw, whether the piece was in the stack or in a hand."""
    reader = FakePhotoReader()
    walk = play_random_game(registry.game(name), 4, SEATS)
    pages = Pages(MemoryTable(walk.game, walk.positions[0].names, seed=None), press=None, photo_reader=reader)
    phones, at_host = [pages.phone(seat) for seat in range(SEATS)], pages.phone(host=True)
    moments = list(turned_up(walk.positions, host))
    for before, possible, zones in moments[:: max(1, len(moments) // 5)]:
        assert before.decider is not None
        phone = at_host if host else phones[before.decider]
        texts = texts_of(pages, phone, reader, zones, before, possible)
        assert texts[0] == texts[1], (before.phase, zones)
        assert "Turned up" not in texts[0].partition("What the photo shows")[2]
    pages.close()
    assert moments


@pytest.mark.parametrize("name", registry.BUILT_IN)
@pytest.mark.parametrize("host", [False, True])
def test_a_photograph_does_not_tell_what_somebody_else_holds_who_decides(name: str, host: bool) -> None:
    """The host and other seats get the same page whether or not the seat on turn holds the photographed piece."""
    reader = FakePhotoReader()
    walk = play_random_game(registry.game(name), 4, SEATS)
    pages = Pages(MemoryTable(walk.game, walk.positions[0].names, seed=None), press=None, photo_reader=reader)
    phones, at_host = [pages.phone(seat) for seat in range(SEATS)], pages.phone(host=True)
    asked = {position.decider: position for position in walk.positions if position.decider is not None}
    compared = 0
    for position, possible, piece, seat in secretly_held(walk.positions, host):
        for zone, there in position.layout().items():
            if not isinstance(there, Spread):
                continue
            reader.sight = Sight(layout=Layout({zone: Spread(there.pieces | {piece})}))
            phone = at_host if seat is None else phones[seat]
            pages.now += 60
            pages.mailbox.become(asked[seat] if seat is not None else position)  # it may be looked at later
            path = send(phone, "table").headers["Location"]
            texts = []
            for world in (position, possible):
                pages.mailbox.become(world)
                texts.append(re.sub(r'name="on" value="\d+"', "", phone.get(path).text.replace(path, "")))
            assert texts[0] == texts[1], (position.phase, zone, piece)
            compared += 1
    pages.close()
    assert compared


def secretly_held(positions: Sequence[Position], host: bool) -> Iterator[tuple[Position, Position, str, int | None]]:
    """Yield positions, their like without a piece in the decider's hand, the piece, and who looks (None: the host)."""
    by_phase: dict[str, list[Position]] = {}
    for position in positions:
        if position.decider is not None:
            by_phase.setdefault(position.phase, []).append(position)
    for moments in by_phase.values():
        for position in moments[:: max(1, len(moments) // 2)]:
            assert position.decider is not None
            seat = None if host else (position.decider + 1) % SEATS
            hidden = dict(position.hidden(seat))
            held = hidden.pop(f"seats.{position.decider}.hand", ())
            others = list(itertools.chain(*hidden.values()))
            possible = exchanged_for_one(position, min(held), others) if held else None
            if possible is not None:
                yield position, possible, min(held), seat
