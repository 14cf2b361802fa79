"""Bots decide legally, use only what their seat may know, and their games end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.determinise import determinise
from tabletop.bots.levels import LEVELS, SteadyBot, find_bot
from tabletop.bots.patrician.piles import covered
from tabletop.bots.patrician.strategy import PatricianStrategy
from tabletop.bots.random_bot import RandomBot
from tabletop.bots.seen import Seen, Watcher
from tabletop.bots.strategy import strategy_of
from tabletop.bots.thrifty_bot import drawn
from tabletop.rules import registry
from tabletop.rules.game import Game, Position
from tests.rules.palazzo.board import lay

GAMES = [registry.game(name) for name in registry.BUILT_IN]
LITTLE = Budget(playouts=6)


def played(game: Game, levels: Sequence[str], seed: int) -> list[Position]:
    """Return every position of a game between bots of these levels."""
    rng, bots = random.Random(seed), [find_bot(game.name, level) for level in levels]
    watchers = [Watcher(seat) for seat in range(len(bots))]
    positions: list[Position] = [game.new([f"{level} {n}" for n, level in enumerate(levels)])]
    for _ in range(3000):
        position, seat = positions[-1], positions[-1].decider
        if position.over:
            return positions
        if seat is None:
            action = game.draw(position, rng)
        else:
            legal = list(position.legal.thrifty())
            choice = bots[seat].choose(position.view(seat), watchers[seat].watch(positions), legal, LITTLE, rng)
            assert choice.action in legal
            assert not choice.notice
            action = choice.action
        positions.append(position.after(action))
    pytest.fail("the game does not end")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("levels", [["random"] * 2, ["random"] * 4, ["thrifty"] * 2, ["thrifty"] * 4], ids=" ".join)
def test_a_game_between_bots_ends(game: Game, levels: list[str]) -> None:
    """A game between bots of any level ends within some hundred actions."""
    for seed in range(2):
        positions = played(game, levels, seed)
        assert sum(position.decider is not None for position in positions) < 900


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_thrifty_beats_random_clearly(game: Game) -> None:
    """A thrifty bot wins at least three of four games against a random one."""
    won = []
    for seed in range(6):
        for levels in (["thrifty", "random"], ["random", "thrifty"]):
            points = [seat.points for seat in played(game, levels, seed)[-1].score()]
            won.append(points[levels.index("thrifty")] > points[levels.index("random")])
    assert sum(won) >= 9


def questions(game: Game, seats: int, seed: int, every: int) -> Iterator[tuple[list[Position], int]]:
    """Yield beginnings of a game up to a decision, each with the seat that decides."""
    positions = played(game, ["thrifty", "random"] * (seats // 2) + ["thrifty"] * (seats % 2), seed)
    for end in range(1, len(positions), every):
        seat = positions[end].decider
        if seat is not None:
            yield positions[: end + 1], seat


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_drawn_position_looks_like_what_the_seat_sees(game: Game, seats: int) -> None:
    """A position drawn for a seat looks to it exactly like the real one, and holds what it has seen being hidden."""
    strategy, rng, others = strategy_of(game.name), random.Random(4), 0
    for positions, seat in questions(game, seats, seed=2, every=5):
        position, view = positions[-1], positions[-1].view(seat)
        seen = strategy.recall(view, Watcher(seat).watch(positions))
        other = determinise(game, view, seen, strategy.may_hide(view, seen), rng)
        assert other.view(seat) == view
        assert other.hidden(seat) == Position.hidden(other, seat)
        for possible in (other, position):
            assert all({*pieces} <= {*possible.hidden(seat)[place]} for place, pieces in seen.known.items())
        others += other != position
    assert others


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_position_without_its_past_can_be_drawn(game: Game, seats: int) -> None:
    """Positions can be drawn for a seat that has not seen the past, each with the same view."""
    strategy, rng = strategy_of(game.name), random.Random(5)
    for positions, seat in questions(game, seats, seed=6, every=6):
        view, seen = positions[-1].view(seat), Watcher(seat).watch(positions[-1:])
        assert not seen.complete
        assert drawn(game, strategy, view, seen, rng).view(seat) == view


def test_every_set_of_covered_cards_is_equally_likely() -> None:
    """Each set of cards that fits under a board's floors is drawn equally often, within what chance allows."""
    game, rng = registry.game("patrician"), random.Random(2)
    positions, seat = next(two for two in questions(game, 2, seed=3, every=7) if len(two[0]) > 70)
    view = positions[-1].view(seat)
    known = PatricianStrategy().recall(view, Seen()).known
    draws = Counter[frozenset[str]]()
    for _ in range(3000):
        found = covered(view, known, rng)
        assert found is not None
        draws[frozenset(card for cards in found.values() for card in cards)] += 1
    assert 5 < len(draws) < 300
    expected = draws.total() / len(draws)
    assert sum((count - expected) ** 2 / expected for count in draws.values()) < 2 * len(draws)


