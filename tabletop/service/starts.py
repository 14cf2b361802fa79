"""How the table starts, normally or in safe mode after failed starts, remembered in one small file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock

from tabletop.files import json_text
from tabletop.files.atomic import write
from tabletop.messages import EMPTY, Message, join, stored

MAX_FAILED_STARTS = 3
"""After this many starts in a row that did not last, the table starts in safe mode."""
FILE_NAME = "starts.json"


@dataclass(frozen=True, slots=True)
class Starts:
    """What is known about the starts so far.

    ``failed`` counts the starts since the last good one, ``why`` is the reason that the last one gave when it ended,
    ``asked`` is True if somebody asked for safe mode on a page.
    """

    failed: int = 0
    why: Message = EMPTY
    asked: bool = False

    @property
    def reason(self) -> Message:
        """Why the next start is in safe mode; empty if it is a normal one."""
        if self.asked:
            return Message("It was requested on a page.")
        if self.failed >= MAX_FAILED_STARTS:
            sentence = Message("The table could not be started {count} times in a row.", count=self.failed)
            return join((sentence, self.why)) if self.why else sentence
        return EMPTY


class StartsFile:
    """Keeps :class:`Starts` in a folder.  If the disk refuses writes, this knowledge is lost, but the table starts.

    While the table is served, :meth:`well` and :meth:`ask` may be called from any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._file, self._turn = folder / FILE_NAME, Lock()

    def read(self) -> Starts:
        """Return what is known about the starts; nothing if the file does not exist or cannot be read."""
        try:
            known = json_text.parse(self._file.read_text("utf-8"))
            return Starts(int(known["failed"]), stored.from_data(known["why"]), bool(known["asked"]))
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return Starts()

    def begin(self) -> Starts:
        """Count a start as failed until it proves good; return what was known before."""
        before = self.read()
        self._write(replace(before, failed=before.failed + 1))
        return before

    def well(self) -> None:
        """Forget the failed starts: this one was good.  A request for safe mode that came meanwhile stays."""
        with self._turn:
            self._write(Starts(asked=self.read().asked))

    def forget(self) -> None:
        """Forget everything: the table was ended on purpose, and the next start is a normal one."""
        self._write(Starts())

    def failed(self, why: Message) -> bool:
        """Record why the start failed; return whether the disk took it."""
        return self._write(replace(self.read(), why=why))

    def ask(self) -> None:
        """Request safe mode for the next start."""
        with self._turn:
            self._write(Starts(asked=True))

    def _write(self, starts: Starts) -> bool:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write(self._file, json.dumps({**asdict(starts), "why": stored.to_data(starts.why)}))
        except OSError:
            return False
        return True
