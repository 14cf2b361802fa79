"""The host's browsers: each came by the one-time code or was confirmed at the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from tabletop.web.seating.tokens import hash_of, same_code


class Hosts:
    """The tokens that are a host's, of which only hashes are kept: ``token in hosts``.

    ``code`` is the one-time code that makes a browser the host, empty if there is none or it was used; ``token`` makes
    tokens, and ``save`` keeps what changed.  What changes holds ``lock``, the room's.
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
        self._token, self._save, self._lock = token, save, lock

    def __contains__(self, token: object) -> bool:
        return bool(token) and isinstance(token, str) and hash_of(token) in self.hashes

    def admit(self, typed: str) -> str | None:
        """Return a host's token for the one-time code, None if it is wrong or was used."""
        with self._lock:
            if not self.code or not same_code(typed, self.code):
                return None
            self.code = ""
            token = self._token()
            self.add(hash_of(token))
        return token

    def add(self, key: str) -> None:
        """Let the token with this hash be a host's."""
        with self._lock:
            self.hashes |= {key}
            self._save()
