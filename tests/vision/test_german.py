"""Messages about pictures are German on a German page, and so are the values in their gaps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletop.vision.aim import advice
from tabletop.web.i18n import in_language, say
from tests.vision.aim.aimed import plane, rectangle, seen
from tests.vision.score.cities import final, full, patrician, piles
from tests.vision.score.pictures import lying, reading, score_of, stand


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    with in_language("de"):
        yield


def test_pictures_that_disagree_and_one_that_shows_nothing_are_named() -> None:
    tile = next(stand((("B1.1",),)))
    found = score_of(reading(lying("TT:SEAT1", 30, 200), tile), reading(lying("TT:SEAT2", 30, 200), tile), reading())
    doubts, notes = [say(doubt.message) for _, doubt in found.unread], [say(note) for note in found.notes]
    assert doubts[0].startswith("Die Bilder 1 und 2 widersprechen sich darin, wem diese gehören")
    assert "Bild 3 zeigt von keinem Platz eines der Teile, die zählen (Plättchen)." in notes


def test_heads_are_named() -> None:
    found = patrician(final(*full(), *piles(24, 24)))
    assert {say(part.title).partition(" ")[2] for part in found.seats[0].parts[:3]} == {
        "rothaarige Köpfe", "Frauenköpfe", "bärtige Köpfe",
    }  # fmt: skip


def test_the_kind_of_piece_with_the_smallest_tag_is_named() -> None:
    given = seen(plane(900), rectangle(1000, 500), modules=0.8, tag_mm=14.0, kind="coin", in_other_make=True)
    said = [say(hint.message) for hint in (*advice.warnings(given), *advice.advice(given))]
    assert sum("„Münze“" in text for text in said) == 2
