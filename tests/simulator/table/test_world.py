"""In games played by simulated hands every piece ends where it belongs, and nothing hidden is revealed."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest

from doubles.positions import well_played
from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Seen
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Anywhere, Columns
from tabletop.rules.palazzo import GAME
from tabletop.rules.patrician.game import Patrician
from tabletop.rules.piecepack.game import Piecepack
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Nudge, Push, Step, TakePiece, Turn, carry_out, reach
from tabletop.simulator.table.movements import Pace
from tabletop.simulator.world import World, drawn_from
from tests.simulator.ground import TINY

NAMES = ["Ann", "Bob", "Cem", "Dee"]


def agrees(world: World, position: Position) -> bool:
    """Return whether every piece is where the position's layout has it, if the layout says so."""
    layout = position.layout()
    # The architect lies in no zone (lights show where it stands), and a piece on its way may lie anywhere.
    free = {"ARCH"} | layout.pieces("pending")
    for zone, arrangement in layout.items():
        if isinstance(arrangement, Columns):
            if arrangement.columns != frozenset(world.table.columns(zone)):
                return False
        elif not isinstance(arrangement, Anywhere) and world.table.pieces_in(zone) - free != layout.pieces(zone):
            return False
    return True


@pytest.mark.parametrize("pace", Pace)
@pytest.mark.parametrize(
    ("seats", "kind", "seed", "acts"),
    [(2, "random", 1, "929f171d07918278"), (3, "thrifty", 2, "c0d4b26ed90225fc"), (4, "random", 3, "1e3a60deec630d88")],
)
def test_whole_games_by_hand_keep_the_table_as_the_rules_want_it(
    seats: int, kind: str, seed: int, acts: str, pace: Pace
) -> None:
    """After each action the table agrees with the position; a seed gives the same actions at any pace."""
    world, rng, bot = World(GAME, NAMES[:seats], seed, size=TINY), random.Random(seed), find_bot(GAME.name, kind)
    pushed: Counter[str] = Counter()
    world.press = lambda push: pushed.update([push.button])

    def choose(position: Position) -> Action:
        legal, budget = list(position.legal.thrifty()), Budget(playouts=1)
        return bot.choose(position.view(position.decider), Seen(), legal, budget, rng).action

    position = GAME.new(NAMES[:seats])
    done: Counter[str] = Counter()
    course = hashlib.sha256()
    while not position.over:
        actions = world.bundle(position, choose, pace)
        for step in world.steps_for(position, *actions):
            world.perform(step)
        for action in actions:
            position = position.after(action)
            done[action.do] += 1
            course.update(f"{GAME.format(action)}\n".encode())
        for step in world.tidy_for(position):
            world.perform(step)
        assert not world.table.hands
        assert agrees(world, position)
    assert course.hexdigest()[:16] == acts
    assert pushed["MONEY"] == done["money"]
    assert pushed["PASS"] == done["pass"]
    assert pushed["OK"] >= done["bid"] + done["buy"] + done["rebuild"]


def test_a_table_of_two_actions_ago_is_tidied_with_no_hand_in_the_way_of_another() -> None:
    """In Patrician's full market, one seat has to take its card before another lays the next."""
    game = Patrician()
    world = World(game, NAMES[:3], size=TINY)
    for position in well_played(game, 1)[::2]:
        world.arrange(position)
        assert world.tidy_for(position) == []


def dealt(seed: int = 1) -> tuple[World, Position]:
    """Return a world after setup and deal, and its position."""
    world, position = World(GAME, NAMES[:2], seed, size=TINY), GAME.new(NAMES[:2])
    while position.decider is None:
        position = position.after(world.draw(position))
        world.arrange(position)
    return world, position


def test_a_piece_that_was_put_back_can_be_drawn_again() -> None:
    world, position = dealt()
    building = position.after(GAME.parse("build"))
    first = world.draw(building)
    for step in world.steps_for(building, first):
        world.perform(step)
    for step in world.tidy_for(position):
        world.perform(step)
    assert world.draw(building) == first


