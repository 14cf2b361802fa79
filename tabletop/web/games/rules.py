"""Help with the rules: a few sentences about each thing on a page, in the language of the page.

A topic's ``id`` is its place on the rules page; ``clauses`` are the clauses by which refusals name their rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Topic(NamedTuple):
    """What to know about one thing; title and text are marked for translation."""

    id: str
    title: str
    text: str
    clauses: Sequence[str]


def topic_of(topics: Sequence[Topic], clause: str) -> str:
    """Return the id of the topic that explains a clause, empty where none does."""
    return next((topic.id for topic in topics if clause in topic.clauses), "")
