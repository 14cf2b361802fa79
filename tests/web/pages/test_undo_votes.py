"""A seat undoes its own last act; any other undo counts once the other seats have agreed."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from doubles.pages import Pages, Phone, decider
from doubles.positions import NAMES, phases
from tabletop.match.event import EventKind, Fact, Source
from tabletop.web.pages import session
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
