"""The contract's promises, and :func:`check_contract`, which tests all of them in random games."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tabletop.rules.contract.data_shape import (
    WRONG_VALUES,
    ContractBroken,
    check_action_shape,
    check_hostile_data,
    check_shape,
    check_tags,
)
from tabletop.rules.contract.walks import RandomGame, play_random_game, trace
from tabletop.rules.data_words import words
from tabletop.rules.game import Action, Game, Illegal, Json, Position
from tabletop.rules.layout import Hidden
from tabletop.rules.secrecy import indistinguishable, is_secret, known_pieces
from tabletop.rules.text import record, record_text, recorder
from tabletop.rules.text.position_text import format_position, parse_position
from tabletop.rules.text.redaction import is_outline, outline
from tabletop.rules.text.replay import replay, shown_data

Every = Callable[[Position], Iterable[Action]]
"""Returns every action that could be named in a position, legal or not."""
Copies = Callable[[Position, Action], object]
"""Returns the same value for actions that differ only in interchangeable copies."""


def each_by_itself(_: Position, action: Action) -> object:
    """Return the action: no action is a copy of another."""
    return action


def check_contract(
    game: Game,
    codes: Mapping[str, str],
    seeds: Iterable[int] = range(3),
    options: Sequence[Mapping[str, Json]] = ({},),
    every: Every | None = None,
    copies: Copies = each_by_itself,
    step: int = 7,
) -> None:
    """Check the whole contract in one random game per seed, taking the options and numbers of seats in turn.

    ``codes`` is the game's table of codes; ``every`` and ``copies`` are for comparing the listing with brute force;
    every ``step``-th position, and the last one, is checked closely.  Raises ContractBroken.
    """
    check_tags(game)
    hidden = moved = 0
    walks = []
    for seed in seeds:
        seats, chosen = game.seat_range[seed % len(game.seat_range)], options[seed % len(options)]
        walk = play_random_game(game, seed, seats, chosen)
        walks.append(walk)
        check_determinism(walk, seed, chosen)
        check_pieces(walk)
        rng = random.Random(seed)
        for position in (*walk.positions[::step], walk.positions[-1]):
            check_listed_actions_act(position)
            check_shape(position)
            check_round_trips(position)
            check_reasons(position, codes, rng)
            check_draws(position)
            if every is not None:
                check_listing(position, every, copies)
            for seat in (None, *range(seats)):
                hidden += bool(secrets_of(position, seat))
                moved += check_secrets(position, seat, rng)
        check_secret_kinds(walk)
        check_records(walk)
    for walk in walks:
        for position in (*walk.positions[::step], walk.positions[-1]):
            check_hostile_data(position, random.Random(step))
    if hidden and not moved:
        raise ContractBroken("secrets", "no exchange of hidden pieces gave a position, so nothing could be compared")


# The promises


def check_determinism(walk: RandomGame, seed: int, options: Mapping[str, Json] | None = None) -> None:
    """The same seed gives the same game."""
    again = play_random_game(walk.game, seed, len(walk.positions[0].names), options)
    if trace(again) != trace(walk):
        raise ContractBroken("determinism", f"seed {seed} gave two different games")


def check_listed_actions_act(position: Position) -> None:
    """Every listed action is legal and can be done, and doing it leaves the position as it was."""
    before = json.dumps(position.to_json())
    if position.over and position.legal:
        raise ContractBroken("listed actions work", "the game is over and lists actions")
    if not position.over and not position.legal:
        raise ContractBroken("listed actions work", f"nothing is legal in the phase {position.phase}")
    listed = list(position.legal)
    if len(set(listed)) != len(listed):
        raise ContractBroken("listed actions work", "an action is listed twice")
    for action in _some(listed):
        check_action_shape(position.game, action)
        refusal = position.refusal(action)
        if refusal is not None or action not in position.legal:
            raise ContractBroken("listed actions work", f"{action} is listed and refused")
        first, second = position.after(action), position.following(action)
        if first != second or hash(first) != hash(second):
            raise ContractBroken("positions are values", f"{action} done twice gives two different positions")
        if json.dumps(position.to_json()) != before:
            raise ContractBroken("positions are values", f"{action} changed the position it was done in")


def check_round_trips(position: Position) -> None:
    """A position and its actions are read back from their data and notation unchanged."""
    try:
        _round_trip(position)
    except Illegal as refusal:
        raise ContractBroken("round trips", f"what was written is refused: {refusal.message}") from refusal


def check_reasons(position: Position, codes: Mapping[str, str], rng: random.Random) -> None:
    """Every mutation of a legal action can be done, or is refused in ``after`` as in ``refusal``, with a known code."""
    before = json.dumps(position.to_json())
    for action in _some(list(position.legal), 12):
        for data in mutations(position.game, action.to_json(), rng):
            refusal, mutant = None, None
            try:
                mutant = position.game.action(data)
            except Illegal as unread:
                refusal = unread
            if mutant is not None:
                refusal = _refused(position, mutant)
            if refusal is None:
                continue
            if refusal.code not in codes:
                raise ContractBroken("reasons", f"{data} is refused with {refusal.code}, which the table does not know")
            if not refusal.message.strip() or "{" in refusal.message.replace(json.dumps(data), ""):
                raise ContractBroken("reasons", f"{data} is refused without a sentence: {refusal.message!r}")
    if json.dumps(position.to_json()) != before:
        raise ContractBroken("positions are values", "a refused action changed the position")


def check_listing(position: Position, every: Every, copies: Copies = each_by_itself) -> None:
    """The listing holds exactly the nameable actions that are not refused, interchangeable copies once."""
    if position.decider is None:
        return
    listed = [copies(position, action) for action in position.legal]
    left = {copies(position, action) for action in every(position) if position.refusal(action) is None}
    if set(listed) != left:
        odd = sorted(map(repr, set(listed) ^ left))[:3]
        raise ContractBroken("listing", f"listing and brute force differ by {', '.join(odd)}")
    if len(set(listed)) != len(listed):
        raise ContractBroken("listing", "copies are listed more than once")


def check_pieces(walk: RandomGame) -> None:
    """Every piece is in exactly one zone, and the pieces stay the same from the first position to the last."""
    everything = set(walk.positions[0].layout().zone_of())
    strange = everything.difference(walk.game.pieces)
    if strange:
        raise ContractBroken("pieces", f"the layout holds {sorted(strange)[0]}, which is not a piece of the game")
    for position in walk.positions:
        layout = position.layout()
        if sum(len(layout.pieces(zone)) for zone in layout) != len(everything) or set(layout.zone_of()) != everything:
            raise ContractBroken("pieces", f"in the phase {position.phase} a piece is missing or in two zones")


def check_secrets(position: Position, seat: int | None, rng: random.Random) -> int:
    """A view does not change when what it hides is permuted; return how many permutations gave a position."""
    view = position.view(seat)
    hidden = secrets_of(position, seat)
    compared = 0
    for _ in range(3 if len(hidden) > 1 else 0):
        other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        try:
            permuted = position.game.load(_renamed(position.to_json(), view, other))
        except Illegal:
            continue
        compared += permuted != position
        if permuted.view(seat) != view:
            who = "a spectator" if seat is None else f"seat {seat}"
            raise ContractBroken(
                "secrets", f"in the phase {position.phase} {who} sees that hidden pieces changed places"
            )
        if seat is None and position.game.open_points and _points(permuted) != _points(position):
            raise ContractBroken("secrets", "the points are declared open and follow from hidden pieces")
    return compared


def check_draws(position: Position) -> None:
    """A piece that chance moves from one hidden place to another is seen only by the seat that the action names."""
    if position.decider is not None:
        return
    hidden = _hidden(position)
    for action in _some(list(position.legal), 12):
        after = position.after(action)
        named = {*position.game.pieces_in(action.to_json())}
        if not named or not all(piece in hidden and piece in _hidden(after) for piece in named):
            continue
        seats = [seat for seat in (None, *range(len(position.names))) if named & _news(position, after, seat)]
        if len(seats) > 1 or None in seats:
            raise ContractBroken("secrets", f"{position.game.format(action)} is seen by more than the seat it is for")
        if seats and action.to_json().get("seat") != seats[0]:
            raise ContractBroken("shape", f"{action} is a deal and does not say to which seat")


def check_secret_kinds(walk: RandomGame) -> None:
    """If a game lists its secret kinds of action, it lists them all: they decide who sees the camera's picture."""
    for before, action, after in zip(walk.positions, walk.actions, walk.positions[1:], strict=False):
        if not walk.game.may_be_secret(action.do) and is_secret(before, action, after, None):
            raise ContractBroken("secrets", f"{walk.game.format(action)} is secret, and its kind is not declared so")


