"""What is reported twice counts once: one action by the camera and two phones, one piece in two places."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.referee.interpretation.layout_diff import moved_pieces
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout, Pile, Spread, Tower
from tabletop.vision.scene import Scene
from tests.referee.hands import Hands
from tests.referee.support import NOW
from tests.referee.tables import TAKEN, act, begun, opened, table


@pytest.mark.parametrize("order", list(itertools.permutations(["camera", "phone", "other phone"])))
@pytest.mark.parametrize("name", TAKEN)
def test_one_act_by_the_camera_and_two_phones_counts_once(name: str, order: tuple[str, ...], tmp_path: Path) -> None:
    """The first report of an act is recorded; later phones are told that they are late, and nothing is wrong."""
    with begun(name, tmp_path) as (referee, taking):
        number, after = referee.snapshot.number, referee.snapshot.position.after(taking)
        late = []
        for who in order:
            if who == "camera":
                referee.see(Scene(2.0, 2, table(after)))
            else:
                late.append(act(referee, taking, number, who))
        assert (referee.snapshot.number, referee.snapshot.position) == (number + 1, after)
        assert sum(late) == (2 if order[0] == "camera" else 1)
        assert (referee.snapshot.todo, referee.snapshot.refused) == ((), None)


DIFFERENT = {
    "patrician/two-cards.txt": ("play ROM3", "play ROM4", ("FIR3", "played0", "hand0")),
    "piecepack/two-coins.txt": ("coin DS2", "coin DC3", ("DM3", "", "bank")),
}
"""Scenario → what two phones say, one after the other, and the piece that is then asked back.

