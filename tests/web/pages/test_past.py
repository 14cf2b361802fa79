"""Everybody can review finished games, while unfinished ones reveal nothing."""

from __future__ import annotations

import errno
import gzip
import io
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from werkzeug.test import TestResponse

from doubles.finished_games import played, shelf_of_games
from doubles.meanwhile import meanwhile
from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages, Phone
from doubles.positions import NAMES, phases
from tabletop.match.archive import Archive
from tabletop.match.errors import JournalError
from tabletop.match.event import Fact
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import SeatScore
from tabletop.rules.text import record_text
from tabletop.rules.text.replay import replay
from tabletop.web.http import guard
from tabletop.web.i18n import number
from tabletop.web.pages import past as past_module
from tabletop.web.views import score_chart


@pytest.fixture
def past(mailbox: MemoryTable, tmp_path: Path) -> Iterator[Pages]:
    made = Pages(mailbox, archive=shelf_of_games(tmp_path))
    yield made
    made.close()


def archive(pages: Pages) -> Archive:
    found: Archive | None = pages.app.extensions["tabletop"].archive
    assert found
    return found


def send(phone: Phone, data: bytes, mimetype: str = "application/gzip") -> TestResponse:
    headers = {"Origin": HOST, "Content-Type": mimetype}
    return phone.client.post("/host/restore", data=data, base_url=HOST, headers=headers)


def saved(phone: Phone) -> bytes:
    answer = phone.post("/host/backup", {})
    data: bytes = answer.data
    answer.close()
    return data


def test_the_people_of_games_that_were_ended_early_are_told_that_none_was_finished(past: Pages) -> None:
    """If all past games were ended early, the page of people says so."""
    archive(past).delete("finished")
    phone = past.phone()
    assert "No game has been played to its end here yet." in phone.get("/games/people").text
    assert "No game has been played" not in phone.get("/games").text


def test_the_list_shows_every_game_with_its_players_and_results(past: Pages) -> None:
    text = past.phone().get("/games").text
    assert text.count('class="panel" data-key=') == 3
    summary = archive(past).summary("finished")
    for name, score in zip(summary.names, summary.scores, strict=True):
        assert name in text
        assert f">{number(score.points)}<" in text
    assert "Not finished." in text
    unfinished = text[text.index("Not finished.") :]
    assert unfinished.index("Anna") < unfinished.index("Bruno") < unfinished.index("Chiara")
    assert "Ended early" in text
    assert "Delete" not in text
    assert "Delete" in past.phone(host=True).get("/games").text


def test_the_list_has_pages(past: Pages) -> None:
    folder = archive(past).folder
    for count in range(25):
        (folder / f"2000-{count:02d}.tabletop").write_bytes((folder / "open.tabletop").read_bytes())
    first, second = (past.phone().get(f"/games?page={number}").text for number in (1, 2))
    assert first.count('class="panel" data-key=') == 20
    assert second.count('class="panel" data-key=') == 8
    assert past.phone().get("/games?page=99").text.count('class="panel" data-key=') == 8
    assert past.phone().get("/games?page=-1").status_code == 200


def test_a_replay_shows_the_table_after_each_event_with_all_hands(past: Pages) -> None:
    match = archive(past).match("finished")
    for at in (1, 60, len(match.steps)):
        text = past.phone().get(f"/games/finished/replay?at={at}").text
        assert f"{at} of {len(match.steps)}" in text
        for seat in match.steps[at - 1][1].to_json()["seats"]:
            for card in seat["hand"]:
                word = {"R": "red", "N": "brown", "G": "green", "C": "certificate"}[card[0]]
                assert f'aria-label="{word} {card[1]}"' in text


def test_what_decides_a_tie_is_said_beside_each_place_not_the_first_alone() -> None:
    """Two seats with equal points behind the winner count as level as well."""
    scores = [SeatScore(points, (), 0, rank) for points, rank in ((42, 2), (51, 1), (42, 3))]
    assert score_chart.level(scores) == {0, 2}
    assert score_chart.level([scores[0], scores[1]]) == frozenset()


@pytest.mark.parametrize(
    ("path", "at"),
    [("/games", 8), ("/games/people", 8), ("/games/finished", 9), ("/games/finished", 13), ("/after", 4)],
)
def test_a_game_may_be_deleted_while_somebody_looks(past: Pages, path: str, at: int) -> None:
    """A page about a game that is deleted meanwhile is complete or not found, never an error."""
    past.mailbox.become(phases()["over"])
    with meanwhile(past_module, at, lambda: archive(past).delete("finished")):
        assert past.phone().get(path).status_code in (200, 404)
    assert "finished" not in archive(past).names(), "fewer lines are run"


