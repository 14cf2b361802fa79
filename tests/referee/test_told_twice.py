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
from tabletop.referee.layout_diff import moved_pieces, without_pieces
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Anywhere, Hidden, Layout, Pile, Spread, Tower
from tabletop.simulator.play.scenario import parse
from tabletop.vision.scene import Scene
from tests.referee.hands import Hands
from tests.referee.support import NOW

SCENARIOS = Path(__file__).parents[1] / "scenarios"
TAKEN = {"patrician": "take", "piecepack": "coin", "palazzo": "take"}
"""How a piece that lies open is taken into the hand, in every game: it counts once it lies there no more."""
LATER = 40
"""This many acts into a game pieces lie in all its zones."""


@contextmanager
def begun(name: str, folder: Path) -> Iterator[tuple[Referee, Action]]:
    """Have a game played at random until its seat may take a piece, which it is about to do."""
    game, rng = registry.game(name), random.Random(3)
    journal, match = store.start(folder, game, ["Ann", "Bob"], NOW)
    referee = Referee(match, journal, lambda: NOW)
    while True:
        position = referee.snapshot.position
        legal = [*position.legal.thrifty()] if position.decider is not None else []
        takes = [action for action in legal if action.do == TAKEN[name]]
        if takes and referee.snapshot.number > LATER:
            break
        act(referee, rng.choice(legal) if legal else game.draw(position, rng))
    referee.see(Scene(1.0, 1, table(position)))
    yield referee, takes[0]
    journal.close()


@contextmanager
def opened(scenario: str, folder: Path) -> Iterator[Referee]:
    """Have a scenario's game where its opening ends."""
    scene = parse((SCENARIOS / scenario).read_text(encoding="utf-8"), registry.game("palazzo"))
    journal, match = store.start(folder, scene.game, [*scene.seats], NOW)
    referee = Referee(match, journal, lambda: NOW)
    for action in scene.opening:
        act(referee, action)
    yield referee
    journal.close()


def act(referee: Referee, action: Action, on: int | None = None, phone: str = "phone") -> bool:
    """Say from a phone what is done, decided on event number ``on``; return whether that was too late."""
    now, number = referee.snapshot, referee.snapshot.number if on is None else on
    answer = referee.act(action, on=number, id=f"{phone} {number}", seat=now.position.decider)
    assert answer.ok is not answer.stale
    return answer.stale


def table(position: Position, *missing: str) -> Layout:
    """Return what a camera sees where everything lies as the record has it, but for what is missing."""
    there = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    return Layout({zone: without_pieces(lies, missing) for zone, lies in there.items()})


@pytest.mark.parametrize("order", list(itertools.permutations(["camera", "phone", "other phone"])))
@pytest.mark.parametrize("name", TAKEN)
def test_one_act_by_the_camera_and_two_phones_counts_once(name: str, order: tuple[str, ...], tmp_path: Path) -> None:
    """The first report is recorded, later phones are told that they are late, and no fault is reported."""
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
"""With the opening of a scenario: what two phones say, one after the other, and the piece that is then asked back.

The camera sees that card of Patrician on the pile, and that coin of the piecepack no more.
"""


@pytest.mark.parametrize("scenario", DIFFERENT)
def test_of_different_acts_at_once_the_first_counts_and_the_other_piece_is_asked_back(
    scenario: str, tmp_path: Path
) -> None:
    """One phone says what was done, the table shows another act and a second phone a third one: it is too late."""
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
def test_a_piece_of_which_a_copy_lies_elsewhere_was_not_taken(name: str, tmp_path: Path) -> None:
    """Two proxies of one card in view: neither place counts, it is said, and the act counts once one is gone."""
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
    """Whatever it would do when pressed: nothing is recorded, and what lies there counts as before."""
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
    """A purchase lies there whole: held, OK lets phones in at the panel, and only a press of it buys."""
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
def test_what_an_undone_act_laid_does_not_count_again_while_something_else_is_laid_back(
    name: str, tmp_path: Path
) -> None:
    """Two acts are undone and the newer one is laid back first; an OK says that the other one is meant all the same."""
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


def test_of_two_floors_that_were_undone_the_lower_does_not_count_while_the_upper_is_taken_back(tmp_path: Path) -> None:
    """Once the site is as the record has it, a floor that is laid there counts."""
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


def test_a_wooden_floor_that_was_undone_does_not_hold_back_what_is_taken_twice(tmp_path: Path) -> None:
    """Nobody sees wooden floors: a card that is taken, laid back after an UNDO and taken again counts again."""
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
    """Have a tile bought that is still in the hand, and its payment on the table: hands at the table, the tile."""
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
    """Nothing was moved in between, so it is asked without alarm, and the tile can be built as if it had not been."""
    with bought(tmp_path) as (hands, tile):
        number = hands.referee.snapshot.number
        hands.press("OK")
        now = hands.referee.snapshot
        assert (now.number, now.signals["OK"], "illegal" in now.signals) == (number, Pattern.SLOW, False)
        assert "pressed again before anything was moved" in now.say[-1].text
        hands.build(tile, 0)
        hands.show()
        assert hands.referee.snapshot.events[-1].data["do"] == "place"


def test_a_tile_that_is_built_in_the_area_of_another_seat_is_asked_for(tmp_path: Path) -> None:
    """It lies there in plain sight, so it cannot be discarded, and nothing else would say why nothing happens."""
    with bought(tmp_path) as (hands, tile):
        number = hands.referee.snapshot.number
        hands.build(tile, 1)
        hands.press("OK")
        now = hands.referee.snapshot
        assert now.number == number
        assert now.say[-1].text == f"{tile} lies among another seat’s palazzi: build it in your own."
        hands.take(tile)
        hands.build(tile, 0)
        hands.show()
        assert hands.referee.snapshot.events[-1].data["do"] == "place"


def test_a_third_ok_discards_what_was_just_bought(tmp_path: Path) -> None:
    """Players who mean to discard it say so once more."""
    with bought(tmp_path) as (hands, tile):
        hands.press("OK")
        hands.press("OK")
        assert dict(hands.referee.snapshot.events[-1].data) == {"do": "scrap", "tile": tile}


def test_ok_after_something_was_moved_is_not_the_one_before_pressed_twice(tmp_path: Path) -> None:
    """Once the payment lies on the discards one more OK is enough to discard the tile, and so it is after an undo."""
    with bought(tmp_path) as (hands, tile):
        for card in ("N4b", "N5a"):
            hands.lay(card, "discards")
        for _ in range(2):
            hands.press("OK")
            assert dict(hands.referee.snapshot.events[-1].data) == {"do": "scrap", "tile": tile}
            hands.press("UNDO")
