"""Palazzo's hints say what building a tile scores now and with three floors; discarding never looks best."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import cast

import pytest

from doubles.pages import Pages
from doubles.positions import phases, play
from tabletop.rules.palazzo.components import TILES
from tabletop.rules.palazzo.phases.palazzi import Column, ascends, insert, points
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.web.games.palazzo import choices
from tabletop.web.games.palazzo.prospects import Prospect, best, on, to_come
from tabletop.web.i18n import in_language
from tests.web.games.test_palazzo import region

ALL = tuple(TILES)
COLUMNS: tuple[Column, ...] = ((), ("B1.1",), ("S4.3",), ("M5.2",), ("B2.2", "S4.1"), ("M4.1", "M5.3"))


def placings() -> Iterator[PalazzoPosition]:
    """Iterate over the positions of two games in which tiles have to be built."""
    for position in itertools.chain(play(3), play(11)):
        if position.phase == "place":
            yield cast(PalazzoPosition, position)


def discards(html: str) -> list[re.Match[str]]:
    return list(re.finditer(r'<button[^>]*class="([^"]*)"[^>]*scrap.*?</button>', html, re.DOTALL))


def test_a_first_tile_costs_five_now_and_pays_with_three_floors() -> None:
    """With three floors, its two windows and at least one on each of two more floors count."""
    prospect = best((), ("B1.2",), ALL)
    assert prospect == Prospect(-5, 4)
    with in_language("en"):
        assert str(prospect) == "−5 now, +4 or more with three floors"
    with in_language("de"):
        assert str(prospect) == "−5 jetzt, +4 oder mehr mit drei Stockwerken"
    with in_language("it"):
        assert str(prospect) == "−5 ora, +4 o più con tre piani"


def test_a_listener_hears_in_a_sentence_what_a_tile_brings() -> None:
    with in_language("de"):
        assert Prospect(-5, 4).in_words == "−5 jetzt, +4 oder mehr mit drei Stockwerken"
        assert Prospect(6).in_words == "+6 Punkte"


def test_a_second_tile_tells_both_as_changes_of_what_the_palazzo_has() -> None:
    """Both figures are changes: the palazzo scores −5 before, 0 with the tile and 6 with a third floor."""
    assert on((("B1.3",),), ("B1.3",), "S2.2", ALL) == Prospect(5, 11)


def test_with_three_floors_or_more_there_is_only_the_figure_for_now() -> None:
    prospect = on((("B1.3", "S2.1"),), ("B1.3", "S2.1"), "M5.2", ALL)
    assert prospect == Prospect(6)
    with in_language("en"):
        assert str(prospect) == "+6"


def test_a_palazzo_that_cannot_grow_on_top_says_that_it_takes_rebuilding() -> None:
    """A lone tile of floor 4 or 5 cannot get two floors on top, so three floors take rebuilding."""
    for tile, rebuilt in (("M5.3", True), ("M4.3", True), ("M3.3", False)):
        prospect = on((), (), tile, ALL)
        assert (prospect.now, prospect.later, prospect.rebuilt) == (-5, 5, rebuilt), tile
    with in_language("en"):
        assert str(on((), (), "M5.3", ALL)) == "−5 now, +5 or more with three floors, after rebuilding"


def test_no_prospect_counts_on_tiles_that_are_no_longer_available() -> None:
    assert on((), (), "B1.2", ("S2.1",)) == Prospect(-5)
    assert on((), (), "B1.2", ("S2.3", "S2.1", "M4.3")) == Prospect(-5, 6)


def test_the_prospect_is_that_of_building_even_if_discarding_scores_more_now() -> None:
    """The prospect is that of building, even where discarding would score more at once."""
    assert best((), ("B2.1", "S2.1"), ALL).now == -10
    assert best((("B2.1",),), ("S2.2",), ALL) == Prospect(-5, 4)


@pytest.mark.parametrize("column", COLUMNS, ids="+".join)
def test_the_least_with_three_floors_is_the_least_of_the_scoring_function(column: Column) -> None:
    """The figure equals the lowest score among all three-floor palazzi that contain the given one."""
    for tile in ("B5.1", "S3.2", "M3.1a"):
        if not column or ascends((*column, tile)):
            grown = (*column, tile)
            told = on((column,) if column else (), column, tile, ALL)
            if len(grown) >= 3:
                assert told.later is None
                continue
            others = [other for other in ALL if other not in grown]
            found = []
            for more in itertools.combinations(others, 3 - len(grown)):
                full = grown
                for other in more:
                    full = insert(full, other)
                if ascends(full) and (told.rebuilt or full[: len(grown)] == grown):
                    found.append(points(full))
            assert told.later == min(found) - (points(column) if column else 0)


def test_each_place_tells_by_how_much_the_score_changes_at_once() -> None:
    """The immediate figure is the change of the rules' own score after building there."""
    seen = 0
    for state in placings():
        for tile in state.pending:
            for one in choices.places(state, tile):
                if one.refusal is None:
                    after = state.after(state.game.action(dict(one.data))).score()[state.seat].points
                    assert one.then.now == after - state.score()[state.seat].points
                    seen += 1
    assert seen > 50


