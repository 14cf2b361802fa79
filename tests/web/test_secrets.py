"""A visitor gets the same bytes whatever others hold."""

from __future__ import annotations

import json
import re

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, other_secrets, phases, play, well_played
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import MONEY
from tabletop.rules.registry import game
from tabletop.web.games import ui_of
from tests.web.audiences import PATHS, seen, together


@pytest.mark.parametrize("phase", [phase for phase in phases() if phase != "over"])
@pytest.mark.parametrize("role", ["nobody", "seat 0", "seat 1", "host"])
def test_no_page_changes_when_what_it_hides_changes(pages: Pages, phase: str, role: str) -> None:
    seat = int(role[-1]) if role.startswith("seat") else None
    phone = pages.phone(seat, host=role == "host")
    position = phases()[phase]
    other = other_secrets(position, seat)
    pages.mailbox.become(position)
    first = [seen(pages, phone, path) for path in PATHS]
    pages.mailbox.become(other)
    second = [seen(pages, phone, path) for path in PATHS]
    assert first == second
    if phase not in ("setup", "deal"):
        assert position != other


def test_a_card_that_lies_open_but_belongs_in_a_hand_is_named_to_its_seat_alone(mailbox: MemoryTable) -> None:
    """A card shown to the camera at the deal is not named on the table's page."""
    pages = Pages(mailbox, press=None)
    position = phases()["action"]
    seat, cards = next((n, s["hand"]) for n, s in enumerate(position.to_json()["seats"]) if s["hand"])
    pages.mailbox.become(position)
    pages.mailbox.show(todo=tuple(PieceMove(card, f"bid{seat}", f"hand{seat}") for card in cards))
    own = pages.phone(seat).get("/seat").text
    assert all(ui_of(GAME).called(card) in own for card in cards)
    others = [pages.phone().get("/").text, pages.phone((seat + 1) % 3).get("/seat").text]
    assert not any(ui_of(GAME).called(card) in text for card in cards for text in others)
    pages.close()


def test_a_card_that_all_saw_taken_is_named_while_it_still_lies_there(mailbox: MemoryTable) -> None:
    """A public card that a seat chose by phone is named on every page until a hand has taken it."""
    pages = Pages(mailbox, press=None)
    mailbox.become(phases()["take"])
    seat, action = mailbox.snapshot.position.decider, next(iter(mailbox.snapshot.position.legal.thrifty()))
    card = str(action.to_json()["card"])
    assert mailbox.act(action, on=mailbox.snapshot.number, id="take-one-card", seat=seat).ok
    mailbox.show(todo=(PieceMove(card, "row", f"hand{seat}"),))
    said = f"{NAMES[seat or 0]}: take {ui_of(GAME).called(card)} into your hand."
    assert said in pages.phone().get("/").text
    pages.close()


def with_hand(position: Position, *, rich: bool) -> Position:
    """Return the position with only the best or the poorest card in the hand of the seat on turn."""
    data, seat = position.to_json(), position.decider
    assert seat is not None
    hand = data["seats"][seat]["hand"]
    cards = sorted([*hand, *data["deck"]], key=lambda card: (card[1], card), reverse=rich)
    data["seats"][seat]["hand"], data["deck"] = cards[:1], cards[1:]
    return GAME.load(data)


def test_no_light_tells_what_a_hand_can_pay() -> None:
    """The lit buttons of the panel are the same for a rich and a poor hand, in all positions of three games."""
    table = GAME.table
    assert table is not None
    for position in (position for seed in (3, 4, 11) for position in play(seed) if position.decider is not None):
        if position.phase not in ("action", "choose"):
            continue
        lit = [table.open_buttons(with_hand(position, rich=rich)) for rich in (True, False)]
        assert lit[0] == lit[1], position.phase


def test_the_log_names_dealt_cards_to_their_own_seat_only(pages: Pages) -> None:
    hands = [seat["hand"] for seat in pages.mailbox.snapshot.position.to_json()["seats"]]
    table = pages.phone().get("/").text
    assert "dealt four cards" in table
    for seat, hand in enumerate(hands):
        text = pages.phone(seat).get("/seat").text
        assert all(f'aria-label="{word}"' in text for word in _words(hand))


def _words(cards: list[str]) -> set[str]:
    names = {"R": "red", "N": "brown", "G": "green", "C": "certificate"}
    return {f"{names[card[0]]} {card[1]}" for card in cards}


def test_the_deal_offers_every_card_whatever_others_hold(pages: Pages) -> None:
    """The list is not that of the cards left in the deck, which would reveal the hands dealt before."""
    position = phases()["deal"]
    pages.mailbox.become(position)
    due = sum(bool(seat["hand"]) for seat in position.to_json()["seats"])
    text = pages.phone(due).get("/seat").text
    assert sorted(re.findall(r'name="cards\[\]"\s+value="(\w+)"', text)) == sorted(MONEY)


def test_asking_what_if_answers_only_who_decides(pages: Pages) -> None:
    """Nobody can ask about a deal: whether it is possible would reveal who holds a card."""
    position = phases()["deal"]
    pages.mailbox.become(position)
    for seat in range(3):
        answer = pages.phone(seat).post("/seat/ask", {"action": {"do": "deal", "seat": seat, "cards": ["R5a"] * 4}})
        assert answer.status_code == 403


