"""What the referee accepts, refuses, asks and undoes."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from doubles.clock import PATIENCE
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.buttons import ButtonState, Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.match.errors import JournalError, write_trouble
from tabletop.match.event import Event, EventKind, Fact
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.referee.interpretation.interpret import AskedAbout, Doubt
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Notice, Scene
from tests.referee.hands import Hands, reveal_unseen
from tests.referee.support import DEALT, NOW
from tests.refusals import code_of


def fresh_tiles(referee: Referee, count: int) -> list[str]:
    return sorted(referee.snapshot.position.to_json()["unseen"]["I"])[:count]


def turn_up_two_tiles(table: Hands, referee: Referee) -> None:
    """Seat 0 builds: one tile goes to the warehouse, one to a quarry, and it has to buy or call an auction."""
    first, second = fresh_tiles(referee, 2)
    table.press("BUILD")
    table.lay(first, "warehouse")
    table.show()
    table.lay(second, "quarry2")
    table.show()


def call_auction(table: Hands, referee: Referee) -> None:
    """Seat 0 turns up two tiles, calls an auction and lays the start certificate, which has not been seen yet."""
    turn_up_two_tiles(table, referee)
    table.press("AUCTION")
    table.lay("C3", "bid0")


def offers_undo(referee: Referee) -> bool:
    """Return whether the referee offers an undo because the table looks as it did before."""
    return any(said.code == "undo-offer" for said in referee.snapshot.say)


def test_a_legal_press_is_accepted_in_silence(table: Hands, referee: Referee) -> None:
    table.press("MONEY")
    assert referee.snapshot.position.phase == "reveal"
    assert referee.snapshot.signals["legal"] is Pattern.STEADY
    assert "illegal" not in referee.snapshot.signals
    assert "buzzer" not in referee.snapshot.signals


def test_a_button_without_meaning_is_refused_and_changes_nothing(table: Hands, referee: Referee) -> None:
    before = referee.snapshot.number
    table.press("PASS")
    assert referee.snapshot.number == before
    assert code_of(referee.snapshot.refused) == "wrong-phase"
    assert referee.snapshot.signals["illegal"] is Pattern.FAST


def test_a_moved_piece_is_named_with_where_it_belongs_until_it_is_put_back(table: Hands, referee: Referee) -> None:
    tile = next(iter(table.spreads["quarry2"]))
    table.lay(tile, "quarry3")
    table.show()
    assert [(move.piece, move.lies, move.belongs) for move in referee.wrong] == [(tile, "quarry3", "quarry2")]
    assert referee.snapshot.signals["illegal"] is Pattern.FAST
    table.lay(tile, "quarry2")
    table.show()
    assert [*referee.wrong] == []
    assert "illegal" not in referee.snapshot.signals


def test_a_piece_that_is_not_seen_is_missed_only_once_nothing_more_may_soon_be_read(
    table: Hands, referee: Referee
) -> None:
    tile = next(iter(table.spreads["quarry2"]))
    table.take(tile)
    table.show(seeking=True)
    assert [*referee.wrong] == []
    assert "illegal" not in referee.snapshot.signals
    table.show()
    assert [(move.piece, move.lies, move.belongs) for move in referee.wrong] == [(tile, "", "quarry2")]


def test_a_piece_that_is_only_remembered_is_not_wrong_while_more_may_soon_be_read(
    table: Hands, referee: Referee
) -> None:
    """A piece that is only remembered is not wrong while more may soon be read, such as a coin on top of it."""
    tile = next(iter(table.spreads["quarry2"]))
    table.lay(tile, "quarry3")
    table.show(seeking=True, kept=[tile])
    assert [*referee.wrong] == []
    table.show(kept=[tile])
    assert [(move.piece, move.lies, move.belongs) for move in referee.wrong] == [(tile, "quarry3", "quarry2")]


def test_if_too_many_cards_are_turned_up_none_counts_until_one_is_put_back(table: Hands, referee: Referee) -> None:
    """If too many cards are turned up at once, none counts until one is put back."""
    table.press("MONEY")
    number = referee.snapshot.number
    for card in ("R6a", "R7a", "N4b", "G4b", "G5b"):
        table.lay(card, "row")
    table.show()
    assert (referee.snapshot.number, referee.snapshot.say[-1].code) == (number, "question")
    assert referee.snapshot.say[-1].text == "Only 4 more money cards are turned up; put the others back."
    table.take("G4b")
    table.show()
    assert [*referee.snapshot.position.to_json()["row"]] == ["G5b", "N4b", "R6a", "R7a"]


def test_the_second_tile_on_the_wrong_quarry_is_accepted_and_sent_to_its_own(table: Hands, referee: Referee) -> None:
    second = next(tile for tile in fresh_tiles(referee, 16) if tile.endswith(".2"))
    first = next(tile for tile in fresh_tiles(referee, 16) if tile != second)
    table.press("BUILD")
    table.lay(first, "warehouse")
    table.show()
    table.lay(second, "quarry2")
    table.show()
    assert referee.snapshot.position.phase == "choose"
    assert [(move.piece, move.lies, move.belongs) for move in referee.snapshot.todo] == [(second, "quarry2", "quarry3")]
    assert referee.snapshot.signals["quarry3"] is Pattern.SLOW


@pytest.mark.parametrize("said_on", ["table", "page"])
def test_the_light_of_a_quarry_blinks_until_its_tile_is_seen_there(
    table: Hands, referee: Referee, said_on: str
) -> None:
    """A quarry's light blinks until its tile is seen there, whether the tile was shown or entered on a page."""
    second = next(tile for tile in fresh_tiles(referee, 16) if tile.endswith(".2"))
    first = next(tile for tile in fresh_tiles(referee, 16) if tile != second)
    table.press("BUILD")
    table.lay(first, "warehouse")
    table.show()
    if said_on == "page":
        action = referee.match.game.action({"do": "reveal", "piece": second})
        assert referee.act(action, on=referee.match.last, id="reveal", seat=None).ok
    else:
        table.lay(second, "quarry2")
        table.show()
    assert referee.snapshot.signals["quarry3"] is Pattern.SLOW
    table.lay(second, "quarry3")
    table.show()
    assert referee.snapshot.position.phase == "choose"
    assert "quarry3" not in referee.snapshot.signals


