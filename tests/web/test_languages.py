"""Every text of the pages is there in every language, with the same gaps to fill."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po

from tabletop.web.words import LANGUAGES
from tests.web import catalogue
from tests.web.conftest import Pages
from tests.web.positions import phases

GAP = re.compile(r"%\(\w+\)s|\{\w+\}")


def test_the_catalogues_are_those_of_the_languages_offered() -> None:
    assert {"en", *catalogue.LANGUAGES} == set(LANGUAGES)


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_no_text_is_untranslated_and_none_is_left_over(language: str) -> None:
    """Where this fails: ``python -m tests.web.catalogue``, then fill in the empty texts and run it again."""
    known = catalogue.read(language)
    wanted = set(catalogue.texts())
    assert {message.id for message in known if message.id} == wanted
    for message in known:
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), message.id
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            for text in strings:
                assert set(GAP.findall(text)) <= set().union(*(GAP.findall(one) for one in ids)), message.id


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_the_compiled_catalogue_is_the_one_that_can_be_read(language: str) -> None:
    path = catalogue.po(language)
    with path.open("rb") as file:
        assert path.with_suffix(".mo").read_bytes() == catalogue.compiled(read_po(file, locale=language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", phases())
def test_every_phase_is_shown_in_every_language(pages: Pages, phase: str, language: str) -> None:
    position = phases()[phase]
    pages.desk.become(position)
    phone = pages.phone(position.decider or 0)
    for path in ("/", "/seat"):
        answer = phone.get(path, **{"Accept-Language": f"{language}-XX,{language};q=0.9"})
        assert f'<html lang="{language}"' in answer.text


def test_a_refusal_is_told_in_the_language_of_the_page(pages: Pages) -> None:
    position = phases()["bid"]
    pages.desk.become(position)
    assert position.decider is not None
    phone = pages.phone(position.decider)
    data = {"action": {"do": "bid", "cards": []}, "on": pages.desk.snapshot.number, "id": "12345678"}
    answer = phone.post("/seat/act", data, **{"Accept-Language": "de"})
    assert answer.json["text"] == "Ein Gebot braucht mindestens eine Karte; oder passe."
    assert answer.json["rule"] == "Versteigerung"


def test_a_chosen_language_wins_over_the_browsers(pages: Pages) -> None:
    phone = pages.phone()
    phone.client.set_cookie("language", "it", domain="192.168.1.20")
    assert "Magazzino" in phone.get("/", **{"Accept-Language": "de"}).text
    phone.client.set_cookie("language", "xx", domain="192.168.1.20")
    assert "Materiallager" in phone.get("/", **{"Accept-Language": "de"}).text
