"""The stored positions on which the bots' regret is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import regret
from tabletop.rules import registry
from tabletop.rules.text.position_text import parse_position


@pytest.mark.parametrize("path", sorted(regret.STORED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_in_each_stored_position_a_seat_has_a_choice_whose_worth_is_known(path: Path) -> None:
    """Every stored position can be parsed, offers several actions, and has the worth of at least two legal ones."""
    game = registry.game(path.stem)
    for one in regret.read(path):
        position = parse_position(game, one.position)
        legal = {game.format(action) for action in position.legal.thrifty()}
        assert len(legal) > 1
        assert len(legal & set(one.worth)) > 1


def test_no_bot_loses_less_than_nothing_or_more_than_the_worst_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bot's regret lies between 0 and the difference between the best and the worst action of the reference."""
    monkeypatch.setattr(regret, "DEALS", 1)
    monkeypatch.setattr(regret, "PLAYOUTS", (2,))
    stored = regret.make(registry.game("palazzo"), 1)[0]
    known, found = regret.regrets("palazzo", None, stored)
    lost = [one.points for one in found.values()]
    assert max(known.worth.values()) - min(known.worth.values()) >= max(lost) >= min(lost) >= 0
