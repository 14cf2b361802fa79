"""Searching bots find winning actions, keep to their budget, and say how sure they are."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import count
from statistics import NormalDist, mean
from typing import Any

import pytest

from tabletop.bots import playout, search_bot
from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.playout import ended, play_out
from tabletop.bots.search_bot import MIN_DEALS, NEAR_DEALS, SearchBot, at_stake
from tabletop.bots.seen import Watcher
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.strategy import ANY_GAME, strategy_of
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position, SeatScore
from tests.outside.smugglers.smugglers.rules import GAME as SMUGGLERS

PALAZZO = registry.game(registry.DEFAULT)


def first_choice(seed: int) -> tuple[list[Position], int]:
    """Return the beginning of a game up to the first turn, and the seat that decides."""
    positions = until_a_seat_decides([PALAZZO.new(["Ada", "Ben"])], seed)
    return positions, positions[-1].active


def until_a_seat_decides(positions: Sequence[Position], seed: int) -> list[Position]:
    """Return the positions followed by those that chance brings until a seat decides."""
    chance, course = random.Random(seed), [*positions]
    while course[-1].decider is None:
        course.append(course[-1].after(PALAZZO.draw(course[-1], chance)))
    return course


def won_by_searching(seed: int, seat: int) -> float:
    """Return the share of a game of Smugglers that a searching bot wins from that seat against a random bot."""
    chance, rng, bot, watcher = Shuffles(seed), random.Random(seed), SearchBot(SMUGGLERS, ANY_GAME), Watcher(seat)
    positions: list[Position] = [SMUGGLERS.new(["Ada", "Ben"])]
    while not (position := positions[-1]).over:
        legal = list(position.legal)
        if position.decider is None:
            action = SMUGGLERS.draw(position, chance)
        elif position.decider == seat:
            seen = watcher.watch(positions)
            action = bot.choose(position.view(seat), seen, legal, Budget(playouts=16), rng).action
        else:
            action = rng.choice(legal)
        positions.append(position.after(action))
    return ended(positions[-1].score(), seat).wins


def test_a_game_without_rules_of_thumb_is_played_well() -> None:
    """A searching bot beats a random one in a game without rules of thumb."""
    assert mean(won_by_searching(seed, seat) for seed in range(6) for seat in (0, 1)) > 0.6


def test_more_playouts_give_smaller_errors() -> None:
    """The standard errors fall with a larger budget; at most three estimates are returned, the choice first."""
    positions, seat = first_choice(1)
    question = positions[-1].view(seat), Watcher(seat).watch(positions), list(positions[-1].legal.thrifty())
    errors = []
    for playouts in (8, 80):
        budget = Budget(playouts=playouts, thorough=True)
        decision = find_bot(PALAZZO.name, "sound").choose(*question, budget, random.Random(1))
        assert 1 <= len(decision.estimates) <= 3
        assert decision.estimates[0].action == decision.action
        assert all(0 <= one.wins <= 1 for one in decision.estimates)
        errors.append(decision.estimates[0])
    assert errors[1].points_error < errors[0].points_error


def test_a_difference_is_known_more_precisely_than_its_two_values() -> None:
    """A difference has a smaller error than its two estimates suggest, since both are tried on the same deals."""
    positions, seat = first_choice(1)
    question = positions[-1].view(seat), Watcher(seat).watch(positions), list(positions[-1].legal.thrifty())
    budget = Budget(playouts=120, thorough=True)
    first, second = find_bot(PALAZZO.name, "sound").choose(*question, budget, random.Random(1)).estimates
    assert (first.behind, first.behind_error) == (0, 0)
    assert second.behind == pytest.approx(first.points - second.points)
    assert 0 < second.behind_error < 0.9 * math.hypot(first.points_error, second.points_error)


class TickingClock:
    """A clock that advances by a twentieth of a second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.05
        return self.now