def check_records(walk: RandomGame) -> None:
    """The record round-trips and replays to the game; each seat's own replays to exactly its views."""
    try:
        whole = recorder.make(walk.positions[0], walk.actions)
        if record_text.parse_record(record_text.format_record(whole)) != whole:
            raise ContractBroken("records", "the record's text is not the record")
        _check_replay(walk, whole)
        for seat in (None, *range(len(walk.positions[0].names))):
            own = record_text.parse_record(record_text.format_record(recorder.seen_by(whole, seat, walk.game)))
            _check_replay(walk, own)
            _check_nothing_revealed(walk, own, seat)
    except (record.RecordError, Illegal) as error:
        raise ContractBroken("records", str(error)) from error


# Parts


def _round_trip(position: Position) -> None:
    data = json.loads(json.dumps(position.to_json()))
    again = position.game.load(data)
    if again != position or hash(again) != hash(position) or json.dumps(again.to_json()) != json.dumps(data):
        raise ContractBroken("round trips", "load does not take back what to_json gives")
    if parse_position(position.game, format_position(position)) != position:
        raise ContractBroken("round trips", "the position is not what its line says")
    for action in _some(list(position.legal)):
        if position.game.action(json.loads(json.dumps(action.to_json()))) != action:
            raise ContractBroken("round trips", f"{action} is not what its data says")
        if position.game.parse(position.game.format(action)) != action:
            raise ContractBroken("round trips", f"{action} is not what its notation says")


