"""Phones sit down, move and ask to host: by the table's code, and where it is confirmed, only after that."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST_CODE, Pages, Phone, decider
from doubles.positions import NAMES
from tabletop.web.seating.claims import CONFIRMED, GUARDED


def test_joining_gives_a_cookie_that_scripts_and_other_sites_cannot_use(pages: Pages) -> None:
    phone = pages.phone()
    answer = phone.post("/join", {"code": f" {CODE.lower()} ", "seat": 1, "name": "  Zoe \n Z "})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert pages.room.seating.names == {1: "Zoe Z"}
    assert phone.get("/seat").status_code == 200


@pytest.mark.parametrize("seat", [-1, 3, "0", True, None, 1.0])
def test_a_seat_that_is_not_open_cannot_be_taken(pages: Pages, seat: object) -> None:
    assert pages.phone().post("/join", {"code": CODE, "seat": seat}).status_code == 400


def test_guessing_the_code_is_limited_and_possible_again_after_a_while(pages: Pages) -> None:
    phone = pages.phone()
    answers = [phone.post("/join", {"code": f"{n:06d}", "seat": 0}).status_code for n in range(30)]
    assert answers[:12] == [403] * 12
    assert answers[-1] == 429
    pages.now += 60
    assert phone.post("/join", {"code": CODE, "seat": 0}).status_code == 200


def test_one_who_guesses_codes_slows_nobody_else(pages: Pages) -> None:
    """While one phone guesses codes, another one joins at once."""
    guesser, phone = pages.phone(), pages.phone()
    for number in range(300):
        pages.now += 0.2
        guesser.post("/join", {"code": f"{number:06d}", "seat": 0}, address="10.0.0.9")
    assert phone.post("/join", {"code": CODE, "seat": 0}).status_code == 200


def test_guesses_from_many_addresses_are_limited_together(pages: Pages) -> None:
    """However many addresses take part, only two codes per second can be guessed for long."""
    guesser = pages.phone()
    answers = [
        guesser.post("/join", {"code": f"{n:06d}", "seat": 0}, address=f"10.0.{n // 250}.{n % 250}").status_code
        for n in range(1000)
    ]
    assert answers.count(403) == 120
    assert answers[-1] == 429


def test_moving_to_another_phone_ends_the_old_one(pages: Pages) -> None:
    old = pages.phone(0)
    new = pages.phone(0)
    assert old.get("/seat").status_code == 302
    assert new.get("/seat").status_code == 200


def claim_answer(pages: Pages, seat: int, *, accept: bool) -> dict[str, Any]:
    """Return what a page sends to accept or refuse the phone that is waiting for a seat."""
    return {"seat": seat, "claim": pages.room.claims.waiting[seat].number, "accept": accept}


def test_where_joining_is_confirmed_a_claim_counts_only_after_it(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    phone, host = pages.phone(), pages.phone(host=True)
    assert phone.post("/join", {"code": CODE, "seat": 1}).json == {"ok": True, "waits": True}
    assert phone.get("/seat").status_code == 302
    assert "waiting" in phone.get("/join").text
    assert phone.post("/join/state", {}).json == {"holds": 0, "waits": 1, "why": ""}
    assert host.post("/host/claim", claim_answer(pages, 1, accept=True)).status_code == 200
    assert phone.post("/join/state", {}).json == {"holds": 1, "waits": 0, "why": ""}
    assert phone.get("/seat").status_code == 200
    pages.close()


def test_a_refused_claim_never_counts_and_the_holder_stays(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    holder, thief, host = pages.phone(1), pages.phone(), pages.phone(host=True)
    pages.room.accept(1)
    thief.post("/join", {"code": CODE, "seat": 1})
    host.post("/host/claim", claim_answer(pages, 1, accept=False))
    assert thief.get("/seat").status_code == 302
    assert holder.get("/seat").status_code == 200
    pages.close()


def test_a_second_phone_does_not_take_the_place_of_one_that_waits(mailbox: MemoryTable) -> None:
    """A press meant for the first phone cannot let in a second one; the first may repeat its request."""
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    first, second, host = pages.phone(), pages.phone(), pages.phone(host=True)
    second.client.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    data = {"code": CODE, "seat": 1}
    first.post("/join", data)
    answer = second.post("/join", data)
    assert answer.status_code == 409
    assert answer.json["text"].startswith("Another phone is waiting for this seat:")
    assert "another phone is waiting to be confirmed" in second.get("/join").text
    assert first.post("/join", data).json["waits"]
    host.post("/host/claim", claim_answer(pages, 1, accept=False))
    assert second.post("/join", data).json["waits"]
    pages.close()


def test_phones_behind_one_address_are_told_apart_by_the_page_on_which_they_join(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    first, second = pages.phone(), pages.phone()
    for phone in (first, second):
        phone.get("/join")
        phone.get("/host")
    for path, data in (("/join", {"code": CODE, "seat": 1}), ("/join/host", {"code": CODE})):
        assert first.post(path, data).status_code == 200
        assert second.post(path, data).status_code == 409
        assert first.post(path, data).status_code == 200
    pages.close()


def test_a_second_phone_that_asks_to_host_waits_for_the_first(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    first, second = pages.phone(), pages.phone()
    second.client.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    assert first.post("/join/host", {"code": CODE}).json["ok"]
    assert second.post("/join/host", {"code": CODE}).status_code == 409
    pages.close()


def test_a_phone_that_lost_its_seat_is_told_the_true_cause_and_one_that_gave_it_back_is_not(pages: Pages) -> None:
    phone = pages.phone(0)
    pages.phone(0)
    assert "Another phone has taken over the seat of Anna." in phone.get("/join").text
    assert phone.post("/join/state", {}).json["why"] == "Another phone has taken over the seat of Anna."
    freed = pages.phone(1)
    pages.room.free(1)
    assert "The host has freed the seat of Bruno." in freed.get("/join").text
    other = pages.phone()
    assert "no longer has a seat" not in other.get("/join").text
    other.post("/join", {"code": CODE, "seat": 1})
    other.post("/seat/leave", {})
    assert "no longer has a seat" not in other.get("/join").text


@pytest.mark.parametrize(("first", "called"), [("Oma", "Oma"), ("", "Anna")])
def test_a_phone_whose_seat_has_a_new_name_is_told_its_own_and_gets_it_back(
    pages: Pages, first: str, called: str
) -> None:
    """The sentence names the person who lost the seat, not the one who took it over; taken back, it has that name."""
    phone, other = pages.phone(), pages.phone()
    phone.post("/join", {"code": CODE, "seat": 0, "name": first})
    other.post("/join", {"code": CODE, "seat": 0, "name": "Zoe"})
    assert phone.post("/join/state", {}).json["why"] == f"Another phone has taken over the seat of {called}."
    assert f"the seat of {called}." in phone.get("/join").text
    phone.post("/seat/back", {})
    assert pages.room.seating.called(NAMES)[0] == called


def test_a_phone_takes_back_the_seat_that_it_lost_without_the_code_and_no_other(pages: Pages) -> None:
    """Only a phone that had a seat and lost it can take it back without the code."""
    phone, other = pages.phone(), pages.phone()
    phone.post("/join", {"code": CODE, "seat": 2})
    assert phone.post("/seat/back", {}).status_code == 403
    assert other.post("/join", {"code": CODE, "seat": 2}).status_code == 200
    assert phone.post("/seat/back", {}).json == {"ok": True, "waits": False}
    assert phone.get("/seat").status_code == 200
    assert other.get("/seat").status_code == 302
    assert pages.phone().post("/seat/back", {}).status_code == 403


def test_a_held_seat_of_a_table_without_a_panel_moves_only_once_its_phone_agrees(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": GUARDED})
    holder, other = pages.phone(0), pages.phone()
    for accept in (False, True):
        assert other.post("/join", {"code": CODE, "seat": 0, "name": "Zoe"}).json["waits"]
        assert "Zoe asks for this seat and its hand." in holder.get("/seat").text
        assert other.get("/seat").status_code == 302
        assert other.post("/seat/claim", claim_answer(pages, 0, accept=True)).status_code == 403
        assert holder.post("/seat/claim", claim_answer(pages, 0, accept=accept)).status_code == 200
        assert (other.get("/seat").status_code == 200) is accept
        assert (holder.get("/seat").status_code == 200) is not accept
        if not accept:
            assert "The request for the seat of Anna was refused." in other.get("/join").text
    pages.close()


def test_once_there_is_a_panel_a_phone_that_agrees_is_told_to_confirm_there(mailbox: MemoryTable) -> None:
    """A phone's agreement does not count once the panel works again, and its page says what to press."""
    pages = Pages(mailbox, room={"admission": GUARDED})
    holder, other = pages.phone(0), pages.phone()
    assert other.post("/join", {"code": CODE, "seat": 0}).json["waits"]
    pages.room.change_admission(CONFIRMED)
    answer = holder.post("/seat/claim", claim_answer(pages, 0, accept=True))
    assert answer.status_code == 409
    assert answer.json["text"].startswith("When the light of seat 1 blinks, hold OK on the panel")
    assert other.get("/seat").status_code == 302
    assert holder.post("/seat/claim", claim_answer(pages, 0, accept=False)).status_code == 200
    pages.close()