@pytest.mark.parametrize("turns", [1, None])
@pytest.mark.parametrize("seconds", [0.1, 0.5, 2.0, 60.0])
def test_thinking_ends_when_its_time_is_over(seconds: float, turns: int | None) -> None:
    """Thinking ends when its time is over, even within a first playout; then the rule of thumb decides."""
    positions, seat = first_choice(2)
    seen, legal, clock = Watcher(seat).watch(positions), list(positions[-1].legal.thrifty()), TickingClock()
    bot = SearchBot(PALAZZO, strategy_of(PALAZZO.name), turns, clock)
    budget = Budget(seconds=seconds, thorough=True)
    decision = bot.choose(positions[-1].view(seat), seen, legal, budget, random.Random(1))
    assert decision.action in legal
    # Each round of the halving may notice once that its time is over.
    assert clock.now < seconds + 0.05 * 5
    if seconds == 0.1:
        thrifty = find_bot(PALAZZO.name, "thrifty").choose(
            positions[-1].view(seat), seen, legal, budget, random.Random(1)
        )
        assert (decision.action, decision.playouts, decision.estimates) == (thrifty.action, 0, ())
    if seconds == 60.0:
        assert decision.playouts > 1


def test_thinking_about_the_last_action_of_a_game_ends_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thinking ends even if every action ends the game, when there is no playout in which time could run out."""
    walk = play_random_game(registry.game("patrician"), 1, 2)
    positions = walk.positions[:-1]
    legal, seat = list(positions[-1].legal), positions[-1].decider
    assert seat is not None
    assert [positions[-1].after(action).over for action in legal] == [True, True]
    clock, draw, drawn = TickingClock(), SearchBot.draw, count()

    def counted(bot: SearchBot, *known: Any) -> Position:
        assert next(drawn) < 1000, "it goes on without end"
        return draw(bot, *known)

    monkeypatch.setattr(SearchBot, "draw", counted)
    bot = SearchBot(walk.game, strategy_of("patrician"), None, clock)
    seen, budget = Watcher(seat).watch(positions), Budget(seconds=1, thorough=True)
    assert bot.choose(positions[-1].view(seat), seen, legal, budget, random.Random(1)).estimates


def test_thinking_ends_when_the_best_is_clear() -> None:
    """Fewer playouts are used when the best action is clear, unless the estimates are wanted."""
    spent = dict.fromkeys((False, True), 0)
    for seed in range(2):
        positions, seat = first_choice(seed)
        question = positions[-1].view(seat), Watcher(seat).watch(positions), list(positions[-1].legal.thrifty())
        for thorough in spent:
            budget = Budget(playouts=120, thorough=thorough)
            decision = find_bot(PALAZZO.name, "strong").choose(*question, budget, random.Random(1))
            assert decision.playouts <= 120
            spent[thorough] += decision.playouts
    assert 0 < spent[False] < 0.9 * spent[True]
    assert spent[True] > 200


@pytest.mark.parametrize(("ahead", "error"), [(0.0, 1.0), (1.0, 2.0), (3.0, 1.5), (-1.0, 0.5)])
def test_the_stake_is_the_mean_possible_gain_of_the_other_action(ahead: float, error: float) -> None:
    """The stake is the mean of what the other action may be better by, and zero wherever the first one is better."""
    may_be = NormalDist(ahead, error).quantiles(2000)
    assert at_stake(ahead, error) == pytest.approx(mean(max(0.0, -one) for one in may_be), abs=0.002)


def test_thinking_ends_when_too_little_is_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more points count as negligible, the earlier thinking ends, at the latest after the fewest deals."""
    positions, seat = first_choice(3)
    two = list(positions[-1].legal.thrifty())[:2]
    question = positions[-1].view(seat), Watcher(seat).watch(positions), two
    spent = []
    for negligible in (0.0, 0.6, 100.0):
        monkeypatch.setattr(search_bot, "NEGLIGIBLE_POINTS", negligible)
        decision = find_bot(PALAZZO.name, "sound").choose(*question, Budget(playouts=60), random.Random(1))
        spent.append(decision.playouts)
    assert spent[0] > spent[1] > spent[2] == 2 * MIN_DEALS


