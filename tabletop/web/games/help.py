"""Help with the rules: a few sentences about each thing on a page, in the language of the page.

A topic's ``id`` is its anchor on the rules page; ``clauses`` are the clauses by which refusals name their rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import spoken_language


class Topic(NamedTuple):
    """What to know about one thing; title and text are marked for translation."""

    id: str
    title: str
    text: str
    clauses: Sequence[str]


def topic_of(topics: Sequence[Topic], clause: str) -> str:
    """Return the id of the topic that explains a clause, empty if none does."""
    return next((topic.id for topic in topics if clause in topic.clauses), "")


def help_link(topic: str, thing: str) -> Markup:
    """Return a link to a topic of the rules from a ``thing`` on a page, as it is called there."""
    return _help_link(topic, thing, spoken_language())


@cache
def _help_link(topic: str, thing: str, _language: str) -> Markup:
    label = _("Rules: %(thing)s", thing=thing)
    link = '<a class="help" href="/rules#{topic}" data-topic="{topic}" aria-label="{label}">?</a>'
    return Markup(link).format(topic=topic, label=label)