def test_trying_out_which_cards_may_be_dealt_is_limited(pages: Pages) -> None:
    position = phases()["deal"]
    pages.mailbox.become(position)
    due = sum(bool(seat["hand"]) for seat in position.to_json()["seats"])
    phone = pages.phone(due)
    on = pages.mailbox.snapshot.number
    tries = [phone.act({"do": "deal", "seat": due, "cards": ["R5a"] * 4}, on).status_code for _ in range(20)]
    assert 429 in tries


def test_nobody_is_told_the_answer_to_anothers_request(pages: Pages) -> None:
    """A request with the same id from another seat is a different request."""
    on = pages.mailbox.snapshot.number
    decider = pages.mailbox.snapshot.position.decider
    assert decider is not None
    assert pages.phone(decider).act({"do": "money"}, on, "same-id-0001").status_code == 200
    answer = pages.phone((decider + 1) % 3).act({"do": "money"}, on, "same-id-0001")
    assert answer.status_code == 409


def test_no_token_is_in_any_page_or_address(pages: Pages) -> None:
    phone = pages.phone(0, host=True)
    for path in PATHS:
        text = seen(pages, phone, path)
        assert "token-" not in text


def test_a_running_games_record_is_kept_back(pages: Pages) -> None:
    for form in ("txt", "json", "csv"):
        assert pages.phone(0).get(f"/record.{form}").status_code == 403
    pages.mailbox.become(phases()["over"])
    assert json.loads(pages.phone().get("/record.json").text)["seats"] == ["Anna", "Bruno", "Chiara"]


def test_the_picture_is_kept_back_until_the_last_dealt_cards_are_taken_up(pages: Pages) -> None:
    """While dealt cards are still before the camera, its picture is not shown, even after the deal is recorded."""
    phone = pages.phone(0)
    dealt = pages.mailbox.snapshot.position.to_json()["seats"][2]["hand"][0]
    pages.mailbox.show(todo=(PieceMove(dealt, "bid2", "hand2"),))
    assert phone.get("/demo/picture.jpg").status_code == 204
    pages.mailbox.show(todo=())
    assert phone.get("/demo/picture.jpg").status_code == 200


def test_the_picture_is_shown_while_hands_have_yet_to_move_what_all_know(mailbox: MemoryTable) -> None:
    """A card that everybody saw taken, or a floor that has yet to be laid, keeps no picture back; other cards do."""
    mailbox.become(phases()["take"])
    action = next(iter(mailbox.snapshot.position.legal.thrifty()))
    seat, card = mailbox.snapshot.position.decider, str(action.to_json()["card"])
    assert mailbox.act(action, on=mailbox.snapshot.number, id="take-one-card", seat=seat).ok
    held = mailbox.snapshot.position.to_json()["seats"][2]["hand"][0]
    assert pictured(mailbox, PieceMove(card, "row", f"hand{seat}"))
    assert not pictured(mailbox, PieceMove(card, "row", f"hand{seat}"), PieceMove(held, "bid2", "hand2"))
    floor = next(one for one in well_played(game("patrician"), 1) if one.phase == "floor")
    patrician = MemoryTable(game("patrician"), NAMES, position=floor)
    assert pictured(patrician, PieceMove("black", "", "siteROMA"))


def pictured(mailbox: MemoryTable, *todo: PieceMove) -> bool:
    """Return whether a seat gets the camera's picture while these pieces have yet to be moved."""
    pages = Pages(mailbox)
    mailbox.show(todo=todo)
    status = pages.phone(0).get("/demo/picture.jpg").status_code
    pages.close()
    return bool(status == 200)


@pytest.mark.parametrize("phase", [phase for phase in phases() if phase != "over"])
def test_a_phone_for_several_gets_no_hand_until_it_is_asked_for(pages: Pages, phase: str) -> None:
    """The page and stream of a phone for several seats have the same bytes whatever these seats hold."""
    phone, position = together(pages, 0, 1), phases()[phase]
    pages.mailbox.become(position)
    first = [seen(pages, phone, path) for path in PATHS]
    pages.mailbox.become(other_secrets(position, None))
    assert [seen(pages, phone, path) for path in PATHS] == first


def test_a_hand_is_opened_only_on_the_phone_that_holds_its_seat(pages: Pages) -> None:
    position = phases()["action"]
    pages.mailbox.become(position)
    phone = together(pages, 0, 1)
    for seat in (0, 1):
        answer = phone.post("/seat/open", {"seat": seat})
        hand = position.to_json()["seats"][seat]["hand"]
        assert all(f'aria-label="{word}"' in answer.json["regions"]["hand"] for word in _words(hand))
    assert phone.post("/seat/open", {"seat": 2}).status_code == 403
    assert phone.post("/seat/open", {}).status_code == 403
    assert pages.phone(2).post("/seat/open", {"seat": 0}).json["regions"]["hand"] != answer.json["regions"]["hand"]


def test_a_seat_that_was_freed_hears_nothing_more(pages: Pages) -> None:
    """The stream of a freed seat ends at once, not only when another phone opens one."""
    phone = pages.phone(0)
    stream = iter(phone.get("/events/seat?stamp=old").response)
    assert [next(stream) for _ in range(2)]
    pages.room.free(0)
    assert next(stream).startswith(b"event: ended")
