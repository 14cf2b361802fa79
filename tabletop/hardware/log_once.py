"""Logs a repeated failure only once, so that something retried many times a second cannot fill the disk."""

from __future__ import annotations

import logging


class LogOnce:
    """Logs ``words`` and the error when a failure begins or changes, not at every try."""

    def __init__(self, log: logging.Logger, words: str) -> None:
        self._log, self._words = log, words
        self._logged = ""

    def log(self, error: Exception) -> None:
        """Log the error, unless it was the last one logged."""
        if repr(error) != self._logged:
            self._logged = repr(error)
            self._log.error(self._words, exc_info=error)

    def reset(self) -> None:
        """Forget the error after a success, so that the next one is logged again."""
        self._logged = ""