@pytest.mark.parametrize("path", ["/seat/claim", "/host/claim"])
def test_an_answer_that_names_no_phone_is_for_the_one_that_waits(mailbox: MemoryTable, path: str) -> None:
    """Requests without a claim's number, which older programs send, still let the waiting phone in."""
    pages = Pages(mailbox, room={"admission": GUARDED})
    holder, other, host = pages.phone(0), pages.phone(), pages.phone(host=True)
    assert other.post("/join", {"code": CODE, "seat": 0}).json["waits"]
    assert (holder if path == "/seat/claim" else host).post(path, {"seat": 0, "accept": True}).status_code == 200
    assert other.get("/seat").status_code == 200
    pages.close()


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize("path", ["/seat/claim", "/host/claim"])
def test_only_the_phone_that_was_seen_to_wait_for_a_seat_is_answered(
    mailbox: MemoryTable, path: str, accept: bool
) -> None:
    """An answer to a phone that gave up does not let in the phone that has asked since."""
    pages = Pages(mailbox, room={"admission": GUARDED})
    holder, first, second, host = pages.phone(0), pages.phone(), pages.phone(), pages.phone(host=True)
    asked, page = (holder, "/seat") if path == "/seat/claim" else (host, "/host")

    def claim(phone: Phone) -> dict[str, Any]:
        assert phone.post("/join", {"code": CODE, "seat": 0}).json["waits"]
        shown = re.search(rf"data-post=.{path}.\s+data-json='(.*?)'", asked.get(page).text)
        assert shown is not None
        return {**json.loads(shown[1]), "accept": accept}

    seen = claim(first)
    assert claim(first) == seen
    pages.room.refuse(0)
    newer = claim(second)
    late = asked.post(path, seen)
    assert (late.status_code, late.json["text"]) == (409, "This phone is no longer waiting for the seat.")
    assert second.get("/seat").status_code == 302
    assert asked.post(path, newer).status_code == 200
    assert (second.get("/seat").status_code == 200) is accept
    assert asked.post(path, newer).status_code == (403 if accept and asked is holder else 409)
    pages.close()