def test_the_same_seed_draws_the_same_and_another_seed_differs() -> None:
    """A draw depends on the seed and the position alone."""
    first = GAME.new(NAMES[:2])
    drawn = [[drawn_from(seed)(first) for _ in range(2)] for seed in range(1, 9)]
    assert all(one == other for one, other in drawn)
    assert len({one for one, _ in drawn}) > 3


def test_when_the_deck_is_empty_the_discards_become_the_deck() -> None:
    world, position = dealt()
    facts = position.to_json()
    facts["discards"], facts["deck"] = facts["deck"], []
    position = GAME.load(facts).after(GAME.parse("money"))
    world.arrange(position)
    actions = world.bundle(position, lambda _: pytest.fail("nobody decides here"))
    steps = world.steps_for(position, *actions)
    taken = {step.piece for step in steps if isinstance(step, TakePiece)}
    turned_up = {step.piece for step in steps if isinstance(step, Lay)}
    assert taken == set(facts["discards"]) - turned_up
    for step in steps:
        world.perform(step)
    after = position.after(actions[0])
    assert turned_up == after.layout().pieces("row")
    assert world.table.pieces_in("row") == after.layout().pieces("row")
    assert not world.table.pieces_in("discards")


def test_bought_tiles_are_placed_in_the_same_movement() -> None:
    world, position = dealt()
    position = position.after(GAME.parse("build"))
    while position.decider is None:
        position = position.after(world.draw(position))
        world.arrange(position)
    wanted = iter(action for action in position.legal.thrifty() if action.do == "buy")
    buy = next(wanted, None)
    if buy is None:
        pytest.fail("the seed should deal a hand that can buy")
    choices = iter([buy, *[None] * 4])
    actions = world.bundle(position, lambda p: next(choices) or next(iter(p.legal)))
    steps = world.steps_for(position, *actions)
    assert [action.do for action in actions[1:]] in ([["place"], ["place", "place"]])
    assert steps[0] == Push("BUY")
    assert steps[-1] == Push("OK")
    assert sum(isinstance(step, HandOut) for step in steps) == 1


def test_a_game_without_a_table_cannot_be_simulated() -> None:
    digital = Patrician()
    digital.table = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="says nothing about its table"):
        World(digital, NAMES[:2])


@pytest.mark.parametrize("seat", range(4))
def test_an_arm_reaches_in_from_its_own_side(seat: int) -> None:
    hand = reach(World(GAME, NAMES, 1, size=TINY).table, seat, 500, 300)
    upright = abs(hand.angle) < 45
    assert upright == (seat in {0, 3})
    assert (hand.x, hand.y) == (500, 300)
    assert 0 < hand.x < GAME.table.extent[0]


STEPS: list[Step] = [HandIn(0, 1, 2), Lay("B1.1", "quarry1"), HandOut(0), Push("OK")]


def test_steps_change_the_table_as_they_say() -> None:
    table = World(GAME, NAMES[:2], 1, size=TINY).table
    for step in STEPS[:2]:
        carry_out(step, table)
    assert len(table.hands) == 1
    before = table.lying["B1.1"].pose
    for step in (Nudge("B1.1", 3, 4, 5), Turn("B1.1", False), *STEPS[2:]):
        carry_out(step, table)
    lying = table.lying["B1.1"]
    assert (lying.pose.x - before.x, lying.pose.y - before.y) == pytest.approx((3, 4))
    assert not lying.face_up
    assert not table.hands


def test_what_a_seat_may_set_later_lies_in_its_store() -> None:
    """A turret that has yet to be set lies in sight beside its seat's die, so that nobody is asked where it is."""
    for seats in (2, 3, 4):
        table = World(Piecepack(), ["Ann", "Bob", "Cyd", "Dan"][:seats], size=TINY).table
        assert {piece: table.where(piece) for piece in table.lying} == {f"P{n + 1}": f"store{n}" for n in range(seats)}
