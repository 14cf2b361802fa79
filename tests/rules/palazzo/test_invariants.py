"""Invariants of every position in every game."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.rules.game import Illegal
from tabletop.rules.layout import Hidden
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import ARCHITECT, KIND, PIECES
from tabletop.rules.palazzo.phases.reasons import MEANINGS
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.rules.palazzo.walks import moves, start, step, walk

SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_piece_but_the_architect_is_in_exactly_one_zone(seed: int) -> None:
    for position in walk(seed):
        layout = position.layout()
        lying = [piece for zone in layout for piece in layout.pieces(zone)]
        assert sorted(lying) == sorted(piece for piece in PIECES if piece != ARCHITECT)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_tile_is_placed_on_the_architects_quarry_and_after_an_auction_it_is_empty(seed: int) -> None:
    for position, action in moves(seed):
        after = position.after(action)
        if action.do == "reveal" and position.phase == "reveal" and position.drawn is not None:
            assert after.quarry == position.quarry
        if after.phase == "action" and position.phase == "place":
            assert after.quarry == () or after.architect == after.options.architect


@pytest.mark.parametrize("seed", SEEDS)
def test_no_seat_is_ever_stuck_and_the_game_ends_with_five_end_tiles(seed: int) -> None:
    last = None
    for position in walk(seed):
        assert position.over or position.legal
        last = position
    assert last is not None
    assert len(last.end_tiles) == 5


@pytest.mark.parametrize("seed", SEEDS)
def test_every_listed_action_acts_and_is_listed_once_and_thrifty_ones_are_among_them(seed: int) -> None:
    rng = random.Random(seed)
    for position, _ in moves(seed):
        if position.phase == "deal":
            continue
        legal = list(position.legal)
        assert len(set(legal)) == len(legal) == len(position.legal)
        assert set(position.legal.thrifty()) <= set(legal)
        for action in rng.sample(legal, min(6, len(legal))):
            assert action in position.legal
            position.after(action)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_refusal_has_a_code_a_sentence_and_a_legal_nearest_action(seed: int) -> None:
    others = [action for _, action in moves(seed + 100)]
    rng = random.Random(seed)
    for position, _ in moves(seed):
        before = json.dumps(position.to_json())
        for action in rng.sample(others, 5):
            reason = position.refusal(action)
            if reason is None:
                assert action in position.legal
                continue
            assert reason.code in MEANINGS
            assert reason.message[-1] in ".!"
            assert "{" not in reason.message
            assert reason.rule
            json.dumps(reason.to_json())
            assert reason.nearest is None or reason.nearest in position.legal
            with pytest.raises(Illegal) as caught:
                position.after(action)
            assert caught.value.code == reason.code
        assert json.dumps(position.to_json()) == before


@pytest.mark.parametrize("seed", SEEDS)
def test_actions_round_trip_through_json_and_notation(seed: int) -> None:
    for _, action in moves(seed):
        assert GAME.action(json.loads(json.dumps(action.to_json()))) == action
        assert GAME.parse(GAME.format(action)) == action


def swapped(position: PalazzoPosition, pieces: Sequence[str], rng: random.Random) -> PalazzoPosition:
    """Return the position with these pieces, which a view may hide, exchanged at random among their places."""
    mixed = rng.sample(pieces, len(pieces))
    text = json.dumps(position.to_json())
    for at, piece in enumerate(pieces):
        text = text.replace(f'"{piece}"', f'"#{at}"')
    for at, piece in enumerate(mixed):
        text = text.replace(f'"#{at}"', f'"{piece}"')
    return GAME.load(json.loads(text))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_does_not_change_when_what_it_hides_is_permuted(seed: int) -> None:
    rng = random.Random(seed)
    for position in walk(seed):
        for seat in (None, *range(len(position.names))):
            hidden = [card for other, hand in enumerate(position.hands) if other != seat for card in hand]
            other = swapped(position, hidden + list(position.deck), rng)
            assert other.view(seat) == position.view(seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_names_no_card_of_another_hand_or_of_the_deck(seed: int) -> None:
    for position in walk(seed):
        for seat in (None, *range(len(position.names))):
            text = json.dumps(position.view(seat))
            for other, hand in enumerate(position.hands):
                assert all((f'"{card}"' in text) == (other == seat) for card in hand)
            assert not any(f'"{card}"' in text for card in position.deck)


def test_a_position_cannot_be_changed_in_place() -> None:
    position, _ = start(1)
    with pytest.raises(AttributeError, match="phase"):
        position.phase = "over"


def test_hidden_zones_are_hands_deck_stacks_and_box() -> None:
    position, _ = start(1)
    hidden = {zone for zone, arrangement in position.layout().items() if isinstance(arrangement, Hidden)}
    seats = range(len(position.names))
    assert hidden == {*(f"hand{seat}" for seat in seats), "deck", "stack1", "stack2", "stack3", "box"}


def test_copies_are_of_one_kind() -> None:
    assert KIND["R5a"] == KIND["R5c"] != KIND["R6a"]
    assert KIND["B3.1a"] == KIND["B3.1b"] != KIND["B3.2"]
    assert KIND["E1"] == KIND["E5"]


def digest() -> str:
    """Return a digest of games with all their listings."""
    told = hashlib.sha256()
    for seed in range(2):
        position, rng = start(seed)
        while not position.over:
            told.update(json.dumps(position.to_json()).encode())
            if position.phase != "deal":
                told.update(json.dumps([action.to_json() for action in position.legal]).encode())
            position = position.after(step(position, rng))
    return told.hexdigest()


@pytest.mark.parametrize("hashseed", ["1", "4711"])
def test_a_game_is_the_same_under_any_hash_seed(hashseed: str) -> None:
    root = Path(__file__).resolve().parents[3]
    code = "from tests.rules.palazzo.test_invariants import digest; print(digest())"
    environment = os.environ | {"PYTHONHASHSEED": hashseed}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert told.stdout.strip() == digest(), told.stderr
