"""All pages in all states worth a picture: each scene of the stage, each decision of a seat, the host's pages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from doubles.pages import CODE
from doubles.positions import NAMES, phases, well_played
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules.game import Position
from tabletop.rules.registry import BUILT_IN, game
from tabletop.rules.secrecy import known_pieces

BOTH = ("phone", "tv")
GAMES = 6
"""The number of games in which the positions with the most choices are searched for."""


@dataclass(frozen=True, slots=True)
class State:
    """One picture: its name, the position, the page, the seats that look at it, and the screens.

    ``touch`` are the places that are tapped first, separated by “>>”; ``played`` asks for a table at which the whole
    game was played; ``asks`` is the seat that asked for an undo; ``here`` is how many people have taken a seat; ``new``
    is a player who gets lessons; ``wrong`` is a misplaced piece.
    """

    name: str
    position: Position
    path: str
    seats: tuple[int, ...] = ()
    screens: tuple[str, ...] = ("phone",)
    host: bool = False
    touch: str = ""
    played: bool = False
    asks: int | None = None
    here: int = len(NAMES)
    new: bool = False
    wrong: PieceMove | None = None


def states() -> Iterator[State]:
    """Iterate over all states of all pages."""
    action, place = phases()["action"], phases()["place"]
    yield State("join", action, f"/join?code={CODE}&seat=1", here=1)
    yield State("join another", action, "/join", (0,), here=1)
    yield State("host code", action, "/host")
    yield State("host", action, "/host", host=True, screens=BOTH)
    yield State("host plays", action, "/host", host=True, touch="#tab-seats >> #phones details summary")
    yield State("history", action, "/host/history", host=True)
    yield State("past games", action, "/games", screens=BOTH)
    yield State("past game", action, "/games/finished")
    yield State("people", action, "/games/people", screens=BOTH)
    yield State("replay", action, "/games/finished/replay?at=120", screens=BOTH)
    yield State("rules", action, "/rules")
    yield State("error", action, "/nowhere")
    yield State("demo", action, "/demo", screens=BOTH)
    yield State("seat waits", action, "/seat", ((action.active + 1) % 3,))
    yield State("seat asked", action, "/seat", ((action.active + 1) % 3,), asks=action.active)
    yield State("table asked", action, "/", screens=("tv",), asks=action.active)
    yield State("lesson", action, "/seat", (action.active,), new=True)
    yield State("the table", action, "/seat", (action.active,), touch="#tab-table")
    yield State("everyone", action, "/seat", (action.active,), touch="#tab-others")
    yield State(
        "why not", place, "/seat", (place.active,), touch="#do summary.big:visible >> #do .closed summary:visible"
    )
    yield State("help", action, "/seat", (action.active,), touch="#tab-table >> #table .help")
    yield State("listen", action, "/seat/listen", (action.active,))
    yield State("after", phases()["over"], "/after", screens=BOTH, played=True)
    for phase in ("action", "bid", "over"):
        yield State(f"together {phase}", phases()[phase], "/seat", (0, 1, 2))
    for name in BUILT_IN:
        yield from _of_game(name)


def _of_game(name: str) -> Iterator[State]:
    """Iterate over the scenes of the stage and the decisions of a seat, from the lobby to the podium."""
    shown = _richest(name)
    begun = game(name).new(NAMES)
    yield State(f"{name} lobby", begun, "/", screens=BOTH, here=1)
    yield State(f"{name} set-up", begun, "/", screens=("tv",))
    for phase, position in shown.items():
        seat = position.decider if position.decider is not None else _dealt(position)
        yield State(f"{name} {phase}", position, "/seat", (seat,))
        yield State(f"{name} table {phase}", position, "/", screens=("tv",))
    position = max(
        (moment for moment in shown.values() if moment.decider is not None), key=lambda moment: len(moment.layout())
    )
    wrong = _wrong(position)
    yield State(f"{name} something wrong", position, "/seat", (position.decider or 0,), wrong=wrong)
    yield State(f"{name} table something wrong", position, "/", screens=("tv",), wrong=wrong)


def _richest(name: str) -> dict[str, Position]:
    """Return phase of a game → the position with the most choices, in the order in which the phases come."""
    richest: dict[str, Position] = {}
    most: dict[str, int] = {}
    for seed in range(GAMES):
        for position in well_played(game(name), seed):
            legal = len(list(position.legal.thrifty())) if position.decider is not None else 0
            if legal >= most.get(position.phase, 0):
                richest[position.phase], most[position.phase] = position, legal
    return richest | {"over": richest.pop("over")}


def _dealt(position: Position) -> int:
    """Return the seat to which the next cards are dealt, or whose turn it is."""
    if position.phase != "deal":
        return position.active
    return min(sum(bool(seat.get("hand")) for seat in position.to_json()["seats"]), len(NAMES) - 1)


def _wrong(position: Position) -> PieceMove:
    """Return the move of a piece that lies in a wrong zone, for a picture of what the table says about it."""
    table = position.game.table
    assert table is not None
    layout, open_to_all = position.layout(), known_pieces(position, None)
    lying = [(zone.name, piece) for zone in table.zones(len(NAMES)) if zone.name in layout
             for piece in sorted(layout.pieces(zone.name) & open_to_all)]  # fmt: skip
    home, piece = random.Random(1).choice(lying)
    return PieceMove(piece, next(zone for zone, _ in lying if zone != home), home, table.rule(home))