def test_even_a_blunder_is_tried_if_people_read_the_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """For estimates that people read, even a clearly worse action of the same kind is tried."""
    positions, seat = first_choice(1)
    positions = until_a_seat_decides([*positions, positions[-1].after(PALAZZO.parse("money"))], 1)
    question = positions[-1].view(seat), Watcher(seat).watch(positions), list(positions[-1].legal.thrifty())[:2]
    strategy = strategy_of(PALAZZO.name)
    monkeypatch.setattr(strategy, "weigh", lambda _position, legal: [-100.0 * at for at in range(len(legal))])
    bot = SearchBot(PALAZZO, strategy)
    decision = bot.choose(*question, Budget(playouts=2, thorough=True), random.Random(1))
    assert {estimate.action for estimate in decision.estimates} == {*question[2]}
    assert bot.choose(*question, Budget(playouts=2), random.Random(1)).estimates == ()


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_a_playout_takes_the_action_that_is_worth_most(game: str, learned: bool) -> None:
    """A playout's quick choice of an action is worth as much as the best in the full list."""
    strategy, rules = strategy_of(game), registry.game(game)
    strategy = strategy.learned() if learned else strategy
    chance, rng, compared = random.Random(8), random.Random(8), 0
    position: Any = rules.new(["Ada", "Ben", "Cleo"])
    while not position.over:
        if position.decider is None:
            position = position.after(rules.draw(position, chance))
            continue
        legal = list(position.legal.thrifty())
        if compared % 3 == 0:
            worth = strategy.weigh(position, [strategy.act(position, rng), *legal])
            assert worth[0] == pytest.approx(max(worth))
        compared += 1
        position = position.after(rng.choice(legal))
    assert compared > 30


def test_shuffles_do_not_depend_on_earlier_draws() -> None:
    """A draw depends on the seed and the pieces alone, not on earlier draws, and every piece is equally likely."""
    one, other = Shuffles(5), Shuffles(5)
    other.choice(["x", "y"])
    assert one.sample("abcdef", 3) == other.sample("abcdef", 3)
    assert one.choice("abcdef") == other.choice("abcdef")
    assert [one.again().choice("abcdef") for _ in "123"] == [Shuffles(5).choice("abcdef")] * 3
    firsts = [Shuffles(seed).choice("abcd") for seed in range(400)]
    assert all(70 < firsts.count(letter) < 130 for letter in "abcd")


def test_a_playout_stops_at_the_beginning_of_a_turn() -> None:
    """A playout with a limit of turns ends just before a seat's turn; one without a limit ends with the game."""
    positions, seat = first_choice(3)
    strategy = strategy_of(PALAZZO.name)
    later = play_out(PALAZZO, strategy, positions[-1], Shuffles(1), turns=3)
    assert (later.phase, later.active) == ("action", 1 - seat)
    assert play_out(PALAZZO, strategy, positions[-1], Shuffles(1)).over


def test_a_playout_has_an_end_even_if_the_game_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A playout ends after the most actions even if the rules of thumb would go on forever."""
    monkeypatch.setattr(playout, "MAX_ACTIONS", 20)
    positions, seat = first_choice(3)
    end = play_out(PALAZZO, strategy_of(PALAZZO.name), positions[-1], Shuffles(1))
    assert not end.over
    assert playout.result(end, seat, strategy_of(PALAZZO.name)).lead < 100


def test_a_shared_win_is_shared() -> None:
    """Seats that are first together share the win, and a seat's lead is over the best other seat."""
    scores = [SeatScore(points, [], 0, rank) for points, rank in ((7, 1), (7, 1), (3, 3))]
    assert ended(scores, 0) == (0, 0.5)
    assert ended(scores, 2) == (-4, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seats_that_expect_equal_points_share_the_win_equally(seats: int) -> None:
    """The seats' expected shares of the win add up to 1, and more expected points give a larger share."""
    assert [ANY_GAME.share([5.0] * seats, seat) for seat in range(seats)] == pytest.approx([1 / seats] * seats)
    uneven = [ANY_GAME.share(list(range(seats)), seat) for seat in range(seats)]
    assert uneven == sorted(uneven)
    assert sum(uneven) == pytest.approx(1)


def test_the_expected_result_is_asked_for_on_the_first_deals_only() -> None:
    """The expected result is asked for on the first eight deals, a few turns ahead; later playouts go to the end."""
    asked = []

    class Noting(type(strategy_of(PALAZZO.name))):  # type: ignore[misc]
        def expected(self, position: Position) -> list[float]:
            asked.append(position.active)
            return [0.0, 0.0]

    positions, seat = first_choice(1)
    two = list(positions[-1].legal.thrifty())[:2]
    question = positions[-1].view(seat), Watcher(seat).watch(positions), two
    decision = SearchBot(PALAZZO, Noting(), turns=1).choose(
        *question, Budget(playouts=40, thorough=True), random.Random(1)
    )
    assert decision.playouts == 40
    assert len(asked) == 2 * NEAR_DEALS