def test_a_bid_counts_only_after_ok_and_may_grow_until_then(table: Hands, referee: Referee) -> None:
    call_auction(table, referee)
    table.show()
    assert referee.snapshot.position.decider == 1
    table.lay("C2a", "bid1")
    table.show()
    table.lay("C2b", "bid1")
    table.show()
    assert referee.snapshot.position.decider == 1
    assert referee.snapshot.signals["OK"] is Pattern.SLOW
    table.press("OK")
    assert referee.snapshot.position.decider == 2
    assert referee.snapshot.events[-1].data["cards"] == ["C2a", "C2b"]


def test_a_bid_counts_without_ok_once_the_next_seat_lays_its_cards(table: Hands, referee: Referee) -> None:
    call_auction(table, referee)
    table.lay("R5a", "bid1")
    table.show()
    assert referee.snapshot.position.decider == 1
    table.lay("N6a", "bid2")
    table.show()
    assert referee.snapshot.position.decider == 2
    assert referee.snapshot.events[-1].data["cards"] == ["R5a"]


def test_a_card_that_the_next_seat_laid_before_does_not_end_a_bid(table: Hands, referee: Referee) -> None:
    """A card that the next seat laid early does not end a bid: that takes one more card of that seat, or OK."""
    call_auction(table, referee)
    table.lay("N6a", "bid2")
    table.show()
    table.lay("C2a", "bid1")
    table.show()
    table.lay("R5a", "bid1")
    table.show()
    assert (referee.snapshot.position.decider, referee.snapshot.refused) == (1, None)
    assert [move.piece for move in referee.snapshot.todo] == ["N6a"]
    table.lay("G7a", "bid2")
    table.show()
    assert dict(referee.snapshot.events[-1].data) == {"do": "bid", "cards": ["C2a", "R5a"]}


def test_too_low_a_bid_is_refused_with_its_reason_and_the_cards_stay_the_seats_own(
    table: Hands, referee: Referee
) -> None:
    call_auction(table, referee)
    table.show()
    table.lay("C2a", "bid1")
    table.press("OK")
    assert code_of(referee.snapshot.refused) == "too-little"
    assert referee.snapshot.position.decider == 1
    table.press("PASS")
    table.take("C2a")
    table.show()
    assert [*referee.snapshot.todo] == []
    assert referee.snapshot.refused is None


