"""A listener can ask for every fact of the seat's view and nothing else, and can choose every legal action."""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest

from doubles.positions import well_played
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Action, Game, Json, Position
from tabletop.rules.palazzo.components import KIND
from tabletop.web.games import ui_of
from tabletop.web.games.choice import Choice
from tabletop.web.i18n import in_language
from tabletop.web.listening.choosing import EMPTY_DRAFT, ChoiceDraft, Chooser, Option
from tabletop.web.listening.questions import PageFacts, SeatListener, answers, answers_from_views
from tests.outside.installed import install
from tests.web.listening.player import played

GAMES = (*registry.BUILT_IN, "lantern", "smugglers")
LANGUAGES = ("en", "de", "it")
MOST = 60
"""The greatest number of facts that are changed in a position."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Each built-in game, and games installed from other packages."""
    before = set(sys.modules)
    if request.param not in registry.BUILT_IN:
        monkeypatch.syspath_prepend(str(install(tmp_path / "site")))
    yield registry.game(request.param)
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("my_package", "smugglers"):
            del sys.modules[name]


def sample(game: Game, seed: int, count: int, seats: int = 0) -> list[Position]:
    """Return random positions of a game in which a seat decides, followed by its last position."""
    walk = play_random_game(game, seed, seats or game.seat_range[-1])
    decided = [position for position in walk.positions if position.decider is not None]
    return [*random.Random(seed).sample(decided, min(count, len(decided))), walk.positions[-1]]


def listener(position: Position, seat: int | None) -> SeatListener:
    return SeatListener(ui_of(position.game), position, list(position.names), seat)


def heard(who: SeatListener, own: Mapping[str, Json]) -> list[str]:
    """Return everything that a listener with that view can hear."""
    return [
        answer.said + repr(answer.groups)
        for answer in answers_from_views(who, own, who.position.view(None), PageFacts())
    ]