def test_only_tiles_that_somebody_may_still_get_count() -> None:
    for state in placings():
        gone = set(itertools.chain(state.box, *itertools.chain(*state.palazzi)))
        assert gone.isdisjoint(to_come(state))
        assert set(to_come(state)) | gone >= set(TILES)


def test_the_discard_comes_last_is_small_and_tells_no_points(pages: Pages) -> None:
    """Discarding a tile that was paid for is a small button below all places, without “±0” beside their −5."""
    for position in itertools.islice(placings(), 0, None, 9):
        pages.mailbox.become(position)
        html = pages.phone(position.seat).get("/seat").text
        found = discards(html)
        assert len(found) == len(position.pending)
        for one in found:
            assert "big" not in one[1].split()
            assert not re.search(r"[+±−]\d|gain", one[0])
        for tile, discard in zip(position.pending, found, strict=True):
            places = [place.start() for place in re.finditer(rf'data-key="p{re.escape(tile)}(?!box)', html)]
            assert "Start a new palazzo" in html
            for column in position.palazzi[position.seat]:
                places += [
                    place.start() for place in re.finditer(rf'data-key="p{re.escape("".join(column) + tile)}', html)
                ]
            assert max(places) < discard.start()


def test_the_best_place_is_first_and_closed_ones_are_last() -> None:
    for state in placings():
        for tile in state.pending:
            found = choices.places(state, tile)
            opened = [one for one in found if one.refusal is None]
            assert found[: len(opened)] == opened
            orders = [one.then.order for one in opened]
            assert orders == sorted(orders, reverse=True)


def test_among_rebuildings_the_discards_come_last(pages: Pages) -> None:
    """A discard, which may show +5 and so more than most moves, is small and below all moves."""
    seen = 0
    for position in itertools.chain(play(3), play(11)):
        if position.phase == "action":
            moves = [one for one in choices.rebuildings(cast(PalazzoPosition, position)) if one.refusal is None]
            kinds = [one.data["kind"] == "scrap" for one in moves]
            assert kinds == sorted(kinds)
            seen += len(set(kinds)) > 1
    assert seen


@pytest.mark.parametrize("phase", ["choose", "bid", "claim", "place"])
def test_every_phase_in_which_tiles_are_got_tells_both_figures(pages: Pages, phase: str) -> None:
    """Wherever a tile can be gained, the page shows what it scores now and with three floors."""
    facts = phases()[phase].to_json()
    seat = phases()[phase].decider
    assert seat is not None
    mine = facts["seats"][seat]["palazzi"]
    facts["box"] += [tile for palazzo in mine for tile in palazzo]
    facts["seats"][seat]["palazzi"] = []
    pages.mailbox.become(phases()[phase].game.load(facts))
    text = region(pages, "do", seat)
    assert re.search(r"[+±−]\d+ now, \+\d+ or more with three floors", text)
    assert "±0 points" not in text
