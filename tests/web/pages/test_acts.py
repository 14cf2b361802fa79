"""What a page may do: once, in time, by the rules."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST_CODE, Pages, Phone, decider
from doubles.positions import NAMES, phases
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.messages import Message
from tabletop.referee.snapshot import Answer
from tabletop.rules.palazzo import GAME
from tabletop.web.app import ACTS_BURST
from tabletop.web.games import ui_of
from tabletop.web.i18n import in_language
from tabletop.web.pages import session
from tabletop.web.seating.claims import CONFIRMED, GUARDED, OPEN, Admission
from tabletop.web.seating.votes import Vote


def half_agreed_undo(pages: Pages) -> tuple[list[Phone], int]:
    """Return the phones of an undo's asker, of one who agrees and of one still to answer, and the move's event."""
    seat = decider(pages)
    phones = [pages.phone((seat + step) % 3) for step in range(3)]
    phones[0].act({"do": "money"}, pages.mailbox.snapshot.number)
    on = pages.mailbox.snapshot.number
    phones[0].post("/seat/undo", {"on": on, "id": "undo-0001"})
    phones[1].post("/seat/vote", {"agree": True, "on": on, "id": "vote-0001"})
    return phones, on


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


def test_a_seat_may_undo_its_own_last_act_without_asking(pages: Pages) -> None:
    pages.mailbox.become(phases()["take"])
    seat, row = decider(pages), phases()["take"].to_json()["row"]
    phone = pages.phone(seat)
    phone.act({"do": "take", "card": row[0]}, pages.mailbox.snapshot.number)
    answer = phone.post("/seat/undo", {"on": pages.mailbox.snapshot.number, "id": "undo-undo"})
    assert answer.json["ok"]
    assert pages.mailbox.snapshot.position == phases()["take"]


def test_once_the_game_is_over_even_the_last_act_is_undone_only_by_consent(pages: Pages) -> None:
    """Undoing the last act needs the others' consent then, because the record has shown every hand."""
    phones, seat = [pages.phone(number) for number in range(3)], decider(pages)
    ends = Fact(EventKind.ACTION, {"do": "money"}, seat, Source.PAGE, 0.0)
    (event,) = pages.mailbox.journal.append([ends])
    pages.mailbox.take(pages.mailbox.snapshot.match.with_event(event, phases()["over"]))
    answer = phones[seat].post("/seat/undo", {"on": event.number, "id": "undo-undo"})
    assert sorted({*answer.json["asked"], seat}) == [0, 1, 2]
    assert pages.mailbox.snapshot.over


def test_any_other_act_is_undone_once_the_others_agree(pages: Pages) -> None:
    phones = [pages.phone(seat) for seat in range(3)]
    seat = decider(pages)
    before = pages.mailbox.snapshot.position
    phones[seat].act({"do": "money"}, pages.mailbox.snapshot.number)
    on = pages.mailbox.snapshot.number
    asker, first, second = (phones[(seat + step) % 3] for step in range(3))
    assert len(asker.post("/seat/undo", {"on": on, "id": "undo-undo"}).json["asked"]) == 2
    assert "asks to undo" in first.get("/seat").text
    assert "asks to undo" not in asker.get("/seat").text
    first.post("/seat/vote", {"agree": True, "on": on, "id": "vote-0001"})
    assert pages.mailbox.snapshot.position != before
    second.post("/seat/vote", {"agree": True, "on": on, "id": "vote-0002"})
    assert pages.mailbox.snapshot.position == before


BESIDE_THE_GAME: Mapping[str, Callable[[Pages], bool]] = {
    "a backup": lambda pages: decide(pages, EventKind.NOTE, {"what": "backup"}),
    "a name": lambda pages: decide(pages, EventKind.NAMES, {"names": ["Xenia", "Yves", new_id()[:8]]}),
    "a deputy": lambda pages: decide(
        pages, EventKind.DEPUTY, {"seats": [] if pages.mailbox.snapshot.match.deputed else [0]}
    ),
    "a hint": lambda pages: pages.mailbox.hint(decider(pages), on=pages.mailbox.snapshot.number, id=new_id()).ok,
}
"""Names of events that do not change the position → functions that record one, a new one at each call."""


def decide(pages: Pages, kind: EventKind, data: Mapping[str, Any]) -> bool:
    return pages.mailbox.decide(kind, data, id=new_id()).ok


