"""Reads photographs from phones, one after the other, in a separate process.

What a stranger's picture makes a decoder do, and the hundreds of megabytes that a large one takes, stay out of the
process that owns the table; a press is answered at once while a photograph is read.  The process is started when
somebody is about to take one, waits for more, and ends by itself.
"""

from __future__ import annotations

import contextlib
import os
import pickle  # between two processes of ours; no stranger writes such a letter
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, cast

from tabletop.match import store
from tabletop.match.errors import UnreadablePhoto
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.vision.errors import PictureError
from tabletop.vision.kit import Kit
from tabletop.vision.report import phone_photo
from tabletop.vision.report.phone_photo import Shot, Understood
from tabletop.vision.score.tally import Tally, ToldFacts, scored_games, scoring_of

P = ParamSpec("P")
Told = TypeVar("Told")

IDLE_TIMEOUT_S = 180.0
"""A process that is asked for nothing more for so long ends."""
READING_TIMEOUT_S = 60.0
"""A photograph of 12 megapixels takes one or two seconds."""
NICENESS = 5
"""How far the process stands back behind the table: its frames and presses come first."""
OOM_SCORE_ADJ = 800
"""How readily the process ends when memory runs out, of 1000: a photograph is lost, never the table."""
UNREADABLE_PHOTO = Message("it cannot be read; take another one.")


class PhotoWorker:
    """Reads photographs of the game of this ``kit`` with ``seats()`` seats; may be used from any thread.

    Scores of tables that nobody refereed are put into the folder of the ``games``; ``now`` gives Unix seconds,
    ``command`` starts the process.
    """

    def __init__(
        self,
        kit: Kit,
        seats: Callable[[], int],
        games: Path,
        now: Callable[[], float] = time.time,
        command: tuple[str, ...] = (sys.executable, "-m", "tabletop.runtime.photo_worker"),
    ) -> None:
        self._kit, self._seats, self._games, self._now, self._command = kit, seats, games, now, command
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def open(self) -> None:
        """Start the process unless it runs already, so that the next photo finds everything ready."""
        if self._turn.acquire(blocking=False):
            try:
                self._running()
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

    def score(self, data: bytes, game: str, edition: Any, before: Sequence[Shot]) -> Understood:
        """Return the scores of a final table, from this photograph and from those before it."""
        played = registry.game(game)
        kit = self._kit if played is self._kit.game else Kit(played)
        return self.read(phone_photo.score_of, data, kit, _tally(played, edition), tuple(before))

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        """Store the score of a table that nobody refereed; return its name in the store."""
        return store.keep(self._games, registry.game(game), names, self._now(), score)

    def read(self, function: Callable[P, Told], *args: P.args, **kwargs: P.kwargs) -> Told:
        """Return what a function that reads photographs returns in the other process.

        Raises UnreadablePhoto if it cannot, if the process ends over the photo, or if it does not come to an end.
        """
        letter = pickle.dumps((function, args, kwargs))
        with self._turn:
            answer = self._ask(letter)
        if answer is None:
            raise UnreadablePhoto(UNREADABLE_PHOTO)
        told, refused = answer
        if refused is not None:
            raise UnreadablePhoto(refused)
        return cast(Told, told)

    def close(self) -> None:
        """End the process."""
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._put_away()

    def _ask(self, letter: bytes) -> tuple[Any, Message | None] | None:
        """Return the answer, None if there is none: a process that had just ended is not the letter's fault."""
        for _ in range(2):
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            clock = threading.Timer(READING_TIMEOUT_S, process.kill)
            clock.start()
            try:
                _send(process.stdin, letter)
                begun = _receive(process.stdout)
                answer = _receive(process.stdout) if begun is not None else None
            except OSError:
                begun = answer = None
            finally:
                clock.cancel()
            if answer is not None:
                return cast(tuple[Any, "Message | None"], pickle.loads(answer))  # noqa: S301
            self._put_away()
            if begun is not None:
                return None
        return None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._put_away()
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def _put_away(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with contextlib.suppress(OSError), process:
                pass  # closes the pipes, whatever was still to be sent, and waits for its end


def _tally(game: Game, edition: Any) -> Tally:
    """Return how a final table is scored; raises TallyError for a game that cannot be scored."""
    scoring = scoring_of(game)
    return scoring.tally(ToldFacts(edition=edition if scoring.has_editions else None))


def _send(pipe: IO[bytes], letter: bytes) -> None:
    pipe.write(len(letter).to_bytes(8, "big"))
    pipe.write(letter)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes | None:
    """Return a letter, None if the other side has ended."""
    length = pipe.read(8)
    letter = pipe.read(int.from_bytes(length, "big")) if len(length) == 8 else b""
    return letter if len(length) == 8 and len(letter) == int.from_bytes(length, "big") else None


def main() -> None:
    """Answer letters until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the table ends this process through it
    os.nice(NICENESS)
    with contextlib.suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE_ADJ))
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    while select.select([source], [], [], IDLE_TIMEOUT_S)[0]:
        letter = _receive(source)
        if letter is None:
            return
        _send(answers, b"")
        function, args, kwargs = pickle.loads(letter)  # noqa: S301
        try:
            answer: tuple[Any, Message | None] = function(*args, **kwargs), None
        except PictureError as error:
            answer = None, error.reason
        _send(answers, pickle.dumps(answer))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the table was put away meanwhile
        main()
