"""People across games: their victories, averages, records and opponents."""

from __future__ import annotations

from pathlib import Path

from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.match.archive import Summary
from tabletop.rules.game import SeatScore
from tabletop.rules.palazzo import GAME
from tabletop.web.views.people_records import Against, InGame, records


def finished(
    name: str, started: float, title: str, points: dict[str, int], over: bool = True, ended: bool = False
) -> Summary:
    ranks = [1 + sum(other > own for other in points.values()) for own in points.values()]
    scores = tuple(SeatScore(own, [], 0, rank) for own, rank in zip(points.values(), ranks, strict=True))
    return Summary(name, name, title, tuple(points), scores, started, started, over, ended)


GAMES = [
    finished("a", 1, "Palazzo", {"Anna": 40, "Bruno": 20}),
    finished("b", 2, "Palazzo", {"Bruno": 30, "anna": 30}),
    finished("c", 3, "Patrician", {"ANNA": 10, "Zoe": 50}),
    finished("d", 4, "Palazzo", {"Anna": 99, "Bruno": 0}, ended=True),
    finished("e", 5, "Palazzo", {"Anna": 99, "Bruno": 0}, over=False),
    finished("f", 6, "Palazzo", {"Anna": 99, "anna": 0}),
]


def test_victories_averages_and_records_are_those_of_finished_games() -> None:
    """A shared victory counts for both; unfinished games, and games without clear names, do not count."""
    anna, bruno, zoe = sorted(records(GAMES), key=lambda one: one.name.casefold())
    assert (anna.name, anna.games, anna.wins) == ("ANNA", 3, 2)
    assert anna.kinds == [InGame("Palazzo", 2, 2, 35.0, 40, "a"), InGame("Patrician", 1, 0, 10.0, 10, "c")]
    assert anna.against == [Against("Bruno", 2, 1, 0), Against("Zoe", 1, 0, 1)]
    assert (bruno.wins, bruno.against) == (1, [Against("ANNA", 2, 0, 1)])
    assert (zoe.wins, zoe.kinds[0].best) == (1, 50)


def test_the_page_of_people_counts_finished_games_only(tmp_path: Path) -> None:
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path))
    text = pages.phone().get("/games/people").text
    assert text.count('data-key="') == len(NAMES)
    assert "1 game, " in text
    assert "/games/finished" in text
    assert "/games/open" not in text
    pages.close()
