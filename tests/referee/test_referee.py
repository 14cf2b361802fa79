"""What the referee accepts, refuses, asks and announces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.buttons import ButtonState, Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Notice, Scene
from tests.referee.hands import Hands, reveal_unseen
from tests.referee.support import DEALT, NOW
from tests.referee.turns import fresh_tiles
from tests.refusals import code_of


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
    table.press("MONEY")
    assert referee.snapshot.refused is None


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


def test_the_trackers_remarks_about_the_camera_are_passed_on(table: Hands, referee: Referee) -> None:
    referee.see(Scene(table.time + 1, 99, table.layout, notices=(Notice.NO_MARKER,)))
    assert "No zone card can be seen." in [one.text for one in referee.snapshot.say]


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
