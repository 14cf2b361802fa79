"""An OK that confirms nothing is answered in every phase of every game, as any other button that does nothing is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Position
from tests.referee.hands import Hands
from tests.referee.watched import playing

OTHERWISE = {("palazzo", "bid"): "asked", ("palazzo", "place"): "done"}
"""The phases in which an OK asks for the bid that is missing, or discards the tiles that are out of sight."""


def phases(name: str, seed: int) -> Iterator[Position]:
    """Iterate over the first position of each phase in a random game."""
    game, rng, known = registry.game(name), random.Random(seed), set[str]()
    position = game.new(["Ann", "Bob"])
    while not position.over:
        if position.phase not in known:
            known.add(position.phase)
            yield position
        legal = [*position.legal.thrifty()] if position.decider is not None else []
        position = position.after(rng.choice(legal) if legal else game.draw(position, rng))
    yield position


@pytest.mark.parametrize(("name", "count"), [("palazzo", 10), ("patrician", 8), ("piecepack", 6)])
def test_an_ok_that_confirms_nothing_is_refused_in_every_phase(name: str, count: int, tmp_path: Path) -> None:
    """The red light blinks, a sentence says that OK does nothing now, and nothing is recorded."""
    answers = {}
    for number, position in enumerate(phases(name, 2)):
        with playing(position, tmp_path / str(number)) as watched:
            before = watched.referee.snapshot
            watched.press("OK")
            now = watched.referee.snapshot
            refused = now.refused is not None and now.refused.message == "OK does nothing now."
            assert refused == (now.signals.get("buzzer") is Pattern.FAST)
            answers[position.phase] = (
                "done" if now.number > before.number else "refused" if refused else "asked" if now.say else "silent"
            )
    assert answers == {phase: OTHERWISE.get((name, phase), "refused") for phase in answers}
    assert len(answers) == count


def test_an_ok_before_a_rebuilding_is_complete_is_refused_beside_what_is_missing(
    table: Hands, referee: Referee
) -> None:
    """REBUILD says at once what it needs; an OK before that is refused, and the sentence stays."""
    missing = "To rebuild, put exactly one money card in your bid zone, then press OK."
    for button, refused in (("REBUILD", False), ("OK", True)):
        table.press(button)
        assert (referee.snapshot.refused is not None) is refused
        assert missing in str(referee.snapshot.say[0].text)


def test_an_ok_without_a_camera_is_refused_at_once(referee: Referee) -> None:
    """At a table that no camera sees, OK can confirm nothing; it is not waited for."""
    referee.press(Press("OK", Kind.PRESS, 1.0))
    assert referee.snapshot.refused is not None
    assert referee.snapshot.refused.facts == {"button": "OK"}
    assert referee.snapshot.confirm_from is None