def test_the_hosts_code_works_once(pages: Pages) -> None:
    assert pages.phone().post("/host", {"code": HOST_CODE}).status_code == 200
    assert pages.phone().post("/host", {"code": HOST_CODE}).status_code == 403


def test_a_host_whose_answer_was_lost_is_let_in_by_the_same_code_again(pages: Pages) -> None:
    """The browser whose code counted, but whose answer was lost, can use the code again, and no other can."""
    phone, other = pages.phone(), pages.phone()
    for browser in (phone, other):
        browser.get("/host")
    assert phone.post("/host", {"code": HOST_CODE}).status_code == 200
    phone.client.delete_cookie("host", domain="192.168.1.20")
    assert other.post("/host", {"code": HOST_CODE}).status_code == 403
    assert phone.post("/host", {"code": "ABCDEF"}).status_code == 403
    assert phone.get("/host/history").status_code == 302
    assert phone.post("/host", {"code": HOST_CODE}).status_code == 200
    assert phone.get("/host/history").status_code == 200


def test_a_second_seat_on_the_same_phone_keeps_the_first(pages: Pages) -> None:
    phone = pages.phone()
    phone.post("/join", {"code": CODE, "seat": 0})
    phone.post("/join", {"code": CODE, "seat": 1, "also": True})
    assert phone.post("/join/state", {}).json == {"holds": 2, "waits": 0, "why": ""}
    token = phone.client.get_cookie("seat", domain="192.168.1.20")
    assert token is not None
    assert pages.room.seating.held_by(token.value) == (0, 1)
    phone.post("/seat/leave", {"seat": 0})
    assert pages.room.seating.held_by(token.value) == (1,)


