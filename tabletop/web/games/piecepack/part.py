"""Palazzo for the piecepack on the pages: yard, bank, palazzi on their grids, and what a seat may do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from tabletop.referee.state import Event, Snapshot
from tabletop.rules.game import Action, Json, Position
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.actions import Build, Keep, Purchase
from tabletop.rules.piecepack.components import FACE, SUITS, TITLES
from tabletop.rules.piecepack.reasons import REASONS
from tabletop.rules.piecepack.state import State
from tabletop.web.games.part import Choice, Line, Names, Part
from tabletop.web.games.piecepack.rules import TOPICS
from tabletop.web.games.words import points_after
from tabletop.web.language import N_
from tabletop.web.language import gettext as _

DECIDES: Mapping[str, tuple[str, str]] = {
    "action": (N_("Your turn: coin, reserve, turret or purchase"), N_("%(name)s chooses an action")),
    "place": (N_("Build or keep what you bought"), N_("%(name)s builds or keeps a structure")),
}
"""The status line of who decides, and of everybody else."""

KINDS: Mapping[str, str] = {
    "build": N_("Build"),
    "keep": N_("Keep for later"),
    "purchase": N_("Buy from the yard"),
    "coin": N_("Take a coin from the bank"),
    "turret": N_("Move the turret"),
    "reserve": N_("Use the reserve"),
    "pass": N_("Nothing else"),
}
"""Action → the heading over its choices, in the order in which they are shown."""
ORDER = list(KINDS)

TOPIC_OF: Mapping[str, str] = {
    "coin": "coin", "reserve": "reserve", "turret": "turret", "purchase": "purchase", "pass": "turn",
    "build": "building", "keep": "reserve",
}  # fmt: skip
"""Action → the topic of the rules that helps with it."""

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "deal": N_("%(name)s is dealt two coins."),
    "coin": N_("%(name)s takes"),
    "reserve-add": N_("%(name)s builds from the reserve"),
    "reserve-remove": N_("%(name)s puts into the reserve"),
    "reserve-exchange": N_("%(name)s exchanges with the reserve"),
    "turret": N_("%(name)s moves the turret to"),
    "purchase": N_("%(name)s buys and pays:"),
    "pass": N_("%(name)s passes."),
    "build": N_("%(name)s builds"),
    "keep": N_("%(name)s keeps"),
}
"""The log: action → what is said before its pieces."""

NAMES = {
    "M": N_("observatory"), "S": N_("solarium"), "A": N_("fountain"), "C": N_("statue"),
}  # fmt: skip
"""What a structure of each suit is called."""
UNFIT = N_("It fits nowhere in your palazzo now: every neighbour must have its suit or its value.")
"""Why a structure can only be kept; rule "Building"."""
BASE_COST = 5
"""What a structure costs besides its value, in ducats; rule "A turn 4: purchase"."""
SYMBOLS = {"M": "☾", "S": "☀", "A": "⚜", "C": "♛"}
SIDES: Sequence[tuple[Cell, str]] = (
    ((-1, 0), N_("right of %(piece)s")),
    ((1, 0), N_("left of %(piece)s")),
    ((0, -1), N_("above %(piece)s")),
    ((0, 1), N_("below %(piece)s")),
)
"""Where a neighbour lies as seen from a cell, and how the cell is told by it."""


class Token(NamedTuple):
    """A structure or coin as drawn."""

    shape: str
    suit: str
    symbol: str
    value: int
    word: str
    label: str
    cost: int


class PiecepackPart(Part):
    """Palazzo for the piecepack with its drawings."""

    reasons = REASONS
    topics = TOPICS
    tie_rule = N_(
        "Who has more in coins and die is ahead; then who has fewer structures in the palazzo; else the victory is "
        "shared."
    )
    open_kinds = frozenset({"coin", "reserve", "turret", "build", "keep"})
    says_what_is_awaited = True

    def __init__(self) -> None:
        super().__init__("piecepack", FACE)

    def deciding(self, position: Position, mine: bool, name: str) -> str:
        """Return who decides what."""
        own, others = DECIDES[position.phase]
        state = cast(State, position)
        if mine and state.phase == "action" and state.pending:
            return _("One more action, and a structure to build or keep")
        if mine and state.phase == "action" and state.closing is not None:
            return _("Last round: a coin, the reserve or the turret, or pass")
        return _(own) if mine else _(others, name=name)

    def tied(self, value: Json) -> str:
        """Return coins and die, and the structures in the palazzo."""
        return _("coins and die %(worth)s, structures %(count)s", worth=value[0], count=value[1])

    def called(self, piece: str) -> str:
        """Return a structure or coin in words."""
        return _token(piece).label

    def waiting(self, snapshot: Snapshot, mine: bool, name: str) -> str:
        """Return what is turned up or dealt now."""
        state = cast(State, snapshot.position)
        if state.phase == "deal":
            return _("Two coins are dealt to each seat.")
        if state.awaits == "coin":
            return _("Turn up a coin and lay it in the bank.")
        return _("Turn up a structure and lay it in the yard.")

    def board(self, snapshot: Snapshot, names: Names) -> dict[str, Any]:
        """Return what everybody sees."""
        position = snapshot.position
        view = position.view(None)
        return {
            "view": view,
            "draw": "games/piecepack/pieces.html",
            "face": partial(_token, null=cast(State, position).options.coin_null),
            "grids": [_grid(seat["palazzo"]) for seat in view["seats"]],
            "parts": [[_scored(part) for part in seat.parts if part["points"]] for seat in position.score()],
        }

    def choices(self, position: Position) -> Iterator[Choice]:
        """Iterate over what the deciding seat would consider, kind by kind."""
        state = cast(State, position)
        seat = state.active
        legal = sorted(position.legal.thrifty(), key=lambda one: (ORDER.index(one.do), _lost(state, one)))
        fitting = {one.structure for one in legal if isinstance(one, Build)}
        for action in legal:
            gain, then = None, None
            if action.do in ("reserve", "turret", "build"):
                gain = points_after(position, action, seat)
                one = position.after(action).view(None)["seats"][seat]
                then = _grid(one["palazzo"]), one["turret"]
            title, pieces = self._told(state, action)
            heading, topic, detail = _(KINDS[action.do]), TOPIC_OF[action.do], _detail(state, action)
            if isinstance(action, Keep) and action.structure not in fitting:
                detail = f"{_(UNFIT)} {detail}"
            yield Choice(title, action.to_json(), detail, pieces, None, gain, heading, topic, then)
        if state.phase == "action" and state.closing is None:
            yield from self._too_dear(position, state, {one.structure for one in legal if isinstance(one, Purchase)})

    def _too_dear(self, position: Position, state: State, within_reach: Collection[str]) -> Iterator[Choice]:
        """Iterate over what lies in the yard and cannot be paid, with all that the seat has."""
        purse = state.purses[state.active]
        for structure in state.yard:
            action = Purchase(structure, purse.coins, purse.die > 0)
            refusal = position.refusal(action) if structure not in within_reach else None
            if refusal is not None:
                label, heading, topic = _token(structure).label, KINDS[action.do], TOPIC_OF[action.do]
                yield Choice(label, action.to_json(), "", (structure,), refusal, group=_(heading), topic=topic)

    def _told(self, state: State, action: Action) -> tuple[str, tuple[str, ...]]:
        """Return what an action is called, and the pieces drawn beside it."""
        data = action.to_json()
        piece = data.get("structure") or data.get("coin") or data.get("on") or ""
        where = _where(state, data["at"]) if data.get("at") else ""
        match action.do:
            case "purchase":
                coins = " + ".join(str(_worth(state, coin)) for coin in data["pay"])
                die = _("die %(value)s", value=state.purses[state.active].die) if data["die"] else ""
                with_ = " + ".join(filter(None, (coins, die)))
                return _("%(piece)s for %(coins)s", piece=_token(piece).label, coins=with_), (piece,)
            case "reserve" if data["kind"] == "exchange":
                swap = _token(data["for"]).label
                return _("%(piece)s in exchange for %(other)s", piece=_token(piece).label, other=swap), (piece,)
            case "reserve" if data["kind"] == "remove":
                return _("%(piece)s goes into the reserve", piece=_token(piece).label), (piece,)
            case "pass":
                return _("Pass"), ()
        return f"{_token(piece, state.options.coin_null).label} {where}".strip(), (piece,)

    def line(self, event: Event, seat: int | None, names: Names) -> Line | None:
        """Return the log's line; coins that were dealt are told to their own seat only."""
        if event.kind != "action":
            return None
        data, kind = event.data, str(event.data["do"])
        who = data["seat"] if kind == "deal" else event.seat
        key = f"reserve-{data['kind']}" if kind == "reserve" else kind
        text = _(LINES[key], name=names[who] if who is not None else "")
        if kind == "deal":
            return Line(event.number, who, text, tuple(data["cards"]) if who == seat else ())
        found = [data.get(key) for key in ("piece", "coin", "structure", "for", "on")] + list(data.get("pay", ()))
        return Line(event.number, who, text, tuple(filter(None, found)))


