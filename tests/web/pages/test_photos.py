"""Photographs from phones: who may take them, who sees what of them, and what counts once confirmed."""

from __future__ import annotations

import io
import itertools
import json
import random
import re
import struct
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import PICTURE, FakePhotoReader, Sight, confirm, scored, send
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages, Phone
from doubles.positions import NAMES, phases
from doubles.turnstile import Turnstile
from tabletop.hardware.cameras.camera import CameraState
from tabletop.match import photo_score, store
from tabletop.match.archive import Archive
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match, begin, start_data
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Illegal, Position
from tabletop.rules.layout import Columns, Layout, Spread
from tabletop.rules.palazzo import GAME
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.vision.kit import Kit
from tabletop.vision.report.phone_photo import pieces_of
from tabletop.web.games import ui_of
from tabletop.web.pages import photos, session

CARDS = ["C2a", "G7c", "N4b", "R5a"]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page wait until its photograph is read, however slow the machine is."""
    monkeypatch.setattr(photos, "READING_TIMEOUT_S", PATIENCE)


@pytest.fixture
def reader() -> FakePhotoReader:
    return FakePhotoReader()


@pytest.fixture
def pages(reader: FakePhotoReader) -> Iterator[Pages]:
    made = Pages(MemoryTable(GAME, NAMES, seed=None), press=None, photo_reader=reader)
    yield made
    made.close()


def due(pages: Pages) -> int:
    """Return the seat whose turn it is."""
    position = pages.mailbox.snapshot.position
    return ui_of(position.game).concerned(position)


def on(pages: Pages) -> str:
    return str(pages.mailbox.snapshot.number)


ROLES = {
    # (purpose, phase): statuses for the seat on turn, another seat, the host, a phone without a seat
    ("cards", "deal"): (200, 403, 403, 403),
    ("cards", "action"): (403, 403, 403, 403),
    ("table", "deal"): (403, 403, 403, 403),
    ("table", "action"): (200, 403, 200, 403),
    ("table", "reveal"): (200, 403, 200, 403),
    ("table", "over"): (403, 403, 403, 403),
    ("score", "action"): (200, 200, 200, 403),
    ("score", "over"): (200, 200, 200, 403),
    ("nothing", "action"): (404, 404, 404, 404),
}


@pytest.mark.parametrize(("purpose", "phase"), ROLES)
@pytest.mark.parametrize("role", range(4))
def test_who_may_photograph_what_is_said_by_a_table(pages: Pages, purpose: str, phase: str, role: int) -> None:
    pages.mailbox.become(phases()[phase])
    turn = due(pages)
    phone = pages.phone((turn, (turn + 1) % 3, None, None)[role], host=role == 2)
    wanted = ROLES[purpose, phase][role]
    assert phone.get(f"/photo/{purpose}").status_code == wanted
    assert send(phone, purpose).status_code == (303 if wanted == 200 else wanted)


@pytest.mark.parametrize(
    ("camera", "offer"), [("lost", "Does the camera not see it?"), ("none", "There is no camera, but a photo can show")]
)
def test_who_can_take_a_photo_is_asked_what_fits_the_camera(pages: Pages, camera: str, offer: str) -> None:
    """The offer to take a photo suits a lost camera as well as a table without one."""
    pages.mailbox.show(camera=CameraState(camera))
    offered = pages.phone(due(pages)).get("/seat").text.partition('href="/photo/table"')[0]
    assert offer in offered[-400:]


def test_a_table_without_a_reader_takes_no_photographs() -> None:
    pages = Pages(MemoryTable(GAME, NAMES, seed=3))
    assert pages.phone(0).get("/photo/score").status_code == 404
    assert "/photo/" not in pages.phone(0).get("/seat").text
    pages.close()


def test_dealt_cards_are_shown_drawn_and_count_once_they_are_confirmed(pages: Pages, reader: FakePhotoReader) -> None:
    pages.mailbox.become(phases()["deal"])
    seat = due(pages)
    phone = pages.phone(seat)
    assert 'href="/photo/cards"' in phone.get("/seat").text
    assert phone.get("/photo/cards").headers["Referrer-Policy"] == "same-origin"
    reader.sight = Sight(CARDS[:3], doubts=[(0, "Glare here makes the tag unreadable.")])
    path = send(phone, "cards").headers["Location"]
    text = phone.get(path).text
    assert re.findall(r'value="(\w+)" checked', text) == ["N4b", "G7c", "C2a"]
    assert "3 of 4 cards were read" in text
    assert "Glare here makes the tag unreadable." in text
    assert phone.get(f"{path}/0.jpg").data == PICTURE
    assert confirm(phone, path, on=on(pages), cards__=CARDS[:3]).status_code == 422
    assert pages.mailbox.snapshot.position.to_json()["seats"][seat]["hand"] == []
    assert confirm(phone, path, on=on(pages), cards__=CARDS).headers["Location"] == "/seat"
    assert pages.mailbox.snapshot.position.to_json()["seats"][seat]["hand"] == CARDS
    assert pages.mailbox.snapshot.events[-1].source == "photo"
    number = pages.mailbox.snapshot.number
    assert confirm(phone, path, on=on(pages), cards__=CARDS).status_code == 303
    assert pages.mailbox.snapshot.number == number


def test_a_script_is_told_where_to_go_and_what_went_wrong(pages: Pages) -> None:
    phone = pages.phone(0)
    answer = send(phone, "score", script=True)
    assert answer.json["next"].startswith("/photo/score/")
    empty = phone.client.post("/photo/score", data={}, base_url=HOST, headers={"Origin": HOST})
    assert empty.status_code in (400, 415)
    assert (empty.json or {})["text"]


def test_a_photograph_that_cannot_be_read_says_why_beside_the_way_to_another(pages: Pages) -> None:
    phone = pages.phone(0)
    answer = phone.get(send(phone, "score", b"bad").headers["Location"])
    assert answer.status_code == 422
    assert "the file is empty" in answer.text
    assert 'type="file"' in answer.text
    german = phone.get(send(phone, "score", b"bad").headers["Location"], **{"Accept-Language": "de"})
    assert "Das Foto: die Datei ist leer." in german.text


def test_nobody_else_is_shown_a_photograph(pages: Pages, reader: FakePhotoReader) -> None:
    """Neither another seat, nor the host, nor the seat's next phone gets a byte of a photograph."""
    pages.mailbox.become(phases()["deal"])
    seat = due(pages)
    reader.sight = Sight(CARDS)
    phone, others = pages.phone(seat), [pages.phone((seat + 1) % 3), pages.phone(host=True), pages.phone()]
    path = send(phone, "cards").headers["Location"]
    assert phone.get(path).status_code == 200
    for other, address in itertools.product(others, (path, f"{path}/0.jpg")):
        assert other.get(address).status_code == 404
        assert PICTURE not in other.get(address).data
        assert confirm(other, path, on=on(pages), cards__=CARDS).status_code == 404
    before = [other.get(page).data for other in others for page in ("/", "/seat", "/join")]
    send(phone, "cards")
    assert [other.get(page).data for other in others for page in ("/", "/seat", "/join")] == before
    pages.phone(seat)
    assert phone.get(path).status_code == 403


