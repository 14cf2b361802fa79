"""Everything that the host may do is recorded, shown to everybody, and never reveals a hand."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages
from doubles.positions import NAMES, phases
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.rules import registry
from tabletop.rules.palazzo import GAME
from tabletop.web.games.palazzo.game_ui import PalazzoUI
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tabletop.web.views import game_log
from tests.web.pages.hosted import Table, log_of, post


def numbers(table: Table) -> set[int]:
    """Return the numbers of the events that are not undone."""
    return {event.number for event in table.mailbox.snapshot.events}


def test_a_pause_is_shown_on_every_page_and_nobody_can_act(table: Table) -> None:
    host, seat = table.pages.phone(host=True), table.pages.phone(table.mailbox.snapshot.position.decider)
    action = next(iter(table.mailbox.snapshot.position.legal.thrifty())).to_json()
    assert post(host, "/host/game", what="pause").status_code == 200
    for path in ("/", "/seat", "/host"):
        assert "The game is paused." in host.get(path).text or "The game is paused." in seat.get(path).text
    assert "data-act=" not in seat.get("/seat").text
    refusal = seat.act(action, table.mailbox.snapshot.number)
    assert (refusal.status_code, refusal.json["code"]) == (422, "paused")
    assert refusal.json["text"] == "The game is paused: the host can resume it."
    assert post(host, "/host/game", what="resume").status_code == 200
    assert seat.act(action, table.mailbox.snapshot.number).status_code == 200
    assert "The game resumes." in log_of(seat)


def test_a_pause_and_the_seats_that_the_host_plays_for_outlive_a_restart(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    post(host, "/host/game", what="pause")
    table.restart()
    assert table.mailbox.snapshot.match.paused
    assert table.mailbox.snapshot.match.deputed == {1}
    assert "The host plays for Bruno." in table.pages.phone().get("/").text


def test_an_ended_game_shows_its_points_and_opens_its_record(table: Table) -> None:
    host, anybody = table.pages.phone(host=True), table.pages.phone()
    assert anybody.get("/record.txt").status_code == 403
    assert post(host, "/host/game", what="end").status_code == 200
    assert "The game was ended early." in anybody.get("/").text
    score = anybody.client.get("/after", base_url=HOST, follow_redirects=True).text
    assert "The game was ended early." in score
    assert 'class="rank"' not in score
    assert "bgstatsapp" not in score
    assert anybody.get("/record.txt").status_code == 200
    assert json.loads(anybody.get("/record.json").text)["ended"]
    assert post(host, "/host/game", what="resume").json["code"] == "game-over"
    assert "data-act=" not in table.pages.phone(0).get("/seat").text
    assert store.unfinished(table.folder) is None


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/host/game", {"what": "end"}),
        ("/host/game", {"what": "pause"}),
        ("/host/free", {"seat": 1}),
        ("/host/bot", {"seat": 0, "level": "thrifty"}),
        ("/host/deputy", {"seat": 0}),
    ],
)
def test_what_was_meant_for_the_last_game_does_not_count_in_the_next(
    mailbox: MemoryTable, path: str, data: dict[str, Any]
) -> None:
    """A late press of the host does not end the new game or free a seat in it."""
    pages = Pages(mailbox, room={"levels": ["thrifty"]})
    pages.phone(1)
    host, last = pages.phone(host=True), mailbox.snapshot.mark
    mailbox.take(MemoryTable(GAME, NAMES[::-1]).snapshot.match)
    seating, number = pages.room.seating, mailbox.snapshot.number
    answer = post(host, path, **data, game=last)
    assert (answer.status_code, answer.json["text"]) == (409, "The game has moved on. Look again.")
    assert (pages.room.seating, mailbox.snapshot.number) == (seating, number)
    assert post(host, path, **data, game=mailbox.snapshot.mark).status_code == 200
    pages.close()


def test_an_undo_asks_all_phones_unless_the_host_decides_alone(table: Table) -> None:
    host, phones = table.pages.phone(host=True), [table.pages.phone(seat) for seat in range(3)]
    events = table.mailbox.snapshot.events
    to, on = events[-4].number, table.mailbox.snapshot.number
    assert sorted(post(host, "/host/undo", to=to, on=on).json["asked"]) == [0, 1, 2]
    assert "The host asks to undo everything after this" in phones[1].get("/seat").text
    kept = game_log.line(table.mailbox.snapshot.match.steps, len(events) - 4, PalazzoUI(), None, NAMES)
    assert kept is not None
    assert all(PalazzoUI().called(piece) in phones[1].get("/seat").text for piece in kept.pieces)
    assert "Still to answer:" in host.get("/host").text
    for phone in phones:
        assert table.mailbox.snapshot.number == on
        post(phone, "/seat/vote", agree=True, on=on)
    assert to in numbers(table)
    assert on not in numbers(table)
    gone = table.mailbox.snapshot.number
    post(host, "/host/undo", to=table.mailbox.snapshot.events[-3].number, on=gone, now=True)
    assert gone not in numbers(table)


def test_without_phones_nobody_is_asked_about_an_undo(table: Table) -> None:
    on, to = table.mailbox.snapshot.number, table.mailbox.snapshot.events[-2].number
    assert post(table.pages.phone(host=True), "/host/undo", to=to, on=on).json["ok"]
    assert on not in numbers(table)


def test_the_host_can_go_back_to_every_event(table: Table) -> None:
    text = table.pages.phone(host=True).get("/host/history").text
    offered = {int(number) for number in re.findall(r'\{"to": (\d+)\}', text)}
    numbers = [event.number for event in table.mailbox.snapshot.events if event.kind == "action"]
    assert offered >= set(numbers[:-1])


def test_names_are_kept_in_the_record(table: Table) -> None:
    token = table.pages.room.claim(2, "Zoe")
    table.restart()
    archive = Archive(table.folder)
    assert archive.summary(archive.names()[0]).names == ("Anna", "Bruno", "Zoe")
    table.pages.room.leave(2, token)
    assert archive.summary(archive.names()[0]).names == ("Anna", "Bruno", "Zoe")


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_what_the_host_may_record_for_a_seat_is_legal_and_the_same_whatever_is_held(name: str) -> None:
    """Every offered action is legal, and the list of offers does not depend on any hand."""
    game = registry.game(name)
    mailbox = MemoryTable(game, NAMES, seed=2)
    pages = Pages(mailbox, press=None)
    host, rng = pages.phone(host=True), random.Random(3)
    seen = 0
    for _ in range(40):
        position = mailbox.snapshot.position
        text = host.get("/host").text
        offered = re.findall(r'data-post="/host/act"\s+data-act="(\{.*?\})"', text)
        for one in offered:
            data = json.loads(one.replace("&#34;", '"'))
            assert position.refusal(game.action(data)) is None
            pieces = set(re.findall(r'"(\w+)"', json.dumps(data)))
            assert not pieces & position.layout().pieces(f"hand{position.decider}")
        seen += len(offered)
        if offered:
            data = json.loads(rng.choice(offered).replace("&#34;", '"'))
            assert post(host, "/host/act", action=data, on=mailbox.snapshot.number).status_code == 200
            assert mailbox.snapshot.events[-1].source in ("host", "draw")
        else:
            legal = list(position.legal.thrifty())
            mailbox.act(
                rng.choice(legal), on=mailbox.snapshot.number, id=str(mailbox.snapshot.number), seat=position.decider
            )
    assert seen > 20
    pages.close()


def test_an_act_that_depends_on_a_hand_is_not_recorded_by_the_host(pages: Pages) -> None:
    pages.mailbox.become(phases()["bid"])
    host, card = pages.phone(host=True), phases()["bid"].to_json()["seats"][phases()["bid"].decider]["hand"][0]
    answer = post(host, "/host/act", action={"do": "bid", "cards": [card]}, on=pages.mailbox.snapshot.number)
    assert (answer.status_code, answer.json["code"]) == (422, "not-your-turn")


def test_a_name_may_be_equally_long_wherever_it_is_typed(mailbox: MemoryTable) -> None:
    mailbox.become(phases()["over"])
    pages = Pages(mailbox, begin=lambda _people, _options: None)
    host = pages.phone(host=True)
    for path, field in (("/join", "name"), ("/host", "seats[]")):
        assert f'name="{field}" maxlength="{MAX_NAME_LENGTH}"' in host.get(path).text
    pages.close()


@pytest.mark.parametrize("path", ["/host/game", "/host/deputy", "/host/act", "/host/adopt", "/host/games/delete"])
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b"\xff\xfe", b"[" * 8000, b'{"what": 1, "seat": [], "action": 4, "moves": {}}',
     b'{"what": "pause", "id": 7}', b'{"what": "undo", "id": "12345678"}', b'{"seat": 1e9}', b'{"game": {}}'],
)  # fmt: skip
def test_a_malformed_request_of_the_host_gets_a_sentence(table: Table, path: str, body: bytes) -> None:
    headers = {"Origin": HOST, "Content-Type": "application/json"}
    answer = table.pages.phone(host=True).client.post(path, data=body, base_url=HOST, headers=headers)
    assert answer.status_code in (400, 404, 422)
    assert (answer.json or {})["text"]
    assert not table.mailbox.snapshot.match.paused


WORDS = ("seat", "what", "id", "on", "to", "now", "action", "do", "moves", "piece", "place", "game", "accept", "code")
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2.5, 1e308, 10**30, "", "pause", "end ", "reveal", "B1.2", "B1.2 quarry1", "12345678",
    "\x00", "\ud800", "finished", "../x", [], [[]], ["B1.2 seat0/B1.1"], {}, {"do": "reveal"},
    {"do": "take", "card": []},
)  # fmt: skip


def anything(rng: random.Random, depth: int = 2) -> Any:
    """Return a random JSON value."""
    kind = rng.random()
    if depth and kind < 0.2:
        return [anything(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and kind < 0.5:
        return {rng.choice(WORDS): anything(rng, depth - 1) for _ in range(rng.randrange(5))}
    return rng.choice(VALUES)


@pytest.mark.parametrize(
    "path",
    ["/host", "/host/game", "/host/deputy", "/host/act", "/host/adopt", "/host/undo", "/host/claim", "/host/free",
     "/host/games/delete", "/host/backup"],
)  # fmt: skip
def test_whatever_is_sent_the_host_gets_an_answer_in_words(table: Table, path: str) -> None:
    """No request body causes a server error or an event that a host may not cause."""
    rng, host = random.Random(path), table.pages.phone(host=True)
    for _ in range(60):
        body = anything(rng)
        if isinstance(body, dict) and rng.random() < 0.7:
            body |= {"id": f"fuzz-{rng.random()}", "on": table.mailbox.snapshot.number}
        answer = host.post(path, body)
        assert answer.status_code in (200, 400, 403, 404, 409, 415, 422, 429), body
        assert answer.mimetype in ("application/json", "application/gzip"), body
        answer.close()
    assert {event.kind for event in table.mailbox.snapshot.events} <= {
        "start", "action", "pause", "resume", "end", "deputy", "note", "position", "names"
    }  # fmt: skip
