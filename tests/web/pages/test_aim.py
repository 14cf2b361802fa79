"""The page on which the camera is aimed: for the host alone, in every language, with every sentence there is."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.vision.aim import advice
from tabletop.vision.image.darkness import SENTENCES
from tabletop.web.pages import aim
from tests.web.conftest import Pages
from tests.web.fake_desk import FakeDesk
from tests.web.positions import NAMES, phases

WARNINGS: list[dict[str, Any]] = [{"code": "missing", "message": "", "facts": {"zones": ["Seat 1", "Quarry 2"]}}]
ADVICE: list[dict[str, Any]] = [
    {"code": "shift", "message": "", "facts": {"cm": 6, "edge": "left"}},
    {"code": "higher", "message": "", "facts": {"cm": 12, "height_cm": 95, "tag_mm": 25}},
]
ZONE = {
    "zone": "seat0", "title": "Seat 1", "seen": True, "modules": 1.3, "inside": 0.8, "blur": 0.9, "glare": 0.2,
    "pieces": 4, "unreadable": ["glare"],
}  # fmt: skip
TOLD = {
    "ready": False, "markers": {"read": 1, "of": 2}, "pieces": 4, "unreadable": ["glare"], "foreign": 0,
    "modules": 1.3, "blur": 0.9, "height_mm": 950.0, "aslant": 4.0, "print_scale": 0.97,
    "zones": [ZONE, ZONE | {"zone": "seat1", "title": "Seat 2", "seen": False, "modules": None, "inside": None}],
    "warnings": WARNINGS, "advice": ADVICE,
}  # fmt: skip


def aimed(told: Any = TOLD, picture: bytes | None = b"\xff\xd8look", phase: str = "action") -> Pages:
    desk = FakeDesk(GAME, NAMES, seed=3)
    desk.become(phases()[phase])
    pages = Pages(desk)
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


def codes() -> set[str]:
    """Every code that a hint may have."""
    calls = [
        node for node in ast.walk(ast.parse(Path(advice.__file__).read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    hints = [node.args[0] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Hint"]
    return {hint.value for hint in hints if isinstance(hint, ast.Constant) and isinstance(hint.value, str)} | {
        "mend-bright", "mend-dark", *SENTENCES,
    }  # fmt: skip


def test_every_hint_has_its_sentence_on_the_page() -> None:
    assert codes() == set(aim.SENTENCES)


@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
def test_the_edge_of_a_picture_is_named(edge: str) -> None:
    pages = aimed(TOLD | {"advice": [{"code": "shift", "message": "", "facts": {"cm": 3, "edge": edge}}]})
    assert f"3 cm towards the {edge} edge" in pages.phone(host=True).get("/host/aim/list").text
