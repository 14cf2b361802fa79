"""Every game keeps the contract; and each check of the contract can fail."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.rules import registry
from tabletop.rules.contract import ContractBroken, check_contract, check_records, play_random_game, trace
from tabletop.rules.contract.promises import check_draws
from tabletop.rules.game import Action, Game, Illegal, Json, Position
from tabletop.rules.layout import Layout, Spread
from tabletop.rules.palazzo.phases.reasons import MEANINGS as PALAZZO_CODES
from tabletop.rules.patrician.phases.reasons import MEANINGS as PATRICIAN_CODES
from tabletop.rules.piecepack.phases.reasons import MEANINGS as PIECEPACK_CODES
from tests.outside.smugglers.smugglers.rules import GAME as SMUGGLERS
from tests.outside.smugglers.smugglers.rules import MEANINGS as SMUGGLERS_CODES
from tests.outside.smugglers.smugglers.rules import SmugglersPosition, Stow
from tests.rules.tiny import lantern
from tests.rules.tiny.lantern import GAME, LANTERNS, MEANINGS, Darken, Deal, Lantern, LanternPosition, Lay

ROOT = Path(__file__).parents[2]
CODES = {"palazzo": PALAZZO_CODES, "patrician": PATRICIAN_CODES, "piecepack": PIECEPACK_CODES}
OPTIONS: dict[str, list[dict[str, Json]]] = {
    "palazzo": [
        {},
        {"price_basis": "start_of_turn", "min_price": 1, "certificates_alone": False},
        {"stacks": "unknown", "handout_discard": False, "tiebreak_groups": False, "architect": 3},
    ],
    "patrician": [{}, {"move_may_empty_site": False}, {"open_heads": True, "first_seat": 1}],
    "piecepack": [
        {},
        {"exchange_same_cell": False, "holes": "enclosed_8", "yard_refill": "immediate"},
        {"coin_null": 0, "reserve_only_if_unplaceable": True, "final_action_includes_ender": False},
    ],
}


def every(position: Position) -> list[Action]:
    """Return every action of a seat of the tiny game, legal or not."""
    return [*(Lay(one) for one in LANTERNS), Darken()]


def hold_tiny(**how: Any) -> None:
    check_contract(GAME, MEANINGS, seeds=range(4), every=every, step=1, **how)


def test_the_tiny_game_keeps_the_contract() -> None:
    hold_tiny()


@pytest.mark.parametrize("name", sorted(CODES))
def test_each_game_keeps_the_contract(name: str) -> None:
    check_contract(registry.game(name), CODES[name], seeds=range(3), options=OPTIONS[name], step=160)


# Each check can fail: one thing in the tiny game is broken, and the broken promise is named.


def list_too_much(position: LanternPosition) -> Iterator[Action]:
    yield from (Lay(one) for one in position.hands[position.turn]) if position.phase == "lay" else old_list(position)


def list_too_little(position: LanternPosition) -> Iterator[Action]:
    yield from list(old_list(position))[:1]


def list_twice(position: LanternPosition) -> Iterator[Action]:
    yield from (*old_list(position), *old_list(position))


ELSEWHERE = random.Random(1)
old_list = LanternPosition.list_legal
old_after = LanternPosition.after
old_view = LanternPosition.view
old_json = LanternPosition.to_json
old_layout = LanternPosition.layout
old_refusal = LanternPosition.refusal
old_score = LanternPosition.score
old_load = Lantern.load

BROKEN: dict[str, tuple[str, Any, dict[str, object]]] = {
    "lists what is refused": ("listed actions work", LanternPosition, {"list_legal": list_too_much}),
    "lists twice": ("listed actions work", LanternPosition, {"list_legal": list_twice}),
    "lists nothing": ("listed actions work", LanternPosition, {"list_legal": lambda position: iter(())}),
    "leaves actions out": ("listing", LanternPosition, {"list_legal": list_too_little}),
    "lists after the end": (
        "listed actions work",
        LanternPosition,
        {"list_legal": lambda position: iter([Darken()]) if position.over else old_list(position)},
    ),
    "acts on what it refuses": (
        "reasons",
        LanternPosition,
        {"after": lambda position, action: position if old_refusal(position, action) else old_after(position, action)},
    ),
    "refuses with an unknown code": (
        "reasons",
        LanternPosition,
        {"refusal": lambda position, action: (found := old_refusal(position, action)) and Illegal("no", found.message)},
    ),
    "refuses without a sentence": (
        "reasons",
        LanternPosition,
        {"refusal": lambda position, action: (found := old_refusal(position, action)) and Illegal(found.code, " ")},
    ),
    "loses the row": (
        "pieces",
        LanternPosition,
        {"layout": lambda position: Layout({**old_layout(position), "row": Spread(frozenset())})},
    ),
    "has a lantern twice": (
        "pieces",
        LanternPosition,
        {"layout": lambda position: Layout({**old_layout(position), "again": Spread(frozenset(position.row))})},
    ),
    "forgets who is active in its data": (
        "round trips",
        LanternPosition,
        {"to_json": lambda position: {**old_json(position), "active": 0}},
    ),
    "cannot read its notation": ("round trips", Lantern, {"format": lambda game, action: f"{action.do}!"}),
    "cannot read its data": (
        "round trips",
        Lay,
        {"to_json": lambda action: {"do": "lay", "lantern": "L1"}},
    ),
    "does not read what it wrote": (
        "records",
        Lantern,
        {"parse": lambda game, text: game.draw(game.new(["A", "B"]), random.Random(text))},
    ),
    "draws from elsewhere": (
        "determinism",
        Lantern,
        {"draw": lambda game, position, rng, old=Lantern.draw: old(game, position, ELSEWHERE)},
    ),
    "tells everybody what was dealt": (
        "secrets",
        LanternPosition,
        {"view": lambda position, seat: {**old_view(position, seat), "last": list(position.hands[0])}},
    ),
    "declares points open that tell hands": (
        "secrets",
        LanternPosition,
        {
            "score": lambda position: [
                one._replace(points=sum(map(lantern.value, hand)))
                for one, hand in zip(old_score(position), position.hands, strict=True)
            ]
        },
    ),
    "does not tell its options": (
        "shape",
        LanternPosition,
        {"to_json": lambda position: {k: v for k, v in old_json(position).items() if k != "options"}},
    ),
    "has letters that are not a tag": ("tags", Lantern, {"tag": "TT"}),
    "takes a seat that is not there": (
        "hostile data",
        Lantern,
        {"load": lambda game, data: replace(old_load(game, {**data, "active": 0}), turn=data["active"])},
    ),
    "raises what is not a refusal": (
        "hostile data",
        Lantern,
        {"load": lambda game, data: old_load(game, {**data})},
    ),
    "never ends": (
        "the game ends",
        LanternPosition,
        {
            "list_legal": lambda position: iter([Darken()]) if position.phase == "lay" else old_list(position),
            "after": lambda position, action: position if action == Darken() else old_after(position, action),
        },
    ),
    "tells the sum of hidden hands": (
        "records",
        LanternPosition,
        {
            "view": lambda position, seat: {
                **old_view(position, seat),
                "sum": sum(lantern.value(one) for hand in position.hands for one in hand),
            }
        },
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_promise_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    promise, target, changes = BROKEN[name]
    for attribute, broken in changes.items():
        monkeypatch.setattr(target, attribute, broken)
    check = check_walked if promise == "records" else hold_tiny
    with pytest.raises(ContractBroken) as caught:
        check()
    assert caught.value.promise == promise


def check_walked() -> None:
    for seed in range(4):
        check_records(play_random_game(GAME, seed, 2 + seed % 2))


def test_a_piece_that_is_played_face_down_and_comes_to_light_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which a piece is played face down and turned up later is refused, as no record could tell a seat."""
    shown = SmugglersPosition.view

    def view(position: SmugglersPosition, seat: None) -> dict[str, Json]:
        covered = {"wharf": "?"} if position.wharf and seat != position.turn else {}
        return {**shown(position, seat), **covered}

    check_records(play_random_game(SMUGGLERS, 1, 2))
    monkeypatch.setattr(SmugglersPosition, "view", view)
    with pytest.raises(ContractBroken) as caught:
        check_records(play_random_game(SMUGGLERS, 1, 2))
    assert caught.value.promise == "records"


