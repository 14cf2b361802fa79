"""Secret actions in a seat's own record: their outline, and how they are replayed.

The outline of an action that the seat may not know (:mod:`tabletop.rules.secrecy`) is its data with ``?`` for every
piece.

To replay a record, the outlines are filled with pieces so that all other lines can be played.  As a view does not
depend on what it hides, every such filling leads to exactly the seat's view.

That works for pieces that chance deals.  It does not work for a piece that a seat plays face down and turns up later:
the open line shows that the piece came to light, but not whether it had been face down or still in the hand, nor which
piece it is if the action does not name it.  Nor does it work for a secret number or word, which the outline shows.  The
contract (``records``) refuses such games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.data_words import words
from tabletop.rules.game import Action, Game, Json, Position
from tabletop.rules.layout import Anywhere, Hidden, pieces_of
from tabletop.rules.refusals import bad_request

HIDDEN_MARK = "?"


class Lines(NamedTuple):
    """The lines of a record by number: the outlines, the actions, and the line in which each piece is first named.

    Pieces that lie open from the beginning are left out: there is nothing to find out about them.
    """

    first: Position
    outlines: Mapping[int, Json]
    actions: Mapping[int, Action]
    named: Mapping[str, int]


def outline(game: Game, action: Action) -> str:
    """Return what may be shown of a secret action: ``? {"do":"deal","seat":1,"cards":["?","?"]}``."""
    return f"{HIDDEN_MARK} {json.dumps(_hide(game, action.to_json()), separators=(',', ':'))}"


def is_outline(text: str) -> bool:
    """Return whether a line of a record is the outline of a secret action."""
    return text.startswith(HIDDEN_MARK)


def fill(first: Position, texts: Sequence[str]) -> list[Action]:
    """Return the actions of a seat's own record, each outline filled so that all lines can be played in turn.

    Who decides in which line is public but is known only once the lines before it are played.  So the lines are played
    as far as possible, and again with what that revealed: a piece that a seat names first was dealt to it, one that
    chance names first was not.  If nothing makes a line legal, the result ends before it.  Raises Illegal
    (``bad-request``) for a line that cannot be read.
    """
    lines = _sort(first, texts)
    deciders: list[int | None] = []
    try:
        while True:
            played, seen = _play(lines, deciders)
            if len(played) == len(texts) or len(seen) <= len(deciders):
                return played
            deciders = seen
    except RecursionError:  # JSON may be nested more deeply than its words can be counted
        raise bad_request("The outline of a secret action cannot be read.") from None


def _sort(first: Position, texts: Sequence[str]) -> Lines:
    game = first.game
    outlines = {number: _read(text) for number, text in enumerate(texts) if is_outline(text)}
    actions = {number: game.parse(text) for number, text in enumerate(texts) if number not in outlines}
    hidden = {piece for zone in first.layout().values() if isinstance(zone, Hidden) for piece in zone.pieces}
    named: dict[str, int] = {}
    for number, action in actions.items():
        for piece in game.pieces_in(action.to_json()):
            if piece in hidden:
                named.setdefault(piece, number)
    return Lines(first, outlines, actions, named)


def _read(text: str) -> Json:
    try:
        return json.loads(text.removeprefix(HIDDEN_MARK))
    except (ValueError, RecursionError):
        raise bad_request("The outline of a secret action cannot be read.") from None


def _play(lines: Lines, deciders: Sequence[int | None]) -> tuple[list[Action], list[int | None]]:
    """Play the lines as far as they go; return the actions done, and who decided in each line and the next."""
    wanted = _wanted(lines, deciders)
    # Outlines are filled with pieces that no line names first, then with those named in lines not yet played.
    there = {
        piece for zone in lines.first.layout().values() if not isinstance(zone, Anywhere) for piece in pieces_of(zone)
    }
    spare = [piece for piece in lines.first.game.pieces if piece in there and piece not in lines.named]
    spare += [piece for piece, number in lines.named.items() if number >= len(deciders)]
    played: list[Action] = []
    seen: list[int | None] = []
    position = lines.first
    for number in range(len(lines.outlines) + len(lines.actions)):
        seen.append(position.decider)
        if number in lines.outlines:
            action = _fitting(position, lines.outlines[number], wanted[number], spare)
        else:
            action = lines.actions[number]
        if position.refusal(action) is not None:
            break
        position = position.after(action)
        played.append(action)
    return played, seen


def _wanted(lines: Lines, deciders: Sequence[int | None]) -> Mapping[int, list[str]]:
    """Return for each outline the pieces that, in the lines played so far, the seat that receives them names first."""
    wanted: dict[int, list[str]] = {number: [] for number in lines.outlines}
    for piece, named in lines.named.items():
        if named < len(deciders) and deciders[named] is not None:
            for number, data in lines.outlines.items():
                room = sum(word == HIDDEN_MARK for word in words(data)) > len(wanted[number])
                if number < named and room and data.get("seat", deciders[named]) == deciders[named]:
                    wanted[number].append(piece)
                    break
    return wanted


def _fitting(position: Position, data: Json, wanted: list[str], spare: list[str]) -> Action:
    """Return an action of this outline with the wanted pieces, filled up with spare ones that the rules accept."""
    room = sum(word == HIDDEN_MARK for word in words(data)) - len(wanted)
    while True:
        if len(spare) < room:
            raise bad_request("No action that matches this outline agrees with the other lines.")
        action = position.game.action(_put(data, iter([*wanted, *spare[:room]])))
        refusal = position.refusal(action)
        wrong = [] if refusal is None else [piece for piece in spare[:room] if piece in refusal.facts.values()]
        if not wrong:
            return action
        spare = [piece for piece in spare if piece not in wrong]


def _hide(game: Game, data: Json) -> Json:
    if isinstance(data, list):
        return [_hide(game, value) for value in data]
    if isinstance(data, dict):
        return {key: _hide(game, value) for key, value in data.items()}
    return HIDDEN_MARK if isinstance(data, str) and data in game.pieces else data


def _put(data: Json, pieces: Iterator[str]) -> Json:
    if isinstance(data, list):
        return [_put(value, pieces) for value in data]
    if isinstance(data, dict):
        return {key: _put(value, pieces) for key, value in data.items()}
    return next(pieces) if data == HIDDEN_MARK else data
