"""An undo takes events back, is offered if the table shows it, and is not taken for a new action."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path

import pytest

from tabletop.hardware.panel.lights import Pattern
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tabletop.rules.layout import Columns, Layout, Spread
from tabletop.vision.scene import Scene
from tests.referee.hands import Hands
from tests.referee.support import NOW
from tests.referee.tables import act, begun
from tests.referee.tables import table as lying
from tests.referee.turns import turn_up_two_tiles
from tests.referee.watched import playing
from tests.rules.palazzo.board import lay


def offers_undo(referee: Referee) -> bool:
    """Return whether the referee offers an undo because the table looks as it did before."""
    return any(said.code == "undo-offer" for said in referee.snapshot.say)


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


def test_acts_of_pages_that_are_laid_out_one_after_the_other_do_not_look_undone(table: Hands, referee: Referee) -> None:
    """While hands catch up with what was entered on pages, the table passes earlier positions: no undo is offered."""
    table.press("MONEY")
    for card in ("R6a", "R7a", "N4b", "G4b"):
        table.lay(card, "row")
        table.show()
    for card in ("R6a", "R7a"):
        take = referee.snapshot.position.game.action({"do": "take", "card": card})
        assert referee.act(take, on=referee.snapshot.number, id=card, seat=None).ok
    for card in ("R6a", "R7a"):
        table.show()
        assert not offers_undo(referee)
        table.take(card)
    table.show()
    assert [*referee.snapshot.todo] == []
    table.lay("R7a", "row")
    table.show()
    assert offers_undo(referee)


@pytest.mark.parametrize(("name", "seed"), [("palazzo", 0), ("patrician", 0), ("piecepack", 0)])
def test_a_table_that_lags_behind_pages_shows_nothing_new(name: str, seed: int, tmp_path: Path) -> None:
    """While hands lay out what pages entered, no undo is offered, and what has yet to be moved shows no act."""
    with begun(name, tmp_path) as (referee, _):
        rng, waiting = random.Random(seed), deque[Layout]()
        for time in range(2, 60):
            position, number = referee.snapshot.position, referee.snapshot.number + 1
            legal = [*position.legal.thrifty()] if position.decider is not None else []
            act(referee, rng.choice(legal) if legal else position.game.draw(position, rng))
            assert referee.snapshot.number == number
            waiting.append(lying(referee.snapshot.position))
            assert not offers_undo(referee)
            while waiting and (not legal or rng.random() < 0.6):
                referee.see(Scene(float(time), time, waiting.popleft()))
                assert not offers_undo(referee)


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


def test_tiles_that_a_hand_out_leaves_do_not_suggest_an_undo(tmp_path: Path) -> None:
    """While what is left of a hand-out goes to the box, the tile that was built last shows that its act stands."""
    tiles = ["B1.2", "B2.1", "S3.2", "M4.2"]
    position = lay(phase="claim", seat=1, quarries=[tiles, [], [], []], handout=[1])
    with playing(position, tmp_path) as watched:
        built = Columns(frozenset({("B1.2",)}))
        for left in (tiles[1:], tiles[1:], tiles[2:]):
            watched.show(Layout({**lying(position), "seat1": built, "quarry1": Spread(frozenset(left))}))
            assert watched.acts == ["claim B1.2", "place B1.2"]
            assert not offers_undo(watched.referee)
        watched.show(lying(position))
        assert offers_undo(watched.referee)
