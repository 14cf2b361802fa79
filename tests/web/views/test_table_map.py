"""The words of the table's plan can be read in every language."""

from __future__ import annotations

import random

import pytest
from flask_babel import force_locale

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.registry import BUILT_IN, game
from tabletop.web.games import ui_of
from tabletop.web.message_text import LANGUAGES
from tabletop.web.views.table_map import table_map


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BUILT_IN)
def test_no_word_runs_over_a_marker(name: str, language: str) -> None:
    """Words that do not fit into a card's zone are placed beside its marker."""
    table = MemoryTable(game(name), NAMES, seed=None)
    with Pages(table).app.test_request_context(), force_locale(language):
        plan = table_map(table.snapshot, ui_of(table.snapshot.position.game), NAMES)
        assert plan is not None
        assert plan.written
        for card in plan.written:
            left, top, width, height = card.words_area
            for x, y in plan.tags:
                assert left >= x + 20 or left + width <= x - 20 or top >= y + 20 or top + height <= y - 20, (
                    f"{' '.join(card.words)} runs over the marker at {x}, {y}"
                )


@pytest.mark.parametrize("name", BUILT_IN)
def test_zones_fill_as_pieces_are_laid_out_during_the_set_up(name: str) -> None:
    """The plan marks the zones in which pieces lie that everybody may know, one by one as they are turned up."""
    table, rng = MemoryTable(game(name), NAMES, seed=None), random.Random(1)
    counts: list[int] = []
    position = table.snapshot.position
    with Pages(table).app.test_request_context():
        while position.decider is None:
            plan = table_map(table.snapshot, ui_of(position.game), NAMES)
            assert plan is not None
            counts.append(sum(zone.mark == "full" for zone in plan.zones))
            position = position.after(position.game.draw(position, rng))
            table.become(position)
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] + 1
