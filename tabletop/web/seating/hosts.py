"""The host's browsers: each came by the one-time code or was confirmed at the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from tabletop.web.seating.tokens import hash_of, same_code


class Hosts:
    """The tokens of the host's browsers, kept only as hashes; ``token in hosts`` tests one.

    ``code`` is the one-time code that makes a browser the host, empty if there is none or it was used; ``token`` makes
    tokens, and ``save`` writes down what changed.  Changes are made under ``lock``, the room's.
    """

    def __init__(
        self,
        code: str,
        kept: Iterable[str],
        token: Callable[[], str],
        save: Callable[[], None],
        lock: AbstractContextManager[object],
    ) -> None:
        self.code = code
        self.hashes = frozenset(kept)
        self._used: tuple[str, str] | None = None
        """The code that was used, and the mark of the browser that used it."""
        self._token, self._save, self._lock = token, save, lock

    def __contains__(self, token: object) -> bool:
        return bool(token) and isinstance(token, str) and hash_of(token) in self.hashes

    def admit(self, typed: str, by: str = "") -> str | None:
        """Return a host's token for the one-time code, None if it is wrong or was used by another browser.

        ``by`` is the mark of the browser, empty if it has none; it may use the code again if the answer was lost.
        """
        with self._lock:
            code, user = (self.code, by) if self.code or self._used is None else self._used
            if not code or by != user or not same_code(typed, code):
                return None
            self.code, self._used = "", (code, by) if by else None
            token = self._token()
            self.add(hash_of(token))
        return token

    def add(self, key: str) -> None:
        """Make the token with this hash a host's."""
        with self._lock:
            self.hashes |= {key}
            self._save()