def _worth(state: State, coin: str) -> int:
    """Return what a coin pays."""
    return FACE[coin] or state.options.coin_null


def _lost(state: State, action: Action) -> int:
    """Return by how much a purchase is overpaid; 0 for any other action."""
    if not isinstance(action, Purchase):
        return 0
    die = state.purses[state.active].die if action.die else 0
    return sum(_worth(state, coin) for coin in action.pay) + die - _token(action.structure).cost


def _detail(state: State, action: Action) -> str:
    """Return what comes of an action besides points."""
    data = action.to_json()
    if action.do == "keep":
        return _("It counts nothing until it is built.")
    if action.do != "purchase":
        return ""
    rest = _lost(state, action)
    said = [
        _("%(lost)s more than it costs: no change is given.", lost=rest)
        if rest
        else _("Paid exactly: you get one more action at once.")
    ]
    if data["die"]:
        said.append(_("Your die goes down to %(value)s.", value=state.purses[state.active].die - 1))
    return " ".join(said)


def _token(piece: str, null: int = 0) -> Token:
    """Return what a structure or coin looks like and is called; ``null`` is what a coin without a value pays."""
    suit, value = piece[1], FACE[piece]
    if piece[0] == "T":
        word = _(NAMES[suit])
        return Token("structure", SUITS[suit], SYMBOLS[suit], value, word, f"{word} {value}", BASE_COST + value)
    word = _("coin")
    if not value and null:
        return Token("coin", SUITS[suit], "", value, word, _("coin 0, which is worth %(null)s", null=null), null)
    return Token("coin", SUITS[suit], "", value, word, f"{word} {value}", value)


