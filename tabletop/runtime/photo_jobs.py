"""What reads the photographs that phones send to the pages of one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.match import store
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.vision.report import phone_photo
from tabletop.vision.report.phone_photo import Shot, Understood
from tabletop.vision.score.tally import Tally, scored_games, scoring_of


class PhotoJobs:
    """Reads photographs of this ``game``, of which so many ``seats()`` play, in the ``darkroom``.

    Scores of tables that nobody refereed are put into the folder of the ``games``; ``now`` gives Unix seconds.
    """

    def __init__(
        self,
        darkroom: PhotoWorker,
        game: Game,
        seats: Callable[[], int],
        games: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._darkroom, self._game, self._seats, self._games, self._now = darkroom, game, seats, games, now

    def open(self) -> None:
        """Get ready: somebody is about to take one."""
        self._darkroom.open()

    def pieces(self, data: bytes) -> Understood:
        """Return the pieces in a photograph, wherever they lie."""
        return self._darkroom.read(phone_photo.pieces_of, data, self._game)

    def table(self, data: bytes) -> Understood:
        """Return what lies in the zones of the table."""
        return self._darkroom.read(phone_photo.table_of, data, self._game, self._seats())

    def scored(self) -> Sequence[Game]:
        """Return the games whose final table is scored from photographs."""
        return scored_games()

    def score(self, data: bytes, game: str, edition: Any, before: Sequence[Shot]) -> Understood:
        """Return the scores of a final table, from this photograph and from those before it."""
        played = registry.game(game)
        return self._darkroom.read(phone_photo.score_of, data, played, _tally(played, edition), tuple(before))

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        """Put the score of a table that nobody refereed on the shelf; return its name there."""
        return store.keep(self._games, registry.game(game), names, self._now(), score)


def _tally(game: Game, edition: Any) -> Tally:
    """Return how a final table is scored; raises TallyError for a game of which nothing says so."""
    scoring = scoring_of(game)
    return scoring.tally(frozenset(), edition if scoring.has_editions else None)
