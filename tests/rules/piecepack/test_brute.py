"""The listing equals brute force over every action that could be named, filtered by the plain rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module

import pytest

from tabletop.rules.game import Action, Json
from tabletop.rules.piecepack.actions import ADD, BUILD, NEAR_RANGE, Build, Coin, Keep, Pass, Purchase, Reserve, Turret
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo, flaw
from tabletop.rules.piecepack.components import COINS, FACE, STRUCTURES
from tabletop.rules.piecepack.position import PiecepackPosition
from tests.refusals import code_of
from tests.rules.piecepack import plain
from tests.rules.piecepack.walks import OPTIONS, positions


def plainly_legal(position: PiecepackPosition) -> set[Action]:  # noqa: PLR0912
    """Return the legal actions of a seat, written directly from the rules."""
    seat, options = position.active, position.options
    palazzo, reserve = dict(position.palazzi[seat].cells), position.reserves[seat]
    diagonal = options.holes == "enclosed_8"
    found: set[Action] = set()

    def sites(before: Mapping[str, tuple[int, int]], structure: str) -> list[tuple[int, int]]:
        if not before:
            return [(0, 0)]
        return [
            cell
            for cell in plain.cells_around(before)
            if cell not in before.values() and plain.obeys({**before, structure: cell}, diagonal)
        ]

    for structure in position.pending:
        where = sites(palazzo, structure)
        found |= {Build(structure, cell) for cell in where}
        if not (options.reserve_only_if_unplaceable and where):
            found.add(Keep(structure))
    if position.phase == "place":
        return found
    found |= {Coin(coin) for coin in position.bank}
    for structure in reserve:
        found |= {Reserve("add", structure, cell) for cell in sites(palazzo, structure)}
        for swap, own in palazzo.items():
            rest = {one: cell for one, cell in palazzo.items() if one != swap}
            if options.exchange_same_cell:
                if plain.obeys({**rest, structure: own}, diagonal):
                    found.add(Reserve("exchange", structure, None, swap))
            else:
                found |= {Reserve("exchange", structure, cell, swap) for cell in sites(rest, structure)}
    for structure in palazzo:
        rest = {one: cell for one, cell in palazzo.items() if one != structure}
        if plain.obeys(rest, diagonal):
            found.add(Reserve("remove", structure))
        if position.turrets[seat] != structure:
            found.add(Turret(structure))
    values = {coin: int(coin[2]) or options.coin_null for coin in COINS}
    for structure in position.yard:
        for pay in plain.subsets(position.purses[seat].coins):
            for die in (0, position.purses[seat].die) if position.purses[seat].die else (0,):
                if sum(values[coin] for coin in pay) + die >= 5 + int(structure[2]):
                    found.add(Purchase(structure, pay, bool(die)))
    if position.closing is not None or not found:
        found.add(Pass())
    return found


def without_copies(actions: Sequence[Action] | set[Action]) -> set[tuple[object, ...] | Action]:
    """Return the actions with coins named by their values alone."""
    kinds: set[tuple[object, ...] | Action] = set()
    for action in actions:
        if isinstance(action, Coin):
            kinds.add((action.do, FACE[action.coin]))
        elif isinstance(action, Purchase):
            kinds.add((action.do, action.structure, tuple(sorted(FACE[coin] for coin in action.pay)), action.die))
        else:
            kinds.add(action)
    return kinds


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(2))
def test_the_listing_equals_brute_force(options: dict[str, Json], seed: int) -> None:
    for position in positions(seed, options)[seed::3]:
        if position.decider is not None and len(position.purses[position.active].coins) < 7:
            listed = list(position.legal)
            assert len(set(listed)) == len(listed)
            plainly = plainly_legal(position)
            assert without_copies(listed) == without_copies(plainly)
            assert len(without_copies(listed)) == len(listed), "copies are counted once"
            assert all(position.refusal(action) is None for action in plainly), "every copy is legal"


@pytest.mark.parametrize("options", OPTIONS[:3])
def test_whatever_is_not_listed_is_refused(options: dict[str, Json]) -> None:
    for position in positions(4, options)[::7]:
        if position.decider is None:
            continue
        near = plain.cells_around(dict(position.palazzo.cells))
        candidates: list[Action] = [Build(structure, cell) for structure in position.pending for cell in near]
        candidates += [Reserve("add", structure, cell) for structure in position.reserve for cell in near]
        candidates += [Reserve("remove", structure) for structure in STRUCTURES]
        candidates += [Turret(structure) for structure in STRUCTURES]
        candidates += [Keep(structure) for structure in STRUCTURES]
        legal = set(position.legal) | plainly_legal(position)
        for action in candidates:
            assert (position.refusal(action) is None) == (action in legal), action


@pytest.mark.parametrize("diagonal", [False, True])
def test_building_and_taking_out_agree_with_the_plain_rules(diagonal: bool) -> None:
    """Where structures can be built and taken out agrees with the plain rules, in random palazzi of two values."""
    for seed in range(60):
        rng = random.Random(seed)
        palazzo = PiecepackPalazzo({}, diagonal)
        for structure in rng.sample([one for one in STRUCTURES if one[1] in "MS"], 11):
            sites = palazzo.sites(structure)
            if sites:
                palazzo = palazzo.put(structure, rng.choice(sites))
        cells = dict(palazzo.cells)
        assert plain.obeys(cells, diagonal)
        assert flaw(cells, diagonal) is None
        for structure in set(STRUCTURES) - set(cells):
            for cell in plain.cells_around(cells):
                allowed = cell not in cells.values() and plain.obeys({**cells, structure: cell}, diagonal)
                assert (palazzo.fault(structure, cell) is None) == allowed
                assert (cell in palazzo.sites(structure)) == allowed
        for structure in cells:
            rest = {one: cell for one, cell in cells.items() if one != structure}
            assert (palazzo.bound(structure) is None) == plain.obeys(rest, diagonal)


@pytest.mark.parametrize("step", plain.SIDES)
def test_a_palazzo_may_move_any_distance(step: tuple[int, int]) -> None:
    """A palazzo of two structures that are moved one ahead of the other can be built any distance along a line."""
    palazzo, cell, pair = PiecepackPalazzo({"TM1": (0, 0)}), (0, 0), ("TM1", "TM2")
    for walked in range(100):
        behind, ahead = pair[walked % 2], pair[1 - walked % 2]
        cell = (cell[0] + step[0], cell[1] + step[1])
        assert set(palazzo.sites(ahead)) == set(plain.next_to(palazzo.cells[behind]))
        assert all(palazzo.fault(ahead, site) is None for site in palazzo.sites(ahead))
        palazzo = palazzo.put(ahead, cell).without(behind)
        assert palazzo.cells == {ahead: cell}


@pytest.mark.parametrize("cell", [(0, 0), (NEAR_RANGE[0], NEAR_RANGE[-1]), (NEAR_RANGE[-1] + 1, 0), (0, -(10**6))])
def test_actions_are_made_for_every_cell_and_cached_for_near_ones(cell: tuple[int, int]) -> None:
    assert ADD["TM3"][cell] == Reserve("add", "TM3", cell)
    assert BUILD["TM3"][cell] == Build("TM3", cell)
    assert (cell in ADD["TM3"]) == (cell in BUILD["TM3"]) == (cell[0] in NEAR_RANGE and cell[1] in NEAR_RANGE)


def test_cached_results_of_one_reserve_are_not_used_for_another() -> None:
    """A palazzo's cached results for one reserve are not returned for another one."""
    palazzo, made = PiecepackPalazzo({"TM1": (0, 0)}), []

    def names(asked: PiecepackPalazzo, reserve: tuple[str, ...]) -> tuple[str, ...]:
        made.append(reserve)
        return (*asked, *reserve)

    for reserve in (("TM2",), ("TM2", "TS1"), ("TM2",)):
        assert palazzo.once(names, reserve) == palazzo.once(names, reserve) == ("TM1", *reserve)
    assert len(made) == 3


