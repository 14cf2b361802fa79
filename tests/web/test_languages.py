"""Every text of the pages is there in every language, with the same gaps to fill."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po

from tabletop.referee.messages import say
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.web.games import part_of
from tabletop.web.games.game_ui import GameUI
from tabletop.web.games.help import topic_of
from tabletop.web.i18n import retold, retold_each, speaking
from tabletop.web.message_text import LANGUAGES
from tests.web import catalogue
from tests.web.conftest import Pages
from tests.web.positions import phases

GAP = re.compile(r"%\(\w+\)s|\{\w+\}")
GAP_NAME = re.compile(r"\{(\w+)\}")


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Lay 2 more money cards in the row.", "Lege noch 2 Geldkarten in die Auslage."),
        ("Only one tile goes to quarry 3 now.", "Jetzt kommt nur ein Plättchen hierhin: Steinbruch 3."),
        ("B1.1 and S2.2 cannot be seen: build it, or press OK to discard it to the box.",
         "B1.1 und S2.2 ist nicht zu sehen: baue es an, oder drücke OK, um es in die Schachtel abzuwerfen."),
        ("Something that no catalogue knows.", "Something that no catalogue knows."),
    ],
)  # fmt: skip
def test_a_sentence_made_at_the_table_is_told_in_the_language_of_the_page(text: str, told: str) -> None:
    with speaking("de"):
        assert retold(text, {}) == told


def test_a_seat_in_such_a_sentence_has_the_name_that_its_person_gave(pages: Pages) -> None:
    pages.room.claim(0, "Zoe")
    text = "Anna: show your four money cards to the camera in your bid zone (3 of 4 seen)."
    pages.desk.show(say=(say("waiting", text=text),))
    shown = pages.phone().get("/", **{"Accept-Language": "it"}).text
    assert "Zoe: mostra alla telecamera le tue quattro carte denaro" in shown


PARTS = {name: part_of(registry.game(name)) for name in registry.BUILT_IN}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_every_clause_that_a_refusal_names_is_explained(part: GameUI) -> None:
    assert [reason.rule for reason in part.reasons.values() if not topic_of(part.topics, reason.rule)] == []


def test_the_pieces_in_a_refusal_are_called_as_people_call_them() -> None:
    with speaking("de"):
        assert PARTS["palazzo"].word("R5a and G4b") == "rot 5a und grün 4b"


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_no_refusal_of_any_game_is_told_in_english(name: str, language: str) -> None:
    """Every refusal that a page may show is put together from translated sentences."""
    part = PARTS[name]
    with speaking(language):
        for key, reason in part.reasons.items():
            facts = dict.fromkeys(GAP_NAME.findall(reason.template), "7")
            illegal = Illegal(reason.code, reason.template.format_map(facts), reason.rule, facts=facts)
            assert part.explain(illegal) != illegal.message, key


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Quarry 3", "Steinbruch 3"),
        ("Two seats have the same name.", "Zwei Plätze haben denselben Namen."),
        ("The camera opencv:/dev/video0 was unplugged.", "Die Kamera opencv:/dev/video0 wurde ausgesteckt."),
        (
            "The camera picamera2 is not there: check the ribbon cable (contacts, both ends) and rpicam-hello.",
            "Die Kamera picamera2 ist nicht da: Prüfe das Flachkabel (Kontakte, beide Enden) und rpicam-hello.",
        ),
        (
            "The pin library lgpio is not there. On a Pi: sudo apt-get install python3-lgpio. Elsewhere: --pins mock.",
            "Die Pin-Bibliothek lgpio ist nicht da. "
            "Auf einem Pi: sudo apt-get install python3-lgpio. Anderswo: --pins mock.",
        ),
        (
            "Pin 17 (button MONEY) cannot be opened (busy). Does another program hold it? Only one may; a second "
            "tabletop would, for one.",
            "Pin 17 (Taste MONEY) lässt sich nicht öffnen (busy). Hält ein anderes Programm ihn fest? Nur eines darf "
            "es, ein zweites tabletop zum Beispiel täte es.",
        ),
        (
            "There is no /dev/gpiochip4, which table.toml asks for (there are gpiochip15: pinctrl-rp1 × 54). Take chip "
            "out of [panel] in table.toml: the chip is then found by itself.",
            "Es gibt kein /dev/gpiochip4, das table.toml verlangt (vorhanden: gpiochip15: pinctrl-rp1 × 54). Nimm chip "
            "unter [panel] aus table.toml heraus: der Chip wird dann von selbst gefunden.",
        ),
        (
            "The journal could not be written: disk full (/x/a.tabletop). Free some space or check the disk; nothing "
            "was lost.",
            "Die Aufzeichnung ließ sich nicht schreiben: disk full (/x/a.tabletop). Schaffe Platz oder prüfe den "
            "Datenträger; nichts ging verloren.",
        ),
        ("What nobody ever wrote. Quarry 3", "What nobody ever wrote. Steinbruch 3"),
    ],
)
def test_what_is_wrong_with_pins_and_camera_is_told_sentence_by_sentence(said: str, told: str) -> None:
    """Sentences of other rooms are told in the page's language, known runs of them together, others as they are."""
    with speaking("de"):
        assert retold_each(said) == told
    with speaking("en"):
        assert retold_each(said) == said
