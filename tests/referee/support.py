"""What several tests of the referee need: a fixed time and the facts of a random game."""

from __future__ import annotations

import random

from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match
from tabletop.rules.palazzo import GAME

DEALT = [("R3a", "R4a", "N4a", "G4a"), ("C2a", "C2b", "R5a", "G5a"), ("N3a", "N6a", "G6a", "G7a")]
NOW = 1_700_000_000.0


def random_facts(match: Match, count: int, seed: int) -> list[Fact]:
    """Return ``count`` facts of a random game that continues the match."""
    rng, position = random.Random(seed), match.position
    facts: list[Fact] = []
    while len(facts) < count and not position.over:
        decides = position.decider is not None
        action = rng.choice(list(position.legal.thrifty())) if decides else GAME.draw(position, rng)
        facts.append(Fact(EventKind.ACTION, action.to_json(), position.decider, Source.CAMERA, NOW + len(facts)))
        position = position.after(action)
    return facts