def test_every_possible_deal_is_equally_likely() -> None:
    """Each card that may be in a hand is drawn equally often, within what chance allows."""
    game, strategy, rng = GAMES[0], strategy_of(GAMES[0].name), random.Random(1)
    positions, seat = next(questions(game, 2, seed=3, every=1))
    view, seen = positions[-1].view(seat), Watcher(seat).watch(positions)
    draws = [determinise(game, view, seen, strategy.may_hide(view, seen), rng) for _ in range(600)]
    other = f"seats.{1 - seat}.hand"
    counts = Counter(card for one in draws for card in one.hidden(seat)[other])
    possible = {*positions[-1].hidden(seat)[other], *positions[-1].hidden(seat)["deck"]}
    assert counts.keys() == possible
    expected = len(draws) * len(positions[-1].hidden(seat)[other]) / len(possible)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 2 * len(possible)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_bot_makes_the_same_choice_whatever_is_hidden_from_it(game: Game, level: str) -> None:
    """A bot makes the same choice for every deal with the same view, and again with the same random generator."""
    bot, strategy, rng = find_bot(game.name, level), strategy_of(game.name), random.Random(6)
    for positions, seat in questions(game, 2, seed=4, every=60):
        view, legal = positions[-1].view(seat), list(positions[-1].legal.thrifty())
        seen = Watcher(seat).watch(positions)
        known = strategy.recall(view, seen)
        deals = [positions[-1], determinise(game, view, known, strategy.may_hide(view, known), rng)]
        first, second = (bot.choose(deal.view(seat), seen, legal, LITTLE, random.Random(3)) for deal in deals)
        assert first == second
        assert first.action in legal
        assert not first.notice


def test_an_unknown_level_is_refused_with_the_list_of_levels() -> None:
    """Asking for an unknown level raises ValueError with the list of levels."""
    with pytest.raises(ValueError, match="no level “clever”: choose random, thrifty"):
        find_bot(GAMES[0].name, "clever")


@pytest.mark.parametrize(
    "given", [{}, {"seconds": 0}, {"playouts": 0}, {"seconds": -1.0}, {"seconds": 1, "playouts": 1}]
)
def test_a_budget_has_exactly_one_limit_greater_than_zero(given: dict[str, Any]) -> None:
    """A budget needs exactly one limit, which has to be greater than zero."""
    with pytest.raises(ValueError, match="greater than zero"):
        Budget(**given)


class Stumbling:
    """A bot that raises, or answers with an illegal action."""

    def __init__(self, answer: Decision | None) -> None:
        self._answer = answer

    def choose(self, *_question: object) -> Decision:
        if self._answer is None:
            raise ZeroDivisionError
        return self._answer


@pytest.mark.parametrize("answer", [None, Decision(GAMES[0].parse("build"))])
def test_the_level_below_decides_for_a_bot_that_fails(answer: Decision | None) -> None:
    """If a bot fails, the level below decides and the notice says so."""
    legal = [GAMES[0].parse("money")]
    bot = SteadyBot([("random", RandomBot()), ("clever", Stumbling(answer))])
    choice = bot.choose({}, Watcher(0).watch([]), legal, LITTLE, random.Random(1))
    assert choice.action in legal
    assert choice.notice == "The computer’s player “clever” failed; “at random” decided for it."


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_actions_are_explained_in_the_words_of_the_game(game: Game) -> None:
    """Many actions get reasons, and every gap in their sentences is filled."""
    strategy, told = strategy_of(game.name), 0
    for positions, _ in questions(game, 2, seed=7, every=9):
        for action in positions[-1].legal.thrifty():
            for reason in strategy.reasons(positions[-1], action):
                assert reason.template
                assert "{" not in reason
                told += 1
    assert told > 10


@pytest.mark.parametrize(
    ("options", "hand", "card", "told"),
    [
        ({}, "N4a G4a", "R4a", ["the most that you can pay goes from 4 to 15"]),
        ({}, "R7a C2a", "N3a", []),
        ({"certificates_alone": False}, "C2a", "R3a", ["the most that you can pay goes from 0 to 5"]),
    ],
)
def test_the_most_that_a_hand_can_pay_follows_the_options(
    options: dict[str, Any], hand: str, card: str, told: list[str]
) -> None:
    """A reason for taking a card counts groups, and a lone certificate if the options allow paying with it."""
    position = lay(phase="take", hands=[hand.split(), []], row=[card, "G3c", "G5c"], options=options)
    assert strategy_of("palazzo").reasons(position, position.game.parse(f"take {card}")) == told


def test_a_random_bot_chooses_kinds_by_the_weights_of_its_game() -> None:
    """A random bot chooses kinds of action in proportion to the game's weights, and equally often without weights."""
    game = registry.game("palazzo")
    legal = [game.parse(text) for text in ("money", "build", "auction")]
    for weights, expected in (({"build": 18.0}, 0.9), ({}, 1 / 3)):
        bot, rng = RandomBot(weights), random.Random(1)
        chosen = [bot.choose({}, Seen(), legal, LITTLE, rng).action.do for _ in range(1000)]
        assert abs(chosen.count("build") / 1000 - expected) < 0.05
