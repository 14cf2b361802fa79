"""Votes on an undo: simultaneous answers, and what ends a vote."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tabletop.web.seating.votes import Votes


class Interrupted:
    """A lock that runs a function when it is released for the first time."""

    def __init__(self, then: Any) -> None:
        self._lock, self._then = threading.Lock(), then

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self._lock.release()
        then, self._then = self._then, None
        if then is not None:
            then()


def test_two_who_agree_at_once_have_both_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that arrives while another one is being recorded is not lost."""
    votes = Votes()
    votes.ask(3, on=5, asker=0, voters={0, 1, 2})
    monkeypatch.setattr(votes, "_lock", Interrupted(lambda: votes.answer(2, True, on=5, to=3)))
    votes.answer(1, True, on=5, to=3)
    vote = votes.open(5)
    assert vote is not None
    assert vote.passed


def test_a_refusal_that_comes_while_another_agrees_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal ends the vote, even if it arrives while another answer is being recorded."""
    votes = Votes()
    votes.ask(3, on=5, asker=0, voters={0, 1, 2})
    monkeypatch.setattr(votes, "_lock", Interrupted(lambda: votes.answer(2, False, on=5, to=3)))
    votes.answer(1, True, on=5, to=3)
    assert votes.open(5) is None
    refusal = votes.refused(5)
    assert refusal is not None
    assert refusal.by == 2


def test_a_refusal_is_forgotten_when_another_game_begins() -> None:
    """A refusal is not shown in the next game, whose events have the same numbers."""
    votes = Votes()
    votes.ask(3, on=5, asker=0, voters={0, 1})
    votes.answer(1, False, on=5, to=3)
    assert votes.refused(5) is not None
    votes.drop()
    assert votes.refused(5) is None
