"""Why something that was asked for is not done: the base of every refusal that people and programs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Declined(ValueError):
    """Why not: a stable code for programs, a sentence for people, and the facts in it.

    What the rules of a game decline is an ``Illegal``, which is one of these; whatever else is declined (the game is
    paused, the disk is full, a photograph shows something else) is only this.
    """

    rule: str = ""
    """The clause of the game's rules that says so; empty: it breaks no rule."""

    def __init__(self, code: str, message: str, *, facts: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self._text = message
        self.facts = {**facts} if facts else {}

    @property
    def message(self) -> str:
        """The sentence."""
        return self._text

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.code} · {self.message}>"
