"""Who sits where: seats taken by phones, waiting claims, the host.  Only hashes of tokens are kept."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of the code to join with: none is mistaken for another."""
LONGEST_NAME = 24


def new_token() -> str:
    """Return a fresh 256-bit token."""
    return secrets.token_urlsafe(32)


def new_code(length: int = 6) -> str:
    """Return a fresh code to join with; six letters have 29 bits, and attempts are limited."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


@dataclass(frozen=True, slots=True)
class Claim:
    """A phone that asked for a seat and waits for its confirmation."""

    seat: int
    name: str
    key: str


class Room:
    """The seats and their phones.  Every method may be called from any thread.

    Args:
        code: the short code that the table page shows; who knows it sees the table.
        seats: the seats that people may take; the others are played by the program or by no page.
        confirm: True where a claim waits for the seat's button or the host before it counts.
        host_code: the one-time code that makes a browser the host; empty: there is no host.
        store: the file that keeps the seats over a restart; None: they are forgotten.
        token: makes tokens.
    """

    def __init__(
        self,
        code: str,
        *,
        seats: Collection[int],
        confirm: bool = False,
        host_code: str = "",
        store: Path | None = None,
        token: Callable[[], str] = new_token,
    ) -> None:
        self.code = code
        self.seats = frozenset(seats)
        self.confirm = confirm
        self._host_code = host_code
        self._store = store
        self._token = token
        self._lock = threading.RLock()
        self._holders: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._claims: dict[int, Claim] = {}
        self._hosts: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        self.revision = 0
        self._load()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def knows(self, code: str) -> bool:
        """Tell whether this is the code to join with, however it was typed."""
        typed = "".join(code.upper().split()).replace("-", "")
        return hmac.compare_digest(typed.encode(), self.code.encode())

    def claim(self, seat: int, name: str = "") -> str:
        """Return a new token for the seat; without confirmation it counts at once, and the old phone's ends."""
        token = self._token()
        claim = Claim(seat, " ".join(name.split())[:LONGEST_NAME], _key(token))
        with self._lock:
            self._claims[seat] = claim
            if not self.confirm:
                self.accept(seat)
        self._changed()
        return token

    def accept(self, seat: int) -> bool:
        """Let the waiting claim of a seat count: its button was pressed, or the host agreed."""
        with self._lock:
            claim = self._claims.pop(seat, None)
            if claim is None:
                return False
            self._holders[seat] = claim.key
            if claim.name:
                self._names[seat] = claim.name
            self._save()
        self._changed()
        return True

    def refuse(self, seat: int) -> None:
        """Drop the waiting claim of a seat."""
        with self._lock:
            self._claims.pop(seat, None)
        self._changed()

    def leave(self, seat: int) -> None:
        """Free a seat: its phone's token ends."""
        with self._lock:
            self._holders.pop(seat, None)
            self._names.pop(seat, None)
            self._save()
        self._changed()

    def seat_of(self, token: str) -> int | None:
        """Return the seat that the token holds."""
        key = _key(token) if token else ""
        with self._lock:
            return next((seat for seat, holder in self._holders.items() if holder == key), None)

    def claim_of(self, token: str) -> Claim | None:
        """Return the claim with which the token waits."""
        key = _key(token) if token else ""
        with self._lock:
            return next((claim for claim in self._claims.values() if claim.key == key), None)

    @property
    def claims(self) -> dict[int, Claim]:
        """The claims that wait, by seat."""
        with self._lock:
            return dict(self._claims)

    @property
    def taken(self) -> frozenset[int]:
        """The seats that a phone holds."""
        with self._lock:
            return frozenset(self._holders)

    @property
    def names(self) -> dict[int, str]:
        """The names that people gave, by seat."""
        with self._lock:
            return dict(self._names)

    def become_host(self, code: str) -> str | None:
        """Return a host's token for the one-time code, None where it is wrong or was used."""
        typed = "".join(code.upper().split())
        with self._lock:
            if not self._host_code or not hmac.compare_digest(typed.encode(), self._host_code.encode()):
                return None
            self._host_code = ""
            token = self._token()
            self._hosts.add(_key(token))
            self._save()
        return token

    def is_host(self, token: str) -> bool:
        """Tell whether the token is a host's."""
        with self._lock:
            return bool(token) and _key(token) in self._hosts

    def _changed(self) -> None:
        with self._lock:
            self.revision += 1
        for listener in self._listeners:
            listener()

    def _load(self) -> None:
        if self._store is None or not self._store.exists():
            return
        try:
            data = json.loads(self._store.read_text("utf-8"))
            self._holders = {int(seat): str(key) for seat, key in data["holders"].items()}
            self._names = {int(seat): str(name) for seat, name in data["names"].items()}
            self._hosts = {str(key) for key in data["hosts"]}
        except (ValueError, KeyError, AttributeError, TypeError):
            # A damaged file costs people one scan of the code, never the game.
            self._holders, self._names, self._hosts = {}, {}, set()

    def _save(self) -> None:
        if self._store is None:
            return
        data = {"holders": self._holders, "names": self._names, "hosts": sorted(self._hosts)}
        fresh = self._store.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(0o600)
        fresh.replace(self._store)


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
