"""Final tables are counted from photographs, confirmed, and kept as games or beside their record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader, Sight, confirm, scored, send
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import Pages, Phone
from doubles.positions import NAMES, phases
from doubles.turnstile import Turnstile
from tabletop.match import photo_score, store
from tabletop.match.archive import Archive
from tabletop.messages import Message
from tabletop.rules.layout import Columns, Layout
from tabletop.rules.palazzo import GAME
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.web.games import ui_of
from tabletop.web.pages import session

CALLED = ["B1.1: brick, floor 1, 1 window", "B2.2: brick, floor 2, 2 windows", "S1.1: sandstone, floor 1, 1 window"]
"""Three tiles with the names that pictures show and what people call them."""


def test_a_table_that_nobody_refereed_is_counted_and_kept_under_names(tmp_path: Path) -> None:
    """The list of scores says what people call each tile, beside the short name that it has in the picture."""
    reader = FakePhotoReader(
        Sight(score=scored(["B1.1", "B2.2"], ["S1.1"], sure=False), doubts=[(0, "Light is mirrored here.")])
    )
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path), photo_reader=reader)
    phone = pages.phone(0)
    assert 'href="/photo/score"' in phone.get("/games").text
    assert 'href="/photo/score"' not in pages.phone().get("/games").text
    path = send(phone, "score", game="palazzo").headers["Location"]
    text = phone.get(path).text
    assert re.findall(r'class="id">([^<]+)', text) == CALLED
    assert reader.called["B1.1"] == "B1.1"
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
    assert re.findall(r'class="id">([^<]+)', page.text) == CALLED[:2]
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