def test_a_photograph_is_forgotten_after_a_quarter_of_an_hour(pages: Pages) -> None:
    phone = pages.phone(0)
    path = send(phone, "score").headers["Location"]
    phone.get(path)
    pages.now += 901
    assert phone.get(path).status_code == 404


def looked_at(pages: Pages, phone: Phone, reader: FakePhotoReader, layout: dict[str, Any], **more: Any) -> str:
    """Return the path of the page about a photograph of these zones."""
    reader.sight = Sight(layout=Layout(layout), **more)
    return str(send(phone, "table").headers["Location"])


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


def exchanged(position: Position, one: str, other: str) -> Position | None:
    """Return the position in which two pieces have swapped places, or None if it is not valid."""
    data = position.to_json()
    agreed = {"edition": data["edition"]} if "edition" in data else {}
    text = json.dumps(data)
    for old, new in ((one, "?"), (other, one), ("?", other)):
        text = text.replace(f'"{old}"', f'"{new}"')
    try:
        return position.game.load({**json.loads(text), **agreed})
    except Illegal:
        return None


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


def test_a_table_that_nobody_refereed_is_counted_and_kept_under_names(tmp_path: Path) -> None:
    reader = FakePhotoReader(
        Sight(score=scored(["B1.1", "B2.2"], ["S1.1"], sure=False), doubts=[(0, "Light is mirrored here.")])
    )
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path), photo_reader=reader)
    phone = pages.phone(0)
    assert 'href="/photo/score"' in phone.get("/games").text
    assert 'href="/photo/score"' not in pages.phone().get("/games").text
    path = send(phone, "score", game="palazzo").headers["Location"]
    text = phone.get(path).text
    assert "B1.1 B2.2" in text
    assert "Something at this seat is in doubt" in text
    more = send(phone, f"/photo/score?with={path.rsplit('/', 1)[1]}", b"another").headers["Location"]
    phone.get(more)
    assert reader.asked[-1] == ("score", b"another", "palazzo", {"options": {}}, ("shot",))
    assert confirm(phone, more, names__=["Ida", ""]).headers["Location"] == "/games/kept"
    [(game, names, kept)] = reader.kept
    assert (game, names) == ("palazzo", ["Ida", "Seat 2"])
    assert [seat["points"] for seat in kept["seats"]] == [5, 5]
    assert kept["doubts"] == ["Light is mirrored here."]
    pages.close()