def test_an_ok_is_answered_only_by_a_scene_seen_after_it(table: Hands, referee: Referee) -> None:
    table.press("MONEY")
    position = referee.snapshot.position
    for card in sorted(position.to_json()["deck"])[:4]:
        table.lay(card, "row")
    table.show()
    referee.press(Press("OK", Kind.PRESS, table.time + 5))
    assert referee.snapshot.confirm_from == table.time + 5
    table.show()
    assert referee.snapshot.confirm_from is not None
    table.time += 5
    table.show()
    assert referee.snapshot.confirm_from is None


def test_an_ok_is_not_answered_by_a_scene_in_which_more_may_soon_be_read(table: Hands, referee: Referee) -> None:
    referee.press(Press("OK", Kind.PRESS, table.time))
    table.show(seeking=True)
    assert referee.snapshot.confirm_from is not None
    table.show()
    assert referee.snapshot.confirm_from is None


def test_undo_takes_back_the_last_event_and_waits_for_the_table(table: Hands, referee: Referee) -> None:
    before = referee.snapshot.position
    table.press("MONEY")
    table.press("UNDO")
    assert referee.snapshot.position == before
    assert referee.match.last == len(referee.match.events) + 2


def test_an_undone_act_is_not_accepted_again_while_it_still_lies_there(table: Hands, referee: Referee) -> None:
    table.press("MONEY")
    cards = sorted(referee.snapshot.position.to_json()["deck"])[:4]
    table.lay(cards[0], "row")
    table.show()
    before = referee.snapshot.number
    table.press("UNDO")
    table.show()
    assert referee.snapshot.position.to_json()["row"] == []
    assert referee.snapshot.number == before + 1
    table.take(cards[0])
    table.show()
    table.lay(cards[1], "row")
    table.show()
    assert referee.snapshot.position.to_json()["row"] == [cards[1]]


def test_putting_the_pieces_back_offers_an_undo(table: Hands, referee: Referee) -> None:
    table.press("MONEY")
    rng = random.Random(3)
    for card in rng.sample(sorted(referee.snapshot.position.to_json()["deck"]), 4):
        table.lay(card, "row")
        table.show()
    full = referee.snapshot.number
    taken = sorted(referee.snapshot.position.to_json()["row"])[0]
    table.take(taken)
    table.show()
    assert referee.snapshot.number == full + 1
    table.lay(taken, "row")
    table.show()
    assert offers_undo(referee)
    assert referee.snapshot.signals["UNDO"] is Pattern.SLOW
    table.press("UNDO")
    assert referee.snapshot.position.to_json()["row"] != []
    assert taken in referee.snapshot.position.to_json()["row"]
    assert [*referee.snapshot.todo] == []


def test_a_request_decided_on_an_older_event_is_stale(table: Hands, referee: Referee) -> None:
    money = GAME.action({"do": "money"})
    answer = referee.act(money, on=referee.snapshot.number - 1, id="a", seat=0)
    assert (answer.ok, answer.stale) == (False, True)
    assert referee.snapshot.position.phase == "action"


def test_the_same_request_twice_is_done_once(table: Hands, referee: Referee) -> None:
    money = GAME.action({"do": "money"})
    on = referee.snapshot.number
    first = referee.act(money, on=on, id="a", seat=0)
    again = referee.act(money, on=on, id="a", seat=0)
    assert first == again
    assert first.ok
    assert referee.snapshot.number == on + 1


def test_a_page_cannot_act_for_another_seat(table: Hands, referee: Referee) -> None:
    answer = referee.act(GAME.action({"do": "money"}), on=referee.snapshot.number, id="a", seat=1)
    assert code_of(answer.error) == "not-your-turn"


