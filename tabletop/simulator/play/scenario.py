"""Scenarios: readable text files that say what is laid where, what is pressed, and what must happen.

The words are listed in :data:`WORDS`; ``#`` begins a comment; everything else is one statement per line.  A scenario is
played on any :class:`tabletop.simulator.play.scenario_table.ScenarioTable`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.lights import Pattern
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Illegal, Position
from tabletop.simulator.errors import BadScenario
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Nudge, Push, Step, TakePiece, Turn

WORDS: Mapping[str, str] = {
    "title": "title WORDS: what the scenario shows",
    "game": "game NAME: which game is played; before the seats, if it is not the one that is meant anyway",
    "make": "make NAME: with which pieces, printed or from the box; before the seats",
    "seats": "seats NAME NAME …: who plays; before anything is done",
    "given": "given ACT: done before the scene begins, in the game's notation",
    "lay": "lay PIECE in ZONE [above PIECE | at X,Y] | lay PIECE upon PIECE: laid face up in a free place, on the "
    "column that holds the other, on a cell of a grid as the record counts them, or on top of a piece",
    "take": "take PIECE [to PLACE]: off the table, into a hand, the deck, the box (the box if nothing is said)",
    "turn": "turn PIECE up | down: turned over where it lies",
    "push": "push PIECE RIGHT DOWN [ANGLE]: pushed by mm and degrees",
    "hand": "hand SEAT over ZONE | hand SEAT away: a hand that stays until it is said to go",
    "sweep": "sweep: the seat whose turn it is does what follows in one movement, up to “done”",
    "done": "done: that movement is over, and the hand withdraws",
    "press": "press BUTTON [bouncing N]: a button is pressed",
    "wait": "wait SECONDS: nothing happens for so long",
    "accepted": "accepted ACT: the next event accepted is this act, in the game's notation",
    "nothing": "nothing: no further event was accepted",
    "undone": "undone: the next event is an undo",
    "refused": "refused CODE: the last refusal has this code",
    "said": "said WORDS: these words are in what is said",
    "todo": "todo PIECE to ZONE: this piece must be laid there",
    "light": "light NAME off | steady | slow | fast | twice | rest: how a light shines",
    "turn-of": "turn-of SEAT PHASE: who decides in which phase (seats from 0; - for nobody)",
}
"""Word → the form and meaning of its statement."""
PATTERN_NAMES = {pattern.name.lower() for pattern in Pattern}
"""The names of the patterns of lights in scenarios."""


class Statement(NamedTuple):
    """One statement: its line (from 1), its word, the rest split at blanks, and the rest as one text."""

    number: int
    word: str
    parts: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that was read from a text.

    ``opening`` are the actions done before the scene begins, ``position`` is the position after them, ``lines`` are the
    statements of what is done and expected then.
    """

    title: str
    game: Game
    make: str
    seats: tuple[str, ...]
    opening: tuple[Action, ...]
    position: Position
    lines: tuple[Statement, ...] = field(default=())


def parse(text: str, game: Game) -> Scenario:
    """Return the scenario that a text describes, for the game that it names or else for ``game``.

    Raises BadScenario naming the first line that is not understood, or an opening action that is not legal.
    """
    title = make = ""
    seats: tuple[str, ...] = ()
    opening: list[Action] = []
    position: Position | None = None
    rest: list[Statement] = []
    buttons = {wire.name for wire in panel_file.load().buttons}
    for line in _statements(text):
        match line.word:
            case "title":
                title = line.text
            case "game" | "make" if position is not None:
                raise BadScenario(line.number, "Which game is played, and with what, comes before the seats.")
            case "game":
                game = _game(line)
            case "make":
                make = _make(line, game)
            case "seats":
                seats, position = line.parts, _begin(line, game)
            case _ if position is None:
                raise BadScenario(line.number, "Say who plays first: “seats Ann Bob”.")
            case "given":
                if rest:
                    raise BadScenario(line.number, "What is given comes before anything is done.")
                opening.append(_action(line, game))
                position = _after(line, position, opening[-1])
            case _:
                _check(line, game, len(seats))
                _check_names(line, position, buttons)
                _check_sweep(line, _open_sweep(rest))
                rest.append(line)
    if position is None:
        raise BadScenario(1, "The scenario says nothing: begin with “seats Ann Bob”.")
    if _open_sweep(rest):
        raise BadScenario(rest[-1].number, "The sweep does not end: say “done”.")
    return Scenario(title, game, make, seats, tuple(opening), position, tuple(rest))


def step_of(line: Statement, centre: Callable[[str], tuple[float, float]]) -> Step | None:
    """Return the step that a statement describes, None for statements that do nothing to the table.

    ``centre`` returns the middle of a zone, mm.
    """
    parts = line.parts
    match line.word:
        case "lay":
            return _laid(parts)
        case "take":
            return TakePiece(parts[0], parts[2] if len(parts) > 2 else "box")
        case "turn":
            return Turn(parts[0], parts[1] == "up")
        case "push":
            return Nudge(parts[0], *(float(part) for part in parts[1:]))
        case "press":
            return Push(parts[0], int(parts[2]) if len(parts) > 2 else 0)
        case "hand" if parts[1] == "away":
            return HandOut(int(parts[0]))
        case "hand":
            return HandIn(int(parts[0]), *centre(parts[2]))
    return None


def _laid(parts: Sequence[str]) -> Lay:
    if parts[1] == "upon":
        return Lay(parts[0], "", upon=parts[2])
    how, where = (parts[3], parts[4]) if len(parts) > 4 else ("", "")
    x, _, y = where.partition(",")
    return Lay(
        parts[0], parts[2], onto=where if how == "above" else None, cell=(int(x), int(y)) if how == "at" else None
    )