def test_a_secret_beyond_hidden_pieces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose die is known to one seat alone is refused, as the outline of a secret action would show it."""
    shown = SmugglersPosition.view

    def view(position: SmugglersPosition, seat: None) -> dict[str, Json]:
        covered = {"die": "?"} if position.die and seat != position.turn else {}
        return {**shown(position, seat), **covered}

    monkeypatch.setattr(SmugglersPosition, "view", view)
    with pytest.raises(ContractBroken, match="more than which pieces are hidden") as caught:
        check_records(play_random_game(SMUGGLERS, 1, 2))
    assert caught.value.promise == "records"


def test_a_view_that_depends_on_what_it_hides_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for attribute, broken in BROKEN["tells the sum of hidden hands"][2].items():
        monkeypatch.setattr(LanternPosition, attribute, broken)
    with pytest.raises(ContractBroken) as caught:
        hold_tiny()
    assert caught.value.promise == "secrets"


@pytest.mark.parametrize("game", [GAME, SMUGGLERS], ids=lambda game: game.name)
def test_a_secret_kind_of_action_that_is_not_declared_is_found(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal whose kind is not declared as secret is found; the camera's picture would show it to everybody."""
    monkeypatch.setattr(type(game), "secret_kinds", frozenset())
    with pytest.raises(ContractBroken, match="its kind is not declared so"):
        check_contract(game, MEANINGS if game is GAME else SMUGGLERS_CODES, seeds=range(1))


