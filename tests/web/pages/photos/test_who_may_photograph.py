"""Who may take which photograph, and who sees what of it."""

from __future__ import annotations

import itertools
import re

import pytest

from doubles.fake_photo_reader import PICTURE, FakePhotoReader, Sight, confirm, send
from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.cameras.camera import CameraState
from tabletop.rules.palazzo import GAME
from tests.web.pages.photos.photographed import CARDS, due, on

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