The camera sees that card of Patrician on the pile, and no longer sees that coin of the piecepack.
"""


@pytest.mark.parametrize("scenario", DIFFERENT)
def test_of_different_acts_at_once_only_the_first_counts(scenario: str, tmp_path: Path) -> None:
    """If a phone, the table and a second phone show different acts, only the first counts."""
    first, second, (piece, lies, belongs) = DIFFERENT[scenario]
    with opened(scenario, tmp_path) as referee:
        number, before = referee.snapshot.number, referee.snapshot.position
        laid = Layout({**table(before, piece), **({lies: Pile((piece,))} if lies else {})})
        assert not act(referee, before.game.parse(first), number)
        referee.see(Scene(1.0, 1, laid))
        assert referee.snapshot.number == number + 1
        assert (piece, lies, belongs) in {(move.piece, move.lies, move.belongs) for move in referee.snapshot.todo}
        answer = referee.act(before.game.parse(second), on=number, id="second phone", seat=before.decider)
        assert answer.stale
        assert referee.snapshot.position == before.after(before.game.parse(first))


@pytest.mark.parametrize("name", TAKEN)
def test_a_piece_was_not_taken_while_a_copy_of_it_lies_elsewhere(name: str, tmp_path: Path) -> None:
    """While two copies of a card are in view, neither counts and that is announced; the act counts once one is gone."""
    with begun(name, tmp_path) as (referee, taking):
        number, position = referee.snapshot.number, referee.snapshot.position
        (piece,) = table(position).zone_of().keys() & set(taking.to_json().values())
        tag = f"{position.game.tag}:{piece.upper()}"
        referee.see(Scene(2.0, 2, table(position, piece), doubles=(tag,)))
        assert referee.snapshot.number == number
        assert "can be seen in two places" in " ".join(str(one.text) for one in referee.snapshot.say)
        referee.see(Scene(3.0, 3, table(position, piece)))
        assert referee.snapshot.number == number + 1


@pytest.mark.parametrize("button", ["OK", "MONEY", "PASS", "UNDO"])
@pytest.mark.parametrize("name", TAKEN)
def test_a_button_that_is_held_does_nothing_at_the_table(name: str, button: str, tmp_path: Path) -> None:
    """A long press or a chord of any button records nothing at the table, and the pieces count as before."""
    with begun(name, tmp_path) as (referee, taking):
        before = referee.snapshot
        for kind in (Kind.LONG, Kind.CHORD):
            referee.press(Press(button, kind, 2.0))
            referee.see(Scene(3.0, 3, table(before.position)))
        after = referee.snapshot
        assert (after.number, after.intent, after.refused, after.todo) == (before.number, before.intent, None, ())
        referee.see(Scene(4.0, 4, table(before.position.after(taking))))
        assert referee.snapshot.number == before.number + 1


def test_ok_that_is_held_confirms_nothing_until_it_is_pressed(tmp_path: Path) -> None:
    """Holding OK buys nothing, as it admits phones at the panel; only a short press confirms the purchase."""
    with opened("piecepack/nothing-paid.txt", tmp_path) as referee:
        number, position = referee.snapshot.number, referee.snapshot.position
        buying = next(one for one in position.legal.thrifty() if one.do == "purchase" and not one.to_json()["die"])
        bought, pay = buying.to_json()["structure"], frozenset(buying.to_json()["pay"])
        laid = Layout({**table(position, bought), f"pay{position.decider}": Spread(pay)})
        referee.see(Scene(1.0, 1, table(position)))
        for kind, count in ((Kind.LONG, 0), (Kind.CHORD, 0), (Kind.PRESS, 1)):
            referee.press(Press("OK", kind, 2.0))
            referee.see(Scene(3.0, 3, laid))
            assert referee.snapshot.number == number + count
        assert dict(referee.snapshot.events[-1].data) == buying.to_json()


@pytest.mark.parametrize("name", ["patrician", "piecepack"])
def test_an_undone_act_does_not_count_again_while_another_is_laid_back(name: str, tmp_path: Path) -> None:
    """After two acts are undone, the older one does not count while the newer is laid back, unless OK confirms it."""
    with begun(name, tmp_path) as (referee, taking):
        taken = referee.snapshot.position.after(taking)
        revealing = taken.game.draw(taken, random.Random(1))
        revealed = taken.after(revealing)
        later = next(action for action in revealed.legal.thrifty() if action.do in {"play", "coin"})
        for time, position in ((2.0, taken), (3.0, revealed), (4.0, revealed.after(later))):
            referee.see(Scene(time, round(time), table(position)))
        while referee.snapshot.position != taken:
            referee.press(Press("UNDO", Kind.PRESS, 5.0))
        referee.see(Scene(6.0, 6, table(revealed)))
        laid = [*moved_pieces(taken.layout(), revealed.layout())]
        assert (referee.snapshot.position, [move.piece for move in referee.snapshot.todo]) == (taken, laid)
        referee.press(Press("OK", Kind.PRESS, 7.0))
        referee.see(Scene(8.0, 8, table(revealed)))
        assert referee.snapshot.position == revealed


def test_a_floor_does_not_count_while_the_floor_above_it_is_taken_back(tmp_path: Path) -> None:
    """Of two undone floors, the lower does not count while the upper is removed; later a newly laid one does."""
    game, rng = registry.game("patrician"), random.Random(3)
    journal, match = store.start(tmp_path, game, ["Ann", "Bob"], NOW)
    referee = Referee(match, journal, lambda: NOW)
    while (bare := referee.snapshot.position).phase != "floor" or bare.left < 2:  # type: ignore[attr-defined]
        legal = [*bare.legal.thrifty()] if bare.decider is not None else [game.draw(bare, rng)]
        act(referee, rng.choice(legal))
    one = bare.after(game.parse("floor A"))
    two = one.after(game.parse("floor A"))
    for time, position in ((1.0, bare), (2.0, two)):
        referee.see(Scene(time, round(time), table(position)))
    while referee.snapshot.position != bare:
        referee.press(Press("UNDO", Kind.PRESS, 3.0))
    for time, shown, position in ((4.0, one, bare), (5.0, bare, bare), (6.0, one, one)):
        referee.see(Scene(time, round(time), table(shown)))
        assert referee.snapshot.position == position
    journal.close()


def test_an_undone_wooden_floor_does_not_hold_back_a_later_taking(tmp_path: Path) -> None:
    """An undone wooden floor, which no camera sees, does not keep a card that is taken again from counting."""
    with begun("patrician", tmp_path) as (referee, taking):

        def show(time: float, position: Position) -> None:
            seen = {zone: there for zone, there in table(position).items() if not isinstance(there, Tower)}
            referee.see(Scene(time, round(time), Layout(seen)))

        floor, before = referee.snapshot.events[-1], referee.snapshot.position
        assert floor.data["do"] == "floor"
        show(2.0, before)
        referee.press(Press("UNDO", Kind.PRESS, 3.0))
        referee.press(Press("MONEY" if floor.data["site"] == "A" else "BUILD", Kind.PRESS, 4.0))
        assert referee.snapshot.position == before
        show(5.0, before.after(taking))
        referee.press(Press("UNDO", Kind.PRESS, 6.0))
        for time, shown in ((7.0, before), (8.0, before.after(taking))):
            show(time, shown)
            assert referee.snapshot.position == shown


@contextmanager
def bought(folder: Path) -> Iterator[tuple[Hands, str]]:
    """Buy a tile that is still in the hand, its payment on the table; yield the hands and the tile."""
    with opened("pressed-twice.txt", folder) as referee:
        hands, tile = Hands(referee), "M1.1"
        hands.tidy()
        hands.press("BUY")
        for card in ("N4b", "N5a"):
            hands.lay(card, "bid0")
        hands.take(tile)
        hands.press("OK")
        assert referee.snapshot.events[-1].data["do"] == "buy"
        yield hands, tile


def test_ok_pressed_twice_does_not_discard_what_was_just_bought(tmp_path: Path) -> None:
    """A second OK right after a purchase asks instead of discarding the tile, which can still be built."""
    with bought(tmp_path) as (hands, tile):
        number = hands.referee.snapshot.number
        hands.press("OK")
        now = hands.referee.snapshot
        assert (now.number, now.signals["OK"], "illegal" in now.signals) == (number, Pattern.SLOW, False)
        assert "pressed again before anything was moved" in now.say[-1].text
        hands.build(tile, 0)
        hands.show()
        assert hands.referee.snapshot.events[-1].data["do"] == "place"


def test_a_tile_built_in_the_area_of_another_seat_is_to_be_moved(tmp_path: Path) -> None:
    """A bought tile built in another seat's area cannot be discarded; the player is asked to build it in their own."""
    with bought(tmp_path) as (hands, tile):
        number = hands.referee.snapshot.number
        hands.build(tile, 1)
        hands.press("OK")
        now = hands.referee.snapshot
        assert now.number == number
        assert now.say[-1].text.startswith(f"Ann: {tile} lies outside your palazzi: build it there, or take it off")
        hands.take(tile)
        hands.build(tile, 0)
        hands.show()
        assert hands.referee.snapshot.events[-1].data["do"] == "place"


def test_a_third_ok_discards_what_was_just_bought(tmp_path: Path) -> None:
    """A third OK discards the tile that was just bought."""
    with bought(tmp_path) as (hands, tile):
        hands.press("OK")
        hands.press("OK")
        assert dict(hands.referee.snapshot.events[-1].data) == {"do": "scrap", "tile": tile}


def test_ok_after_something_was_moved_does_not_count_as_pressed_twice(tmp_path: Path) -> None:
    """After the payment was moved to the discards, or after an undo, one more OK discards the tile."""
    with bought(tmp_path) as (hands, tile):
        for card in ("N4b", "N5a"):
            hands.lay(card, "discards")
        for _ in range(2):
            hands.press("OK")
            assert dict(hands.referee.snapshot.events[-1].data) == {"do": "scrap", "tile": tile}
            hands.press("UNDO")