def new_id() -> str:
    return secrets.token_hex(8)


@pytest.mark.parametrize("recorded", BESIDE_THE_GAME.values(), ids=BESIDE_THE_GAME)
def test_events_that_do_not_change_the_position_end_no_vote(pages: Pages, recorded: Callable[[Pages], bool]) -> None:
    """Answers before and after such an event count, and a refusal stays on the page."""
    before = pages.mailbox.snapshot.position
    (asker, first, second), on = half_agreed_undo(pages)
    assert recorded(pages)
    assert "You agree to undo the last move." in first.get("/seat").text
    second.post("/seat/vote", {"agree": False, "on": on, "id": "vote-0002"})
    assert recorded(pages)
    assert "does not agree: nothing is undone." in asker.get("/seat").text
    asker.post("/seat/undo", {"on": on, "id": "undo-0002"})
    for number, phone in enumerate((first, second)):
        assert recorded(pages)
        phone.post("/seat/vote", {"agree": True, "on": on, "id": f"vote-100{number}"})
    assert pages.mailbox.snapshot.position == before


def test_a_vote_rests_in_a_pause(pages: Pages) -> None:
    """During a pause no page asks and no answer counts; the vote continues when the game resumes."""
    before = pages.mailbox.snapshot.position
    (asker, _, second), on = half_agreed_undo(pages)
    assert decide(pages, EventKind.PAUSE, {})
    assert "asks to undo" not in second.get("/seat").text
    assert second.post("/seat/vote", {"agree": True, "on": on, "id": "vote-0002"}).json["code"] == "paused"
    assert asker.post("/seat/undo", {"on": on, "id": "undo-0002"}).json["code"] == "paused"
    assert decide(pages, EventKind.RESUME, {})
    assert "asks to undo" in second.get("/seat").text
    second.post("/seat/vote", {"agree": True, "on": on, "id": "vote-0003"})
    assert pages.mailbox.snapshot.position == before


@pytest.mark.parametrize("path", ["/seat/leave", "/host/free"])
def test_a_vote_does_not_wait_for_a_seat_that_nobody_holds_any_more(pages: Pages, path: str) -> None:
    """When a seat that has not answered is freed, the vote is decided by the others."""
    before, last = pages.mailbox.snapshot.position, (decider(pages) + 2) % 3
    (asker, _, second), _ = half_agreed_undo(pages)
    host, later = pages.phone(host=True), pages.mailbox.snapshot.position
    assert before != later
    asker.post("/seat/leave", {"seat": (last + 1) % 3})
    assert pages.mailbox.snapshot.position == later
    (second if path == "/seat/leave" else host).post(path, {"seat": last})
    assert pages.mailbox.snapshot.position == before