def _game(line: Statement) -> Game:
    try:
        return registry.game(line.text)
    except Illegal as error:
        raise BadScenario(line.number, error.message) from error


def _make(line: Statement, game: Game) -> str:
    if line.text not in game.makes:
        raise BadScenario(line.number, f"There is no make “{line.text}”; there are {', '.join(game.makes)}.")
    return line.text


def _open_sweep(lines: Sequence[Statement]) -> bool:
    """Return whether a sweep was begun and not ended."""
    return next((line.word == "sweep" for line in reversed(lines) if line.word in {"sweep", "done"}), False)


def _statements(text: str) -> Sequence[Statement]:
    lines = []
    for number, raw in enumerate(text.splitlines(), start=1):
        said = raw.split("#")[0].strip()
        if not said:
            continue
        word, _, rest = said.partition(" ")
        if word not in WORDS:
            raise BadScenario(number, f"“{word}” is not a word of a scenario; there are {', '.join(WORDS)}.")
        lines.append(Statement(number, word, tuple(rest.split()), rest.strip()))
    return lines


def _begin(line: Statement, game: Game) -> Position:
    try:
        return game.new(list(line.parts))
    except Illegal as error:
        raise BadScenario(line.number, error.message) from error


def _action(line: Statement, game: Game) -> Action:
    try:
        return game.parse(line.text)
    except Illegal as error:
        raise BadScenario(line.number, error.message) from error


def _after(line: Statement, position: Position, action: Action) -> Position:
    try:
        return position.after(action)
    except Illegal as error:
        raise BadScenario(line.number, f"“{line.text}” is not legal here: {error.message}") from error


def _check(line: Statement, game: Game, seats: int) -> None:
    """Raise BadScenario if a statement does not have the form of its word, or names unknown pieces, zones or seats."""
    parts, number = line.parts, len(line.parts)
    zones = {zone.name for zone in game.table.zones(seats)} if game.table else set()
    good = {
        "lay": _is_lay(parts),
        "sweep": number == 0,
        "done": number == 0,
        "take": number == 1 or (number == 3 and parts[1] == "to"),
        "turn": number == 2 and parts[1] in {"up", "down"},
        "push": number in {3, 4} and all(_is_number(part) for part in parts[1:]),
        "hand": (number == 2 and parts[1] == "away") or (number == 3 and parts[1] == "over"),
        "press": number == 1 or (number == 3 and parts[1] == "bouncing" and parts[2].isdecimal()),
        "wait": number == 1 and _is_number(parts[0]),
        "accepted": number > 0,
        "nothing": number == 0,
        "undone": number == 0,
        "refused": number == 1,
        "said": number > 0,
        "todo": number == 3 and parts[1] == "to",
        "light": number == 2 and parts[1] in PATTERN_NAMES,
        "turn-of": number == 2,
    }[line.word]
    if not good:
        raise BadScenario(line.number, f"“{line.word} {line.text}” is not understood; it reads {WORDS[line.word]}.")
    if line.word in {"lay", "take", "turn", "push", "todo"} and parts[0] not in game.pieces:
        raise BadScenario(line.number, f"“{parts[0]}” is not a piece of {game.title}.")
    if line.word == "lay" and parts[1] == "upon" and parts[2] not in game.pieces:
        raise BadScenario(line.number, f"“{parts[2]}” is not a piece of {game.title}.")
    place = {"lay": 2 if "upon" not in parts else None, "hand": 2}.get(line.word)
    if place is not None and number > place and parts[place] not in zones:
        raise BadScenario(line.number, f"There is no zone “{parts[place]}”; there are {', '.join(sorted(zones))}.")
    if line.word == "hand" and not (parts[0].isdecimal() and int(parts[0]) < seats):
        raise BadScenario(line.number, f"There is no seat {parts[0]}; seats count from 0.")
    if line.word == "accepted":
        _action(line, game)


def _check_names(line: Statement, position: Position, buttons: Collection[str]) -> None:
    """Raise BadScenario for a button, a light or a place that does not exist."""
    zones, seats = position.layout(), range(len(position.names))
    lights = {*buttons, *zones, *(f"seat{seat}" for seat in seats), "legal", "illegal"}
    places = {*zones, "box", "hand"}
    names = {"press": ("button", 0, buttons), "light": ("light", 0, lights), "take": ("place", 2, places)}
    if line.word not in names:
        return
    kind, at, known = names[line.word]
    if len(line.parts) > at and line.parts[at] not in known:
        raise BadScenario(line.number, f"There is no {kind} “{line.parts[at]}”; there are {', '.join(sorted(known))}.")


def _check_sweep(line: Statement, sweeping: bool) -> None:
    """Raise BadScenario if a sweep begins twice, ends before it began, or contains a statement not done by a hand."""
    if line.word == "done" and not sweeping:
        raise BadScenario(line.number, "No movement has begun: say “sweep” first.")
    if sweeping and line.word not in {"lay", "take", "turn", "push", "done"}:
        raise BadScenario(
            line.number, f"A movement holds lay, take, turn and push, no “{line.word}”: say “done” first."
        )


def _is_lay(parts: Sequence[str]) -> bool:
    match parts:
        case [_, "in", _] | [_, "upon", _] | [_, "in", _, "above", _]:
            return True
        case [_, "in", _, "at", cell]:
            x, comma, y = cell.partition(",")
            return bool(comma) and all(number.removeprefix("-").isdecimal() for number in (x, y))
        case _:
            return False


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
