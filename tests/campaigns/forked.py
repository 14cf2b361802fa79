"""A child process that is forked where all is imported already, and killed at any moment."""

from __future__ import annotations

import os
import select
import signal
import traceback
from collections.abc import Callable


class Forked:
    """A child that does some work and says lines to its parent; a context manager: leaving it kills the child.

    What a child says before it is killed is heard to its last whole line.
    """

    def __init__(self, work: Callable[[Callable[[str], None]], None]) -> None:
        self._heard = b""
        self._end, said = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._end)
                # In one piece: nothing is left in a buffer when the blow falls.
                work(lambda line: (os.write(said, line.encode() + b"\n"), None)[1])
            except BaseException:
                os.write(said, f"fault {traceback.format_exc()!r}\n".encode())
            finally:
                os._exit(0)
        os.close(said)

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.kill()

    def hear(self, count: int, seconds: float) -> int:
        """Hear until so many lines have come in all, the time is over, or the child has ended; return how many came."""
        while self._heard.count(b"\n") < count and self._more(seconds):
            pass
        return self._heard.count(b"\n")

    def hear_word(self, word: str, seconds: float) -> bool:
        """Hear until a word has come; return whether it did before the time was over or the child had ended."""
        while word.encode() not in self._heard and self._more(seconds):
            pass
        return word.encode() in self._heard

    def _more(self, seconds: float) -> bool:
        """Hear what comes next; return whether anything did within that many seconds."""
        more = os.read(self._end, 65536) if select.select([self._end], [], [], seconds)[0] else b""
        self._heard += more
        return bool(more)

    def pause(self, seconds: float) -> None:
        """Let time pass until the blow falls."""
        select.select([], [], [], seconds)

    def kill(self) -> list[str]:
        """Kill the child; return everything it said."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            while more := os.read(self._end, 65536):
                self._heard += more
            os.close(self._end)
            self.pid = 0
        return self._heard.decode().splitlines()[: self._heard.count(b"\n")]
