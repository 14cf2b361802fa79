"""Stored games, made once and copied: one that was finished, one that was ended early, one without an end."""

from __future__ import annotations

import atexit
import random
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from doubles.positions import NAMES
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.event import EventKind, Fact, Source
from tabletop.rules.game import Game
from tabletop.rules.palazzo import GAME

NOW = 1_700_000_000.0


def played(
    folder: Path,
    name: str,
    count: int,
    *,
    game: Game = GAME,
    end: bool = False,
    seed: int = 5,
    names: Sequence[str] = NAMES,
) -> None:
    """Store a game of at most ``count`` actions in the folder, under that name."""
    journal, match = store.start(folder, game, names, NOW + seed)
    rng, position = random.Random(seed), match.position
    facts: list[Fact] = []
    while len(facts) < count and not position.over:
        chance = position.decider is None
        action = game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
        source = Source.DRAW if chance else Source.PAGE
        facts.append(Fact(EventKind.ACTION, dict(action.to_json()), position.decider, source, NOW + len(facts)))
        position = position.after(action)
    journal.append([*facts, *([Fact(EventKind.END, {}, None, Source.HOST, NOW + count)] if end else [])])
    journal.close()
    journal.path.rename(folder / f"{name}{store.SUFFIX}")


@cache
def _made() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="games-"))
    atexit.register(shutil.rmtree, folder)
    played(folder, "finished", 5000, seed=5)
    played(folder, "ended", 60, end=True, seed=6)
    played(folder, "open", 40, seed=7)
    return folder


def shelf_of_games(folder: Path) -> Archive:
    """Return an archive of copies of the three games in a folder."""
    for path in _made().glob(f"*{store.SUFFIX}"):
        shutil.copy(path, folder / path.name)
    return Archive(folder)
