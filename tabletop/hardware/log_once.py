"""Logs a failure only once: what is retried many times a second must not fill a disk in one night."""

from __future__ import annotations

import logging


class LogOnce:
    """Logs ``words`` and the error when a trouble begins or becomes another one, and not with every try."""

    def __init__(self, log: logging.Logger, words: str) -> None:
        self._log, self._words = log, words
        self._logged = ""

    def log(self, error: Exception) -> None:
        """Log the error, unless it was the last one logged."""
        if repr(error) != self._logged:
            self._logged = repr(error)
            self._log.error(self._words, exc_info=error)

    def reset(self) -> None:
        """Forget the error: it went well, so the next one is logged again."""
        self._logged = ""
