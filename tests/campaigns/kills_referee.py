"""A referee that is killed at any moment, in all games: what it acknowledged is there, once, and the game continues.

The child plays at random through the referee (acts, undos, pauses, names, ends, next games) and reports each event
that was acknowledged; the parent kills it between two of them or within one.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabletop.match import store
from tabletop.match.event import EventKind
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Answer
from tabletop.rules import registry
from tabletop.rules.game import Game
from tests.campaigns.forked import Forked
from tests.campaigns.harness import Budget, Tally, main

MOST_HEARD = 30
"""Most acknowledged events before the child is killed."""
LONGEST = 0.02
"""Most seconds between the last of them and the kill."""


def campaign(budget: Budget, tally: Tally) -> None:
    """Kill, check and continue, in each game in turn."""
    tally.counts.update(kills=0, acknowledged=0, lost=0, doubled=0, matches=0)
    games = [registry.game(name) for name in registry.BUILT_IN]
    with tempfile.TemporaryDirectory() as folder:
        shelves = [Path(folder) / game.name for game in games]
        for number in budget.rounds():
            if tally.enough:
                return
            blow(shelves[number % 3], games[number % 3], budget.rng, tally)
        tally.counts["matches"] = sum(len(list(shelf.glob(f"*{store.SUFFIX}"))) for shelf in shelves)


def blow(shelf: Path, game: Game, rng: random.Random, tally: Tally) -> None:
    """Let a child play a little, kill it, and check the journals it left."""
    with Forked(partial(play, shelf, game, rng.random())) as child:
        child.hear(rng.randrange(MOST_HEARD), 10.0)
        child.pause(rng.random() * LONGEST)
        said = child.kill()
    tally.count("kills")
    for fault in (line for line in said if line.startswith("fault")):
        tally.check(False, fault)
    judge_all(shelf, [line for line in said if not line.startswith("fault")], tally)


def judge_all(shelf: Path, heard: list[str], tally: Tally) -> None:
    """Check that the journals hold every acknowledged event, and none twice.

    A line names the journal, the newest event, and the newest event that counts with its hash.
    """
    tally.count("acknowledged", len(heard))
    told: dict[str, list[tuple[int, int, str]]] = {}
    for name, last, number, digest in map(str.split, heard):
        told.setdefault(name, []).append((int(last), int(number), digest))
    for name, facts in told.items():
        judge(shelf / name, facts, tally)


def judge(path: Path, heard: list[tuple[int, int, str]], tally: Tally) -> None:
    """Check one journal."""
    events, match = read_events(path)
    kept = {event.number: event.hash for event in events}
    lost = [last for last, number, digest in heard if last not in kept or kept.get(number) != digest]
    tally.count("lost", len(lost))
    tally.check(not lost, f"{path.name}: {lost} are lost")
    # One request may have been under way, with the chance that follows it.
    more = [event for event in events if event.number > heard[-1][0] and event.source != "draw"]
    tally.count("doubled", max(0, len(more) - 1))
    tally.check(len(more) <= 1, f"{path.name}: {len(more)} events that nobody had heard of")
    journal, again, damage = Journal.open(path)
    journal.close()
    tally.check((again.last, damage) == (match.last, ""), f"{path.name}: {damage}")


def play(shelf: Path, game: Game, seed: float, tell: Callable[[str], None]) -> None:
    """Play at random from where the last child was killed, and report each acknowledged event."""
    rng = random.Random(seed)
    store.clean_up(shelf)
    path = store.unfinished(shelf)
    journal, match, damage = Journal.open(path) if path else (*begun(shelf, game, rng), "")
    assert not damage, damage
    referee = Referee(match, journal, time.time, lambda match: match.game.draw(match.position, rng))
    while True:
        match = referee.match
        if match.over:
            journal.close()
            journal, match = begun(shelf, game, rng)
            referee = referee.successor(match, journal)
            continue
        answer = one_request(referee, match, rng)
        assert answer.ok or answer.error is not None, answer
        if answer.ok and referee.match.last > match.last:
            # After an undo, the newest event that counts is an older one.
            counts = referee.match.steps[-1].event
            tell(f"{journal.path.name} {answer.number} {counts.number} {counts.hash}")


def begun(shelf: Path, game: Game, rng: random.Random, clock: Callable[[], float] = time.time) -> tuple[Journal, Match]:
    """Begin a match of two or three seats."""
    return store.start(shelf, game, ["Anna", "Ben", "Cleo"][: rng.choice([2, 3])], clock())


def one_request(referee: Referee, match: Match, rng: random.Random) -> Answer:
    """Make one request to the referee: mostly an act, sometimes something else."""
    on, kind = match.last, rng.random()
    if match.paused:
        return referee.decide(EventKind.RESUME, {}, id=f"resume {on}")
    if kind < 0.1 and (back := match.newest_change) is not None:
        return referee.undo(match.before(back.number), on=on, id=f"undo {on}")
    if kind < 0.13:
        return referee.decide(EventKind.PAUSE, {}, id=f"pause {on}")
    if kind < 0.16:
        names = [f"{name} {on}" for name in match.position.names]
        return referee.decide(EventKind.NAMES, {"names": names}, id=f"names {on}")
    if kind < 0.162:
        return referee.decide(EventKind.END, {}, id=f"end {on}")
    position = match.position
    action = rng.choice(list(position.legal.thrifty()))
    return referee.act(action, on=on, id=f"act {on}", seat=position.decider)


if __name__ == "__main__":
    main(campaign, __doc__)
