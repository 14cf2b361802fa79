"""The demo reports what it cannot do in one sentence, without a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from tabletop.cli import main
from tabletop.rules import registry
from tabletop.runtime.demo import Demo


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--headless", "--seats", "5"], "Palazzo is for 2 to 4 seats, not 5."),
        (["--game", "piecepack", "--seats", "5"], "Palazzo for the piecepack is for 2 to 4 seats, not 5."),
        (["--seats", "3", "--humans", "4"], "at most 3 people can play, not 4."),
        (["--bots", "strong,sound,thrifty", "--humans", "1", "--seats", "3"], "so 3 bots are too many."),
        (["--games", "2"], "--games works only with --headless."),
        (["--json"], "--json works only with --headless."),
        (["--headless", "--speed", "2"], "--speed works only without --headless."),
        (["--headless", "--port", "8081"], "--port works only without --headless."),
        (["--headless", "--record", __file__, "--bots", "strong"], "The record says who plays what: leave --bots out."),
        (["--headless", "--humans", "1"], "--headless has no pages for people to play on"),
        (["--camera-size", "wide"], "“wide” is not the size of a camera's picture"),
        (["--camera-size", "100x9999"], "“100x9999” is not the size of a camera's picture"),
        (["--game", "chess"], "'chess' is not one of"),
    ],
)
def test_the_demo_says_in_one_sentence_what_it_cannot_do(options: list[str], sentence: str) -> None:
    answer = CliRunner().invoke(main, ["demo", *options])
    assert answer.exit_code == 2
    assert sentence in answer.output
    assert "Traceback" not in answer.output


def test_bots_sit_after_the_people_in_the_order_of_their_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The listed levels go to the seats after the people; with more seats than levels, the list repeats."""
    begun: list[Asked] = []

    class Asked(Demo):
        def __init__(self, game: str, *, seats: int, **more: Any) -> None:
            super().__init__(game, seats=seats, **more)
            self.seats = seats

        def run(self, *_: object) -> None:
            begun.append(self)

    monkeypatch.setattr("tabletop.runtime.demo.Demo", Asked)
    for options in (["--bots", "strong,sound,thrifty"], ["--bots", "strong,sound"], []):
        assert CliRunner().invoke(main, ["demo", "--humans", "1", *options]).exit_code == 0
    assert [[demo.level_of(seat) for seat in range(1, demo.seats)] for demo in begun] == [
        ["strong", "sound", "thrifty"],
        ["strong", "sound"],
        ["random", "thrifty"],
    ]


def test_a_game_without_a_simulated_table_cannot_be_played_headless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is played on its pages alone is refused with --headless."""
    monkeypatch.setattr(type(registry.game("patrician")), "table", None)
    answer = CliRunner().invoke(main, ["demo", "--headless", "--game", "patrician"])
    assert answer.exit_code == 2
    assert "Patrician has no simulated table yet" in answer.output


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--camera-size", "320x180"], "320 × 180 px are too small for this table: its smallest tags would have 0.1"),
        (["--game", "piecepack", "--make", "box", "--camera-size", "1280x720"], "more: --camera-size 1920x1080."),
    ],
)
def test_a_camera_picture_too_small_for_the_table_is_refused_before_the_game(options: list[str], sentence: str) -> None:
    """The error names the picture's size and one that is large enough, instead of a game full of corrections."""
    answer = CliRunner().invoke(main, ["demo", "--headless", "--json", *options])
    assert answer.exit_code == 1
    assert sentence in answer.output
    assert "Traceback" not in answer.output
