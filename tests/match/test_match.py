"""A match of any length is read in a time that grows only in proportion to its length."""

from __future__ import annotations

import contextlib
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal_file import read_events, write_match
from tabletop.match.match import HINT_NOTE, Match, Step, Steps
from tests.match.facts import fact, followed
from tests.referee.support import NOW, random_facts


def test_steps_behave_as_a_sequence_however_they_were_made(begun: Match) -> None:
    """Steps behave as a sequence however they were extended and cut, and none of them changes afterwards."""
    rng, steps = random.Random(1), Steps()
    expected: list[Step] = []
    events = chain_events(
        [Fact(EventKind.NOTE, {"what": f"{number}"}, None, Source.HOST, NOW) for number in range(900)], None
    )
    for event in events:
        step = Step(event, begun.position)
        if rng.random() < 0.005:
            kept = rng.randrange(len(expected) // 2, len(expected) + 1)
            before = list(steps)
            steps, expected = steps.first(kept), expected[:kept]
            assert before[:kept] == list(steps)
        steps = steps.with_step(step)
        expected.append(step)
    assert len(expected) > 256
    assert list(steps) == expected
    assert [steps[at] for at in range(len(steps))] == expected
    assert (steps[-1], steps[:300], list(steps[-9:-1])) == (expected[-1], Steps(expected[:300]), expected[-9:-1])
    assert list(reversed(steps)) == expected[::-1]
    assert steps == Steps(expected)
    assert steps != Steps(expected[1:])
    with pytest.raises(IndexError):
        steps[len(steps)]


def test_the_position_stands_since_the_last_event_that_changed_it(begun: Match) -> None:
    """A position stands since the newest start, action or undo; names and pauses do not count."""
    facts = [
        *random_facts(begun, 1, seed=1),
        Fact(EventKind.NAMES, {"names": ["Anna", "Ben"]}, None, Source.PAGE, NOW),
        Fact(EventKind.PAUSE, {}, None, Source.HOST, NOW),
        Fact(EventKind.UNDO, {"to": 1}, None, Source.PAGE, NOW),
        Fact(EventKind.RESUME, {}, None, Source.HOST, NOW),
    ]
    match, since = begun, [begun.position_since]
    for event in chain_events(facts, begun.start):
        match = match.with_event(event)
        since.append(match.position_since)
    assert since == [1, 2, 2, 2, 5, 5]
    assert [match.unchanged_since(number) for number in range(1, 8)] == [False] * 4 + [True, True, False]
    assert match.first(1).position_since == 1


def test_a_match_is_paused_until_it_resumes_or_ends(begun: Match) -> None:
    """Nobody can act from a pause until play resumes, nor after an end, which also ends a pause."""
    kinds = [EventKind.PAUSE, EventKind.RESUME, EventKind.PAUSE, EventKind.END]
    matches = [followed(begun, [fact(kind, {}) for kind in kinds[:count]]) for count in range(5)]
    states = [(match.paused, match.halted, match.over) for match in matches]
    active, paused, ended = (False, False, False), (True, True, False), (False, True, True)
    assert states == [active, paused, active, paused, ended]


def test_hints_are_counted_for_the_seats_that_asked(begun: Match) -> None:
    """Only notes about hints count as hints, each for the seat that asked."""
    asked = [(HINT_NOTE, 1), ("something else", 1), (HINT_NOTE, 0), (HINT_NOTE, 1), (HINT_NOTE, None)]
    match = followed(begun, [fact(EventKind.NOTE, {"what": what}, seat) for what, seat in asked])
    assert match.hints == {0: 1, 1: 2}


def test_photographs_give_the_scores_only_of_a_game_that_nobody_refereed(begun: Match) -> None:
    """Scores from photographs are those of a game without any action; in a refereed game they only stand beside it."""
    seat = {"points": 7, "sure": True, "palazzi": [], "parts": []}
    score = {"seats": [{**seat, "seat": 0}, {**seat, "seat": 1, "points": 9}], "doubts": [], "notes": []}
    counted = fact(EventKind.SCORE, score)
    only, refereed = followed(begun, [counted]), followed(begun, [*random_facts(begun, 1, seed=1), counted])
    assert (only.only_counted, [each.points for each in only.scores]) == (True, [7, 9])
    assert (refereed.only_counted, refereed.scores) == (False, list(refereed.position.score()))
    assert (begun.only_counted, begun.scores) == (False, list(begun.position.score()))


def test_reading_takes_as_many_calls_for_each_event_of_a_longer_match(tmp_path: Path, begun: Match) -> None:
    """Reading four times as many events takes about four times as many calls, not sixteen times."""
    needed = []
    for count in (500, 2_000):
        path = tmp_path / f"{count}.tabletop"
        write_match(path, long_match(begun, count))
        with calls_counted() as calls:
            assert len(read_events(path)[0]) == count
        needed.append(calls["call"] + calls["c_call"])
    assert needed[1] < 4.5 * needed[0]


@contextlib.contextmanager
def calls_counted() -> Iterator[Counter[str]]:
    """Count the calls inside the block, by the interpreter's names of them."""
    calls: Counter[str] = Counter()
    before = sys.getprofile()
    sys.setprofile(lambda _frame, event, _what: calls.update((event,)))
    try:
        yield calls
    finally:
        sys.setprofile(before)


def long_match(match: Match, count: int) -> list[Fact]:
    """Return the facts of a long match: late in a game, an act, its undo and a new name in turn."""
    start = match.events[0]
    facts = [Fact(EventKind.START, start.data, None, Source.TABLE, NOW), *random_facts(match, 61, seed=1)]
    act = facts.pop()
    while len(facts) < count:
        to = len(facts)
        name = Fact(EventKind.NAMES, {"names": [f"Anna {to}", "Ben"]}, None, Source.PAGE, NOW)
        facts += [act, Fact(EventKind.UNDO, {"to": to}, None, Source.PAGE, NOW), name]
    return facts[:count]
