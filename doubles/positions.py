"""Positions of every phase, found by playing games with a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain

from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Watcher
from tabletop.rules.game import Action, Game, Position
from tabletop.rules.palazzo import GAME

NAMES = ("Anna", "Bruno", "Chiara")


def play(seed: int, names: tuple[str, ...] = NAMES) -> list[Position]:
    """Return every position of one game of random decisions."""
    rng = random.Random(seed)
    positions: list[Position] = [GAME.new(names)]
    while not positions[-1].over:
        position = positions[-1]
        if position.decider is None:
            action = position.game.draw(position, rng)
        else:
            # Money is preferred, or nobody could ever pay; otherwise anything.
            choices = list(position.legal.thrifty())
            kinds = sorted({choice.do for choice in choices})
            kind = "money" if "money" in kinds and rng.random() < 0.5 else rng.choice(kinds)
            action = rng.choice([choice for choice in choices if choice.do == kind])
        positions.append(position.after(action))
    return positions


def decided(game: Game, seed: int, choose: Callable[[random.Random, Position], Action]) -> Iterator[Position]:
    """Iterate over the positions of a game in which a seat decides; ``choose`` decides for all of them."""
    rng, position = random.Random(seed), game.new(list(NAMES))
    while not position.over:
        if position.decider is None:
            position = position.after(game.draw(position, rng))
            continue
        yield position
        position = position.after(choose(rng, position))


@cache
def well_played(game: Game, seed: int, names: tuple[str, ...] = NAMES) -> Sequence[Position]:
    """Return every position of a game that thrifty bots play."""
    rng, positions = random.Random(seed), [game.new(names)]
    bots = [(find_bot(game.name, "thrifty"), Watcher(seat)) for seat in range(len(names))]
    while not (position := positions[-1]).over:
        if position.decider is None:
            action = game.draw(position, rng)
        else:
            bot, watcher = bots[position.decider]
            view, legal = position.view(position.decider), list(position.legal.thrifty())
            action = bot.choose(view, watcher.watch(positions), legal, Budget(playouts=1), rng).action
        positions.append(position.after(action))
    return positions


@cache
def phases() -> dict[str, Position]:
    """Return phase → a position in it: the one with the most to show from several games."""
    found: dict[str, Position] = {}
    richest: dict[str, int] = {}
    for position in chain.from_iterable(play(seed) for seed in (3, 4, 11)):
        facts = position.to_json()
        least = min(len(facts["deck"]), *(len(seat["hand"]) for seat in facts["seats"]))
        wealth = 1000 * (least > 0) + 4 * least  # tests of secrets need hands and a deck
        if position.decider is not None:
            palazzi = facts["seats"][position.decider]["palazzi"]
            wealth += len(facts["warehouse"]) + len(palazzi)
            for tile in facts.get("pending", [])[:1]:
                wealth += 100 * sum(column[-1][1] >= tile[1] for column in palazzi)
        if wealth >= richest.get(position.phase, 0):
            richest[position.phase] = wealth
            found[position.phase] = position
    return found


def other_secrets(position: Position, seat: int | None) -> Position:
    """Return the position with every hand but the seat's exchanged for cards of the deck, as far as it has any."""
    data = position.to_json()
    deck = data["deck"]
    for number, holder in enumerate(data["seats"]):
        if number != seat:
            for at in range(min(len(holder["hand"]), len(deck))):
                holder["hand"][at], deck[at] = deck[at], holder["hand"][at]
    return position.game.load(data)


def rebuilding(position: Position) -> Position:
    """Return the position with a tile for a deciding seat that has none, so that it can also rebuild."""
    facts = position.to_json()
    own = facts["seats"][position.decider]["palazzi"]
    if position.phase == "action" and not own:
        stack = next(stack for stack in facts["unseen"].values() if stack)
        own.append([next(tile for tile in stack if tile[0] != "E")])
        stack.remove(own[0][0])
    return position.game.load(facts)