def mutations(game: Game, data: Mapping[str, Json], rng: random.Random) -> Iterator[dict[str, Json]]:
    """Yield the data of an action with one thing changed: a key missing, a piece or number another, a type wrong."""
    pieces = sorted(game.pieces)
    for key, value in data.items():
        yield {other: kept for other, kept in data.items() if other != key}
        for changed in (*WRONG_VALUES, rng.choice(pieces)):
            yield {**data, key: changed}
        if isinstance(value, list):
            yield {**data, key: value[:-1]}
            yield {**data, key: [*value, *value[-1:]]}
            yield {**data, key: [*value, rng.choice(pieces)]}
            yield {**data, key: [rng.choice(pieces) if isinstance(item, str) else item for item in value]}
        if type(value) is int:
            yield {**data, key: value + 1}


def secrets_of(position: Position, seat: int | None) -> list[str]:
    """Return the pieces of a position whose place the seat (None: a spectator) cannot see."""
    known = known_pieces(position, seat)
    return [piece for piece in position.game.pieces if piece not in known]


def _hidden(position: Position) -> set[str]:
    """Return the pieces that lie where the camera cannot see them."""
    return {piece for zone in position.layout().values() if isinstance(zone, Hidden) for piece in zone.pieces}


def _news(before: Position, after: Position, seat: int | None) -> set[str]:
    """Return the words that the seat's view contains more often after than before."""
    then, now = Counter(words(before.view(seat))), Counter(words(after.view(seat)))
    return {*(now - then)}


def _points(position: Position) -> list[int]:
    return [score.points for score in position.score()]


def _some(actions: Sequence[Action], number: int = 60) -> Sequence[Action]:
    """Return the actions, thinned evenly if there are too many for a test."""
    return actions[:: max(1, len(actions) // number)]


def _refused(position: Position, action: Action) -> Illegal | None:
    """Return why an action is refused; all three ways of asking must agree."""
    refusal = position.refusal(action)
    if (action in position.legal) is (refusal is not None):
        raise ContractBroken("reasons", f"legal and refusal disagree about {action}")
    try:
        position.after(action)
    except Illegal as raised:
        if refusal is None or (raised.code, raised.message) != (refusal.code, refusal.message):
            raise ContractBroken("reasons", f"after refuses {action} otherwise than refusal does") from raised
        return refusal
    if refusal is not None:
        raise ContractBroken("reasons", f"{action} is refused and can be done all the same")
    return None


def _renamed(data: Json, view: Json, names: Mapping[str, str]) -> Json:
    """Return the data with pieces renamed where the view does not show them."""
    if data == view:
        return data
    if isinstance(data, list):
        shown = view if isinstance(view, list) and len(view) == len(data) else [None] * len(data)
        return [_renamed(value, seen, names) for value, seen in zip(data, shown, strict=True)]
    if isinstance(data, dict):
        known = view if isinstance(view, Mapping) else {}
        return {names.get(key, key): _renamed(value, known.get(key), names) for key, value in data.items()}
    return names.get(data, data) if isinstance(data, str) else data


def _check_replay(walk: RandomGame, own: record.Record) -> None:
    steps = list(replay(own, walk.game))
    if len(steps) != len(walk.actions):
        raise ContractBroken("records", "the record has fewer or more actions than the game")
    for step, position in zip(steps, walk.positions[1:], strict=True):
        if shown_data(own, step.position) != shown_data(own, position):
            raise ContractBroken("records", f"after line {step.number} the record shows something else than was seen")


def _check_nothing_revealed(walk: RandomGame, own: record.Record, seat: int | None) -> None:
    """No line names a piece that the seat sees neither before nor after it, or tells which secret action was done."""
    lines = [line.text for line in own.lines if line.kind == "action"]
    seen = [set(words(position.view(seat))) for position in walk.positions]
    for text, before, after in zip(lines, seen, seen[1:], strict=False):
        named = walk.game.pieces.keys() & text.replace("+", " ").replace('"', " ").split()
        known = before | after
        if not named <= known:
            leaked = sorted(named - known)[0]
            raise ContractBroken("records", f"{text!r} tells seat {seat} of {leaked}, which it cannot know")
    for text, action, start, end in zip(lines, walk.actions, walk.positions, walk.positions[1:], strict=False):
        others = indistinguishable(start, action, end, seat) if is_outline(text) else ()
        if any(outline(walk.game, other) != text for other in others):
            raise ContractBroken("records", f"{text!r} tells seat {seat} more than which pieces are hidden")