@pytest.mark.parametrize("path", ["/seat/undo", "/host/undo"])
def test_a_vote_does_not_wait_for_a_seat_that_is_given_back_as_it_is_opened(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """A seat that is given back after the voters were determined, but before the vote opens, does not block it."""
    before, seat = pages.mailbox.snapshot.position, decider(pages)
    asker, other = pages.phone(seat), pages.phone((seat + 1) % 3)
    asker.act({"do": "money"}, pages.mailbox.snapshot.number)
    on, context = pages.mailbox.snapshot.number, pages.app.extensions["tabletop"]
    host, ask = pages.phone(host=True), context.votes.ask

    def given_back(*what: Any, **more: Any) -> Any:
        for phone in (other, *([asker] if path == "/host/undo" else ())):
            assert phone.post("/seat/leave", {}).status_code == 200
        return ask(*what, **more)

    monkeypatch.setattr(context.votes, "ask", given_back)
    to = pages.mailbox.snapshot.match.undo_to(drawn=True)
    (host if path == "/host/undo" else asker).post(path, {"to": to, "on": on, "id": "undo-0001"})
    assert pages.mailbox.snapshot.position == before


def test_a_move_ends_a_vote(pages: Pages) -> None:
    """Agreement to an undo after the next move undoes nothing."""
    (_, _, second), on = half_agreed_undo(pages)
    action = next(iter(pages.mailbox.snapshot.position.legal.thrifty()))
    assert pages.mailbox.act(action, on=on, id=new_id(), seat=None).ok
    after = pages.mailbox.snapshot.number
    assert after > on
    for number in (on, after):
        second.post("/seat/vote", {"agree": True, "on": number, "id": f"vote-10{number:02}"})
    assert pages.mailbox.snapshot.number == after


def test_asking_again_loses_no_answer_and_asking_for_the_same_agrees(pages: Pages) -> None:
    before = pages.mailbox.snapshot.position
    (asker, first, second), on = half_agreed_undo(pages)
    asker.post("/seat/undo", {"on": on, "id": "undo-0002"})
    assert "You agree to undo the last move." in first.get("/seat").text
    assert "Ask to undo" not in first.get("/seat").text
    second.post("/seat/undo", {"on": on, "id": "undo-0003"})
    assert pages.mailbox.snapshot.position == before


def test_onlookers_see_who_asks_for_what_and_who_has_not_answered(pages: Pages) -> None:
    seat = decider(pages)
    phones = [pages.phone(number) for number in range(3)]
    phones[seat].act({"do": "money"}, pages.mailbox.snapshot.number)
    phones[seat].post("/seat/undo", {"on": pages.mailbox.snapshot.number, "id": "undo-0001"})
    told = pages.phone().get("/").text.partition('id="prompts"')[2].partition("</section>")[0]
    assert f"{NAMES[seat]} asks to undo the last move." in told
    assert [name for name in NAMES if name in told.partition("Still to answer:")[2]] == [
        name for number, name in enumerate(NAMES) if number != seat
    ]


def test_a_single_no_ends_a_vote(pages: Pages) -> None:
    phones = [pages.phone(seat) for seat in range(3)]
    seat = decider(pages)
    phones[seat].act({"do": "money"}, pages.mailbox.snapshot.number)
    after, on = pages.mailbox.snapshot.position, pages.mailbox.snapshot.number
    phones[seat].post("/seat/undo", {"on": on, "id": "undo-undo"})
    phones[(seat + 1) % 3].post("/seat/vote", {"agree": False, "on": on, "id": "vote-0001"})
    phones[(seat + 2) % 3].post("/seat/vote", {"agree": True, "on": on, "id": "vote-0002"})
    assert pages.mailbox.snapshot.position == after


def test_an_answer_from_a_page_that_showed_another_vote_does_not_count(pages: Pages) -> None:
    """Agreeing to undo the last move is not taken for agreeing to what the host asks to undo instead."""
    phones = [pages.phone(seat) for seat in range(3)]
    asker, voter = decider(pages), (decider(pages) + 1) % 3
    phones[asker].act({"do": "money"}, pages.mailbox.snapshot.number)
    on = pages.mailbox.snapshot.number
    phones[asker].post("/seat/undo", {"on": on, "id": "undo-0001"})
    asked = re.search(r"data-json='(\{\"agree\": true[^']*)'", phones[voter].get("/seat").text)
    assert asked is not None
    pages.phone(host=True).post("/host/undo", {"to": 1, "on": on, "id": "undo-0002"})
    answer = phones[voter].post("/seat/vote", {**json.loads(asked[1]), "on": on, "id": "vote-0001"})
    assert answer.status_code == 409
    votes = session.context_of(pages.app).votes
    assert votes.open(pages.mailbox.snapshot.match.position_since) == Vote(1, on, None, frozenset(range(3)))


def test_who_asked_is_told_who_did_not_agree(pages: Pages) -> None:
    """The asker and onlookers read who refused, until the match continues or another question is asked."""
    seat = decider(pages)
    phones = [pages.phone(number) for number in range(3)]
    phones[seat].act({"do": "money"}, pages.mailbox.snapshot.number)
    on = pages.mailbox.snapshot.number
    phones[seat].post("/seat/undo", {"on": on, "id": "undo-0001"})
    phones[(seat + 1) % 3].post("/seat/vote", {"agree": False, "on": on, "id": "vote-0001"})
    told = f"{NAMES[(seat + 1) % 3]} does not agree: nothing is undone."
    assert told in phones[seat].get("/seat").text
    assert told in pages.phone().get("/").text
    assert told not in phones[(seat + 2) % 3].get("/seat").text
    phones[seat].post("/seat/undo", {"on": on, "id": "undo-0002"})
    assert told not in phones[seat].get("/seat").text


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