def test_another_photo_in_place_of_an_unreadable_one_is_added_to_the_same_table(
    pages: Pages, reader: FakePhotoReader
) -> None:
    reader.sight = Sight(score=scored(["B1.1"]))
    phone = pages.phone(0)
    first = send(phone, "score", game="patrician").headers["Location"]
    phone.get(first)
    unreadable = send(phone, f"/photo/score?with={first.rsplit('/', 1)[1]}", b"bad").headers["Location"]
    page = phone.get(unreadable)
    assert page.status_code == 422
    action = re.search(r'action="([^"]+)"', page.text)
    assert action
    phone.get(send(phone, action[1], b"another").headers["Location"])
    assert reader.asked[-1] == ("score", b"another", "patrician", {}, ("shot",))


def test_another_photo_in_place_of_an_unreadable_first_one_is_of_the_game_that_was_chosen(pages: Pages) -> None:
    phone = pages.phone(0)
    page = phone.get(send(phone, "score", b"bad", game="patrician").headers["Location"])
    assert re.findall(r'value="(\w+)" selected', page.text) == ["patrician"]


def test_a_photo_is_not_added_to_one_that_is_no_longer_kept(pages: Pages, reader: FakePhotoReader) -> None:
    """If the earlier photograph is gone, a second one is refused rather than scored alone."""
    reader.sight = Sight(score=scored(["B1.1"]))
    phone = pages.phone(0)
    first = send(phone, "score", game="patrician").headers["Location"]
    phone.get(first)
    asked = len(reader.asked)
    pages.now += 901
    answer = send(phone, f"/photo/score?with={first.rsplit('/', 1)[1]}", b"another")
    assert answer.status_code == 404
    assert "This photo is no longer kept. Take it again." in answer.text
    assert len(reader.asked) == asked


class SlowKeeper(FakePhotoReader):
    """A reader that is slow to keep a score, until the second request to confirm it has come."""

    def __init__(self, sight: Sight, turnstile: Turnstile) -> None:
        super().__init__(sight)
        self._second = turnstile.asked_twice

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        if self.kept:
            self._second.set()
        kept = super().keep(game, names, score)
        assert self._second.wait(PATIENCE)
        return kept


