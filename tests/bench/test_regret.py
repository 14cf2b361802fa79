"""The stored positions on which the bots' regret is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import regret
from tabletop.rules import registry
from tabletop.rules.text.position_text import parse_position


@pytest.mark.parametrize("path", sorted(regret.STORED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_in_each_stored_position_a_seat_has_a_choice_whose_worth_is_known(path: Path) -> None:
    """Every stored position can be read, offers several actions, and holds the worth of at least two legal ones."""
    game = registry.game(path.stem)
    for one in regret.read(path):
        position = parse_position(game, one.position)
        legal = {game.format(action) for action in position.legal.thrifty()}
        assert len(legal) > 1
        assert len(legal & set(one.worth)) > 1


def test_a_bot_that_takes_the_best_action_known_gives_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regret is measured against the best action of the reference, so some bot or action has none."""
    monkeypatch.setattr(regret, "DEALS", 1)
    monkeypatch.setattr(regret, "PLAYOUTS", (2,))
    stored = regret.make(registry.game("palazzo"), 1)[0]
    known, found = regret.regrets("palazzo", None, stored)
    lost = [one.points for one in found.values()]
    assert max(known.worth.values()) - min(known.worth.values()) >= max(lost) >= min(lost) >= 0
