"""Many simulated games through camera frames and pins, as fast as possible, in one process per core."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Watcher
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.tournament.games import GameResult, Tournament
from tabletop.bots.tournament.games import names as names_of
from tabletop.bots.tournament.workers import processes
from tabletop.match.event import EventKind
from tabletop.match.match import Match
from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.rules.text import recorder
from tabletop.simulator.errors import TableUnseen
from tabletop.simulator.play.playground import PlayCounts
from tabletop.simulator.play.recorded_game import RecordedGame
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.table.movements import Choose
from tabletop.simulator.world import World

NAMES = ("Anna", "Ben", "Cleo", "Dario", "Emil")
"""The names of simulated people."""
MIN_MODULE_PX = 0.58
"""The least px per module: with fewer, no light is good enough to play.  The smallest tags, 14 mm on real coins in
pictures 2304 px wide, have 0.62 at the far corner of the table."""
RECOMMENDED_SIZES = ("1920x1080", "2304x1296", "4608x2592")
"""The sizes of pictures to choose a recommendation from, the smallest first."""
BOT_BUDGET = Budget(playouts=100)
"""The budget of a bot, in playouts so that it is the same on any machine."""


@dataclass(frozen=True, slots=True)
class TournamentSetting:
    """One game to be played: ``players`` are the levels of the seats, seat 0 first; ``size`` that of the pictures, px.

    With ``record``, the file of a recorded game, people and chance do what that says.  ``make`` is the make of the
    pieces, the game's first if empty; ``hasty`` makes every other seat do whole turns in one movement.  ``thought`` is
    a bot's budget for one decision; ``shuffled`` draws chance from shuffles that the seed determines; ``names`` are the
    names of the seats, perhaps more than are needed.
    """

    game: str
    seed: int
    players: tuple[str, ...]
    harsh: int = 1
    size: tuple[int, int] = (2304, 1296)
    record: Path | None = None
    make: str = ""
    hasty: bool = False
    thought: Budget = BOT_BUDGET
    shuffled: bool = False
    names: tuple[str, ...] = NAMES


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game; ``seconds`` are by the wall clock, ``record`` is the game as text."""

    seed: int
    finished: bool
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    seconds: float
    tally: PlayCounts
    record: str = ""


def play_games(settings: Sequence[TournamentSetting], workers: int | None = None) -> Iterator[Outcome]:
    """Play the games, ``workers`` at a time (default: one per core), and yield the outcomes in order."""
    workers = min(len(settings), workers or os.cpu_count() or 1)
    if workers <= 1:
        yield from map(play_game, settings)
        return
    with tempfile.TemporaryDirectory(prefix="tabletop-") as folder, processes(workers) as pool:
        yield from pool.map(partial(play_game, within=Path(folder)), settings)


def play_game(setting: TournamentSetting, within: Path | None = None) -> Outcome:
    """Play one game to its end with the real tracker, panel code and journal, in a temporary folder in ``within``."""
    with (
        tempfile.TemporaryDirectory(prefix="tabletop-", dir=within) as folder,
        closing(set_up(setting, Path(folder))) as ground,
    ):
        return play_on(ground, setting)


def set_up(setting: TournamentSetting, folder: Path) -> SeenTable:
    """Return the table of a game; its journal is kept in ``folder``.

    Raises TableUnseen if the camera is too small for this table.
    """
    names = setting.names[: len(setting.players)]
    game = registry.game(setting.game)
    chance: Choose | None = None
    if setting.shuffled:
        chance = partial(_drawn, Shuffles(setting.seed))
    if setting.record is not None:
        followed = RecordedGame(setting.record)
        names, chance = followed.names, followed.choose
    ground = SeenTable(
        game,
        names,
        folder,
        seed=setting.seed,
        harsh=setting.harsh,
        size=setting.size,
        make=setting.make,
        chance=chance,
        hasty=setting.hasty,
    )
    try:
        _check_size(ground.world)
    except TableUnseen:
        ground.close()
        raise
    return ground


def _check_size(world: World) -> None:
    """Raise TableUnseen if tags are too small in the picture to be read in any light."""
    (width, height), modules = world.camera.model.size, world.least_modules
    if modules < MIN_MODULE_PX:
        enough = [size for size in RECOMMENDED_SIZES if int(size.partition("x")[0]) * modules >= MIN_MODULE_PX * width]
        raise TableUnseen(
            f"Pictures of {width} × {height} px are too small for this table: its smallest tags would have "
            f"{modules:.2f} px per module, and {MIN_MODULE_PX} is the least. Give the simulated camera more: "
            f"--camera-size {(enough or RECOMMENDED_SIZES)[0]}."
        )


def _drawn(chance: Shuffles, position: Position) -> Action:
    return position.game.draw(position, chance)


def play_of_tournament(tournament: Tournament, number: int) -> GameResult:
    """Play a game of a tournament of bots at the simulated table, through camera frames and mock pins."""
    order = tournament.order_of(number)
    players = tuple(tournament.levels[bot] for bot in order)
    setting = TournamentSetting(
        tournament.game, tournament.chance_of(number), players, thought=tournament.budget, shuffled=True,
        names=tuple(names_of(tournament, order)),
    )  # fmt: skip
    outcome = play_game(setting)
    return GameResult(number, setting.seed, order, outcome.scores, outcome.ranks, outcome.record)


def play_on(ground: SeenTable, setting: TournamentSetting) -> Outcome:
    """Play a game to its end on its table, and leave the table as it then is."""
    begun = time.perf_counter()
    tally = ground.playground.play(people(setting, lambda: ground.snapshot.match))
    position = ground.snapshot.position
    score = position.score()
    return Outcome(
        setting.seed,
        position.over,
        tuple(seat.points for seat in score),
        tuple(seat.rank for seat in score),
        time.perf_counter() - begun,
        tally,
        _record(ground.snapshot.match),
    )


def _record(match: Match) -> str:
    """Return the record of a game from its beginning, as text."""
    first, *others = match.steps
    acts = [match.game.action(dict(step.event.data)) for step in others if step.event.kind == EventKind.ACTION]
    return recorder.write(first.position, acts)


def people(setting: TournamentSetting, match: Callable[[], Match]) -> Choose:
    """Return the function by which people choose: each from its own view and what it has seen, or as recorded."""
    if setting.record is not None:
        return RecordedGame(setting.record).choose
    bots = [(find_bot(setting.game, level), Watcher(seat)) for seat, level in enumerate(setting.players)]
    rng = random.Random(f"people {setting.seed}")

    def choose(position: Position) -> Action:
        seat = position.decider
        assert seat is not None
        bot, watcher = bots[seat]
        seen = watcher.watch([step.position for step in match().steps], position)
        return bot.choose(position.view(seat), seen, list(position.legal.thrifty()), setting.thought, rng).action

    return choose


def report(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Return the protocol's report of a run of headless games that took ``seconds`` by the wall clock."""
    tallies = [outcome.tally for outcome in outcomes]
    return {
        "games": len(outcomes),
        "finished": sum(outcome.finished for outcome in outcomes),
        "frames": sum(tally.frames for tally in tallies),
        "actions": sum(tally.actions for tally in tallies),
        "wrong": sum(tally.wrong for tally in tallies),
        "missed": sum(tally.missed for tally in tallies),
        "questions": sum(tally.questions for tally in tallies),
        "corrections": sum(tally.corrections for tally in tallies),
        "seconds": round(seconds, 1),
        "results": [
            {"seed": outcome.seed, "scores": list(outcome.scores), "ranks": list(outcome.ranks)} for outcome in outcomes
        ],
    }
