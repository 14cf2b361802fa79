"""An error in one region of a page costs only that region; the rest of the page and every stream stay."""

from __future__ import annotations

import logging

import pytest
from jinja2 import ChoiceLoader, DictLoader

from doubles.pages import Pages
from doubles.positions import phases
from tabletop.web.live.hub import Audience
from tabletop.web.live.regions import PAGES
from tabletop.web.pages import session
from tests.web.live.listeners import Listener, stamp

SENTENCE = "This part cannot be shown right now. Reload the page, or ask the host."
ERROR = "{{ there_is_none.of_these }}"
ERROR_WHILE_ILL = "{% if health.ill %}" + ERROR + "{% endif %}"


@pytest.fixture
def templates(pages: Pages) -> dict[str, str]:
    """Templates that override the app's own, without a cache."""
    found: dict[str, str] = {}
    env = pages.app.jinja_env
    assert env.loader is not None
    env.loader, env.cache = ChoiceLoader([DictLoader(found), env.loader]), None
    return found


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    ("path", "region"), [("/", "board"), ("/seat", "hand"), ("/host", "history"), ("/demo", "prompts")]
)
def test_a_region_that_cannot_be_rendered_says_so_and_the_others_are_shown(
    pages: Pages, templates: dict[str, str], caplog: pytest.LogCaptureFixture, path: str, region: str
) -> None:
    page = path[1:] or "table"
    templates[f"games/palazzo/{page}/{region}.html"] = ERROR
    phone = pages.phone(0, host=True)
    answer = phone.get(path)
    assert answer.status_code == 200
    assert answer.text.count(SENTENCE) == 1
    audience = Audience(page, 0 if page == "seat" else None, "en")
    regions = pages.app.extensions[session.EXTENSION_KEY].renderer.show(audience).regions
    assert [name for name, html in regions.items() if SENTENCE in html] == [region]
    assert phone.get(path).status_code == 200
    assert faults(caplog) == [f"{region} on the page {page} cannot be rendered"]


def test_the_stream_continues_and_shows_the_region_once_it_renders_again(
    pages: Pages, templates: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    templates["games/palazzo/table/board.html"] = ERROR_WHILE_ILL
    health = pages.app.jinja_env.globals["health"] = {"ill": False}
    phone = pages.phone()
    listener = Listener(phone, "/events/table", stamp(phone.get("/").text))
    for _ in range(2):
        health["ill"] = True
        for phase in ("bid", "choose"):
            pages.mailbox.become(phases()[phase])
            changed = listener.event()["regions"]
            assert "status" in changed
        health["ill"] = False
        pages.mailbox.become(phases()["action"])
        assert SENTENCE not in listener.event()["regions"]["board"]
    assert faults(caplog) == ["board on the page table cannot be rendered"]
    listener.close()


def test_reloading_the_page_tries_again(pages: Pages, templates: dict[str, str]) -> None:
    """A region with an error is not cached: it is tried again although the table has not changed."""
    templates["games/palazzo/table/board.html"] = ERROR_WHILE_ILL
    health = pages.app.jinja_env.globals["health"] = {"ill": True}
    phone = pages.phone()
    assert SENTENCE in phone.get("/").text
    health["ill"] = False
    assert SENTENCE not in phone.get("/").text


def test_a_page_of_which_nothing_can_be_rendered_still_answers(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tabletop.web.games.palazzo.game_ui.PalazzoUI.board", lambda *_: 1 // 0)
    phone = pages.phone()
    assert phone.get("/").text.count(SENTENCE) == len(PAGES["table"])
    listener = Listener(phone, "/events/table")
    assert set(listener.event()["regions"]) == set(PAGES["table"])
    listener.close()
    assert faults(caplog) == ["the page table cannot be rendered"]


def test_a_lone_surrogate_in_a_name_breaks_only_the_regions_that_show_it(pages: Pages) -> None:
    """A lone surrogate in a name, which every input refuses, would only break the regions that show it."""
    pages.room.claim(1, "Zo\ud800")
    host = pages.phone(host=True)
    for path in ("/", "/host", "/host/history"):
        answer = host.get(path)
        assert answer.status_code == 200
        assert SENTENCE in answer.text
        assert 'class="status' in answer.text


@pytest.mark.parametrize(
    ("language", "said"), [("de", "lässt sich gerade nicht anzeigen"), ("it", "Ricarica la pagina")]
)
def test_the_error_is_reported_in_the_language_of_the_page(
    pages: Pages, templates: dict[str, str], language: str, said: str
) -> None:
    templates["games/palazzo/table/board.html"] = ERROR
    assert said in pages.phone().get("/", **{"Accept-Language": language}).text
