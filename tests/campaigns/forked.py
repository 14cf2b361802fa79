"""A child process that is forked after all imports are done, and killed at any moment."""

from __future__ import annotations

import os
import select
import signal
import traceback
from collections.abc import Callable


class Forked:
    """A child that does some work and sends lines to its parent; leaving the context manager kills the child.

    Everything that the child sends before it is killed is received, up to its last whole line.
    """

    def __init__(self, work: Callable[[Callable[[str], None]], None]) -> None:
        self._heard = b""
        self._end, said = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._end)
                # One write for each line: nothing is left in a buffer when the child is killed.
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
        """Read until ``count`` lines have come in all, the time is over or the child has ended; return their number."""
        while self._heard.count(b"\n") < count and self._more(seconds):
            pass
        return self._heard.count(b"\n")

    def hear_word(self, word: str, seconds: float) -> bool:
        """Read until a word has come; return whether it did before the time was over or the child had ended."""
        while word.encode() not in self._heard and self._more(seconds):
            pass
        return word.encode() in self._heard

    def _more(self, seconds: float) -> bool:
        """Read once; return whether anything came within that many seconds."""
        more = os.read(self._end, 65536) if select.select([self._end], [], [], seconds)[0] else b""
        self._heard += more
        return bool(more)

    def pause(self, seconds: float) -> None:
        """Wait, before killing the child."""
        select.select([], [], [], seconds)

    def kill(self) -> list[str]:
        """Kill the child; return all whole lines it sent."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            while more := os.read(self._end, 65536):
                self._heard += more
            os.close(self._end)
            self.pid = 0
        return self._heard.decode().splitlines()[: self._heard.count(b"\n")]