def test_a_table_that_is_confirmed_twice_at_once_is_kept_once(tmp_path: Path) -> None:
    """Two simultaneous confirmations, as from a double tap, keep one game."""
    turnstile = Turnstile()
    reader = SlowKeeper(Sight(score=scored(["B1.1", "B2.2"], ["S1.1"])), turnstile)
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path), photo_reader=reader)
    phone, again = pages.phone(0), Phone(pages.app.test_client())
    token = phone.client.get_cookie("seat", domain="192.168.1.20")
    assert token is not None
    again.client.set_cookie("seat", token.value, domain="192.168.1.20")
    path = send(phone, "score", game="palazzo").headers["Location"]
    phone.get(path)
    photo = session.context_of(pages.app).photo_queue.find(path.rsplit("/", 1)[1])
    assert photo is not None
    photo.turn = turnstile
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda each: confirm(each, path, names__=["Ida", "Jo"]), (phone, again)))
    assert [answer.headers["Location"] for answer in both] == ["/games/kept", "/games/kept"]
    assert len(reader.kept) == 1
    pages.close()


def test_a_counted_table_is_found_among_the_past_games(tmp_path: Path) -> None:
    name = store.keep(
        tmp_path, GAME, ["Ida", "Jo", "Kim"], 1e9, photo_score.stored_score(scored(["B1.1", "B2.2"], []), {0: 1, 1: 0})
    )
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=Archive(tmp_path), photo_reader=FakePhotoReader())
    anybody = pages.phone()
    assert "its final table was scored from photos" in anybody.get("/games").text
    page = anybody.get(f"/games/{name}")
    assert page.status_code == 200
    assert "B1.1 B2.2" in page.text
    assert "Kim is not in any photo." in page.text
    assert anybody.get(f"/games/{name}/replay").status_code == 404
    assert anybody.get(f"/games/{name}/record.json").status_code == 200
    pages.close()


def test_a_counted_table_whose_points_are_not_all_counted_or_in_doubt_has_no_winner(tmp_path: Path) -> None:
    """No winner is named, even in the list of past games, while points are missing or a seat may be unseen.

    So the heads of Patrician alone make nobody the winner as long as the tokens are missing.
    """
    doubtful = {**scored(["B1.1"], []), "unread": [{"message": Message("Light is mirrored here.")}]}
    heads = {**scored([], []), "notes": [Message("Towers have no tags.")]}
    broken = scored(["B1.1"], [])
    broken["seats"][0]["palazzi"][0]["points"] = None
    whole = scored(["B1.1"], [])
    whole["seats"][1]["points"] = 0
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=Archive(tmp_path), photo_reader=FakePhotoReader())
    for game, score, wins in (
        (GAME, whole, True),
        (GAME, scored(["B1.1"]), False),
        (GAME, doubtful, False),
        (GAME, broken, False),
        (PATRICIAN, heads, False),
    ):
        name = store.keep(tmp_path, game, ["Ida", "Jo"], 1e9, photo_score.stored_score(score, {0: 0, 1: 1}))
        text = pages.phone().get(f"/games/{name}").text
        assert ('<b class="rank">1.</b>' in pages.phone().get("/games").text) == wins
        (tmp_path / f"{name}{store.SUFFIX}").unlink()
        assert ("Ida wins" in text) == wins
        assert ("Most points: " in text) != wins
        assert ("Towers have no tags." in text) == (score is heads)
    pages.close()


