"""What a page may do: once, in time, by the rules."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages, decider
from doubles.positions import NAMES, phases
from tabletop.match.errors import JournalError
from tabletop.messages import Message
from tabletop.referee.snapshot import Answer
from tabletop.rules.palazzo import GAME
from tabletop.web.app import ACTS_BURST
from tabletop.web.games import ui_of
from tabletop.web.i18n import in_language
from tabletop.web.seating.claims import CONFIRMED, OPEN, Admission


def test_a_repeated_request_is_done_once(pages: Pages) -> None:
    seat, on = decider(pages), pages.mailbox.snapshot.number
    phone = pages.phone(seat)
    first, second = phone.act({"do": "money"}, on, "tap-tap-1"), phone.act({"do": "money"}, on, "tap-tap-1")
    assert first.json == second.json
    assert [event.data["do"] for event in pages.mailbox.snapshot.events if event.kind == "action"].count("money") == 1


@pytest.mark.parametrize("path", ["/seat/undo", "/host/undo"])
def test_a_repeated_undo_gets_the_same_answer_though_there_is_nothing_left_to_undo(pages: Pages, path: str) -> None:
    """A phone that repeats a request, because its answer was lost, is not told that the game has moved on."""
    pages.mailbox.become(phases()["take"])
    phone, start = pages.phone(decider(pages), host=True), pages.mailbox.snapshot.number
    phone.act({"do": "take", "card": phases()["take"].to_json()["row"][0]}, start)
    wanted = {"to": start, "now": True, "on": pages.mailbox.snapshot.number, "id": "tap-tap-1"}
    first, second = phone.post(path, wanted), phone.post(path, wanted)
    assert first.json["ok"]
    assert (second.status_code, second.json) == (first.status_code, first.json)


def test_a_repeated_report_of_the_host_gets_the_same_answer_though_a_seat_decides_by_then() -> None:
    """A repeated report of a piece that was turned up is not refused as a seat's secret."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=None))
    pages.mailbox.become(phases()["reveal"])
    host, number = pages.phone(host=True), 0
    while pages.mailbox.snapshot.position.decider is None:
        position, number = pages.mailbox.snapshot.position, number + 1
        action, on = next(iter(position.legal)).to_json(), pages.mailbox.snapshot.number
        first, second = (
            host.post("/host/act", {"action": action, "on": on, "id": f"tap-tap-{number}"}) for _ in range(2)
        )
        assert first.json["ok"]
        assert (second.status_code, second.json) == (first.status_code, first.json)
    pages.close()


def test_a_request_decided_on_an_older_table_is_stale(pages: Pages) -> None:
    answer = pages.phone(decider(pages)).act({"do": "money"}, 1)
    assert answer.status_code == 409


def test_a_refusal_says_the_reason_and_its_rule(pages: Pages) -> None:
    answer = pages.phone(decider(pages)).act({"do": "auction"}, pages.mailbox.snapshot.number)
    assert answer.status_code == 422
    assert answer.json["code"] == "wrong-phase"
    assert answer.json["rule"]


def test_a_choice_that_is_not_complete_is_refused_as_the_page_itself_says_it(pages: Pages) -> None:
    """An incomplete choice gets a sentence about tiles, not one about the length of a list."""
    pages.mailbox.become(phases()["choose"])
    answer = pages.phone(decider(pages)).act({"do": "buy", "tiles": [], "pay": []}, pages.mailbox.snapshot.number)
    assert (answer.status_code, answer.json["text"]) == (422, "Tap one or two tiles in the warehouse.")