def places(data: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Iterate over the paths to every value of a view, except a seat's name, which is said in place of its number."""
    inside = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        if path[:1] != ("seats",) or key != "name":
            yield (*path, key)
            yield from places(value, (*path, key))


def value_at(view: Json, path: tuple[Json, ...]) -> Json:
    for key in path:
        view = view[key]
    return view


def changes(game: Game, value: Json, rng: random.Random) -> Iterator[Json]:
    """Iterate over other values that a value of a view could have."""
    kind = KIND if game.name == "palazzo" else {}
    if isinstance(value, bool) or value is None:
        yield not value if isinstance(value, bool) else rng.choice(sorted(game.pieces))
    elif isinstance(value, int):
        yield value + 1
    elif value in game.pieces if isinstance(value, str) else False:
        alike = kind.get(value, value)
        yield rng.choice([one for one in game.pieces if kind.get(one, one) != alike])
    elif isinstance(value, str):
        yield f"{value}?"
    elif isinstance(value, list) and value:
        yield value[:-1]
        if [kind.get(str(one), one) for one in value] != [kind.get(str(one), one) for one in value[::-1]]:
            yield value[::-1]
    elif isinstance(value, Mapping) and value:
        yield dict(islice(value.items(), len(value) - 1))


def test_every_fact_of_a_view_can_be_heard(game: Game) -> None:
    """If any fact of a seat's view changes, some answer changes."""
    rng, silent = random.Random(7), []
    for number, position in enumerate(sample(game, 3, 5)):
        seat = rng.randrange(len(position.names))
        view, who = dict(position.view(seat)), listener(position, seat)
        with in_language(LANGUAGES[number % 3]):
            said = heard(who, view)
            ways = list(places(view))
            for path in rng.sample(ways, min(MOST, len(ways))):
                for other in changes(game, value_at(view, path), rng):
                    changed = copy.deepcopy(view)
                    value_at(changed, path[:-1])[path[-1]] = other
                    if heard(who, changed) == said:
                        silent.append((position.phase, path, other))
    assert silent == []


def test_two_views_that_differ_are_heard_differently(game: Game) -> None:
    """In a whole game, two positions are read out in the same words only if the seat's views are equal."""
    walk, known = play_random_game(game, 5, game.seat_range[0]), dict[str, str]()
    with in_language("de"):
        for position in walk.positions[::3]:
            who = listener(position, 0)
            seen = repr(position.view(0))
            for piece, kind in KIND.items() if game.name == "palazzo" else ():
                seen = seen.replace(f"'{piece}'", kind) if piece[0] in "BSM" else seen
            said = repr([(one.lines, one.groups) for one in answers(who)])
            assert known.setdefault(said, seen) == seen


def test_what_a_seat_may_not_know_changes_no_word(game: Game) -> None:
    """A listener's answers name no piece that is hidden from the seat."""
    for position in sample(game, 4, 4):
        for seat in (None, *range(len(position.names))):
            who = listener(position, seat)
            hidden = {piece for pieces in position.hidden(seat).values() for piece in pieces}
            named = {piece for piece in hidden if f"'{piece}'" not in repr(position.view(seat))}
            said = " ".join(answer.said for answer in answers(who))
            called = {who.ui.called(piece) for piece in named} - {
                who.ui.called(one) for one in game.pieces if one not in named
            }
            words = f" {said} ".replace(",", " ").replace(".", " ").replace(";", " ")
            assert [name for name in called if f" {name} " in words] == []


def found(chooser: Chooser, wanted: Mapping[str, Json], draft: ChoiceDraft = EMPTY_DRAFT) -> Option | None:
    """Return the option that sends an action, found by following only options that are part of it."""
    for option in chooser.options(draft):
        if option.data is not None:
            if dict(option.data) == dict(wanted):
                return option
        elif option.leads is not None and belongs(option.leads, draft, wanted):
            there = found(chooser, wanted, option.leads)
            if there is not None:
                return there
    return None


def belongs(leads: ChoiceDraft, draft: ChoiceDraft, wanted: Mapping[str, Json]) -> bool:
    """Return whether a draft is part of an action; of the orders of the same pieces, only one is followed."""
    if any(wanted.get(key) != value for key, value in leads.fields.items()):
        return False
    if not leads.pieces:
        return leads.pieces is None or draft.pieces is None
    sets = [value for key, value in wanted.items() if isinstance(value, list) and key not in leads.fields]
    return bool(sets) and list(leads.pieces) == [one for one in sets[0] if one in leads.pieces][: len(leads.pieces)]


def test_every_act_can_be_chosen(game: Game) -> None:
    """Every legal action, however unlikely, can be chosen step by step, and nothing else can."""
    rng, missed = random.Random(9), []
    with in_language("it"):
        for position in sample(game, 6, 12)[:-1]:
            chooser = Chooser(ui_of(game), position, list(position.names))
            legal: list[Action] = list(islice(position.legal, 3000))
            for action in rng.sample(legal, min(8, len(legal))):
                option = found(chooser, action.to_json())
                if option is None:
                    missed.append(action)
                else:
                    assert position.refusal(game.action(dict(option.data or {}))) is None
    assert missed == []


def test_a_player_that_only_hears_finishes_its_games(game: Game) -> None:
    """A player that chooses at random among the spoken options makes only legal actions, to the end."""
    for seed in (1, 2):
        with in_language(LANGUAGES[seed]):
            *_rest, (last, _player) = played(game, game.seat_range[seed % len(game.seat_range)], seed)
        assert last.over


def test_what_cannot_be_done_is_listed_with_its_reason() -> None:
    """A purchase that cannot be paid is closed with a reason that is a whole sentence."""
    game = registry.game("piecepack")
    closed = [
        pair
        for position in sample(game, 2, 40)[:-1]
        for pair in Chooser(ui_of(game), position, list(position.names)).at(EMPTY_DRAFT).closed
    ]
    assert closed
    assert all(title and reason.endswith(".") for title, reason in closed)


def test_a_step_that_is_only_passed_works_out_no_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reasons are worked out only for the step that is read, not for the steps on the way to it."""
    game = registry.game("piecepack")
    position = next(
        one for one in sample(game, 2, 40) if len(Chooser(ui_of(game), one, one.names).options(EMPTY_DRAFT)) > 1
    )
    ui, asked = ui_of(game), list[Position]()
    real = ui.closed

    def closed(position: Position) -> Iterator[Choice]:
        asked.append(position)
        return real(position)

    monkeypatch.setattr(ui, "closed", closed)
    step = Chooser(ui, position, position.names).at(EMPTY_DRAFT)
    assert step.heading
    assert step.options
    assert asked == []
    assert step.closed == list(step.closed)
    assert len(asked) == 1


def test_an_empty_list_of_seats_holds_nobody() -> None:
    """An empty list of seats is read as “nobody”, not as “nothing”."""
    position = next(one for one in well_played(registry.game("palazzo"), 1) if one.phase == "bid")
    with in_language("en"):
        assert any("Out of the auction: nobody." in said for said in heard(listener(position, 0), position.view(0)))
