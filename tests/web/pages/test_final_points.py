"""At the end of a game every page agrees with the score page about every seat's points."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.finished_games import played
from doubles.memory_table import MemoryTable
from doubles.pages import Pages, Phone
from doubles.positions import NAMES, play
from tabletop.match.archive import Archive
from tabletop.rules import registry
from tabletop.rules.game import SeatScore
from tests.rules.palazzo.board import lay

ROW = re.compile(
    r'<strong\s+class="grow">(?P<name>\w+)(?:(?!</li>).)*?<b\s+class="score[^"]*">(?P<points>−?\d+)</b>', re.DOTALL
)
"""A seat's row on a page: its name, and the first number marked as its score."""
TOTAL = re.compile(r'<b\s+class="score[^"]*">(−?\d+)</b>')
PLAYED_OUT, ENDED = "played out", "ended by the host"


def region(text: str, name: str) -> str:
    """Return the markup of one region of a page."""
    found = re.search(rf'<(section|header)[^>]*\sid="{name}".*?</\1>', text, re.DOTALL)
    assert found, name
    return found.group()


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def rows(text: str) -> dict[str, int]:
    """Return the points that a page shows: name of the seat → points."""
    return {row["name"]: number(row["points"]) for row in ROW.finditer(text)}


@pytest.fixture(params=[(name, end) for name in registry.BUILT_IN for end in (PLAYED_OUT, ENDED)], ids="-".join)
def over(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pages]:
    """The pages of a table whose game is over: played out, or ended by the host when seats had much to show."""
    name, end = request.param
    game = registry.game(name)
    played(tmp_path, "last", 5000 if end == PLAYED_OUT else 150, game=game, end=end == ENDED)
    archive = Archive(tmp_path)
    match = archive.match("last")
    mailbox = MemoryTable(game, NAMES, seed=None)
    mailbox.take(match)
    made = Pages(mailbox, archive=archive)
    yield made
    made.close()


def recorded(pages: Pages) -> dict[str, int]:
    """Return the points of the record by name, asserting that they differ."""
    scores: list[SeatScore] = list(pages.mailbox.snapshot.position.score())
    assert len({score.points for score in scores}) > 1
    return {name: score.points for name, score in zip(NAMES, scores, strict=True)}


def shown(phone: Phone, path: str) -> str:
    """Return what a browser shows at an address, after redirects."""
    answer = phone.client.get(path, base_url="http://192.168.1.20:8000", follow_redirects=True)
    assert answer.status_code == 200, path
    text: str = answer.text
    return text


def test_every_page_says_the_points_of_the_score_page(over: Pages) -> None:
    """Score page, past game, list of games and end of the replay show the same points for each seat."""
    points = recorded(over)
    phone = over.phone()
    assert rows(shown(phone, "/after")) == points
    assert rows(shown(phone, "/games/last")) == points
    assert rows(shown(phone, "/games")) == points
    assert rows(shown(phone, "/games/last/replay?at=9999")) == points
    assert rows(shown(phone, "/")) == points


def test_every_phone_says_the_points_of_the_score_page_of_its_own_seat_and_of_the_others(over: Pages) -> None:
    points = recorded(over)
    for seat, name in enumerate(NAMES):
        text = shown(over.phone(seat), "/seat")
        total = TOTAL.search(region(text, "mine"))
        assert total
        assert number(total[1]) == points[name]
        assert rows(region(text, "others")) == points
        assert rows(region(text, "do")) == points


def test_the_listening_page_says_the_points_of_the_score_page(over: Pages) -> None:
    text = shown(over.phone(1), "/seat/listen")
    told = dict(re.findall(r"<li>(\w+): ([−\d]+) points?", text))
    assert {name: number(count) for name, count in told.items()} == recorded(over)


def test_a_phone_for_all_says_the_points_of_the_score_page(over: Pages) -> None:
    """A phone that holds several seats hides hands but shows the final points."""
    points = recorded(over)
    phone = over.phone(0)
    for seat in range(1, len(NAMES)):
        assert phone.post("/join", {"code": over.room.code, "seat": seat, "also": True}).status_code == 200
    text = shown(phone, "/seat")
    assert "<h2" not in region(text, "hand")
    assert rows(region(text, "others")) == points
    assert rows(region(text, "covers")) == points
    total = TOTAL.search(region(text, "mine"))
    assert total
    assert number(total[1]) in points.values()


def test_host_and_demo_say_who_won_as_the_score_page_does(over: Pages) -> None:
    """The status on every page names the winner of the score page."""
    best = [name for name, score in zip(NAMES, over.mailbox.snapshot.position.score(), strict=True) if score.rank == 1]
    phone = over.phone(host=True)
    for path in ("/", "/demo", "/host"):
        text = shown(phone, path)
        told = re.sub(r"<[^>]*>", "", region(text, "status"))
        assert ("ended early" if over.mailbox.snapshot.match.ended else ", ".join(best)) in told
        assert set(rows(text).items()) <= set(recorded(over).items())


def test_the_downloadable_records_end_with_the_points_of_the_score_page(over: Pages) -> None:
    points = recorded(over)
    phone = over.phone()
    told = json.loads(shown(phone, "/games/last/record.json"))["score"]
    assert {one["name"]: one["points"] for one in told} == points
    last = shown(phone, "/games/last/record.csv").split()[-1]
    assert [int(value) for value in last.split(",")[1:]] == list(points.values())


@pytest.mark.parametrize(
    ("second", "said", "decided"),
    [
        (["R5b", "N7a"], "The game is over: B wins.", ["could pay 7", "could pay 5"]),
        (["R5b"], "The game is over: A and B share the victory.", ["could pay 5", "could pay 5"]),
    ],
)
def test_the_stage_says_what_decided_between_seats_that_are_level_at_the_top(
    second: list[str], said: str, decided: list[str]
) -> None:
    """Seats with equal points on steps of different heights come with the tie-breaker."""
    hands, palazzi = [["R5a"], second, ["R3a"]], [[], [], ["S3.3"]]
    ended = lay(3, "over", None, hands=hands, palazzi=palazzi, end_tiles=[f"E{number}" for number in range(1, 6)])
    pages = Pages(MemoryTable(registry.game("palazzo"), ended.names, position=ended))
    stage = pages.phone().get("/").text
    assert said in stage
    assert re.findall(r'class="tie">([^<]+)', stage) == decided
    pages.close()


def test_what_decided_a_tie_for_the_first_place_is_said_on_the_seats_page(pages: Pages) -> None:
    """Two seats share −5 points, and the page says why one of them has won."""
    pages.mailbox.become(play(0)[-1])
    assert [score.points for score in pages.mailbox.snapshot.match.scores] == [-5, -10, -5]
    text = pages.phone(1).get("/seat").text
    assert text.count("could pay") == 2
    assert "could pay 110" in text