def test_no_page_says_where_the_journal_lies(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages say that the disk is full, and none contains the path of the journal."""

    def full(_facts: object) -> NoReturn:
        why = "The record of the game could not be written: {error}."
        raise JournalError("/var/lib/tabletop/games/one.journal", why, Message("Free some space."), error="full")

    monkeypatch.setattr(pages.mailbox.journal, "append", full)
    phone = pages.phone(decider(pages))
    answer = phone.act({"do": "money"}, pages.mailbox.snapshot.number)
    assert answer.status_code in (422, 507)
    seen = [answer.text, phone.get("/seat").text, pages.phone().get("/").text, pages.phone(host=True).get("/host").text]
    assert all("could not be written: full" in text for text in seen)
    assert not any("/var/lib" in text for text in seen)


def test_another_seat_cannot_decide(pages: Pages) -> None:
    answer = pages.phone((decider(pages) + 1) % 3).act({"do": "money"}, pages.mailbox.snapshot.number)
    assert answer.json["code"] == "not-your-turn"


def test_a_seat_may_enter_its_own_cards_and_nobody_elses(pages: Pages) -> None:
    position = phases()["deal"]
    pages.mailbox.become(position)
    due = sum(bool(seat["hand"]) for seat in position.to_json()["seats"])
    cards = position.to_json()["deck"][:4]
    on = pages.mailbox.snapshot.number
    action = {"do": "deal", "seat": due, "cards": cards}
    assert pages.phone((due + 1) % 3).act(action, on).status_code == 422
    assert pages.phone(due).act(action, on).status_code == 200


@pytest.mark.parametrize(("path", "asked", "then"), [("/seat/act", "action", "deal"), ("/host/act", "reveal", "bid")])
def test_the_right_to_act_is_checked_on_the_state_in_which_the_act_counts(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, path: str, asked: str, then: str
) -> None:
    """Whether a seat or the host may act is decided on the state in which the act counts, not on an earlier one."""
    pages.mailbox.become(phases()[asked])
    phone, act, later = pages.phone(phases()["action"].decider, host=True), pages.mailbox.act, phases()[then]

    def act_late(*what: Any, **more: Any) -> Answer:
        pages.mailbox.become(later)
        return act(*what, **more)

    monkeypatch.setattr(pages.mailbox, "act", act_late)
    cards = {"do": "deal", "seat": 2, "cards": later.to_json()["deck"][:4]}
    action = cards if then == "deal" else next(one.to_json() for one in later.legal.thrifty() if one.do == then)
    number = pages.mailbox.snapshot.number
    assert phone.post(path, {"action": action, "on": number + 1, "id": "both-at-once"}).status_code == 409


def test_asking_changes_nothing_and_says_the_sum(pages: Pages) -> None:
    position = phases()["choose"]
    pages.mailbox.become(position)
    before = pages.mailbox.snapshot
    facts = position.to_json()
    seat = decider(pages)
    hand = facts["seats"][seat]["hand"]
    answer = (
        pages.phone(seat)
        .post("/seat/ask", {"action": {"do": "buy", "tiles": facts["warehouse"][:1], "pay": hand[:1]}})
        .json
    )
    assert [name for name, _value in answer["facts"]] == ["You pay", "Price", "Points once built"]
    assert answer["facts"][0][1] == hand[0][1]
    assert pages.mailbox.snapshot is before


def test_the_demos_panel_presses_buttons(pages: Pages) -> None:
    pages.phone().post("/demo/press", {"button": "MONEY"})
    pages.phone().post("/demo/press", {"button": "OK", "held": True})
    assert pages.presses == ["MONEY", "OK held"]


def test_without_a_panel_there_is_no_demo(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, press=None)
    assert pages.phone().get("/demo").status_code == 404
    assert pages.phone().post("/demo/press", {"button": "MONEY"}).status_code == 404
    pages.close()


def test_the_picture_is_kept_back_while_people_show_their_cards(pages: Pages) -> None:
    pages.mailbox.become(phases()["deal"])
    assert pages.phone().get("/demo/picture.jpg").status_code == 200
    assert pages.phone(0).get("/demo/picture.jpg").status_code == 204


def test_the_host_looks_through_the_camera_but_sees_no_hand(pages: Pages) -> None:
    host = pages.phone(host=True)
    assert host.get("/host/picture.jpg").status_code == 200
    pages.mailbox.become(phases()["deal"])
    assert host.get("/host/picture.jpg").status_code == 204


def test_what_the_camera_does_not_see_the_active_seat_can_tell(mailbox: MemoryTable) -> None:
    """Without a camera, the seat on turn, and no other, enters what was turned up."""
    pages = Pages(mailbox, press=None)
    position = phases()["reveal"]
    pages.mailbox.become(position)
    phone = pages.phone(position.active)
    assert "Does the camera not see it?" in phone.get("/seat").text
    action = next(iter(position.legal))
    assert (
        pages.phone((position.active + 1) % 3).act(action.to_json(), pages.mailbox.snapshot.number).status_code == 422
    )
    assert phone.act(action.to_json(), pages.mailbox.snapshot.number).status_code == 200
    pages.close()


def test_a_refusal_calls_a_tile_as_people_call_it_and_not_by_its_tag() -> None:
    """A tile is named by what is printed on it, not by its id."""
    with in_language("en"):
        assert ui_of(GAME).word("S1.3") == "sandstone, floor 1, 3 windows"


@pytest.mark.parametrize("admission", [CONFIRMED, OPEN])
@pytest.mark.parametrize("character", ["\ud800", "\x1b", "\0"])
def test_a_character_that_cannot_be_shown_is_refused_in_a_name(
    mailbox: MemoryTable, admission: Admission, character: str
) -> None:
    pages = Pages(mailbox, room={"admission": admission})
    phone, host = pages.phone(), pages.phone(host=True)
    answer = phone.post("/join", {"code": CODE, "seat": 1, "name": f"Zo{character}"})
    assert answer.status_code == 400
    assert f"U+{ord(character):04X}" in answer.json["text"]
    assert not pages.room.claims.waiting
    for path in ("/", "/host", "/host/history"):
        assert host.get(path).status_code == 200
    pages.close()


@pytest.mark.parametrize("key", ["code", "source", "name", "id", "\udfff"])
@pytest.mark.parametrize(
    "path", ["/join", "/host", "/seat/act", "/seat/ask", "/host/next", "/host/adopt", "/demo/press"]
)
def test_a_lone_surrogate_anywhere_in_a_request_is_refused_in_words(pages: Pages, path: str, key: str) -> None:
    phone = pages.phone(decider(pages), host=path != "/host")
    answer = phone.post(path, {"seat": 1, "code": CODE, "action": {"do": "money"}} | {key: ["\ud800"]})
    assert answer.status_code == 400
    assert "U+D" in answer.json["text"]


def test_a_seat_that_acts_too_fast_is_told_to_wait_and_goes_on_afterwards(mailbox: MemoryTable) -> None:
    """The number of requests per seat is limited, so that no program can fill the disk; other seats are not slowed."""
    pages = Pages(mailbox)
    phone, other = pages.phone(decider(pages)), pages.phone(1 - decider(pages))
    answers = [phone.post("/seat/undo", {"on": 0, "id": f"{number}"}) for number in range(ACTS_BURST + 1)]
    assert [answer.status_code == 429 for answer in answers] == [False] * ACTS_BURST + [True]
    assert "Too many actions from this seat." in answers[-1].json["text"]
    assert phone.post("/seat/act", {"action": {"do": "money"}, "on": 0, "id": "a"}).status_code == 429
    assert other.post("/seat/undo", {"on": 0, "id": "b"}).status_code != 429
    pages.now += 1.5
    assert phone.post("/seat/undo", {"on": 0, "id": "c"}).status_code != 429
    assert phone.post("/seat/undo", {"on": 0, "id": "d"}).status_code == 429
    pages.close()
