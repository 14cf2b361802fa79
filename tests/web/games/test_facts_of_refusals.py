"""Every fact in a refusal can be said in the page's language: a number, a piece, an act, a name or a message."""

from __future__ import annotations

import random
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from tabletop.messages import Message
from tabletop.rules.contract import play_random_game
from tabletop.rules.contract.promises import mutations
from tabletop.rules.game import Game, Illegal
from tabletop.rules.patrician.components import CITIES, SITES
from tabletop.rules.refusals import MEANINGS
from tabletop.rules.registry import BUILT_IN, game
from tabletop.web.games.palazzo.game_ui import MONEY_KINDS
from tabletop.web.games.words import ACTS

SAME_IN_EVERY_LANGUAGE = {*SITES, *(city.title for city in CITIES)}


def refusals(played: Game, seed: int) -> Iterator[Illegal]:
    """Iterate over the refusals of actions with one thing changed, throughout a random game."""
    rng, seats = random.Random(seed), played.seat_range[seed % len(played.seat_range)]
    options = {name: values[seed % len(values)] for name, values in played.options.items() if values}
    walk = play_random_game(played, seed, seats, options | {"first_seat": 0})
    for position, action in zip(walk.positions, walk.actions, strict=False):
        for data in mutations(played, action.to_json(), rng):
            try:
                position.after(played.action(data))
            except Illegal as refusal:
                yield refusal


def facts_of(sentence: str) -> Iterator[tuple[str, Any]]:
    """Iterate over the facts in a message, including those of the messages in it."""
    if isinstance(sentence, Message):
        named = {name for _, name, _, _ in Formatter().parse(sentence.template) if name}
        for name, fact in sentence.facts.items():
            for part in fact if isinstance(fact, tuple) else (fact,):
                if isinstance(part, Message):
                    yield from facts_of(part)
                elif name in named:
                    yield name, part


def can_be_said(played: Game, key: str, fact: Any) -> bool:
    """Return whether pages have words for a fact; a cell is said as “that cell”, the one that was asked about."""
    if isinstance(fact, list):
        return key == "at"
    if not isinstance(fact, str) or fact in SAME_IN_EVERY_LANGUAGE:
        return True
    return fact in ACTS if key == "do" else fact in played.pieces or fact in MONEY_KINDS


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_fact_of_a_refusal_can_be_said(name: str) -> None:
    """No fact of a refusal is raw text, which would be English on a page in any language."""
    said = {
        (key, str(fact)): can_be_said(game(name), key, fact)
        for seed in range(6)
        for refusal in refusals(game(name), seed)
        if refusal.code in ("wrong-phase", "not-in-pool") or refusal.code not in MEANINGS
        for key, fact in facts_of(refusal.message)
    }
    assert len(said) > 30
    assert [fact for fact, can in said.items() if not can] == []
