"""The referee's sentences in the language of the page, and the choice of that language."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from tabletop.referee.messages import SENTENCES
from tabletop.referee.snapshot import Said
from tabletop.web.i18n import N_, retold, retold_each
from tabletop.web.i18n import gettext as _

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""The languages of the pages, each by its own name."""


UNREADABLE = {
    "covered": N_("it is covered"),
    "glare": N_("there is glare on it"),
    "cut-off": N_("it is only partly in the picture"),
    "too-small": N_("it is too small in the picture"),
    "face-down": N_("it is face down"),
    "disagree": N_("it can be read in two ways"),
    "foreign": N_("it is not part of this game"),
    "unknown": N_("no tag can be seen on it"),
}
"""Why something on the table cannot be read."""


GAPS = (
    N_("quarry {1}"), N_("the warehouse"), N_("first tile: into the warehouse"),
    N_("second tile: onto its quarry"), N_("one floor"), N_("{1} floors"), N_("{1} and {2}"),
)  # fmt: skip
"""What fills the gaps of sentences, besides names and numbers."""


def sentence(said: Said, seats: Sequence[str], names: Sequence[str]) -> str:
    """Return what the referee said, with the seats called as their people said."""
    template = SENTENCES.get(said.code)
    if template is None:
        return said.text
    called = dict(zip(seats, names, strict=True))
    if said.code == "journal":
        return retold_each(said.text)
    if said.code in ("waiting", "question", "note"):
        return retold(said.text, called)  # the sentence of the game about its table, or of the eyes
    if said.code == "panel-lost":
        return _(template).format(text=retold_each(str(said.facts["text"])))
    facts = {key: called.get(fact, fact) if key == "name" else fact for key, fact in said.facts.items()}
    if "reason" in facts:
        facts["reason"] = _(UNREADABLE.get(facts["reason"], facts["reason"]))
    return _(template).format(**facts)


def language() -> str:
    """Return the language of this request: as chosen on a page, else as the browser asks."""
    chosen = request.cookies.get("language", "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def theme() -> str:
    """Return the chosen theme, ``light`` or ``dark``; empty: as the system has it."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""
