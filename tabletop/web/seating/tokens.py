"""Secrets that identify people and their browsers: tokens, which are kept only as hashes, and codes to type."""

from __future__ import annotations

import hashlib
import hmac
import secrets

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The characters of codes; no two of them are easily confused."""


def new_token() -> str:
    """Return a fresh 256-bit token."""
    return secrets.token_urlsafe(32)


def new_code(length: int = 6) -> str:
    """Return a fresh code to join with; six letters have 29 bits, and attempts are limited."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def hash_of(token: str) -> str:
    """Return the hash by which a token is known, empty for an empty token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def same_code(typed: str, code: str) -> bool:
    """Return whether this is the code, regardless of case, spaces and hyphens."""
    plain = "".join(typed.upper().split()).replace("-", "")
    return hmac.compare_digest(plain.encode(), code.encode())
