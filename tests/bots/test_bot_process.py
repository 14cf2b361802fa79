"""Bots in a process of their own decide as they would here, and a hang or a crash costs nothing else."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from doubles.clock import PATIENCE
from doubles.open_files import open_files
from tabletop.bots.bot import Budget, Decision
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Seen, Watcher
from tabletop.bots.thinking.bot_process import BotProcess, _less
from tabletop.rules import registry
from tabletop.rules.game import Action, View

GAME = registry.game(registry.DEFAULT)
Question: TypeAlias = tuple[View, Seen, list[Action], Budget, random.Random]
"""The arguments with which a bot is asked for a decision."""
HANGS = "import sys; sys.stdin.read()"
CRASHES = "import os; os.abort()"


@pytest.fixture
def question() -> Question:
    """The question at a first turn, with a budget of playouts and a random generator."""
    chance, positions = random.Random(4), [GAME.new(["Ada", "Ben"])]
    while positions[-1].decider is None:
        positions.append(positions[-1].after(GAME.draw(positions[-1], chance)))
    seat = positions[-1].active
    view, seen = positions[-1].view(seat), Watcher(seat).watch(positions)
    return view, seen, list(positions[-1].legal.thrifty()), Budget(playouts=8), random.Random(2)


@pytest.fixture
def processes() -> Iterator[list[BotProcess]]:
    """A list of processes that are ended after the test."""
    begun: list[BotProcess] = []
    yield begun
    for one in begun:
        one.close()


def test_a_bot_decides_there_as_it_would_here(question: Question, processes: list[BotProcess]) -> None:
    """A bot in a process returns the decision, estimates and reasons it would here, at the lowest priority."""
    processes.append(process := BotProcess(GAME.name, grace=900))
    there = process.bot("sound").choose(*question)
    here = find_bot(GAME.name, "sound").choose(*question[:4], random.Random(random.Random(2).random()))
    assert there == here
    assert there.estimates
    assert process.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == 19


@pytest.mark.parametrize(("code", "what"), [(HANGS, "took too long"), (CRASHES, "failed")], ids=["hangs", "crashes"])
def test_thrifty_decides_for_a_process_that_gives_no_answer(
    code: str, what: str, question: Question, processes: list[BotProcess]
) -> None:
    """If a process gives no answer it is ended and thrifty decides, with a notice; later another one starts."""
    processes.append(process := BotProcess(GAME.name, [sys.executable, "-c", code], grace=0.2))
    for _ in range(2):
        decision = process.bot("sound").choose(*question)
        assert decision.action in question[2]
        assert decision.notice == f"The computer’s player “sound” {what}; “thrifty” decided for it."
        assert process.pid is None


LATE = """
from tabletop.bots.bot import Decision
from tabletop.processes.answering import open_connection
connection = open_connection()
asked = [connection.receive()[0] for _ in range(2)]
for number, _, _, (_, _, legal, _, _) in asked:
    connection.send((number, Decision(legal[number - 1], playouts=number)))
connection.receive()
"""
"""A process that answers the first question only after the second one has been asked."""


def test_nobody_waits_longer_than_the_budget(question: Question, processes: list[BotProcess]) -> None:
    """When the budget is used up thrifty decides, and the late answer is not taken for one to the next question."""
    processes.append(process := BotProcess(GAME.name, [sys.executable, "-c", LATE], grace=900, late=0))
    view, seen, legal, _, rng = question
    first = process.bot("sound").choose(view, seen, legal, Budget(seconds=0.01), rng)
    assert first.notice == "The computer’s player “sound” took too long; “thrifty” decided for it."
    second = process.bot("sound").choose(view, seen, legal, Budget(playouts=8), rng)
    assert (second.action, second.playouts, second.notice) == (legal[1], 2, "")


def test_some_of_the_time_is_reserved_for_communication() -> None:
    """The process gets less time than the budget has, to allow for communication; playouts are passed on unchanged."""
    assert _less(Budget(seconds=1.0)) == Budget(seconds=0.9)
    assert _less(Budget(seconds=0.1)) == Budget(seconds=0.05)
    assert _less(Budget(playouts=7)) == Budget(playouts=7)


def test_closing_leaves_nothing_behind(question: Question) -> None:
    """After closing, the bot's process and its file descriptors are gone."""
    before = open_files()
    process = BotProcess(GAME.name, grace=900)
    process.bot("sound").choose(*question)
    pid = process.pid
    assert pid is not None
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert open_files() == before


def test_closing_does_not_wait_for_an_answer(question: Question) -> None:
    """Closing does not wait for an answer, so that a table can be shut down in the middle of a hint."""
    process, found = BotProcess(GAME.name, [sys.executable, "-c", HANGS], grace=900), list[Decision]()
    asking = threading.Thread(target=lambda: found.append(process.bot("sound").choose(*question)), daemon=True)
    asking.start()
    while process._unanswered is None:
        time.sleep(0.01)
    closing = threading.Thread(target=process.close, daemon=True)
    closing.start()
    for thread in (closing, asking):
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert found[0].action in question[2]


def test_nothing_is_started_after_closing(question: Question) -> None:
    """After closing, questions start no process and are answered by thrifty."""
    process = BotProcess(GAME.name, [sys.executable, "-c", HANGS], grace=900)
    asked_before = process.bot("sound")
    process.close()
    for bot in (asked_before, process.bot("sound")):
        assert bot.choose(*question).action in question[2]
        assert process.pid is None


def test_thrifty_decides_for_a_process_that_cannot_be_started(question: Question) -> None:
    """If the process cannot be started, thrifty decides and the notice says that the bot failed."""
    process = BotProcess(GAME.name, ["no-such-program"])
    decision = process.bot("sound").choose(*question)
    assert decision.action in question[2]
    assert decision.notice == "The computer’s player “sound” failed; “thrifty” decided for it."


def test_an_unknown_level_is_refused_at_once() -> None:
    """An unknown level raises ValueError at once."""
    with pytest.raises(ValueError, match="no level “clever”"):
        BotProcess(GAME.name).bot("clever")
