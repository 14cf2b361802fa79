"""A photograph of an earlier state or of an earlier match changes nothing in this one."""

from __future__ import annotations

from pathlib import Path

from doubles.fake_photo_reader import FakePhotoReader, Sight, confirm, scored, send
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match, begin, start_data
from tabletop.rules.palazzo import GAME
from tests.web.pages.photos.photographed import CARDS, due, looked_at, on


def test_a_confirmation_on_an_older_state_is_refused_as_stale(pages: Pages, reader: FakePhotoReader) -> None:
    position = phases()["action"]
    pages.mailbox.become(position)
    phone = pages.phone(due(pages))
    before = on(pages)
    path = looked_at(pages, phone, reader, {"warehouse": position.layout()["warehouse"]})
    pages.mailbox.become(position)
    answer = confirm(phone, path, on=before, how="agrees")
    assert answer.status_code == 409
    assert "The game has moved on" in answer.text


def another_match() -> Match:
    """Return a later match of the same game, whose events have the same numbers as the first one's."""
    facts = [Fact(EventKind.START, start_data(GAME.new(list(NAMES)), {}), None, Source.TABLE, 77.0)]
    (event,) = chain_events(facts, None)
    return begin(event)


def test_cards_photographed_in_an_earlier_match_are_not_dealt_in_this_one(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """A photograph of an earlier match is not kept, although events have the same numbers in every match."""
    deal = phases()["deal"]
    pages.mailbox.become(deal)
    seat, before = due(pages), on(pages)
    phone = pages.phone(seat)
    reader.sight = Sight(CARDS)
    path = send(phone, "cards").headers["Location"]
    assert phone.get(path).status_code == 200
    pages.mailbox.take(another_match())
    pages.mailbox.become(deal)
    assert on(pages) == before
    answer = confirm(phone, path, on=before, cards__=CARDS)
    assert answer.status_code == 404
    assert "This photo is no longer kept. Take it again." in answer.text
    assert phone.get(path).status_code == 404
    assert pages.mailbox.snapshot.position.to_json()["seats"][seat]["hand"] == []


def test_a_table_photographed_in_an_earlier_match_changes_nothing_in_this_one(
    pages: Pages, reader: FakePhotoReader
) -> None:
    position = phases()["action"]
    pages.mailbox.become(position)
    phone, before = pages.phone(due(pages)), on(pages)
    path = looked_at(pages, phone, reader, {"warehouse": position.layout()["warehouse"]})
    pages.mailbox.take(another_match())
    pages.mailbox.become(position)
    events = len(pages.mailbox.snapshot.events)
    assert on(pages) == before
    assert confirm(phone, path, on=before, how="agrees").status_code == 404
    assert len(pages.mailbox.snapshot.events) == events


def test_a_final_table_photographed_in_an_earlier_match_is_kept_only_as_a_game_of_its_own(tmp_path: Path) -> None:
    """Photographs of an earlier match cannot be kept as the end of the present one, even with later ones added."""
    reader = FakePhotoReader(Sight(score=scored(["B1.1"])))
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path), photo_reader=reader)
    pages.mailbox.become(phases()["over"])
    phone = pages.phone(0)
    first = send(phone, "score").headers["Location"]
    assert 'value="ours"' in phone.get(first).text
    pages.mailbox.take(another_match())
    pages.mailbox.become(phases()["over"])
    added = send(phone, f"/photo/score?with={first.rsplit('/', 1)[1]}").headers["Location"]
    for path in (first, added):
        assert 'value="ours"' not in phone.get(path).text
        answer = confirm(phone, path, how="ours")
        assert answer.status_code == 422
        assert "This game is not the one at the table, or it is not over." in answer.text
    assert pages.mailbox.snapshot.match.counted is None
    assert confirm(phone, added, names__=["Ida"]).headers["Location"] == "/games/kept"
    pages.close()