def test_a_phone_for_several_acts_for_the_seat_it_names_and_votes_for_all(pages: Pages) -> None:
    phone, seat = pages.phone(), decider(pages)
    token = pages.room.claim(seat)
    pages.room.claim((seat + 1) % 3, also=token)
    phone.client.set_cookie("seat", token, domain="192.168.1.20")
    on = pages.mailbox.snapshot.number
    assert phone.act({"do": "money"}, on).status_code == 403
    data = {"action": {"do": "money"}, "on": on, "id": "several-0001"}
    assert phone.post("/seat/act", {**data, "seat": (seat + 2) % 3}).status_code == 403
    assert phone.post("/seat/act", {**data, "seat": seat}).status_code == 200
    undo = {"seat": seat, "on": pages.mailbox.snapshot.number, "id": "several-0002"}
    assert phone.post("/seat/undo", undo).json["ok"]
    assert pages.mailbox.snapshot.position.phase == "action"


def test_a_host_is_let_in_at_the_panel(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    phone = pages.phone()
    phone.post("/join/host", {"code": CODE})
    assert "hold OK" in phone.get("/host").text
    assert "A phone asks to be the host" in pages.phone().get("/").text
    pages.room.accept(None)
    assert "A phone is confirmed as the host’s." in pages.phone().get("/").text
    assert 'id="phones"' in phone.get("/host").text
    pages.close()


def test_nobody_asks_to_be_the_host_without_the_code_of_the_table(mailbox: MemoryTable) -> None:
    """Without the table's code nobody can make a light blink or use a press that was meant for a player."""
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    stranger = pages.phone()
    for data in ({}, {"code": "WRONG2"}, {"code": ""}, {"code": None}, {"code": [CODE]}):
        assert stranger.post("/join/host", data).status_code == 403
    assert not pages.room.claims.waiting
    assert re.search(r'<form [^>]*data-post="/join/host".*?<input name="code"', stranger.get("/host").text, re.DOTALL)
    tries = [stranger.post("/join/host", {"code": "WRONG2"}).status_code for _ in range(20)]
    assert tries[-1] == 429
    pages.close()


def test_the_pages_say_whose_phone_was_confirmed_and_as_what(mailbox: MemoryTable) -> None:
    """A confirmed host is announced on every page, and a confirmed seat only where that moves no button."""
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    ada, other = pages.phone(), pages.phone(0)
    pages.room.accept(0, tell=False)
    ada.post("/join", {"code": CODE, "seat": 1, "name": "Ada"})
    pages.room.accept(1)
    said = "Ada’s phone is confirmed for seat 2."
    assert said in pages.phone().get("/").text
    assert said not in other.get("/seat").text
    ada.post("/join/host", {"code": CODE})
    pages.room.accept(None)
    for text in (pages.phone().get("/").text, other.get("/seat").text):
        assert "Ada’s phone is confirmed as the host’s." in text
    german = pages.phone().get("/", **{"Accept-Language": "de"}).text
    assert "Das Handy von Ada ist als das der Spielleitung bestätigt." in german
    pages.close()
