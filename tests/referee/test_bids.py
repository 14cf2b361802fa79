"""A bid counts once it is confirmed or the next seat bids; cards that are not read are asked about."""

from __future__ import annotations

from tabletop.hardware.panel.lights import Pattern
from tabletop.referee.interpretation.interpret import AskedAbout, Doubt
from tabletop.referee.referee import Referee
from tests.referee.hands import Hands
from tests.referee.turns import asked, turn_up_two_tiles
from tests.refusals import code_of


def call_auction(table: Hands, referee: Referee) -> None:
    """Seat 0 turns up two tiles, calls an auction and lays the start certificate, which has not been seen yet."""
    turn_up_two_tiles(table, referee)
    table.press("AUCTION")
    table.lay("C3", "bid0")


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
