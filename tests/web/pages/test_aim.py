"""The page for aiming the camera: for the host alone, in every language, with every sentence that it can show."""

from __future__ import annotations

from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.messages import Message, join
from tabletop.rules.palazzo import GAME
from tabletop.vision.aim import advice
from tabletop.vision.aim.assessment import Hint
from tabletop.web.pages import aim

HIGHER = Message("Move the camera {cm} cm higher (to about {height_cm} cm above the table).", cm=12, height_cm=95)


def shift(cm: int, edge: str) -> Hint:
    """Return the hint to move the camera a distance towards an edge."""
    towards = Message(advice.EDGE_TITLES[edge])
    return Hint(
        "shift", Message("Move the camera {cm} cm towards {edge}.", cm=cm, edge=towards), {"cm": cm, "edge": edge}
    )


WARNINGS = [Hint("missing", Message("Not seen: {zones}.", zones=("Seat 1", "Quarry 2"))).to_json()]
ADVICE = [
    shift(6, "left").to_json(),
    Hint("higher", join((HIGHER, Message(advice.LARGER_TAGS, tag_mm=25)))).to_json(),
]
ZONE = {
    "zone": "seat0", "title": "Seat 1", "seen": True, "quality": "bad", "modules": 1.3, "inside": 0.8, "blur": 0.9,
    "glare": 0.2, "pieces": 4, "unreadable": ["glare"],
}  # fmt: skip
TOLD = {
    "ready": False, "markers": {"read": 1, "of": 2}, "pieces": 4, "unreadable": ["glare"], "foreign": 0,
    "modules": 1.3, "blur": 0.9, "height_mm": 950.0, "aslant": 4.0, "print_scale": 0.97,
    "zones": [ZONE, ZONE | {"zone": "seat1", "title": "Seat 2", "seen": False, "modules": None, "inside": None}],
    "warnings": WARNINGS, "advice": ADVICE,
}  # fmt: skip


def aimed(told: Any = TOLD, picture: bytes | None = b"\xff\xd8look", phase: str = "action") -> Pages:
    mailbox = MemoryTable(GAME, NAMES, seed=3)
    mailbox.become(phases()[phase])
    pages = Pages(mailbox)
    aim.attach(pages.app, lambda: told, lambda: picture)
    return pages


def test_only_the_host_sees_through_the_camera() -> None:
    pages = aimed()
    assert 'data-next="/host/aim"' in pages.phone(0).get("/host/aim").text
    assert pages.phone(0).get("/host/aim/list").status_code == 403
    assert pages.phone().get("/host/aim/picture.jpg").status_code == 403
    host = pages.phone(host=True)
    assert 'href="/host/aim"' in host.get("/host").text
    assert "/host/aim/picture.jpg" in host.get("/host/aim").text
    assert host.get("/host/aim/picture.jpg").data == b"\xff\xd8look"


def test_the_list_tells_zones_warnings_and_advice_with_their_numbers() -> None:
    text = aimed().phone(host=True).get("/host/aim/list").text
    for said in (
        "Not seen: Seat 1, Quarry 2.",
        "Move the camera 6 cm towards the left edge of its picture.",
        "Move the camera 12 cm higher (to about 95 cm above the table). Print tags of 25 mm",
        "1.30 px per module", "80 % in the picture", "4 read", "1 not readable", "97.0 %",
    ):  # fmt: skip
        assert said in text


def test_without_a_picture_the_page_says_so() -> None:
    host = aimed(None, None).phone(host=True)
    assert "There is no picture at the moment." in host.get("/host/aim/list").text
    assert host.get("/host/aim/picture.jpg").status_code == 204


def test_dealt_cards_that_lie_before_the_camera_are_not_shown() -> None:
    assert aimed(phase="deal").phone(host=True).get("/host/aim/picture.jpg").status_code == 204


@pytest.mark.parametrize(("language", "edge"), [("de", "dem oberen Rand ihres Bildes"), ("it", "il bordo superiore")])
def test_hints_are_in_the_language_of_the_page(language: str, edge: str) -> None:
    """Sentence, edge and zones are translated, and numbers are written as that language writes them."""
    given = {"advice": [shift(3, "top").to_json()]}
    shown = aimed(TOLD | given).phone(host=True).get("/host/aim/list", **{"Accept-Language": language}).text
    assert "3 cm" in shown
    assert edge in shown
