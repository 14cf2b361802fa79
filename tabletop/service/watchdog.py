"""The heartbeat: systemd is told that the table is alive only as long as its parts answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from tabletop.service.notify import Notifier

GOOD_START_S = 60.0
"""A start that lasted this long counts as good."""
ANSWER_TIMEOUT_S = 5.0
"""The time within which a part has to answer."""
BEAT_INTERVAL_S = 10.0
"""The time between two heartbeats, unless the service manager asks for more."""

log = logging.getLogger(__name__)


class Watchdog:
    """Asks every part whether it is alive and tells systemd; a part that hangs silences it, and systemd restarts it.

    The first beat with every part alive says that the table is ready: beat only once its pages can be opened.
    ``parts`` maps a readable name to a function that returns, within the seconds it is given, whether that part is
    alive; ``well`` is called once, when the table has been up for :data:`GOOD_START_S` seconds with every part alive;
    ``status`` is the line for ``systemctl status`` while all parts answer.
    """

    def __init__(
        self,
        notify: Notifier,
        parts: Mapping[str, Callable[[float], bool]],
        clock: Callable[[], float],
        well: Callable[[], None] = lambda: None,
        status: str = "The table is served",
    ) -> None:
        self._status = status
        self._notify, self._parts, self._clock, self._well = notify, parts, clock, well
        # Four beats in each watchdog period, so that one may come late.
        self._every = min(BEAT_INTERVAL_S, notify.watchdog_s / 4) if notify.watchdog_s else BEAT_INTERVAL_S
        self._born = self._due = clock()
        self._told: list[str] | None = None
        self._ready = False

    def beat(self) -> None:
        """Send a heartbeat if one is due; call this often."""
        now = self._clock()
        if now < self._due:
            return
        self._due = now + self._every
        silent = [name for name, answers in self._parts.items() if not answers(ANSWER_TIMEOUT_S)]
        if silent != self._told:
            self._told = silent
            self._tell(silent)
        if silent:
            return
        if not self._ready:
            self._ready = True
            self._notify.ready()
        self._notify.alive()
        if now - self._born >= GOOD_START_S:
            self._born = float("inf")
            self._well()

    def _tell(self, silent: list[str]) -> None:
        if silent:
            log.error("No answer from %s.", " and ".join(silent))
        self._notify.status(f"No answer from {' and '.join(silent)}" if silent else self._status)
