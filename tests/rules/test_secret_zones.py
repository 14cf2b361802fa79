"""Which zones of every game are secret, derived from its views alone."""

from __future__ import annotations

import random

import pytest

from tabletop.rules import registry
from tabletop.rules.layout import Hidden
from tabletop.rules.secrecy import secret_zones

NAMES = ["Anna", "Ben", "Cleo"]
SECRET = {
    "palazzo": {"hand0", "hand1", "hand2", "deck"},
    "patrician": {"hand0", "hand1", "hand2", "deck"},
    "piecepack": {"hand0", "hand1", "hand2", "coins", "stack"},
}
OPEN = {"palazzo": {"stack1", "stack2", "stack3", "box"}, "patrician": set(), "piecepack": set()}


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_hands_and_stocks_are_secret_in_every_phase_and_what_all_have_seen_is_not(name: str) -> None:
    """Hands and stocks are secret in every phase; an open zone is not secret as long as something lies in it."""
    game, rng = registry.game(name), random.Random(2)
    position = game.new(NAMES)
    while not position.over:
        secret, layout = secret_zones(position), position.layout()
        assert SECRET[name] <= secret
        assert not {zone for zone in OPEN[name] if layout.pieces(zone)} & secret
        assert all(isinstance(layout[zone], Hidden) for zone in secret)
        chance = position.decider is None
        position = position.after(game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty())))


def test_an_empty_box_into_which_all_have_looked_is_open() -> None:
    assert "box" not in secret_zones(registry.game("palazzo").new(NAMES))
