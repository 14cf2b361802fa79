"""What every game has: refusals carry facts, and the legal actions can be asked about without being listed."""

from __future__ import annotations

import pytest

from tabletop.rules.game import Action, Illegal
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.actions import Build, Money
from tests.rules.palazzo.board import lay


def test_a_refusal_is_a_value_error_with_a_code_facts_and_the_nearest_action() -> None:
    reason = Illegal("too-little", "3 short.", rule="Buy", facts={"short": 3}, nearest=Build())
    assert isinstance(reason, ValueError)
    assert str(reason) == "3 short."
    assert reason.to_json() == {
        "code": "too-little", "message": "3 short.", "rule": "Buy", "facts": {"short": 3}, "nearest": {"do": "build"},
    }  # fmt: skip


def test_a_refusal_without_facts_says_only_what_the_protocol_asks_for() -> None:
    assert Illegal("game-over", "It is over.").to_json() == {"code": "game-over", "message": "It is over.", "rule": ""}


def test_legal_actions_are_iterated_counted_and_asked_for() -> None:
    legal = lay().legal
    assert list(legal) == [Money(), Build()] == list(legal)
    assert len(legal) == 2
    assert Money() in legal
    assert legal
    assert list(legal.thrifty()) == [Money(), Build()]


def test_asking_for_one_action_lists_none(monkeypatch: pytest.MonkeyPatch) -> None:
    position = lay()
    monkeypatch.setattr(type(position), "list_legal", None)
    assert Money() in position.legal


def test_names_of_actions_keep_kinds_apart() -> None:
    money: Action = Money()
    assert money != Build()
    assert GAME.parse("claim B1.1") != GAME.parse("scrap B1.1") != GAME.parse("reveal B1.1")


def test_the_pieces_that_data_names_are_found_however_deep_they_lie() -> None:
    """Pieces named in data are found at any depth, in keys as well; other texts and numbers are ignored."""
    data = {"do": "buy", "tiles": ["B1.2", ["N4b"]], "R5c": {"seat": 1, "pay": ("G5a",)}, "why": None}
    assert list(GAME.pieces_in(data)) == ["B1.2", "N4b", "R5c", "G5a"]