def test_a_full_disk_is_announced_and_nothing_counts(table: Hands, referee: Referee) -> None:
    referee._journal._connection.execute("PRAGMA max_page_count = 1")
    money, number = GAME.action({"do": "money"}), 0
    while True:
        before, number = referee.snapshot.position, number + 1
        on = referee.snapshot.number
        to_do = referee.snapshot.position.phase == "action"
        before_it = referee.match.before(referee.match.events[-1].number)
        answer = (
            referee.act(money, on=on, id=f"{number}", seat=0)
            if to_do
            else referee.undo(before_it, on=on, id=f"{number}")
        )
        if not answer.ok:
            break
    assert code_of(answer.error) == "journal"
    assert "full" in referee.snapshot.say[0].text
    assert referee.snapshot.position == before


def test_the_referee_resumes_where_the_journal_ends(
    table: Hands, referee: Referee, started: tuple[Journal, Match], tmp_path: Path
) -> None:
    table.press("MONEY")
    left = referee.snapshot.position
    started[0].close()
    newest = store.unfinished(tmp_path)
    assert newest is not None
    journal, match, damage = Journal.open(newest)
    again = Referee(match, journal, clock=lambda: NOW)
    assert (again.snapshot.position, damage) == (left, "")
    journal.close()


def test_a_lost_camera_is_announced_and_buttons_still_work(table: Hands, referee: Referee) -> None:
    referee.camera(CameraState.LOST)
    (lost,) = [said.text for said in referee.snapshot.say if said.code == "camera-lost"]
    assert lost == "The camera gives no picture. Meanwhile, enter on the pages what you do at the table."
    assert referee.snapshot.signals["illegal"] is Pattern.TWICE
    assert "buzzer" not in referee.snapshot.signals
    referee.press(Press("MONEY", Kind.PRESS, 99.0))
    assert referee.snapshot.position.phase == "reveal"


def test_a_stuck_button_is_announced_until_it_is_free_again(table: Hands, referee: Referee) -> None:
    referee.button("PASS", ButtonState.STUCK)
    referee.button("BUY", ButtonState.LOOSE)
    told = [(said.code, said.facts) for said in referee.snapshot.say]
    assert told == [("button-stuck", {"button": "PASS"}), ("button-loose", {"button": "BUY"})]
    revision = referee.snapshot.revision
    referee.button("PASS", ButtonState.STUCK)
    assert referee.snapshot.revision == revision
    referee.button("PASS", ButtonState.OK)
    referee.button("BUY", ButtonState.OK)
    assert not referee.snapshot.say


def test_a_pages_act_does_not_look_undone_before_its_pieces_are_laid(table: Hands, referee: Referee) -> None:
    table.press("MONEY")
    row = ["R6a", "R7a", "N4b", "G4b"]
    for card in row:
        table.lay(card, "row")
        table.show()
    take = referee.snapshot.position.game.action({"do": "take", "card": "R6a"})
    assert referee.act(take, on=referee.snapshot.number, id="a page", seat=0).ok
    table.show()
    assert not offers_undo(referee)
    table.take("R6a")
    table.show()
    assert [*referee.snapshot.todo] == []
    table.lay("R6a", "row")
    table.show()
    assert offers_undo(referee)


def test_a_card_that_no_camera_saw_is_not_taken_when_another_one_is(table: Hands, referee: Referee) -> None:
    """A card entered on a page and never seen stays when the one beside it is taken; once seen, it can be taken."""
    reveal_unseen(table)
    assert [move.piece for move in referee.snapshot.todo] == ["G4b"]
    table.take("R6a")
    table.show()
    taken = referee.snapshot.events[-1].data
    assert (taken["do"], taken["card"]) == ("take", "R6a")
    # Once it has been seen there it can be taken.
    table.lay("G4b", "row")
    table.show()
    table.take("G4b")
    table.show()
    assert referee.snapshot.events[-1].data["card"] == "G4b"


def test_cards_taken_on_a_page_are_not_waited_for(table: Hands, referee: Referee) -> None:
    """Cards taken on pages are not waited for, so that the camera's next taking counts."""
    table.press("MONEY")
    for card in ("R6a", "R7a", "N4b", "G4b"):
        table.lay(card, "row")
        table.show()
    for seat, card in enumerate(("R6a", "R7a")):
        take = referee.snapshot.position.game.action({"do": "take", "card": card})
        assert referee.act(take, on=referee.snapshot.number, id=card, seat=None if seat else 0).ok
        table.take(card)
    table.show()
    assert not referee._scene_state._unseen.unlaid
    table.take("N4b")
    table.show()
    assert referee.snapshot.events[-1].data["card"] == "N4b"