@pytest.mark.parametrize("at", ["0", "-5", "999999999999999999999", "x", "", "1.5"])
def test_a_replay_never_leaves_the_game(past: Pages, at: str) -> None:
    assert past.phone().get(f"/games/finished/replay?at={at}").status_code == 200


@pytest.mark.parametrize("name", registry.BUILT_IN)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_game_is_replayed_in_every_language(past: Pages, name: str, language: str) -> None:
    played(archive(past).folder, f"of-{name}", 45, game=registry.game(name), end=True)
    for at in range(1, 48, 9):
        answer = past.phone().get(f"/games/of-{name}/replay?at={at}", **{"Accept-Language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}"' in answer.text
    assert past.phone().get(f"/games/of-{name}", **{"Accept-Language": language}).status_code == 200


def test_a_replay_works_by_plain_links(past: Pages) -> None:
    """Without JavaScript the steps are links, and the slider is a form."""
    text = past.phone().get("/games/finished/replay?at=50").text
    assert {"?at=1", "?at=49", "?at=51"} <= set(re.findall(r'href="(\?at=\d+)"', text))
    assert re.search(r'<form [^>]*method="get" action="/games/finished/replay"', text)
    assert '<button class="nojs" type="submit">' in text


def test_the_record_of_a_past_game_replays_to_its_score(past: Pages) -> None:
    match = archive(past).match("finished")
    phone = past.phone()
    text = record_text.parse_record(phone.get("/games/finished/record.txt").text)
    *_, last = replay(text)
    assert last.position.score() == match.position.score()
    assert json.loads(phone.get("/games/finished/record.json").text)["seats"] == list(NAMES)
    assert "bgstatsapp" in phone.get("/games/finished").text


def running(pages: Pages, name: str) -> None:
    """Make a game of the archive the one at the table."""
    match = archive(pages).match(name)
    pages.mailbox.take(match)


def test_a_running_game_is_in_the_list_and_nowhere_else(past: Pages) -> None:
    running(past, "open")
    for phone in (past.phone(), past.phone(0), past.phone(host=True)):
        assert "This game is still being played." in phone.get("/games").text
        for path in ("", "/replay", "/record.txt", "/record.json", "/record.csv"):
            assert phone.get(f"/games/open{path}").status_code == 403


def test_a_seats_own_record_contains_what_the_seat_saw_and_no_more(past: Pages) -> None:
    running(past, "open")
    position = past.mailbox.snapshot.position
    for seat in range(3):
        text = past.phone(seat).get("/seat/record.txt").text
        own = record_text.parse_record(text)
        assert own.view == seat
        *_, last = replay(own)
        assert last.position.view(seat) == position.view(seat)
        deals = [line for line in text.splitlines() if '"deal"' in line or line.startswith("deal")]
        assert sum(line.startswith("deal") for line in deals) == 1
        assert sum(line.startswith("?") for line in deals) == 2


def test_a_deleted_game_is_gone_and_the_one_at_the_table_stays(past: Pages) -> None:
    running(past, "open")
    host = past.phone(host=True)
    assert host.post("/host/games/delete", {"game": "open"}).status_code == 409
    assert host.post("/host/games/delete", {"game": "finished"}).status_code == 200
    assert past.phone().get("/games/finished").status_code == 404
    assert sorted(archive(past).names()) == ["ended", "open"]


@pytest.mark.parametrize("name", ["", "..", "../seats", "/etc/passwd", "finished.tabletop", "fin*"])
def test_only_a_game_can_be_deleted(past: Pages, name: str) -> None:
    before = sorted(archive(past).folder.iterdir())
    assert past.phone(host=True).post("/host/games/delete", {"game": name}).status_code == 404
    assert sorted(archive(past).folder.iterdir()) == before


def test_a_backup_brings_deleted_games_back(past: Pages) -> None:
    host = past.phone(host=True)
    before = {name: archive(past).match(name).events for name in archive(past).names()}
    file = saved(host)
    for name in before:
        host.post("/host/games/delete", {"game": name})
    assert archive(past).names() == []
    answer = send(host, file)
    assert answer.json == {"ok": True, "text": "Restored: 3. Already here: 0."}
    assert {name: archive(past).match(name).events for name in archive(past).names()} == before
    assert (send(host, file).json or {})["text"] == "Restored: 0. Already here: 3."


def test_everybody_is_told_that_a_backup_holds_the_hands_of_the_running_game(past: Pages) -> None:
    running(past, "open")
    host = past.phone(host=True)
    file = saved(host)
    assert b'"match":"open"' in gzip.decompress(file)
    assert "The host saved a backup: it contains the hands of this game." in past.phone().get("/").text
    past.mailbox.become(phases()["over"])
    number = past.mailbox.snapshot.number
    saved(host)
    assert past.mailbox.snapshot.number == number


@pytest.mark.parametrize("at", range(7, 13))
def test_a_game_that_begins_during_a_backup_is_in_it_only_if_everybody_is_told(past: Pages, at: int) -> None:
    """A backup holds hands of a running game only if the event that announces it was recorded."""
    past.mailbox.become(phases()["over"])
    host, journal = past.phone(host=True), archive(past).folder / "open.tabletop"
    away = journal.rename(journal.with_suffix(".away"))

    def begin() -> None:
        away.rename(journal)
        running(past, "open")

    with meanwhile(past_module, at, begin):
        file = saved(host)
    assert journal.exists(), "fewer lines are run"
    hands = b'"match":"open"' in gzip.decompress(file)
    assert not hands or "it contains the hands of this game" in past.phone().get("/").text


def test_a_backup_needs_no_room_for_temporary_files(past: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups are streamed both ways, since temporary files may be in a small RAM disk or on a full one."""

    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    for kind in ("SpooledTemporaryFile", "TemporaryFile", "NamedTemporaryFile"):
        monkeypatch.setattr(tempfile, kind, full)
    host = past.phone(host=True)
    file = saved(host)
    archive(past).delete("finished")
    assert (send(host, file).json or {})["text"].startswith("Restored: 1.")


def test_a_backup_that_nobody_can_hear_of_leaves_the_running_game_out(
    past: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the journal cannot record the backup, the running game with its hands is not in it."""

    def full(facts: Sequence[Fact]) -> NoReturn:
        raise JournalError("memory", "The record of the game could not be written", Message("Free some space."))

    running(past, "open")
    monkeypatch.setattr(past.mailbox.journal, "append", full)
    answer = past.phone(host=True).post("/host/backup", {})
    assert "-past-games.jsonl.gz" in answer.headers["Content-Disposition"]
    content = gzip.decompress(answer.data)
    assert b'"match":"open"' not in content
    assert b'"match":"finished"' in content
    answer.close()


def test_the_game_at_the_table_is_left_as_it_is(past: Pages) -> None:
    running(past, "open")
    host = past.phone(host=True)
    assert (send(host, saved(host)).json or {})["text"].endswith("The game at the table was left unchanged.")


BAD = {
    "nothing": b"",
    "a zip archive": b"PK\x03\x04" + bytes(300),
    "no JSON": gzip.compress(b"hello\n"),
    "a bomb": gzip.compress(b"[" + b"0," * 4_000_000),
    "a form": b"a=1&b=2",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_changes_nothing(past: Pages, kind: str) -> None:
    before = {path.name: path.read_bytes() for path in archive(past).folder.glob("*.tabletop")}
    answer = send(past.phone(host=True), BAD[kind])
    assert answer.status_code == 422
    assert (answer.json or {})["text"].startswith("Nothing was changed: ")
    assert {path.name: path.read_bytes() for path in archive(past).folder.glob("*.tabletop")} == before


@pytest.mark.parametrize("mimetype", ["multipart/form-data", "text/plain", "application/x-www-form-urlencoded", ""])
def test_a_backup_is_accepted_in_no_form_that_another_site_could_send(past: Pages, mimetype: str) -> None:
    assert send(past.phone(host=True), b"x", mimetype).status_code == 415


def test_a_file_that_is_too_large_is_refused(past: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_BACKUP_BYTES", 1000)
    assert send(past.phone(host=True), bytes(1001)).status_code == 413


def test_a_table_that_keeps_no_games_says_so(pages: Pages) -> None:
    assert pages.phone().get("/games").status_code == 404
    assert 'href="/games' not in pages.phone().get("/").text
    host = pages.phone(host=True)
    assert host.post("/host/backup", {}).status_code == 404


def test_the_score_of_the_game_at_the_table_has_its_own_address(past: Pages) -> None:
    running(past, "finished")
    answer = past.phone().get("/after")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/games/finished")
    assert io.StringIO(past.phone().get("/record.csv").text).readline().startswith("event,")


def test_no_name_in_a_record_as_csv_is_computed_by_a_spreadsheet(past: Pages) -> None:
    """Names that look like formulas are quoted, and a seat without a name stays without one."""
    text, _ = score_chart.as_csv(past.mailbox.snapshot, ["=1+1", "", "\tZoe"])
    assert text.splitlines()[0] == "event,'=1+1,,'\tZoe"
