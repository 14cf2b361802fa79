"""Which requests of which kind of visitor are refused on every route, and with which headers."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from werkzeug.exceptions import BadRequest

from doubles.fake_photo_reader import FakePhotoReader
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST, Pages, Phone
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.http.guard import HEADERS, MAX_JSON_BYTES, Limiter, form_body, is_own_host

READS = {
    # path: (no seat, a seat, the host)
    "/": (200, 200, 200),
    "/join": (200, 200, 200),
    "/seat": (302, 200, 302),
    "/seat/listen": (302, 200, 302),
    "/rules": (200, 200, 200),
    "/demo": (200, 200, 200),
    "/demo/picture.jpg": (200, 200, 200),
    "/host": (200, 200, 200),
    "/host/picture.jpg": (403, 403, 200),
    "/after": (302, 302, 302),
    "/record.txt": (403, 403, 403),
    "/record.json": (403, 403, 403),
    "/record.csv": (403, 403, 403),
    "/events/table": (200, 200, 200),
    "/events/seat": (403, 200, 403),
    "/events/listen": (403, 200, 403),
    "/events/demo": (200, 200, 200),
    "/events/host": (403, 403, 200),
    "/events/nothing": (404, 404, 404),
    "/events/history": (403, 403, 200),
    "/host/history": (302, 302, 200),
    "/seat/record.txt": (403, 200, 403),
    "/games": (200, 200, 200),
    "/games/people": (200, 200, 200),
    "/games/finished": (200, 200, 200),
    "/games/finished/replay": (200, 200, 200),
    "/games/finished/replay?at=nonsense": (200, 200, 200),
    "/games/finished/record.txt": (200, 200, 200),
    "/games/finished/record.json": (200, 200, 200),
    "/games/finished/record.csv": (200, 200, 200),
    "/games/finished/record.exe": (404, 404, 404),
    "/games/ended": (200, 200, 200),
    "/games/open": (403, 403, 403),
    "/games/open/replay": (403, 403, 403),
    "/games/open/record.txt": (403, 403, 403),
    "/games/none": (404, 404, 404),
    "/games/..%2f..%2fetc%2fpasswd": (404, 404, 404),
    "/photo/cards": (403, 403, 403),  # nothing is dealt
    "/photo/table": (403, 200, 200),
    "/photo/score": (403, 200, 200),
    "/photo/nothing": (404, 404, 404),
    "/photo/score/none": (404, 404, 404),
    "/photo/score/none/0.jpg": (404, 404, 404),
    "/static/style.css": (200, 200, 200),
    "/nowhere": (404, 404, 404),
}
WRITES: dict[str, tuple[dict[str, Any], int, int, int]] = {
    "/join": ({"code": CODE, "seat": 2, "name": "Zoe"}, 200, 200, 200),
    "/join/state": ({}, 200, 200, 200),
    "/join/host": ({}, 404, 404, 404),
    "/seat/act": ({"action": {"do": "money"}, "on": 9, "id": "12345678"}, 403, 200, 403),
    "/seat/ask": ({"action": {"do": "money"}}, 403, 200, 403),
    "/seat/undo": ({"on": 9, "id": "12345678"}, 403, 422, 403),
    "/seat/hint": ({"on": 9, "id": "12345678"}, 403, 404, 403),  # the host allows none
    "/seat/vote": ({"agree": True, "on": 9, "id": "12345678"}, 403, 200, 403),
    "/seat/leave": ({}, 403, 200, 403),
    "/seat/open": ({}, 403, 200, 403),
    "/seat/choose": ({"path": [0], "on": 9}, 403, 200, 403),
    "/seat/back": ({}, 403, 403, 403),  # none of them lost a seat
    "/seat/claim": ({"claim": 1, "accept": True}, 403, 409, 403),
    "/seat/next": ({}, 403, 404, 403),  # a table for one game
    "/seat/swap": ({"other": 1}, 403, 409, 403),
    "/demo/press": ({"button": "OK"}, 200, 200, 200),
    "/host": ({"code": "WRONG"}, 403, 403, 403),
    "/host/claim": ({"seat": 1, "claim": 1, "accept": True}, 403, 403, 409),
    "/host/free": ({"seat": 1}, 403, 403, 200),
    "/host/bot": ({"seat": 1, "level": ""}, 403, 403, 200),
    "/host/undo": ({"to": 5, "on": 9, "id": "12345678"}, 403, 403, 200),
    "/host/hints": ({"allow": True}, 403, 403, 400),  # no bot answers
    "/host/game": ({"what": "pause", "id": "12345678"}, 403, 403, 200),
    "/host/next": ({}, 403, 403, 404),  # a table for one game
    "/host/deputy": ({"seat": 1}, 403, 403, 200),
    "/host/act": ({"action": {"do": "money"}, "on": 9, "id": "12345678"}, 403, 403, 200),
    "/host/adopt": ({"moves": ["B1.2 box"], "on": 9, "id": "12345678"}, 403, 403, 200),
    "/host/games/delete": ({"game": "open"}, 403, 403, 200),
    "/host/backup": ({}, 403, 403, 200),
}
ROLES = ("nobody", "seat", "host")
FILES = {"/photo/cards", "/photo/table", "/photo/score", "/photo/score/carriers", "/photo/score/none", "/host/restore"}
"""The routes that take a form instead of JSON."""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Phone]]:
    """A visitor of each kind at one table, for requests that change nothing."""
    archive = shelf_of_games(tmp_path_factory.mktemp("games"))
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=archive, photo_reader=FakePhotoReader())
    yield {role: visitor(pages, role) for role in ROLES}
    pages.close()


def visitor(pages: Pages, role: str) -> Phone:
    return pages.phone(0 if role == "seat" else None, host=role == "host")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", READS)
def test_a_page_answers_each_visitor_as_the_table_says(crowd: dict[str, Phone], path: str, role: str) -> None:
    answer = crowd[role].get(path)
    assert answer.status_code == READS[path][ROLES.index(role)]
    answer.close()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", WRITES)
def test_a_request_answers_each_visitor_as_the_table_says(path: str, role: str, tmp_path: Path) -> None:
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path))
    data, *wanted = WRITES[path]
    answer = visitor(pages, role).post(path, data | ({"on": pages.mailbox.snapshot.number} if "on" in data else {}))
    assert answer.status_code == wanted[ROLES.index(role)], answer.text
    answer.close()
    pages.close()


def test_the_tables_of_routes_are_complete(pages: Pages) -> None:
    """Every route is listed above, so that a new one cannot be forgotten."""
    listed = {*READS, *WRITES, *FILES}
    for rule in pages.app.url_map.iter_rules():
        if rule.endpoint != "static":
            start = rule.rule.split("<", maxsplit=1)[0]
            assert any(path.startswith(start) for path in listed), rule.rule


@pytest.mark.parametrize("path", [*WRITES, *sorted(FILES)])
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://192.168.1.20:9999", "https://192.168.1.20:8000"]
)
def test_another_sites_request_is_refused(crowd: dict[str, Phone], path: str, origin: str) -> None:
    assert crowd["seat"].post(path, {}, Origin=origin).status_code == 403


@pytest.mark.parametrize("path", WRITES)
def test_a_request_without_an_origin_is_refused(crowd: dict[str, Phone], path: str) -> None:
    assert crowd["seat"].client.post(path, json={}, base_url=HOST).status_code == 403


@pytest.mark.parametrize("path", [*READS, *WRITES])
def test_a_strange_host_name_gets_nothing(crowd: dict[str, Phone], path: str) -> None:
    """Under a host name that is not the table's own nothing is read or written (DNS rebinding).

    Static files are the exception: they are the same at every table and not secret.
    """
    answer = crowd["seat"].client.get(path, base_url="http://evil.example:8000")
    assert answer.status_code == (200 if path.startswith("/static/") else 403)
    answer.close()


def test_a_strange_host_name_is_told_the_tables_address(pages: Pages) -> None:
    text = pages.phone().client.get("/join", base_url="http://evil.example:8000").text
    assert f'href="{HOST}/"' in text
    assert "<nav" not in text


@pytest.mark.parametrize(
    ("path", "host", "said"),
    [
        ("/nowhere", HOST, "Diese Seite gibt es nicht."),
        ("/join", "http://evil.example:8000", "Das ist nicht die Adresse des Tisches"),
        ("/seat/record.txt", HOST, "Dieses Handy hat keinen Platz"),
        ("/host/picture.jpg", HOST, "Das darf nur die Spielleitung."),
    ],
)
def test_what_did_not_work_is_said_in_the_language_of_the_page(pages: Pages, path: str, host: str, said: str) -> None:
    answer = pages.phone().client.get(path, base_url=host, headers={"Accept-Language": "de"})
    assert answer.status_code >= 400
    assert said in answer.text


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("192.168.1.20:8000", True), ("10.0.0.7", True), ("[fe80::1]:8000", True), ("localhost:8000", True),
        ("table.local:8000", True), ("evil.example", False), ("192.168.1.20.evil.example", False), ("", False),
    ],
)  # fmt: skip
def test_a_host_is_the_tables_own_if_it_is_numeric_or_named_at_the_start(host: str, own: bool) -> None:
    assert is_own_host(host, {"table.local"}) is own


def test_every_answer_is_closed_off_from_other_sites(pages: Pages) -> None:
    for path in ("/", "/join", "/nowhere", "/static/style.css"):
        answer = pages.phone().get(path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        answer.close()


def test_no_page_holds_anything_inline_or_from_elsewhere(pages: Pages) -> None:
    """Pages contain nothing inline or external, which the security policy would block and may need internet."""
    for path in ("/", "/join", "/seat", "/seat/listen", "/demo", "/host"):
        text = pages.phone(0).get(path).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert all("http" not in piece.split('"', 1)[0] for piece in text.split('src="')[1:])
        assert text.count("<script") == len(re.findall('<script( type="module")? src="/static/', text))


@pytest.mark.parametrize("form", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_taken(pages: Pages, form: str) -> None:
    """Content types that a form of another site can send without a preflight request are refused."""
    answer = pages.phone(0).client.post(
        "/seat/act", data="{}", base_url=HOST, headers={"Origin": HOST, "Content-Type": form}
    )
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"action": 1}', b'{"action": {"do": []}, "on": 9, "id": "12345678"}',
     b"[" * 8000, b'{"action": {"do": "buy", "tiles": {}, "pay": 1}, "on": 9, "id": "12345678"}',
     b'{"action": {"do": "money"}, "on": true, "id": "12345678"}', b'{"action": {"do": "money"}, "on": 9, "id": 5}'],
)  # fmt: skip
def test_a_malformed_body_gets_a_sentence_and_no_traceback(pages: Pages, body: bytes) -> None:
    answer = pages.phone(0).client.post(
        "/seat/act", data=body, base_url=HOST, headers={"Origin": HOST, "Content-Type": "application/json"}
    )
    assert answer.status_code in (400, 422)
    assert (answer.json or {})["text"]


def test_a_large_body_is_refused(pages: Pages) -> None:
    body = json.dumps({"action": {"do": "x" * MAX_JSON_BYTES}})
    answer = pages.phone(0).client.post(
        "/seat/act", data=body, base_url=HOST, headers={"Origin": HOST, "Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert (answer.json or {})["text"] == "This is too large to send."


def test_a_limiter_refills_with_time_and_forgets_old_keys() -> None:
    now = [0.0]
    limiter = Limiter(lambda: now[0], rate=0.5, burst=2, keys=2)
    limiter.take("a")
    limiter.take("a")
    with pytest.raises(Exception, match="Too many"):
        limiter.take("a")
    now[0] = 2.0
    limiter.take("a")
    for key in "bcd":
        limiter.take(key)
    limiter.take("a")


def test_attempts_are_counted_one_at_a_time() -> None:
    """A bucket that another thread has taken out for a moment is not mistaken for a new, full one."""
    meeting = threading.Barrier(2)

    def clock() -> float:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(0.1)
        return 0.0

    limiter = Limiter(clock, rate=0.5, burst=2)
    two = [threading.Thread(target=limiter.take, args=("a",)) for _ in range(2)]
    for thread in two:
        thread.start()
    for thread in two:
        thread.join()
    assert meeting.broken


def test_nothing_that_is_read_changes_anything(pages: Pages) -> None:
    """GET requests to every page leave the table and the room unchanged."""
    phone = pages.phone(0, host=True)
    before = (pages.mailbox.snapshot, pages.room.revision)
    for path in READS:
        phone.get(path).close()
    assert (pages.mailbox.snapshot, pages.room.revision) == before


def test_a_form_with_a_control_character_is_refused_and_line_breaks_are_not(pages: Pages) -> None:
    for text, fit in (("Zoë\r\n", True), ("Zo\x1b[2J", False)):
        with pages.app.test_request_context(
            "/photo/score/x", base_url=HOST, method="POST", data={"names[]": ["A", text]}
        ):
            if fit:
                assert form_body().getlist("names[]") == ["A", text]
                continue
            with pytest.raises(BadRequest, match=r"U\+001B"):
                form_body()