@pytest.mark.parametrize(("game", "deal"), [(GAME, Deal), (SMUGGLERS, Stow)], ids=["lantern", "smugglers"])
def test_a_deal_that_names_another_seat_is_found(
    game: Game, deal: type[Action], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deal that names another seat is found; pages would let the wrong seat enter it."""
    named = deal.to_json
    monkeypatch.setattr(deal, "to_json", lambda action: {**named(action), "seat": 1 - action.seat})
    with pytest.raises(ContractBroken, match="does not say to which seat"):
        check_draws(play_random_game(game, 1, 2).positions[0])


def test_a_position_that_changes_in_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Lay] = []

    def to_json(position: LanternPosition) -> dict[str, Json]:
        return {**old_json(position), "asked": len(seen)}

    def after(position: LanternPosition, action: Lay) -> LanternPosition:
        seen.append(action)
        return old_after(position, action)

    walk = play_random_game(GAME, 1, 2)
    monkeypatch.setattr(LanternPosition, "to_json", to_json)
    monkeypatch.setattr(LanternPosition, "after", after)
    from tabletop.rules.contract import check_listed_actions_act

    with pytest.raises(ContractBroken) as caught:
        check_listed_actions_act(walk.positions[3])
    assert caught.value.promise == "positions are values"


# Games of other packages


def test_an_installed_game_is_found_through_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "lantern-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tabletop.games]\nlantern = lantern_game:GAME\n")
    (tmp_path / "lantern_game.py").write_text((ROOT / "tests/rules/tiny/lantern.py").read_text(encoding="utf-8"))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "lantern" in registry.names()
    assert registry.game("lantern").title == "Lantern"


SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game, trace
print([trace(play_random_game(registry.game(name), 5, 3)) for name in ("palazzo", "patrician", "piecepack")])
"""


def test_every_game_is_the_same_under_every_hash_seed() -> None:
    traces = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(root=str(ROOT))],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(traces) == 1


def test_two_seeds_give_two_traces() -> None:
    assert trace(play_random_game(GAME, 1, 2)) != trace(play_random_game(GAME, 2, 2))
