"""What happened is described once, agrees with the layouts, and names no piece that a seat may not know."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.happenings import MAX_HAPPENINGS, Passage, happenings_since, passages, tell
from tabletop.match.match import Match, begin, start_data
from tabletop.rules import registry
from tabletop.rules.contract import RandomGame, play_random_game
from tabletop.rules.contract.promises import secrets_of
from tabletop.rules.game import Around, Game, Illegal
from tabletop.rules.layout import Layout, Tower
from tabletop.rules.secrecy import is_secret
from tests.web.test_table_secrets import exchange

NAMES = 3
GAMES = [registry.game(name) for name in registry.BUILT_IN]


def walk_of(game: Game, seed: int = 5) -> RandomGame:
    return play_random_game(game, seed, NAMES)


def match_of(game: Game, walk: RandomGame, steps: int) -> list[Match]:
    """Return the match after each of the first ``steps`` actions of a random game."""
    (event,) = chain_events([Fact(EventKind.START, start_data(walk.positions[0], {}), None, Source.TABLE, 0.0)], None)
    found = [begin(event)]
    for action, position in zip(walk.actions[:steps], walk.positions[1:], strict=False):
        decider = found[-1].position.decider
        (event,) = chain_events([Fact(EventKind.ACTION, dict(action.to_json()), decider, Source.PAGE, 0.0)], event)
        found.append(found[-1].with_event(event, position))
    return found


def sizes(layout: Layout) -> Counter[str]:
    """Return the number of pieces in each zone."""
    floors = {zone: there.floors for zone, there in layout.items() if isinstance(there, Tower)}
    return Counter({zone: len(floors.get(zone, layout.pieces(zone))) for zone in layout})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_passages_account_for_every_change_of_the_layout(game: Game) -> None:
    """Each zone gains and loses what the passages say, and named pieces lie where their passages begin and end."""
    walk = walk_of(game)
    for before, action, after in zip(walk.positions, walk.actions, walk.positions[1:], strict=False):
        around = Around(before, after)
        found = passages(around, ())
        was, now = before.layout(), after.layout()
        gained = sizes(now)
        gained.subtract(sizes(was))
        for one in found:
            gained[one.end] -= one.number
            gained[one.start] += one.number
        assert {zone: count for zone, count in gained.items() if zone and count} == {}, action
        for one in found:
            if one.piece in game.pieces:
                assert one.piece in was.pieces(one.start) or not one.start
                assert one.piece in now.pieces(one.end) or not one.end


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_happening_tells_a_seat_more_than_it_may_know(game: Game) -> None:
    """If two pieces that a seat has not seen are exchanged, what the seat is told does not change."""
    walk = walk_of(game)
    matches = match_of(game, walk, 60)
    compared, rng = 0, random.Random(2)
    for seat in (None, 0, 1):
        hidden: set[str] | None = None
        for at in range(1, 40):
            now = set(secrets_of(walk.positions[at], seat))
            hidden = now if hidden is None else hidden & now
            home = walk.positions[at].layout().zone_of()
            pairs = [pair for pair in combinations(sorted(hidden), 2) if home[pair[0]] != home[pair[1]]]
            for one, other in rng.sample(pairs, min(8, len(pairs))):
                try:
                    actions = [game.action(exchange(act.to_json(), one, other)) for act in walk.actions[:at]]
                    position = walk.positions[0]
                    for action in actions[:-1]:
                        position = position.after(action)
                    around = Around(position, position.after(actions[-1]))
                except Illegal:
                    continue
                doer = matches[at].steps[-1].event.seat
                mine = Around(walk.positions[at - 1], walk.positions[at])
                ours = tell(game, walk.actions[at - 1], doer, seat, mine)
                theirs = tell(game, actions[-1], doer, seat, around)
                assert ours == theirs
                assert passages(mine, ours.pieces) == passages(around, theirs.pieces)
                compared += walk.positions[at] != around.after
    assert compared > 50


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_only_the_declared_kinds_of_action_are_secret(game: Game) -> None:
    """No action outside the declared secret kinds hides a piece from any seat."""
    walk = walk_of(game)
    assert game.secret_kinds is not None
    for before, action, after in zip(walk.positions[:60], walk.actions, walk.positions[1:], strict=False):
        if action.do not in game.secret_kinds:
            assert not any(is_secret(before, action, after, seat) for seat in (None, 0, 1, 2)), action


def test_a_deal_names_its_cards_to_its_own_seat_alone() -> None:
    """A deal names its cards to its own seat; others are told only the number of cards."""
    game = registry.game("palazzo")
    walk = walk_of(game)
    at = next(number for number, action in enumerate(walk.actions) if action.do == "deal")
    matches = match_of(game, walk, at + 1)
    dealt = walk.actions[at].to_json()
    for seat in (None, 0, 1, 2):
        (one,) = happenings_since(matches[at], matches[at + 1], seat)
        own = seat == dealt["seat"]
        hand = f"hand{dealt['seat']}"
        wanted = [Passage(card, "deck", hand) for card in sorted(dealt["cards"])]
        assert one.passages == (tuple(wanted) if own else (Passage("", "deck", hand, 4),))


def test_an_undo_moves_the_pieces_back() -> None:
    """An undo's passages are those of the action it takes back, reversed."""
    game = registry.game("patrician")
    walk = walk_of(game)
    at = next(number for number, action in enumerate(walk.actions) if action.do == "floor")
    before, after = match_of(game, walk, at + 1)[-2:]
    (done,) = happenings_since(before, after, None)
    (event,) = chain_events([Fact(EventKind.UNDO, {"to": before.last}, None, Source.PAGE, 0.0)], after.steps[-1].event)
    (undone,) = happenings_since(after, after.with_event(event), None)
    assert (done.kind, undone.kind) == ("floor", "undo")
    assert undone.passages == tuple(Passage(one.piece, one.end, one.start) for one in done.passages) != ()


def test_public_points_are_reported_and_secret_ones_are_not() -> None:
    """Reported changes of points add up to the final score; a game with secret points reports none."""
    for game in GAMES:
        walk = walk_of(game)
        matches = match_of(game, walk, len(walk.actions))
        sums = Counter[int]()
        for then, now in pairwise(matches):
            for one in happenings_since(then, now, None):
                sums.update(dict(one.points))
        scores = {seat: score.points for seat, score in enumerate(walk.positions[-1].score()) if score.points}
        assert {seat: points for seat, points in sums.items() if points} == (scores if game.open_points else {})


def test_after_a_long_absence_nothing_is_reported_one_by_one() -> None:
    """After more than the most happenings, or another game, none are reported one by one."""
    game = registry.game("palazzo")
    matches = match_of(game, walk_of(game), MAX_HAPPENINGS + 2)
    assert len(happenings_since(matches[0], matches[MAX_HAPPENINGS], None)) == MAX_HAPPENINGS
    assert happenings_since(matches[0], matches[MAX_HAPPENINGS + 1], None) == ()
    other = match_of(registry.game("patrician"), walk_of(registry.game("patrician")), 3)
    assert happenings_since(matches[0], other[2], None) == ()


def test_a_piece_that_another_one_is_placed_upon_is_not_named() -> None:
    """Placing a tile onto another names only the placed one, as declared by the game's fields."""
    game = registry.game("palazzo")
    action = game.parse("place B2.1 onto B1.2")
    assert tell(game, action, 0, None).pieces == ("B2.1",)
