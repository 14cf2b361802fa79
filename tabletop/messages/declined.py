"""The base of every refusal that people and programs read: why a request is not carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Declined(ValueError):
    """A refusal: a stable code for programs, a sentence for people, and the facts in it.

    A refusal by the rules of a game is an ``Illegal``, a subclass of this; any other (the game is paused, the disk is
    full, a photograph shows something else) is a plain ``Declined``.
    """

    rule: str = ""
    """The clause of the game's rules on which the refusal rests; empty if it breaks none."""

    def __init__(self, code: str, message: str, *, facts: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self._text = message
        self.facts = {**facts} if facts else {}

    @property
    def message(self) -> str:
        """The sentence for people."""
        return self._text

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.code} · {self.message}>"
