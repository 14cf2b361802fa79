"""People state on a page where pieces without tags stand, and the same photographs are scored again with that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from doubles.fake_photo_reader import FakePhotoReader, Sight, confirm, scored, send
from doubles.pages import Pages, Phone
from doubles.positions import NAMES, well_played
from tabletop.rules.piecepack import GAME as PIECEPACK
from tabletop.web.games import ui_of

PALAZZI = (["TM1", "TM2"], ["TC5"])
DOUBT = "No picture shows a tag."


class Doubter(FakePhotoReader):
    """A reader that doubts a final table until carriers are stated."""

    def __init__(self) -> None:
        super().__init__(Sight(score=scored(*PALAZZI, sure=False), doubts=[(0, DOUBT)]))
        self.palazzi: Sequence[list[str]] = PALAZZI
        self.bearing = ["TM1", "TM2", "TM3", "TC5"]

    def score_again(
        self, game: str, agreed: Mapping[str, Any], shots: Sequence[Any], called: Mapping[str, str]
    ) -> Sight:
        super().score_again(game, agreed, shots, called)
        return Sight(score=scored(*self.palazzi), carriers=agreed["carriers"]) if "carriers" in agreed else self.sight


@pytest.fixture
def reader() -> Doubter:
    return Doubter()


def form_of(text: str) -> tuple[str, list[list[str]]]:
    """Return the address of the form for carriers, and the pieces of each of its fields."""
    action = re.search(r'action="(/photo/score/carriers[^"]*)"', text)
    fields = re.findall(r'name="carriers\[\]".*?</select>', text, re.DOTALL)
    return action[1] if action else "", [re.findall(r'<option value="(\w*)"', field) for field in fields]


def doubted(phone: Phone) -> tuple[str, str]:
    """Return the address of a page with a doubt, and that of its form."""
    path = send(phone, "score", game="piecepack").headers["Location"]
    text = phone.get(path).text
    action, fields = form_of(text)
    assert DOUBT in text
    assert re.findall(r'class="id">([^<]+)', text) == ["observatory 1", "observatory 2", "statue 5"]
    assert fields == [["", "TM1", "TM2"], ["", "TC5"]]
    return path, action


@pytest.mark.parametrize("stated", [["TM2", ""], ["", ""]])
def test_stated_carriers_count_and_are_kept_with_a_further_photograph(
    pages: Pages, reader: Doubter, stated: list[str]
) -> None:
    """The page about the first photograph stays as it was, and "none" is stated as well as a piece."""
    phone = pages.phone(0)
    path, action = doubted(phone)
    carriers = {"carriers": frozenset(stated) - {""}}
    answer = confirm(phone, action, carriers__=stated)
    assert (answer.status_code, answer.headers["Location"] != path) == (303, True)
    counted = answer.headers["Location"]
    text = phone.get(counted).text
    assert reader.called["TM2"] == "observatory 2"
    assert reader.asked[-1] == ("score_again", b"", "piecepack", carriers, ("shot",))
    assert DOUBT not in text
    assert re.findall(r'value="(T\w+)" selected', text) == list(filter(None, stated))
    assert DOUBT in phone.get(path).text
    added = send(phone, f"/photo/score?with={counted.rsplit('/', 1)[1]}", b"another").headers["Location"]
    phone.get(added)
    assert reader.asked[-1] == ("score", b"another", "piecepack", carriers, ("shot",))


def test_what_was_stated_is_asked_again_when_a_further_photograph_shows_another_seat(
    pages: Pages, reader: Doubter
) -> None:
    """Nobody was asked about that seat, so its points would be sound without its turret."""
    phone = pages.phone(0)
    _path, action = doubted(phone)
    counted = confirm(phone, action, carriers__=["TM2", ""]).headers["Location"]
    phone.get(counted)
    reader.sight = Sight(score=scored(*PALAZZI, ["TM3"], sure=False), doubts=[(0, DOUBT)])
    for data in (b"third seat", b"once more"):
        added = send(phone, f"/photo/score?with={counted.rsplit('/', 1)[1]}", data).headers["Location"]
        text = phone.get(added).text
        assert reader.asked[-2][:2] == ("score", data)
        assert reader.asked[-1] == ("score_again", b"", "piecepack", {}, ("shot",))
        assert DOUBT in text
        assert re.findall(r'value="(T\w+)" selected', text) == ["TM2"]
        counted = added


@pytest.mark.parametrize("stated", [["TM3", ""], ["no such piece", ""], []])
def test_only_a_piece_that_is_seen_at_a_seat_can_be_stated(pages: Pages, reader: Doubter, stated: list[str]) -> None:
    phone = pages.phone(0)
    _path, action = doubted(phone)
    asked = len(reader.asked)
    answer = confirm(phone, action, carriers__=stated)
    assert answer.status_code == 422
    assert "Choose pieces that the photos show at a seat." in answer.text
    assert len(reader.asked) == asked


def test_nobody_else_states_anything_about_a_photograph(pages: Pages, reader: Doubter) -> None:
    _path, action = doubted(pages.phone(0))
    asked = len(reader.asked)
    others = {pages.phone(1): 404, pages.phone(host=True): 404, pages.phone(): 403}
    assert [confirm(each, action, carriers__=["TM2", ""]).status_code for each in others] == [*others.values()]
    assert len(reader.asked) == asked


def test_a_game_without_pieces_that_carry_others_asks_nothing(pages: Pages, reader: Doubter) -> None:
    reader.bearing = []
    phone = pages.phone(0)
    assert form_of(phone.get(send(phone, "score", game="palazzo").headers["Location"]).text) == ("", [])


def test_carriers_of_the_record_are_selected_until_some_are_stated(pages: Pages, reader: Doubter) -> None:
    """Photographs of the game at the table ask about each seat with its turret of the record, unless one is seen."""
    over = well_played(PIECEPACK, 1)[-1]
    pages.mailbox.become(over)
    recorded = [lower for _upper, lower in sorted(over.layout().upon)]
    reader.bearing = [piece for piece in ui_of(PIECEPACK).pieces if piece.startswith("T")]
    palazzi = [sorted(over.layout().pieces(f"seat{seat}") & {*reader.bearing}) for seat in range(len(NAMES))]
    reader.palazzi = palazzi
    seen = next(piece for piece in palazzi[0] if piece != recorded[0])
    reader.sight = Sight(score=scored(*palazzi, sure=False), named=frozenset({0, 1, 2}), carriers=frozenset({seen}))
    phone = pages.phone(0)
    text = phone.get(send(phone, "score", game="piecepack").headers["Location"]).text
    assert re.findall(r'value="(T\w+)" selected', text) == [seen, *recorded[1:]]
    stated = confirm(phone, form_of(text)[0], carriers__=[seen, "", ""]).headers["Location"]
    assert re.findall(r'value="(T\w+)" selected', phone.get(stated).text) == [seen]