def _grid(palazzo: Mapping[str, Sequence[int]]) -> list[list[str]]:
    """Return a palazzo as rows from the top down, empty cells as empty texts."""
    if not palazzo:
        return []
    at = {(x, y): piece for piece, (x, y) in palazzo.items()}
    columns, rows = [x for x, _y in at], [y for _x, y in at]
    return [
        [at.get((x, y), "") for x in range(min(columns), max(columns) + 1)] for y in range(max(rows), min(rows) - 1, -1)
    ]


def _where(state: State, at: Sequence[int]) -> str:
    """Return where a cell lies, told by a neighbour."""
    lies = {
        tuple(cell): piece for piece, cell in cast(Position, state).to_json()["seats"][state.active]["palazzo"].items()
    }
    for (dx, dy), text in SIDES:
        piece = lies.get((at[0] + dx, at[1] + dy))
        if piece:
            return _(text, piece=_token(piece).label)
    return _("as the first")


def _scored(part: Mapping[str, Any]) -> tuple[str, int]:
    """Return a part of the score as (what for, points)."""
    if "suit" in part:
        suit = next(suit for suit, title in TITLES.items() if title == part["suit"])
        return f"{part['count']} × {_(NAMES[suit])}", part["points"]
    return _("all values in the palazzo"), part["points"]
