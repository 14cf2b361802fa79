"""A photograph of the table changes what the record says of it only once it is confirmed, and reveals no hand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from doubles.fake_photo_reader import FakePhotoReader, confirm
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import phases
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tabletop.rules.layout import Spread
from tabletop.rules.palazzo import GAME
from tabletop.web.games import ui_of
from tests.web.pages.photos.photographed import due, exchanged, looked_at, on


def test_a_photograph_of_its_zone_shows_what_chance_turned_up(pages: Pages, reader: FakePhotoReader) -> None:
    position = phases()["reveal"]
    pages.mailbox.become(position)
    phone = pages.phone(due(pages))
    row, card = position.to_json()["row"], next(iter(position.legal)).to_json()["piece"]
    assert position.game.pieces[card].kind == "money"
    path = looked_at(pages, phone, reader, {"row": Spread(frozenset([*row, card]))})
    text = phone.get(path).text
    assert "What the photo shows" in text
    assert confirm(phone, path, on=on(pages), how="acts").headers["Location"] == "/seat"
    assert card in pages.mailbox.snapshot.position.to_json()["row"]
    assert pages.mailbox.snapshot.events[-1].source == "photo"
    assert "From a photo: Turned up:" in phone.get("/seat").text


def test_a_zone_in_which_something_cannot_be_read_changes_nothing(pages: Pages, reader: FakePhotoReader) -> None:
    """A tile hidden by glare is not taken to have been removed."""
    position = phases()["take"]
    pages.mailbox.become(position)
    phone = pages.phone(due(pages))
    path = looked_at(pages, phone, reader, {"row": Spread(frozenset())}, unsure=frozenset({"row"}))
    assert "No zone is completely visible" in phone.get(path).text
    assert confirm(phone, path, on=on(pages), how="acts").status_code == 422
    assert confirm(phone, path, on=on(pages), how="agrees").status_code == 422
    assert pages.mailbox.snapshot.position == position


def test_a_photograph_says_that_all_lies_as_the_record_says(pages: Pages, reader: FakePhotoReader) -> None:
    position = phases()["action"]
    pages.mailbox.become(position)
    phone = pages.phone(due(pages))
    path = looked_at(pages, phone, reader, {"warehouse": position.layout()["warehouse"]})
    assert "lies as the record says" in phone.get(path).text
    assert confirm(phone, path, on=on(pages), how="agrees").status_code == 303
    newest = pages.mailbox.snapshot.events[-1]
    assert (newest.kind, newest.data, newest.source) == ("note", {"what": "shown"}, "photo")
    assert pages.mailbox.snapshot.position == position


def astray() -> tuple[dict[str, Any], str]:
    """Return a warehouse that contains a tile of a quarry, and that tile."""
    position = phases()["action"]
    layout = position.layout()
    tile = sorted(layout.pieces("quarry1") | layout.pieces("quarry2") | layout.pieces("quarry3"))[0]
    return {"warehouse": Spread(layout.pieces("warehouse") | {tile})}, tile


def test_the_host_adopts_the_table_as_a_photograph_shows_it(pages: Pages, reader: FakePhotoReader) -> None:
    pages.mailbox.become(phases()["action"])
    layout, tile = astray()
    host = pages.phone(host=True)
    path = looked_at(pages, host, reader, layout)
    assert re.search(rf'value="{tile} warehouse"\s+selected', host.get(path).text)
    assert confirm(host, path, on=on(pages), how="adopt", moves__=[f"{tile} warehouse"]).headers["Location"] == "/host"
    newest = pages.mailbox.snapshot.events[-1]
    assert (newest.kind, newest.data["moved"], newest.source) == ("position", {tile: "warehouse"}, "host-photo")
    assert tile in pages.mailbox.snapshot.position.layout().pieces("warehouse")


def test_a_place_that_was_refused_can_be_corrected(pages: Pages, reader: FakePhotoReader) -> None:
    """A second try with another place is a new request, not a repetition of the refused one."""
    pages.mailbox.become(phases()["action"])
    layout, tile = astray()
    host = pages.phone(host=True)
    path = looked_at(pages, host, reader, layout)
    answers = [
        confirm(host, path, on=on(pages), how="adopt", moves__=[f"{tile} {zone}"]) for zone in ("no", "warehouse")
    ]
    assert [answer.status_code for answer in answers] == [422, 303]
    assert tile in pages.mailbox.snapshot.position.layout().pieces("warehouse")


def test_a_seat_is_told_which_pieces_are_elsewhere_but_cannot_adopt_that(pages: Pages, reader: FakePhotoReader) -> None:
    pages.mailbox.become(phases()["action"])
    layout, tile = astray()
    phone = pages.phone(due(pages))
    path = looked_at(pages, phone, reader, layout)
    text = phone.get(path).text
    assert ui_of(GAME).called(tile) in text
    assert "ask the host" in text
    assert confirm(phone, path, on=on(pages), how="adopt", moves__=[f"{tile} warehouse"]).status_code == 422
    assert pages.mailbox.snapshot.position == phases()["action"]


def test_a_photograph_does_not_tell_who_holds_a_card_that_somebody_drew_or_printed(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """The page is the same whether the card is in another hand or in the deck."""
    position = phases()["action"]
    pages.mailbox.become(position)
    seat = due(pages)
    data = position.to_json()
    held = next(one["hand"][0] for number, one in enumerate(data["seats"]) if number != seat and one["hand"])
    phone, texts = pages.phone(seat), []
    for card in (held, data["deck"][0]):
        row = Spread(frozenset([*data["row"], card]))
        path = looked_at(pages, phone, reader, {"row": row})
        texts.append(phone.get(path).text.replace(path, ""))
        assert "is not face up in this game" in texts[-1]
        assert ui_of(GAME).called(card) not in texts[-1]
    assert texts[0] == texts[1]


def test_what_another_seat_holds_is_refused_only_when_it_is_confirmed_and_each_attempt_counts(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """A fake tag of a held card is offered as turned up; its refusals are limited in number."""
    position = phases()["reveal"]
    pages.mailbox.become(position)
    seat, data = due(pages), position.to_json()
    held = next(one["hand"][0] for number, one in enumerate(data["seats"]) if number != seat and one["hand"])
    phone, answers = pages.phone(seat), []
    path = looked_at(pages, phone, reader, {"row": Spread(frozenset([*data["row"], held]))})
    for _ in range(13):
        answers.append(confirm(phone, path, on=on(pages), how="acts").status_code)
    assert answers == [*[422] * 12, 429]
    assert pages.mailbox.snapshot.position == position


@pytest.mark.parametrize("name", registry.BUILT_IN)
@pytest.mark.parametrize("host", [False, True])
def test_a_photograph_of_what_was_turned_up_does_not_tell_who_has_it(
    name: str, host: bool, reader: FakePhotoReader
) -> None:
    """The page shows and offers the same whether the piece is in the stack or in another hand."""
    walk = play_random_game(registry.game(name), 4, 3)
    pages = Pages(MemoryTable(walk.game, walk.positions[0].names, seed=None), press=None, photo_reader=reader)
    at_host, offered = pages.phone(host=True), 0
    moments = [one for one in walk.positions if one.decider is None and one.phase != "deal"]
    for position in moments[:: len(moments) // 3]:
        seat = ui_of(walk.game).concerned(position)
        phone = at_host if host else pages.phone(seat)
        zones = [(zone, there) for zone, there in position.layout().items() if isinstance(there, Spread)]
        for piece, possible in elsewhere(position, None if host else seat):
            for zone, there in zones:
                texts = []
                for world in (position, possible):
                    pages.now += 10
                    pages.mailbox.become(world)
                    path = looked_at(pages, phone, reader, {zone: Spread(there.pieces | {piece})})
                    texts.append(re.sub(r'name="on" value="\d+"', "", phone.get(path).text.replace(path, "")))
                assert texts[0] == texts[1], (position.phase, zone, piece)
                offered += "What the photo shows" in texts[0]
    assert offered > 0
    pages.close()


def elsewhere(position: Position, seat: int | None) -> Iterator[tuple[str, Position]]:
    """Yield pieces that another seat holds, each with a position of the same view in which it can be turned up."""
    hidden, pieces = position.hidden(seat), position.game.pieces
    unknown = set(itertools.chain(*hidden.values()))
    left = unknown & {action.to_json()["piece"] for action in position.legal}
    for place, held in hidden.items():
        for piece in held[:1] if place.endswith(".hand") else ():
            likely = sorted(one for one in left if pieces[one].kind == pieces[piece].kind)
            yield from [(piece, found) for other in likely if (found := exchanged(position, piece, other))][:1]
