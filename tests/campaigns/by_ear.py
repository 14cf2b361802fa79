"""Games played by ear: a player who knows only what is spoken chooses at random from what is offered.

``python -m tests.campaigns.by_ear --games 1000 --seed 1`` plays 1000 games of each kind, going through the numbers of
seats and three languages in turn; ``--only patrician`` plays one kind, ``--outside`` also the two games that the tests
install as separate packages.  The player knows nothing but the listener's questions, answers and choices; an act that
the rules refuse, a game that does not end and a text with an unfilled gap are faults.  The last line gives, for each
game, the number of games finished, their acts, the choices made and the number of characters read out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tabletop.rules import registry
from tabletop.rules.contract.walks import MAX_GAME_ACTIONS
from tabletop.rules.game import Game
from tabletop.web.i18n import in_language
from tests.campaigns import harness
from tests.campaigns.harness import Budget, Tally
from tests.outside.installed import install
from tests.web.listening.player import played

LANGUAGES = ("en", "de", "it")
OUTSIDE = ("lantern", "smugglers")


def play(game: Game, seed: int, tally: Tally, row: dict[str, Any]) -> None:
    """Play one game by ear and count it."""
    seats = game.seat_range[seed % len(game.seat_range)]
    acts, player, over = 0, None, False
    try:
        with in_language(LANGUAGES[seed % len(LANGUAGES)]):
            for position, player in played(game, seats, seed):  # noqa: B007 - the last one is counted
                acts, over = acts + (position.decider is not None), position.over
                if acts > MAX_GAME_ACTIONS:
                    break
    except Exception as error:
        tally.check(False, f"{game.name}, {seats} seats, seed {seed}, act {acts}: {error!r}")
    else:
        tally.check(over, f"{game.name}, {seats} seats, seed {seed}: not over after {acts} acts")
    row["games"] += int(over)
    row["acts"] += acts
    if player is not None:
        row["choices"] += player.steps
        row["characters"] += player.heard


def campaign(budget: Budget, tally: Tally, games: int = 10**9, names: tuple[str, ...] = registry.BUILT_IN) -> None:
    """Play one of each game in turn until the time is over or ``games`` of each have been played."""
    rows: dict[str, dict[str, int]] = {}
    tally.counts.update(games=0, each=rows)
    for number in budget.rounds():
        if number == games * len(names) or tally.enough:
            return
        name = names[number % len(names)]
        row = rows.setdefault(name, dict.fromkeys(("games", "acts", "choices", "characters"), 0))
        play(registry.game(name), budget.seed + number // len(names), tally, row)
        tally.counts["games"] = sum(one["games"] for one in rows.values())


def main() -> None:
    """Read this campaign's own options and run it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--outside", action="store_true")
    chosen, _ = parser.parse_known_args()
    names = tuple(name for name in registry.BUILT_IN + OUTSIDE * chosen.outside if chosen.only in name)

    def by_ear(budget: Budget, tally: Tally) -> None:
        campaign(budget, tally, chosen.games, names)

    with ExitStack() as stack:
        if chosen.outside:
            sys.path.insert(0, str(install(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "site")))
        harness.main(by_ear, __doc__, ["--seconds", "1e9", *sys.argv[1:]], own=parser)


if __name__ == "__main__":
    main()