def test_the_end_of_a_refereed_game_is_compared_with_the_record_and_kept_with_it(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """Photographs without seat cards number the seats in order of appearance; their tiles say whose they are."""
    position = phases()["over"]
    pages.mailbox.become(position)
    seat = next(number for number in (2, 1) if position.to_json()["seats"][number]["palazzi"])
    columns = [tuple(column) for column in position.to_json()["seats"][seat]["palazzi"]]
    shown = [*columns[1:], (*columns[0][:-1],)] if len(columns[0]) > 1 else columns[1:]
    score = scored([])
    score["seats"][0]["palazzi"] = [{"tiles": list(column), "points": 1, "faults": []} for column in shown]
    reader.sight = Sight(score=score, layout=Layout({"seat0": Columns(frozenset(filter(None, shown)))}))
    phone = pages.phone(0)
    path = send(phone, "score").headers["Location"]
    text = phone.get(path).text
    assert NAMES[seat] in text
    assert "The record says something else" in text
    assert ui_of(GAME).called(columns[0][-1]) in text
    assert "The record says:" in text
    assert confirm(phone, path, how="ours").headers["Location"] == "/after"
    assert pages.mailbox.snapshot.events[-1].kind == "score"
    assert pages.mailbox.snapshot.events[-1].data["seats"][0]["seat"] == seat
    assert "Scored from photos" in pages.phone().get("/after").text


def test_photos_with_more_seats_than_the_game_can_be_kept_as_another_game(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """The page says that there are too many seats, and the photos do not count for the game at the table."""
    pages.mailbox.become(phases()["over"])
    reader.sight = Sight(score=scored(*([tile] for tile in ("B1.1", "B2.2", "B3.1", "B4.1"))))
    phone = pages.phone(0)
    path = send(phone, "score").headers["Location"]
    assert "The photos show more seats than this game has." in phone.get(path).text
    answer = confirm(phone, path, how="ours")
    assert answer.status_code == 422
    assert "The photos show more seats than this game has." in answer.text


def test_the_card_of_a_seat_that_the_game_does_not_have_is_not_counted_for_another_seat(
    pages: Pages, reader: FakePhotoReader
) -> None:
    """A photograph with the card of a seat outside the game can only be kept as a game of its own."""
    pages.mailbox.become(phases()["over"])
    score = scored(["B1.1"])
    score["seats"][0]["seat"] = len(NAMES)
    layout = Layout({f"seat{len(NAMES)}": Columns(frozenset({("B1.1",)}))})
    reader.sight = Sight(score=score, layout=layout, named=frozenset({len(NAMES)}))
    phone = pages.phone(0)
    path = send(phone, "score").headers["Location"]
    assert "The photos show a seat that this game does not have." in phone.get(path).text
    answer = confirm(phone, path, how="ours")
    assert answer.status_code == 422
    assert "The photos show a seat that this game does not have." in answer.text
    assert pages.mailbox.snapshot.match.counted is None


def test_doubts_about_photos_call_pieces_as_the_game_does(pages: Pages, reader: FakePhotoReader) -> None:
    doubt = Message("{piece} can be seen in more than one place.", piece="B1.1")
    reader.sight = Sight(score=scored(["B1.1"], sure=False), doubts=[(0, doubt)])
    phone = pages.phone(0)
    text = phone.get(send(phone, "score").headers["Location"]).text
    assert f"{ui_of(GAME).called('B1.1')} can be seen in more than one place." in text


def test_a_seat_card_in_the_picture_says_whose_the_tiles_are(pages: Pages, reader: FakePhotoReader) -> None:
    """Tiles of another seat at a seat's card are counted for that card's seat, and reported."""
    position = phases()["over"]
    pages.mailbox.become(position)
    owner = next(number for number in range(3) if position.to_json()["seats"][number]["palazzi"])
    other = (owner + 1) % 3
    column = position.to_json()["seats"][owner]["palazzi"][0]
    score = scored(column)
    score["seats"][0]["seat"] = other
    layout = Layout({f"seat{other}": Columns(frozenset({tuple(column)}))})
    reader.sight = Sight(score=score, layout=layout, named=frozenset({other}))
    phone = pages.phone(0)
    path = send(phone, "score").headers["Location"]
    assert "The record says something else" in phone.get(path).text
    confirm(phone, path, how="ours")
    assert pages.mailbox.snapshot.events[-1].data["seats"][0]["seat"] == other


def test_photographs_are_read_one_after_the_other_and_a_long_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    class Slow(FakePhotoReader):
        def score(self, *args: Any) -> Sight:
            begun.set()
            go.wait(PATIENCE)
            return super().score(*args)

    slow = Slow(Sight(score=scored(["B1.1"])))
    made = Pages(MemoryTable(GAME, NAMES, seed=3), photo_reader=slow)
    phone = made.phone(0)
    paths = [send(phone, "score").headers["Location"]]
    assert begun.wait(PATIENCE)
    paths += [send(phone, "score").headers["Location"] for _ in range(3)]
    made.now += 60
    assert send(phone, "score").status_code == 503
    with monkeypatch.context() as hurried:
        hurried.setattr(photos, "READING_TIMEOUT_S", 0.0)
        answer = phone.get(paths[2])
    assert answer.headers["Refresh"]
    assert "2 other photos are read first" in answer.text
    go.set()
    assert all(phone.get(path).status_code == 200 for path in paths)
    assert len(slow.asked) == 4
    made.close()


def _png(width: int, height: int) -> bytes:
    """Return a white PNG of that size, whose rows are packed a thousandfold."""
    out = io.BytesIO()
    Image.new("1", (width, height), 1).save(out, "PNG")
    return out.getvalue()


def _jpeg() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((1200, 900), 60).convert("RGB").save(out, "JPEG")
    return out.getvalue()


BAD_PHOTOS: dict[str, Callable[[], bytes]] = {
    "a picture of 100 megapixels": lambda: _png(10_000, 10_000),
    "one that says it has 4 gigapixels": lambda: _png(8, 8).replace(
        struct.pack(">II", 8, 8), b"\x00\x00\xff\xff" * 2, 1
    ),
    "a truncated JPEG": lambda: _jpeg()[:9000],
    "nothing": lambda: b"",
    "a zip archive": lambda: b"PK\x03\x04" + bytes(1000),
    "noise": lambda: random.Random(7).randbytes(5000),
    "an iPhone's own": lambda: b"\x00\x00\x00\x18ftypheic" + bytes(1000),
}


@pytest.mark.parametrize("kind", BAD_PHOTOS)
def test_a_bad_photograph_is_refused_in_one_sentence_and_cheaply(
    pages: Pages, kind: str, reader: FakePhotoReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that is too large is not unpacked: memory grows by less than the picture would take."""

    def read(data: bytes, *_more: Any) -> Any:
        return pieces_of(data, Kit(GAME))

    monkeypatch.setattr(reader, "score", read)
    data, phone = BAD_PHOTOS[kind](), pages.phone(0)
    tracemalloc.start()
    try:
        answer = phone.get(send(phone, "score", data).headers["Location"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code == 422
    assert re.search(r'role="alert"><b[^>]*>✕</b><span>The photo: [^<]*\.</span>', answer.text)
    assert peak < 40 * 1024 * 1024


def test_too_large_an_upload_is_refused_before_it_is_read(pages: Pages, reader: FakePhotoReader) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    headers = {"Origin": HOST, "Accept": "text/html", "Content-Type": "multipart/form-data; boundary=x"}
    client = pages.phone(0).client
    answer = client.post("/photo/score", data=head + bytes(21 * 1024 * 1024), base_url=HOST, headers=headers)
    assert answer.status_code == 413
    assert "<h1>" in answer.text
    assert reader.asked == []


def test_photographs_are_limited_by_their_number(pages: Pages) -> None:
    phone = pages.phone(0)
    assert [send(phone, "score").status_code for _ in range(8)][-1] == 429
    phone.client.environ_base["REMOTE_ADDR"] = "::ffff:127.0.0.1"  # the same address, mapped to IPv6
    assert send(phone, "score").status_code == 429
