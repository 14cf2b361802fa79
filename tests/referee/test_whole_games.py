"""Whole games, played by laying pieces and pressing buttons, are accepted action by action."""

from __future__ import annotations

import random

import pytest

from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tabletop.rules.game import Action, Position
from tabletop.rules.palazzo import GAME
from tests.referee.hands import Hands
from tests.referee.support import NOW


def claims_are_seen_with_what_follows(position: Position, action: Action, rng: random.Random) -> Action:
    """Return a placing that follows the claim, since a claim is inferred from it."""
    following = position.after(action)
    return rng.choice(
        [step for step in following.legal.thrifty() if step.to_json().get("tile") == action.to_json()["tile"]]
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_accepted_exactly_as_it_was_played(started: tuple[Journal, Match], seed: int) -> None:
    journal, match = started
    referee = Referee(match, journal, clock=lambda: NOW)
    hands, rng, played = Hands(referee), random.Random(seed), []
    while not (position := referee.snapshot.position).over:
        chance = position.decider is None
        action = GAME.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
        done = [action]
        if action.to_json()["do"] == "claim":
            done.append(claims_are_seen_with_what_follows(position, action, rng))
        expected = position
        for step in done:
            hands.do(expected, step)
            expected = expected.after(step)
        assert referee.snapshot.position == expected, (
            position.phase,
            done,
            referee.snapshot.say,
            referee.snapshot.refused,
        )
        assert referee.snapshot.refused is None
        assert not referee.wrong
        played += [step.to_json() for step in done]
        hands.tidy()
        hands.show()
        assert referee.snapshot.todo == ()
    accepted = [event.data for event in referee.match.events if event.kind == "action"]
    replayed = GAME.new(["Anna", "Ben", "Cleo"])
    for data in accepted:
        replayed = replayed.after(GAME.action(dict(data)))
    assert replayed == referee.snapshot.position
    assert len(accepted) == len(played)
    journal.close()
