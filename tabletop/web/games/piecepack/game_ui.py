"""Palazzo for the piecepack on the pages: yard, bank, palazzi on their grids, and what a seat may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from tabletop.messages import N_
from tabletop.rules.game import Action, Json
from tabletop.rules.piecepack.actions import COIN, KEEP, PASS, Purchase
from tabletop.rules.piecepack.components import COINS, COST, FACE, FACES, HAND_SIZE, TITLES, TURRETS
from tabletop.rules.piecepack.phases.reasons import REASONS
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.web.games import generic_view
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_facts import CarrierWords, DealForm
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.games.piecepack import buying, plots
from tabletop.web.games.piecepack.facts import PiecepackBoard, PiecepackChoices
from tabletop.web.games.piecepack.help import LESSONS, TOPICS
from tabletop.web.games.piecepack.options import OPTIONS
from tabletop.web.games.piecepack.spoken import SPOKEN
from tabletop.web.games.piecepack.tokens import NAMES, sign, token
from tabletop.web.games.words import points_after
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import points, signed

DECIDES: Mapping[str, tuple[str, str]] = {
    "action": (N_("Your turn: coin, reserve, turret or purchase"), N_("%(name)s chooses an action")),
    "place": (N_("Build or keep what you bought"), N_("%(name)s builds or keeps a structure")),
}
"""Phase → the status line for the seat that decides, and for everybody else."""

PLACES: Mapping[str, str] = {
    "seat": N_("%(name)s’s palazzo"),
    "reserve": N_("%(name)s’s reserve"),
    "pay": N_("%(name)s’s payment"),
    "store": N_("%(name)s’s die and turret"),
    "yard": N_("the yard"),
    "bank": N_("the bank"),
    "discards": N_("the discards"),
    "coins": N_("the face-down coins"),
    "stack": N_("the face-down structures"),
}
"""Zones as people call them, without their numbers."""
OWN_PLACES: Mapping[str, str] = {
    "seat": N_("your palazzo"),
    "reserve": N_("your reserve"),
    "pay": N_("your payment"),
    "store": N_("your die and turret"),
}
SIMULATED: Mapping[str, str] = {
    "{name}: turn your die to {face}.": N_("{name}’s die now shows {face}."),
    "{name}: turn your die to null.": N_("{name}’s die now shows null."),
}
"""The table's news where the program moves the hands: sentence for people → sentence, for translation."""


