"""Reads photographs from phones, one after the other, in a separate process.

A decoder that fails on a stranger's picture, and the hundreds of megabytes that a large one takes, stay out of the
process that owns the table; a press is answered at once while a photograph is read.  The process is started when
somebody is about to take a photograph, waits for more, and ends by itself.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from tabletop.match import store
from tabletop.messages import Message
from tabletop.processes.answering import open_connection
from tabletop.processes.child_on_demand import ChildOnDemand
from tabletop.processes.connection import Connection
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.vision.errors import PictureError
from tabletop.vision.kit import Kit
from tabletop.vision.report import phone_photo
from tabletop.vision.report.phone_photo import Shot, Understood
from tabletop.vision.score.tally import NO_CARRIER, StatedFacts, Tally, carriers_of, scored_games, scoring_of
from tabletop.web.views.photo_queue import UNREADABLE, UnreadablePhoto

P = ParamSpec("P")
Told = TypeVar("Told")

IDLE_TIMEOUT_S = 180.0
"""The process ends when it has had nothing to do for this long."""
READING_TIMEOUT_S = 60.0
"""The longest time to read one photograph; one of 12 megapixels takes one or two seconds."""
NICENESS = 5
"""The niceness of the process: frames and presses of the table come first."""
OOM_SCORE_ADJ = 800
"""The process's OOM score adjustment, up to 1000: when memory runs out a photograph is lost, never the table."""


class PhotoWorker:
    """Reads photographs of this ``kit``'s game with ``seats()`` seats; usable from any thread.

    Scores of tables that nobody refereed are put into the folder ``games``; ``now`` gives Unix seconds, ``command``
    starts the process.
    """

    def __init__(
        self,
        kit: Kit,
        seats: Callable[[], int],
        games: Path,
        now: Callable[[], float] = time.time,
        command: tuple[str, ...] = (sys.executable, "-m", "tabletop.runtime.photo_worker"),
    ) -> None:
        self._kit, self._seats, self._games, self._now = kit, seats, games, now
        self._process = ChildOnDemand(command)
        self._turn = threading.Lock()

    def open(self) -> None:
        """Start the process unless it runs already, so that the next photo finds everything ready."""
        if self._turn.acquire(blocking=False):
            try:
                with contextlib.suppress(OSError):  # a photograph that is sent later is then refused with a sentence
                    self._process.running()
            finally:
                self._turn.release()

    def pieces(self, data: bytes) -> Understood:
        """Return the pieces in a photograph, wherever they lie."""
        return self.read(phone_photo.pieces_of, data, self._kit)

    def table(self, data: bytes) -> Understood:
        """Return what lies in the zones of the table."""
        return self.read(phone_photo.table_of, data, self._kit, self._seats())

    def scored(self) -> Sequence[Game]:
        """Return the games whose final table is scored from photographs."""
        return scored_games()

    def score(
        self, data: bytes, game: str, agreed: Mapping[str, Any], before: Sequence[Shot], called: Mapping[str, str]
    ) -> Understood:
        """Return the scores of a final table, from this photograph and from those before it."""
        played = registry.game(game)
        kit = self._kit if played is self._kit.game else Kit(played)
        return self.read(phone_photo.score_of, data, kit, _tally(played, agreed), tuple(before), called)

    def score_again(
        self, game: str, agreed: Mapping[str, Any], shots: Sequence[Shot], called: Mapping[str, str]
    ) -> Understood:
        """Return the scores of a final table from photographs that were read before."""
        played = registry.game(game)
        return self.read(phone_photo.scored_again, tuple(shots), played, _tally(played, agreed), called)

    def carriers(self, game: str) -> Collection[str]:
        """Return the pieces of a game on which one without a tag can stand."""
        return carriers_of(registry.game(game))

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        """Store the score of a table that nobody refereed; return its name in the store."""
        return store.keep(self._games, registry.game(game), names, self._now(), score)

    def read(self, function: Callable[P, Told], *args: P.args, **kwargs: P.kwargs) -> Told:
        """Call a function that reads photographs in the other process, and return its result.

        Raises UnreadablePhoto if it cannot read the photo, if the process dies over it, or if it takes too long.
        """
        with self._turn:
            answer = self._ask((function, args, kwargs))
        if answer is None:
            raise UnreadablePhoto(UNREADABLE)
        result, refused = answer
        if refused is not None:
            raise UnreadablePhoto(refused)
        return cast(Told, result)

    def close(self) -> None:
        """End the process; no photograph is read from now on."""
        self._process.close()
        with self._turn:
            self._process.end()

    def _ask(self, question: object) -> tuple[Any, Message | None] | None:
        """Return the answer, None if there is none; try again if the process had ended before it began to read."""
        for _ in range(2):
            begun, until = False, time.monotonic() + READING_TIMEOUT_S
            try:
                child = self._process.running()
                child.send(question, READING_TIMEOUT_S)
                child.receive(until - time.monotonic())
                begun = True
                answer, _file = child.receive(until - time.monotonic())
                return cast(tuple[Any, "Message | None"], answer)
            except (EOFError, OSError):
                self._process.end()
            if begun:
                return None
        return None


def _tally(game: Game, agreed: Mapping[str, Any]) -> Tally:
    """Return the tally that scores a final table; raises TallyError for a game that cannot be scored.

    ``agreed`` are the ``edition`` and the ``options`` of the game, without which it has the usual ones, and the
    ``carriers`` that were stated, none of them if no piece carries one without a tag.
    """
    scoring = scoring_of(game)
    edition = agreed.get("edition") if scoring.has_editions else None
    carriers = frozenset(agreed["carriers"] or {NO_CARRIER}) if "carriers" in agreed else frozenset()
    return scoring.tally(StatedFacts(carriers, edition=edition, options=agreed.get("options", {})))


def main() -> None:
    """Answer questions until none has come for a while."""
    connection = open_connection(niceness=NICENESS, oom_score_adj=OOM_SCORE_ADJ)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (question := _next_question(connection)) is not None:
            function, args, kwargs = question
            connection.send(None)
            try:
                answer: tuple[Any, Message | None] = function(*args, **kwargs), None
            except PictureError as error:
                answer = None, error.reason
            connection.send(answer)


def _next_question(connection: Connection) -> tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]] | None:
    """Return the next question, None if none has come for a while."""
    try:
        (function, args, kwargs), _ = connection.receive(IDLE_TIMEOUT_S)
    except TimeoutError:
        return None
    return function, args, kwargs


if __name__ == "__main__":
    main()
