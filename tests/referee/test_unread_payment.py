"""A press while something unreadable lies where the seat pays: what was paid is not known yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.match import store
from tabletop.match.match import Match, Step, Steps
from tabletop.referee.interpretation.interpret import AskedAbout, Doubt, Interpretation
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.rules.layout import Anywhere, Hidden, Layout, Spread
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.table.reader import DIE_INTENT
from tabletop.vision.scene import Cause, ReadBy, Scene, Sighting, Unreadable
from tests.referee.support import NOW
from tests.refusals import code_of
from tests.rules.piecepack.board import board

BUYING = board(hand=["DM3", "DM5"], palazzo={"TM2": [0, 0]}, yard=["TM3", "TS4", "TA4", "TC4"])
CARD = Sighting("TT:PLOT1", 0.0, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, ReadBy.RECOGNISED)
PAYMENT, RESERVE = (300.0, 0.0), (100.0, 20.0)
"""Places on the card of the first seat, whose marker lies at the origin, mm."""


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Seat 0 may buy TM3, which costs 8 without the die."""
    journal, begun = store.start(tmp_path, GAME, ["Ada", "Ben"], NOW)
    journal.close()
    return replace(begun, steps=Steps([Step(begun.events[0], BUYING)]))


def scene(
    coins: list[str], unread: Sequence[tuple[float, float]] = (), read: Sequence[tuple[float, float]] = ()
) -> Scene:
    """Return a scene with TM3 in the hand, these coins in the payment, and unread or further tags at these places."""
    zones = {zone: lies for zone, lies in BUYING.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    zones |= {"yard": Spread(frozenset(["TS4", "TA4", "TC4"])), "pay0": Spread(frozenset(coins))}
    tags = [replace(CARD, payload="PP:DM3", x=x, y=y) for x, y in read]
    return Scene(
        1.0, 1, Layout(zones), (CARD, *tags), tuple(Unreadable(Cause.UNKNOWN, place=place) for place in unread)
    )


def pressed(
    state: SceneState,
    match: Match,
    coins: list[str],
    unread: Sequence[tuple[float, float]] = (),
    intent: str | None = None,
) -> Interpretation:
    """Return how the referee interprets a press with TM3 in the hand and these coins read in the payment."""
    state.see(scene(coins, unread), confirmed=True)
    return state.read(match, intent, confirmed=True)


def test_a_payment_with_a_coin_that_is_not_read_is_asked_about_and_not_called_too_little(match: Match) -> None:
    assert code_of(pressed(SceneState(match.position), match, ["DM3"]).refused) == "too-little"
    reading = pressed(SceneState(match.position), match, ["DM3"], [PAYMENT])
    assert reading.refused is None
    assert reading.question == (
        "Payment of seat 1: something there cannot be read. Push it a little, or lay it elsewhere. If it does not "
        "count, press OK again."
    )
    assert reading.doubt == Doubt(AskedAbout.UNREAD)


def test_a_spot_may_be_a_coin_only_where_the_seat_pays(match: Match) -> None:
    """A spot unlike a tag may be a coin where the seat pays and is asked about; elsewhere it is ignored."""
    answers = []
    for place in (PAYMENT, RESERVE):
        state = SceneState(match.position)
        state.see(replace(scene(["DM3"]), spots=(place,)), confirmed=True)
        answers.append(state.read(match, None, confirmed=True))
    assert [reading.doubt for reading in answers] == [Doubt(AskedAbout.UNREAD), None]
    assert [code_of(reading.refused) for reading in answers if reading.refused] == ["too-little"]


def test_a_payment_that_is_enough_does_not_count_while_more_may_lie_there(match: Match) -> None:
    """A payment that is enough with the die is asked about while an unread coin may be meant in the die's place."""
    state = SceneState(match.position)
    reading = pressed(state, match, ["DM3"], [PAYMENT], DIE_INTENT)
    assert not reading.acts
    assert reading.confirms == {"MONEY"}
    assert pressed(state, match, ["DM3"], [PAYMENT], DIE_INTENT).acts


def test_a_second_press_answers_only_for_what_was_asked_about(match: Match) -> None:
    """A second press answers only for the unreadable spot that was asked about, not for one elsewhere."""
    state = SceneState(match.position)
    pressed(state, match, ["DM3"], [PAYMENT])
    assert pressed(state, match, ["DM3"], [(340.0, 10.0)]).question
    assert code_of(pressed(state, match, ["DM3"], [(343.0, 10.0)]).refused) == "too-little"


def test_something_unreadable_elsewhere_does_not_hold_up_a_payment(match: Match) -> None:
    assert pressed(SceneState(match.position), match, ["DM3", "DM5"], [RESERVE]).acts


def test_a_coin_that_the_tracker_once_doubted_is_asked_about(match: Match) -> None:
    """A coin that the tracker once doubted is asked about even if a second look finds no tag there."""
    state = SceneState(match.position)
    state.see(scene(["DM3"], [PAYMENT]), confirmed=False)
    assert "cannot be read" in pressed(state, match, ["DM3"]).question
    assert code_of(pressed(state, match, ["DM3"]).refused) == "too-little"


def test_a_doubtful_place_is_clear_once_a_tag_was_read_there(match: Match) -> None:
    state = SceneState(match.position)
    state.see(scene([], [PAYMENT]), confirmed=False)
    state.see(scene(["DM3"], read=[(PAYMENT[0] + 4, PAYMENT[1])]), confirmed=False)
    assert code_of(pressed(state, match, ["DM3"]).refused) == "too-little"


def test_an_earlier_doubt_does_not_hold_up_a_sufficient_payment(match: Match) -> None:
    state = SceneState(match.position)
    state.see(scene(["DM3"], [PAYMENT]), confirmed=False)
    assert pressed(state, match, ["DM3", "DM5"]).acts


def test_doubts_from_before_the_last_event_are_dropped(match: Match) -> None:
    state = SceneState(match.position)
    state.see(scene([], [PAYMENT]), confirmed=False)
    state.see(scene([]), confirmed=False)
    state.recorded()
    assert code_of(pressed(state, match, ["DM3"]).refused) == "too-little"