class PiecepackUI(GameUI[PiecepackPosition]):
    """Palazzo for the piecepack with its drawings."""

    title = N_("Palazzo for the piecepack")
    reasons = REASONS
    topics = TOPICS
    options = OPTIONS
    lessons = LESSONS
    places = PLACES
    own_places = OWN_PLACES
    spoken = SPOKEN
    tie_rule = N_(
        "Ties go to more in coins and die, then to fewer structures in the palazzo; otherwise the place is shared."
    )
    carried = CarrierWords(N_("Where do turrets stand?"), N_("Turret"), N_("no turret"))
    open_kinds = frozenset({"coin", "reserve", "turret", "build", "keep"})
    unpaid = frozenset({"too-little"})
    says_what_is_awaited = True
    simulated = SIMULATED

    def __init__(self) -> None:
        super().__init__("piecepack", FACE)

    def deciding(self, position: PiecepackPosition, mine: bool, name: str) -> str:
        """Return who decides what."""
        own, others = DECIDES[position.phase]
        if mine and position.phase == "action" and position.pending:
            return _("One more action, and a structure to build or keep")
        if mine and position.phase == "action" and position.closing is not None:
            return _("Last round: take a coin, use the reserve, set the turret, or pass")
        return _(own) if mine else _(others, name=name)

    def concerned(self, position: PiecepackPosition) -> int:
        """Return the seat that decides, or shows its dealt coins."""
        return position.due if position.phase == "deal" else super().concerned(position)

    def tied(self, value: Json) -> str:
        """Return coins and die, and the structures in the palazzo."""
        return _("coins and die %(worth)s, structures %(count)s", worth=value[0], count=value[1])

    def called(self, piece: str) -> str:
        """Return a structure, a coin, or a seat's turret in words."""
        return _("turret %(number)s", number=piece[1:]) if piece in TURRETS else token(piece).label

    def described(self, position: PiecepackPosition, piece: str) -> str:
        """Return a structure, or a coin with its suit."""
        if piece not in COINS:
            return self.called(piece)
        return f"{token(piece).label} ({sign(piece)[1]})"

    def in_words(self, position: PiecepackPosition, key: str, value: Json) -> str:
        """Return where a cell lies, for the field ``at``."""
        return plots.where(position, (value[0], value[1])) if key == "at" and value else ""

    def brings(self, position: PiecepackPosition, action: Any) -> str:
        """Return what an action earns in points, or what a purchase costs and earns."""
        if isinstance(action, Purchase):
            return super().brings(position, action)
        gain = points_after(position, action, position.active)
        return f"{signed(gain)} {points(gain)}" if gain else ""

    def closed(self, position: PiecepackPosition) -> Iterator[Choice]:
        """Iterate over what the deciding seat may find impossible."""
        return plots.closed_cells(position)

    def word(self, fact: Json) -> Json:
        """Return a fact of a refusal as people say it; a cell, which has no name, is the one that was asked about."""
        return _("that cell") if isinstance(fact, list) else super().word(fact)

    def waiting(self, position: PiecepackPosition, mine: bool, name: str, seen: int) -> str:
        """Return what is turned up or dealt now."""
        if position.phase == "deal":
            if mine:
                return _("Show your two coins: %(seen)s of 2 seen", seen=seen)
            return _("%(name)s shows two coins: %(seen)s of 2 seen", name=name, seen=seen)
        if position.awaits == "coin":
            if mine:
                return _("Turn up a coin and put it in the bank.")
            return _("%(name)s turns up a coin and puts it in the bank.", name=name)
        if mine:
            return _("Turn up a structure and put it in the yard.")
        return _("%(name)s turns up a structure and puts it in the yard.", name=name)

    def dealt(self, position: PiecepackPosition) -> DealForm | None:
        """Return the coins to tick at the deal, by value: all coins of all suits, held or not."""
        if position.phase != "deal":
            return None
        rows = [
            ("", _("Value %(value)s", value=face), [coin for coin in COINS if FACE[coin] == face]) for face in FACES
        ]
        hint = _(
            "Show them to the camera where you pay, take a photo of them, or tap them here: the suit counts as "
            "well as the value."
        )
        photo, send = _("Take a photo of my coins"), _("These are my coins")
        return DealForm(_("Your two coins"), hint, rows, HAND_SIZE, photo, send)

    def board(self, position: PiecepackPosition, names: Names, *, over: bool) -> PiecepackBoard:
        """Return what everybody sees."""
        view, scores = position.view(None), position.score()
        return {
            "view": view,
            "draw": "games/piecepack/pieces.html",
            "face": partial(token, null=position.options.coin_null),
            "sign": sign,
            "grids": [plots.grid(seat["palazzo"]) for seat in view["seats"]],
            "parts": [[_scored(part) for part in seat.parts if part["points"]] for seat in scores],
            "standing": [seat.points for seat in scores],
            "closing": position.closing,
        }

    def hand_and_choices(self, position: PiecepackPosition, seat: int, *, over: bool) -> PiecepackChoices:
        """Return what one seat sees in addition to the board: its hand, and what it may do."""
        hand = generic_view.hand(position, seat)
        shown = PiecepackChoices(own=hand["own"], secrets=hand["secrets"])
        if position.decider == seat:
            self._add_turn(shown, position)
            return shown
        shown["dealt"] = self.dealt(position) if self.concerned(position) == seat else None
        shown["tell"] = self.to_tell(position, seat)
        return shown

    def turned_up(self, position: PiecepackPosition, seat: int) -> list[str]:
        """Return the structures that are left or, when coins are turned up, every coin that this seat does not see.

        A list of the face-down coins would reveal the other hands.  Paid coins are offered once they are shuffled.
        """
        if position.awaits == "structure":
            return list(position.stack)
        seen = {*position.purses[seat].coins, *position.bank, *(position.discards if position.coins else ())}
        return [coin for coin in COINS if coin not in seen]

    def _add_turn(self, shown: PiecepackChoices, position: PiecepackPosition) -> None:
        """Add what the deciding seat may do, by kind of action."""
        purse = position.purses[position.active]
        shown["builds"] = [
            (plots.to_build(position, structure), _simple(position, _("Keep for later"), KEEP[structure]))
            for structure in position.pending
        ]
        if position.phase != "action":
            return
        cheapest = min((COST[structure] for structure in position.yard), default=0)
        shown["coins"] = [_simple(position, token(coin).label, COIN[coin]) for coin in position.bank]
        shown["purse"] = purse if position.closing is None else None
        shown["cheapest"] = cheapest
        shown["buys"] = position.closing is None and bool(position.yard) and cheapest <= purse.reach
        shown["die_field"] = buying.DIE_VALUE
        shown["offers"] = buying.offers(position)
        shown["turret"] = plots.for_turret(position)
        shown["reserves"] = [plots.from_reserve(position, structure) for structure in position.reserve]
        shown["removal"] = plots.to_remove(position)
        shown["same_cell"] = position.options.exchange_same_cell
        shown["exchanges"] = list(self._exchanges(position))
        shown["may_pass"] = PASS in position.legal

    def _exchanges(self, position: PiecepackPosition) -> Iterator[Choice]:
        """Iterate over the exchanges if the rules allow another cell; otherwise a tap on the structure is enough."""
        if position.options.exchange_same_cell:
            return
        for action in position.legal.thrifty():
            data = action.to_json()
            if data.get("kind") == "exchange":
                title = _(
                    "for %(other)s, %(place)s",
                    other=token(data["for"]).label,
                    place=plots.where(position, tuple(data["at"])),
                )
                yield Choice(title, data, pieces=(data["structure"], data["for"]))

    def where(self, position: PiecepackPosition, action: Action) -> str:
        """Return in which cell a structure is put, described by a neighbour."""
        at = action.to_json().get("at")
        return plots.where(position, (at[0], at[1])) if isinstance(at, list) else ""

    def missing(self, draft: Mapping[str, Json]) -> str:
        """Return which part of a purchase has yet to be tapped."""
        if draft.get("do") != "purchase":
            return ""
        if not draft.get("structure"):
            return _("Tap a structure in the yard.")
        if not draft.get("pay") and draft.get("die") is not True:
            return _("Tap the coins, or the die, to pay with.")
        return ""

    def facts(self, position: PiecepackPosition, action: Any) -> tuple[tuple[str, str], ...]:
        """Return what is paid for a purchase, what it costs and what it earns."""
        return buying.facts(position, action) if isinstance(action, Purchase) else ()

    def summary(self, position: PiecepackPosition, action: Any) -> str:
        """Return the consequences of a purchase, or any other action in the game's notation."""
        if isinstance(action, Purchase):
            return buying.summary(position, action)
        return super().summary(position, action)


def _simple(position: PiecepackPosition, title: str, action: Action) -> Choice:
    return Choice(title, action.to_json(), refusal=position.refusal(action))


def _scored(part: Mapping[str, Any]) -> tuple[str, int]:
    """Return a part of the score as (what for, points)."""
    if "suit" in part:
        suit = next(suit for suit, title in TITLES.items() if title == part["suit"])
        return f"{_(NAMES[suit])}: {part['count']} × {part['points'] // part['count']} =", part["points"]
    return _("all values in the palazzo"), part["points"]