def test_an_ok_counts_only_for_the_decision_at_which_it_was_pressed(table: Hands, referee: Referee) -> None:
    """An OK whose decision is meanwhile made on a page confirms nothing for the next seat."""
    referee.press(Press("OK", Kind.PRESS, table.time + 1))
    referee.act(GAME.action({"do": "money"}), on=referee.snapshot.number, id="page", seat=0)
    assert referee.snapshot.confirm_from is None


def test_a_press_ends_the_refusal_of_the_press_before(table: Hands, referee: Referee) -> None:
    table.press("PASS")
    assert referee.snapshot.refused is not None
    table.press("OK")
    assert referee.snapshot.refused is None


def test_a_request_that_the_disk_refused_may_be_made_again(
    table: Hands, referee: Referee, started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    money, on = GAME.action({"do": "money"}), referee.snapshot.number
    with monkeypatch.context() as full:
        full.setattr(started[0], "append", full_disk)
        assert code_of(referee.act(money, on=on, id="again", seat=0).error) == "journal"
    assert referee.act(money, on=on, id="again", seat=0).ok


def test_no_sentence_of_the_referee_names_dealt_cards(started: tuple[Journal, Match]) -> None:
    journal, match = started
    referee = Referee(match, journal, clock=lambda: NOW)
    hands = Hands(referee)
    for zone, tile in zip(
        ("quarry1", "quarry2", "quarry3", "quarry4", "warehouse"), fresh_tiles(referee, 5), strict=True
    ):
        hands.lay(tile, zone)
        hands.show()
    for card in DEALT[0]:
        hands.lay(card, "bid0")
    hands.show()
    hands.press("UNDO")
    told = " ".join(one.text for one in referee.snapshot.say)
    assert "Undone: the deal" in told
    assert not any(card in told for card in DEALT[0])
    journal.close()


def full_disk(facts: Sequence[Fact]) -> None:
    raise JournalError("a journal", "The disk is full.", Message("Free some space."))


def test_the_trackers_remarks_about_the_camera_are_passed_on(table: Hands, referee: Referee) -> None:
    referee.see(Scene(table.time + 1, 99, table.layout, notices=(Notice.NO_MARKER,)))
    assert "No zone card can be seen." in [one.text for one in referee.snapshot.say]


def asked(referee: Referee) -> list[str]:
    return [one.text for one in referee.snapshot.say if one.code == "question"]


def doubts(referee: Referee) -> list[Doubt | None]:
    return [one.facts["doubt"] for one in referee.snapshot.say if one.code == "question"]


def test_a_card_not_read_since_the_last_act_counts_as_laid_only_by_a_second_ok(table: Hands, referee: Referee) -> None:
    """A remembered card, not read since the last act, counts as laid only by a second OK, after a question."""
    call_auction(table, referee)
    table.lay("C2b", "bid1")
    table.show(kept=["C2b"])
    table.lay("C2a", "bid1")
    before = referee.snapshot.number
    table.press("OK", kept=["C2b"])
    assert referee.snapshot.number == before
    assert asked(referee)
    assert asked(referee)[0].startswith("C2b can no longer be seen")
    assert doubts(referee) == [Doubt(AskedAbout.TAKEN, frozenset({"C2b"}))]
    table.press("OK", kept=["C2b"])
    assert referee.snapshot.events[-1].data["cards"] == ["C2a", "C2b"]


def test_a_card_that_was_not_read_does_not_refuse_a_bid(table: Hands, referee: Referee) -> None:
    call_auction(table, referee)
    table.lay("R5a", "bid1")
    table.show(kept=["R5a"])
    table.lay("G5a", "bid1")
    table.press("OK", kept=["R5a"])
    assert referee.snapshot.refused is None
    assert asked(referee)


def test_a_card_that_was_not_read_does_not_end_the_bid_before(table: Hands, referee: Referee) -> None:
    """A card that was not read since the last act does not show that the bid before is complete."""
    call_auction(table, referee)
    table.lay("N6a", "bid2")
    table.show(kept=["N6a"])
    table.lay("R5a", "bid1")
    table.show(kept=["N6a"])
    assert referee.snapshot.position.decider == 1
    assert not asked(referee)


def test_a_card_that_is_covered_after_it_was_read_counts_as_laid(table: Hands, referee: Referee) -> None:
    """A card that is covered after it was read counts as laid."""
    call_auction(table, referee)
    table.show()
    table.lay("C2b", "bid1")
    table.glance("C2b")
    table.lay("C2a", "bid1")
    table.press("OK", kept=["C2b"])
    assert referee.snapshot.events[-1].data["cards"] == ["C2a", "C2b"]


def test_a_card_that_vanished_after_it_was_read_counts_only_by_a_second_ok(table: Hands, referee: Referee) -> None:
    """A card whose place is then seen without it counts only by a second OK: it may have been taken back."""
    call_auction(table, referee)
    table.lay("C2a", "bid1")
    table.lay("C2b", "bid1")
    table.glance("C2b")
    before = referee.snapshot.number
    for asks in (True, False):
        table.press("OK", kept=["C2b"], uncovered=["C2b"])
        assert (referee.snapshot.number == before, bool(asked(referee))) == (asks, asks)


def test_a_press_before_the_first_scene_offers_no_undo(
    table: Hands, referee: Referee, started: tuple[Journal, Match]
) -> None:
    """After a restart, a press offers no undo until the pieces it needs have been laid and taken back."""
    turn_up_two_tiles(table, referee)
    again = Referee(referee.match, started[0], clock=lambda: NOW)
    table.referee = again
    table.press("AUCTION")
    assert again.snapshot.position.phase == "bid"
    assert not offers_undo(again)
    table.lay("C3", "bid0")
    table.show()
    table.lay("C3", "warehouse")
    table.show()
    assert offers_undo(again)


def test_a_pages_act_before_a_restart_does_not_look_like_an_undo(table: Hands, referee: Referee) -> None:
    """After a restart, pieces still to be laid for a page's act offer no undo; once laid and put back, they do."""
    table.press("MONEY")
    table.lay("R6a", "row")
    table.show()
    reveal = referee.snapshot.position.game.action({"do": "reveal", "piece": "G4b"})
    assert referee.act(reveal, on=referee.snapshot.number, id="a page", seat=None).ok
    again = Hands(Referee(referee.match, referee._journal, lambda: NOW))
    again.spreads, again.columns = table.spreads, table.columns
    again.show()
    assert not offers_undo(again.referee)
    again.lay("G4b", "row")
    again.show()
    again.take("G4b")
    again.show()
    assert offers_undo(again.referee)


def test_an_act_is_judged_once_on_its_way_to_the_journal(
    table: Hands, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules judge an act of a page or a button once, and it is not parsed again from its data."""
    asked: list[str] = []

    def counted(owner: type, name: str) -> None:
        real = getattr(owner, name)

        def call(self: object, *given: object) -> object:
            asked.append(name)
            return real(self, *given)

        monkeypatch.setattr(owner, name, call)

    for name in ("after", "refusal"):
        counted(type(referee.match.position), name)
    counted(type(GAME), "action")
    table.press("MONEY")
    assert (referee.match.position.phase, asked) == ("reveal", ["after"])
    asked.clear()
    position = referee.match.position
    card = sorted(position.to_json()["deck"])[0]
    action = GAME.parse(f"reveal {card}")
    assert referee.act(action, on=referee.match.last, id="one", seat=None).ok
    assert asked.count("after") == 1
    assert "action" not in asked


def test_chance_that_a_full_disk_refused_is_drawn_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draw that a full disk refused is repeated by the mailbox once there is room, and both are announced."""
    journal, match = store.start(tmp_path, GAME, ["Anna", "Ben"], NOW)
    rng = random.Random(1)
    append, room = journal.append, threading.Event()

    def scarce(facts: Sequence[Fact]) -> list[Event]:
        if not room.is_set():
            full_disk(facts)
        return append(facts)

    refused = write_trouble(journal.path, OSError("full"))
    monkeypatch.setattr(journal, "append", scarce)
    monkeypatch.setattr(journal, "refusal", lambda: None if room.is_set() else refused)
    mailbox = Mailbox(Referee(match, journal, lambda: NOW, lambda match: GAME.draw(match.position, rng)), retry=0.001)
    said = [one.text for one in mailbox.snapshot.say]
    assert "The disk is full." in said[0]
    assert "The table tries again every few seconds." in said[0]
    with mailbox:
        assert mailbox.wait(mailbox.snapshot.revision, PATIENCE)
        before = mailbox.snapshot
        assert before.match.position.decider is None
        room.set()
        while mailbox.snapshot.match.position.decider is None:
            assert mailbox.wait(mailbox.snapshot.revision, PATIENCE)
        codes = [one.code for one in mailbox.snapshot.say]
    journal.close()
    assert ("disk-again" in codes, "journal" in codes) == (True, False)


def test_trouble_with_the_disk_ends_by_itself(
    table: Hands, referee: Referee, started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once there is room on the disk again, everybody is told and the refused action is dropped."""
    money = GAME.action({"do": "money"})
    with monkeypatch.context() as full:
        full.setattr(started[0], "append", full_disk)
        full.setattr(started[0], "refusal", lambda: write_trouble(started[0].path, OSError("full")))
        referee.act(money, on=referee.snapshot.number, id="again", seat=0)
        referee.try_again()
        refused = referee.disk_refuses
        assert refused
        assert referee.snapshot.say[0].code == "journal"
    referee.try_again()
    assert not referee.disk_refuses
    assert referee.snapshot.say[0].code == "disk-again"
    assert not list(started[0].path.parent.glob("*.new*"))


def test_a_recorded_event_is_shown_even_if_an_error_follows(
    table: Hands, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error after an event was recorded does not leave the snapshot without it."""
    on = referee.snapshot.number

    def broken(*_some: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(SceneState, "acted", broken)
    with pytest.raises(RuntimeError):
        referee.act(GAME.action({"do": "money"}), on=on, id="a", seat=0)
    assert referee.match.last == referee.snapshot.number == on + 1


def test_events_beside_the_game_clear_no_alarm(table: Hands, referee: Referee) -> None:
    """A hint, a note, new names or a deputy do not clear the alarm about a misplaced piece."""
    tile = next(iter(table.spreads["quarry2"]))
    table.lay(tile, "quarry3")
    table.show()
    wrong = referee.wrong
    assert wrong
    assert referee.hint(0, on=referee.match.last, id="a-hint").ok
    assert referee.decide(EventKind.NOTE, {"what": "backup"}, id="a-backup").ok
    assert referee.decide(EventKind.NAMES, {"names": ["Ada", "Ben", "Cleo"]}, id="some-names").ok
    assert referee.decide(EventKind.DEPUTY, {"seats": [1]}, id="a-deputy").ok
    table.show()
    assert referee.wrong == wrong
    assert referee.snapshot.signals["illegal"] is Pattern.FAST


def test_undo_takes_a_draw_back_with_the_act_before_it(
    started: tuple[Journal, Match],
) -> None:
    """If the program draws, UNDO takes back the draw with the act before it, so that nobody can draw again at will."""
    journal, match = started
    rng = random.Random(3)
    referee = Referee(match, journal, lambda: NOW, lambda match: match.game.draw(match.position, rng))
    hands, dealt = Hands(referee), referee.snapshot.position
    assert "UNDO" not in referee.snapshot.signals
    hands.press("UNDO")
    assert referee.snapshot.position == dealt
    hands.press("MONEY")
    assert referee.snapshot.position.phase == "take"
    assert referee.snapshot.signals["UNDO"] is Pattern.STEADY
    hands.press("UNDO")
    assert referee.snapshot.position == dealt


def test_a_draw_refused_by_the_disk_at_a_matchs_start_is_tried_again(
    started: tuple[Journal, Match], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    referee = Referee(started[1], started[0], lambda: NOW, lambda match: match.game.draw(match.position, rng))
    (tmp_path / "next").mkdir()
    journal, match = store.start(tmp_path / "next", GAME, ["A", "B"], NOW)
    with monkeypatch.context() as disk:

        def full(_facts: object) -> NoReturn:
            raise JournalError("next", "The record could not be written", Message("Free some space."))

        disk.setattr(journal, "append", full)
        following = referee.successor(match, journal)
    assert "Free some space" in str(following.snapshot.say[0].text)
    following.try_again()
    assert not following.disk_refuses
    assert following.snapshot.position.decider is not None
    journal.close()