def test_an_unknown_structure_is_in_no_palazzo() -> None:
    assert "TM1" in PiecepackPalazzo({"TM1": (0, 0)})
    assert "TX9" not in PiecepackPalazzo({"TM1": (0, 0)})


@pytest.mark.parametrize("seed", range(3))
def test_thrifty_lists_exactly_the_payments_from_which_nothing_could_be_taken_back(seed: int) -> None:
    for position in positions(seed, OPTIONS[seed % 2]):
        if position.phase != "action":
            continue
        legal = list(position.legal)
        purchases = [one for one in legal if isinstance(one, Purchase)]
        kept = [one for one in purchases if not any(position.refusal(less) is None for less in smaller(one))]
        assert [one for one in position.legal.thrifty() if one.do != "purchase"] == [
            one for one in legal if one.do != "purchase"
        ]
        assert {one for one in position.legal.thrifty() if one.do == "purchase"} == set(kept)


def smaller(purchase: Purchase) -> Iterator[Purchase]:
    for at in range(len(purchase.pay)):
        yield purchase._replace(pay=purchase.pay[:at] + purchase.pay[at + 1 :])
    if purchase.die:
        yield purchase._replace(die=False)


def test_nothing_is_legal_when_the_game_is_over() -> None:
    """A finished game lists nothing and refuses everything as over."""
    last = positions(1)[-1]
    assert not last.legal
    assert code_of(last.refusal(Pass())) == "game-over"
    assert import_module("tabletop.rules.piecepack").GAME.load(last.to_json()) == last
