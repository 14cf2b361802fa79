"""Short notation shared by the games: an action is one line of words without spaces inside.

``place B3.2 on B1.1`` is made of its kind and its pieces; lists are joined by ``+``, nothing at all is ``-``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabletop.rules.game import Illegal

NOTHING = "-"


def join(ids: Iterable[str]) -> str:
    """Return the ids as one word: ``R5a+R6b``; ``-`` where there are none."""
    return "+".join(ids) or NOTHING


def split(word: str) -> list[str]:
    """Return the ids of such a word."""
    return [] if word == NOTHING else word.split("+")


def words(text: str, longest: int = 500) -> Sequence[str]:
    """Return the words of one line of notation.  Raises Illegal (``bad-request``) where it is empty or too long."""
    found = text.split() if len(text) <= longest else []
    if not found:
        raise Illegal("bad-request", f"An action in short notation is a line of 1 to {longest} characters.")
    return found
