"""Actions: listing, refusing and acting agree, text round-trips, every code occurs, chance is drawn fairly."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules.chance_actions import Deal
from tabletop.rules.game import Action, Illegal, Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, REVEAL, SKIP, TAKE, Floor, Move, Play, Take
from tabletop.rules.patrician.phases.reasons import MEANINGS, REASONS
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.rules import PHASES
from tests.refusals import code_of
from tests.rules.patrician.board import NAMES, begun, board, do, refused, walk

EVERYTHING = [*FLOOR, *MOVE, SKIP, *PLAY.values(), *TAKE.values(), *REVEAL.values()]
"""Every possible action but the deals."""


@pytest.mark.parametrize(("seats", "strict"), [(2, False), (3, True), (4, False), (5, True)])
def test_the_legal_actions_are_exactly_those_not_refused(seats: int, strict: bool) -> None:
    """In every position of a game, listing, refusing and acting agree about all possible actions."""
    for number, position in enumerate(walk(seats + 43, seats, move_may_empty_site=not strict)):
        listed = list(position.legal)
        assert len(set(listed)) == len(listed) == len(position.legal)
        assert bool(listed) == bool(position.legal) == (not position.over)
        assert list(position.legal.thrifty()) == listed
        if position.phase == "deal":
            assert all(action in position.legal for action in listed[::17])
            continue
        refusals = {action: position.refusal(action) for action in EVERYTHING}
        assert {action for action, refusal in refusals.items() if refusal is None} == set(listed)
        for action, refusal in refusals.items() if number % 10 == 0 else ():
            if refusal is None:
                assert position.after(action) != position
            else:
                with pytest.raises(Illegal) as raised:
                    position.after(action)
                assert raised.value.to_json() == refusal.to_json()


def test_actions_of_different_kinds_never_compare_equal() -> None:
    played: Action = Play("ROM3")
    assert played != Take("ROM3")
    assert len(set(EVERYTHING)) == len(EVERYTHING) == 2 + 20 + 1 + 3 * 55


deals = st.builds(
    lambda seat, cards: Deal(seat, tuple(sorted(cards))),
    st.integers(0, 999),
    st.lists(st.sampled_from(list(PLAY)), max_size=5),
)


@given(st.one_of(st.sampled_from(EVERYTHING), deals))
def test_actions_round_trip_through_notation_and_json(action: Action) -> None:
    assert GAME.parse(GAME.format(action)) == action
    assert GAME.action(action.to_json()) == action
    assert type(GAME.action(action.to_json())) is type(action)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("play ROM3", Play("ROM3")),
        ("floor A", Floor("A")),
        ("move MIL from A", Move("MIL", "A")),
        ("skip", SKIP),
        ("take LUC2", Take("LUC2")),
        ("reveal LUC2", REVEAL["LUC2"]),
        ("deal 1 BOL3+FIR3+LUC3", Deal(1, ("BOL3", "FIR3", "LUC3"))),
    ],
)
def test_actions_have_this_notation(line: str, action: Action) -> None:
    assert GAME.format(action) == line
    assert GAME.parse(line) == action


def test_the_json_of_a_move_names_its_site_from() -> None:
    assert MOVE[0].to_json() == {"do": "move", "city": "BOL", "from": "A"}
    assert GAME.action({"do": "move", "city": "MIL", "from": "A", "seat": 2}) == Move("MIL", "A")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "bad-request"),
        ([], "bad-request"),
        ({}, "bad-request"),
        ({"do": 3}, "bad-request"),
        ({"do": "build"}, "unknown-action"),
        ({"do": "play"}, "bad-request"),
        ({"do": "play", "card": 3}, "bad-request"),
        ({"do": "play", "card": "rom3"}, "unknown-piece"),
        ({"do": "play", "card": "ROM8"}, "unknown-piece"),
        ({"do": "play", "card": "X" * 1000}, "unknown-piece"),
        ({"do": "take", "card": "ROM"}, "unknown-piece"),
        ({"do": "reveal", "card": "ROM3"}, "bad-request"),
        ({"do": "floor", "site": "C"}, "bad-request"),
        ({"do": "floor"}, "bad-request"),
        ({"do": "floor", "site": 0}, "bad-request"),
        ({"do": "move", "city": "XXX", "from": "A"}, "bad-request"),
        ({"do": "move", "city": ["MIL"], "from": "A"}, "bad-request"),
        ({"do": "move", "city": "MIL"}, "bad-request"),
        ({"do": "move", "city": "MIL", "from": "a"}, "bad-request"),
        ({"do": "deal", "cards": []}, "bad-request"),
        ({"do": "deal", "seat": True, "cards": []}, "bad-request"),
        ({"do": "deal", "seat": 0, "cards": "ROM3"}, "bad-request"),
        ({"do": "deal", "seat": 0, "cards": ["ROM3", "ROM9", "ROM4"]}, "unknown-piece"),
    ],
)
def test_data_that_is_not_an_action_is_refused(data: Json, code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.action(data)
    assert refusal.value.code == code
    assert len(refusal.value.message) < 200


@pytest.mark.parametrize(
    "text", ["", "play", "play ROM3 ROM4", "move MIL A", "deal 0", "deal x ROM3", "skip it", "x" * 999]
)
def test_text_that_is_not_notation_is_refused(text: str) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.parse(text)
    assert refusal.value.code == "bad-request"


def test_a_city_not_in_play_and_an_unknown_site_are_refused() -> None:
    towers = {"MIL": ("r", "b")}
    position = do(board(active=2, hands=[[], [], ["LUC5"]], towers=towers), "play LUC5")
    assert code_of(position.refusal(Floor("C"))) == "bad-request"
    position = do(position, "floor A")
    assert refused(position, "move PIS from A").code == "bad-request"
    assert code_of(position.refusal(Move("XXX", "A"))) == "bad-request"
    assert code_of(position.refusal(Move("MIL", "C"))) == "bad-request"


# Refusals


def test_every_reason_has_a_meaning_and_every_phase_says_what_it_waits_for() -> None:
    assert {reason.code for reason in REASONS.values()} <= set(MEANINGS)
    assert set(MEANINGS) - {reason.code for reason in REASONS.values()} == {
        "unknown-action", "unknown-piece", "bad-position",
    }  # fmt: skip
    assert {name for name, phase in PHASES.items() if not phase.waits} == {"over"}


def test_the_codes_are_those_of_the_protocol() -> None:
    common = {"not-your-turn", "wrong-phase", "unknown-action", "unknown-piece", "not-in-pool", "game-over",
              "bad-position", "bad-request"}  # fmt: skip
    own = {"not-in-hand", "must-use-empty-site", "city-full", "own-city-just-built", "city-scored", "no-own-floor",
           "empty-site", "not-in-market", "wrong-market"}  # fmt: skip
    assert set(MEANINGS) == common | own


def test_a_refusal_names_its_rule_and_carries_the_facts_of_its_sentence() -> None:
    for position in walk(47, 3, move_may_empty_site=False):
        for action in EVERYTHING[::5]:
            refusal = position.refusal(action)
            if refusal is not None:
                assert refusal.rule
                assert all(str(fact) in refusal.message for fact in refusal.facts.values())
                assert refusal.nearest is None or refusal.nearest in position.legal
                assert refusal.to_json()["code"] in MEANINGS


# Chance


def test_chance_draws_legal_outcomes_and_the_same_for_the_same_generator() -> None:
    for seed in range(5):
        for position in walk(seed, 5):
            if position.decider is None and not position.over:
                drawn = GAME.draw(position, random.Random(seed))
                assert drawn in position.legal
                assert drawn == GAME.draw(position, random.Random(seed))


def test_chance_can_draw_every_card() -> None:
    position = do(GAME.new(NAMES[:2]), "deal 0 BOL3+BOL4+FIR3", "deal 1 FIR4+LUC3+MIL3")
    rng = random.Random(1)
    assert {GAME.draw(position, rng).to_json()["piece"] for _ in range(1000)} == set(position.deck)


def perft(position: PatricianPosition, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(position.after(action), depth - 1) for action in position.legal)


def last_turns(seed: int, seats: int, **options: bool) -> PatricianPosition:
    """Return the sixth-last position of a game in which a card is to be played."""
    return [position for position in walk(seed, seats, **options) if position.phase == "play"][-6]


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        # Three cards of one crest, two sites, one market card, thirty cards in the deck, three cards of the next seat.
        (begun(3), [1, 3, 6, 6, 180, 540]),
        (last_turns(53, 2), [1, 3, 6, 16, 36, 68, 132, 264, 528, 960, 1344, 1920, 3072]),
        (last_turns(61, 3), [1, 2, 4, 8, 16, 32, 64, 120, 192, 288, 448, 640, 1024]),
        (last_turns(67, 5, move_may_empty_site=False), [1, 2, 4, 6, 8, 12, 16, 32, 48, 64, 96, 128, 256]),
        (list(walk(53, 2))[60], [1, 2, 2, 44]),
        (list(walk(61, 3))[60], [1, 1, 19, 57]),
        (list(walk(67, 5, move_may_empty_site=False))[60], [1, 20, 60, 120]),
    ],
)
def test_small_trees_have_these_counts(position: PatricianPosition, counts: Sequence[int]) -> None:
    """The number of ways to go on, by depth, does not change: a change of any rule would show here."""
    assert [perft(position, depth) for depth in range(len(counts))] == counts


def test_a_whole_game_is_the_same_under_any_hash_seed() -> None:
    program = (
        "from tests.rules.patrician.board import walk\n"
        "from tabletop.rules.patrician import GAME\n"
        "*_, last = walk(59, 5)\n"
        "print([GAME.format(a) for p in walk(59, 5) for a in p.legal][::997], last.to_json(), last.score())\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }  # fmt: skip
    assert len(said) == 1
