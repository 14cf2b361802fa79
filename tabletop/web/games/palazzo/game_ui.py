"""Palazzo on the pages: sentences, the facts of the table, and what a seat sees of its own hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.messages import N_, PieceRef
from tabletop.rules.game import Action, Json, SeatScore
from tabletop.rules.palazzo.actions import Bid, Buy
from tabletop.rules.palazzo.components import END_TILES, KIND, MONEY, PIECES
from tabletop.rules.palazzo.options import UNKNOWN_STACKS
from tabletop.rules.palazzo.phases.auction import MIN_HANDOUT_TILES, goal
from tabletop.rules.palazzo.phases.chance import HAND_SIZE, due
from tabletop.rules.palazzo.phases.palazzi import Column
from tabletop.rules.palazzo.phases.payments import best, read
from tabletop.rules.palazzo.phases.reasons import REASONS
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.state import State
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_facts import DealForm
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.games.palazzo import choices, prospects
from tabletop.web.games.palazzo.faces import CURRENCIES, by_currency, described, face
from tabletop.web.games.palazzo.facts import (
    AuctionView,
    Bidder,
    BuiltPalazzo,
    PalazzoBoard,
    PalazzoChoices,
    PalazzoHand,
    PalazzoSeat,
)
from tabletop.web.games.palazzo.help import LESSONS, TOPICS
from tabletop.web.games.palazzo.options import ANY_VALUE, OPTIONS
from tabletop.web.games.palazzo.pictures import picture, purse, tower
from tabletop.web.games.palazzo.sentences import BUILD_ALL, DECIDES, OWN_PLACES, PLACES, SECOND_CARD, SETUP_PLACES
from tabletop.web.games.palazzo.spoken import SPOKEN
from tabletop.web.games.words import points_after
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext, signed

CARD_FIELDS = {"choose": "pay[]", "bid": "cards[]", "action": "pay"}
"""Phase → the action's field for the tapped cards of the hand; one without brackets takes a single card."""

MONEY_KINDS = frozenset(KIND[card] for card in MONEY)
"""The kinds of money cards, such as ``G5``; the cards of one kind look alike."""


class PalazzoUI(GameUI[PalazzoPosition]):
    """Palazzo with its drawings."""

    title = N_("Palazzo")
    reasons = REASONS
    topics = TOPICS
    options = OPTIONS
    any_option = ANY_VALUE
    lessons = LESSONS
    places = PLACES
    own_places = OWN_PLACES
    spoken = SPOKEN
    tie_rule = N_(
        "Ties go to the hand that could make the highest payment; if that is equal as well, the place is shared."
    )
    open_kinds = frozenset({"money", "build", "take", "auction", "pass", "claim", "place", "scrap"})
    unpaid = frozenset({"too-little", "mixed-currencies", "currency-locked", "not-a-payment"})
    says_what_is_awaited = True

    def __init__(self) -> None:
        super().__init__("palazzo", PIECES)

    def deciding(self, position: PalazzoPosition, mine: bool, name: str) -> str:
        """Return who decides what, in one sentence."""
        own, others = DECIDES.get(position.phase, DECIDES["action"])
        if position.phase == "place" and len(position.pending) > 1:
            own = BUILD_ALL
        first = position.decider == position.active
        if position.phase == "take" and first and len(position.row) <= len(position.names):
            own, others = SECOND_CARD
        return _(own) if mine else _(others, name=name)

    def concerned(self, position: PalazzoPosition) -> int:
        """Return the seat that decides, shows its dealt cards, or turns something up."""
        if position.phase == "deal":
            return due(position)
        return super().concerned(position)

    def word(self, fact: Any) -> Any:
        """Return a fact of a sentence as people say it; a payment is given by kinds of cards."""
        return self.called(fact) if isinstance(fact, PieceRef) and fact in MONEY_KINDS else super().word(fact)

    def called(self, piece: str) -> str:
        """Return what is printed on a piece, with the letter or number on its tag if several look alike."""
        shown = face(piece)
        return f"{shown.label} {piece[1:]}" if piece in END_TILES else f"{shown.label}{shown.copy}"

    def described(self, position: PalazzoPosition, piece: str) -> str:
        """Return a tile with its floor and windows, any other piece by its name."""
        return described(piece) or self.called(piece)

    def remarks(self, position: PalazzoPosition) -> Iterator[str]:
        """Yield the price in the warehouse, and where the architect goes next, each as a sentence."""
        yield _("A tile in the warehouse costs %(price)s.", price=_price(position))
        if (there := goal(position)) is not None and position.phase in ("action", "reveal", "choose"):
            yield _("At the next auction the architect goes to quarry %(number)s.", number=there)

    def where(self, position: PalazzoPosition, action: Action) -> str:
        """Return which palazzo a tile is built on."""
        data = action.to_json()
        if data["do"] not in ("place", "rebuild") or "onto" not in data:
            return ""
        onto = data["onto"]
        return _("on %(tile)s", tile=self.called(onto)) if onto else _("as a new palazzo")

    def tied(self, value: Json) -> str:
        """Return the highest payment of a hand."""
        return _("could pay %(value)s", value=value)

    def waiting(self, position: PalazzoPosition, mine: bool, name: str, seen: int) -> str:
        """Return what is turned up or dealt now, and how much of it is seen already."""
        if position.phase == "setup":
            filled = sum(map(bool, position.quarries))
            if mine:
                return _(SETUP_PLACES[filled])
            if filled == len(position.quarries):
                return _("%(name)s turns up a tile and puts it in the warehouse.", name=name)
            return _("%(name)s turns up a tile and puts it on quarry %(number)s.", name=name, number=filled + 1)
        if position.phase == "deal":
            if mine:
                return _("Show your four money cards: %(seen)s of 4 seen", seen=seen)
            return _("%(name)s shows four money cards: %(seen)s of 4 seen", name=name, seen=seen)
        if mine:
            return self._to_turn_up(position)
        if position.drawn is None:
            number = _to_come(position)
            return ngettext(
                "%(name)s turns up %(num)s money card.", "%(name)s turns up %(num)s money cards.", number, name=name
            )
        if position.drawn:
            return _("%(name)s turns up the second tile: it goes to its quarry.", name=name)
        return _("%(name)s turns up the first tile: it goes to the warehouse.", name=name)

    def _to_turn_up(self, state: State) -> str:
        """Return what the active seat is to turn up."""
        if state.drawn is None:
            number = _to_come(state)
            return ngettext("Turn up %(num)s money card.", "Turn up %(num)s money cards.", number)
        if state.drawn:
            return _("Turn up the second tile: it goes to its quarry.")
        return _("Turn up the first tile: it goes to the warehouse.")

    def board(self, position: PalazzoPosition, names: Names, *, over: bool) -> PalazzoBoard:
        """Return what everybody sees of the table, from the spectator's view alone."""
        view = position.view(None)
        scores = position.score()
        return {
            "draw": "games/palazzo/draw.html",
            "face": face,
            "called": self.called,
            "picture": picture,
            "tower": tower,
            "reckoning": lambda tiles: choices.reckoning(tuple(tiles)),
            "quarries": view["quarries"],
            "architect": view["architect"],
            "goal": goal(position) if position.phase in ("action", "reveal", "choose") else None,
            "handout_next": MIN_HANDOUT_TILES,
            "warehouse": view["warehouse"],
            "price": _price(position),
            "stacks": _stacks(position, view["unseen"]),
            "ends": len(view["end_tiles"]),
            "end_tile_drawn": any(tile in END_TILES for tile in view.get("drawn") or ()),
            "deck": _amount(view["deck"]),
            "discards": _amount(view["discards"]),
            "row": view.get("row", []),
            "drawn": view.get("drawn", []),
            "runs_out": _runs_out(position),
            "pending": view.get("pending", []),
            "auction": self._auction(position, names),
            "handout": [names[seat] for seat in view.get("handout", [])],
            "seats": [_seat(number, seen, scores[number], names) for number, seen in enumerate(view["seats"])],
        }

    def hand(self, position: PalazzoPosition, seat: int) -> PalazzoHand:
        """Return what one seat sees of its own hand."""
        return {"hand": position.hands[seat], "purse": purse, "field": None}

    def hand_and_choices(self, position: PalazzoPosition, seat: int, *, over: bool) -> PalazzoChoices:
        """Return what one seat sees of its own hand, and what it may do now."""
        mine = position.decider == seat
        shown = PalazzoChoices(hand=position.hands[seat], purse=purse, field=None, tell=self.to_tell(position, seat))
        if mine:
            self._add_turn(shown, position, seat)
            if shown.get("moves") or shown.get("may_buy") or position.phase == "bid":
                shown["field"] = CARD_FIELDS[position.phase]
        elif position.phase == "deal" and not shown["hand"]:
            shown["dealt"] = self.dealt(position) if self.concerned(position) == seat else None
        return shown

    def _add_turn(self, shown: PalazzoChoices, position: PalazzoPosition, seat: int) -> None:
        """Add what the deciding seat may do in this phase."""
        hand, own, pool = position.hands[seat], position.palazzi[seat], prospects.to_come(position)
        match position.phase:
            case "action":
                moves = list(choices.rebuildings(position))
                shown["money_refusal"] = choices.money_refusal(position)
                shown["most"] = best(hand)
                shown["moves"] = [move for move in moves if move.refusal is None]
                shown["cheapest"] = choices.cheapest_cards(hand)
                shown["closed"] = [move for move in moves if move.refusal is not None]
            case "choose":
                self._add_markets(shown, position, own)
            case "bid":
                bids = [action for action in position.legal.thrifty() if action.do == "bid"]
                shown["offers"] = choices.cheapest(bids, "cards")
                shown["reach"] = choices.reach(position)
                shown["needed"] = position.highest + 1
                shown["useless"] = choices.useless_cards(hand, position.locked)
                shown["currency"] = _(CURRENCIES[position.locked]) if position.locked else ""
                shown["auctioned"] = prospects.best(own, position.quarry, pool)
            case "take":
                shown["brought"] = {card: choices.brings(hand, card) for card in position.row}
            case "claim":
                claims = [
                    (tile, choices.homes(own, tile), prospects.best(own, (tile,), pool)) for tile in position.quarry
                ]
                shown["claims"] = sorted(claims, key=lambda claim: (claim[2].order, claim[1]), reverse=True)
            case "place":
                shown["places"] = [
                    (tile, choices.places(position, tile), choices.discard(position, tile)) for tile in position.pending
                ]

    def _add_markets(self, shown: PalazzoChoices, position: PalazzoPosition, own: tuple[Column, ...]) -> None:
        """Add what a seat that buys or auctions needs to know: payments, and what the next quarry brings."""
        buys = [action for action in position.legal.thrifty() if action.do == "buy"]
        there = goal(position)
        there_lie = position.quarries[there - 1] if there else ()
        handed_out = len(there_lie) >= MIN_HANDOUT_TILES
        pool = prospects.to_come(position)
        lots = [(tile,) for tile in there_lie] if handed_out else [there_lie]
        shown["offers"] = {
            number: choices.cheapest([buy for buy in buys if len(buy.to_json()["tiles"]) == number], "pay")
            for number in (1, 2)
        }
        shown["next"] = there
        shown["may_buy"] = bool(buys)
        shown["handed_out"] = handed_out
        shown["auctioned"] = max((prospects.best(own, lot, pool) for lot in lots), key=lambda lot: lot.order)

    def dealt(self, position: PalazzoPosition) -> DealForm | None:
        """Return the money cards to tick at the deal.

        All 55 are offered: which of them are still in the deck would reveal the hands of the others.
        """
        if position.phase != "deal":
            return None
        hint = _(
            "Show them to the camera in your bid zone, take a photo of them, or tap them here. The small letter is on "
            "the card’s tag."
        )
        return DealForm(_("Your four cards"), hint, by_currency(list(MONEY)), HAND_SIZE)

    def turned_up(self, position: PalazzoPosition, seat: int) -> list[str]:
        """Return the tiles that are left or, when money is turned up, every card that this seat does not see.

        A list of the deck would reveal the other hands.  Discards are offered once they are shuffled into a new deck.
        """
        if position.phase == "reveal" and position.drawn is None:
            seen = {*position.hands[seat], *position.row, *(position.discards if position.deck else ())}
            return [card for card in MONEY if card not in seen]
        return list(position.pool)

    def _auction(self, state: State, names: Names) -> AuctionView | None:
        if state.laid is None:
            return None
        bids = [stake.value for stake in state.laid]
        highest = max(bids)
        bidders = [
            Bidder(seat, names[seat], bids[seat], stake.cards, seat in state.out, bids[seat] == highest)
            for seat, stake in enumerate(state.laid)
        ]
        return AuctionView(state.quarry, highest, names[bids.index(highest)], bidders)

    def missing(self, draft: Mapping[str, Json]) -> str:
        """Return which tiles or cards are still to be tapped."""
        match draft.get("do"):
            case "buy" if not draft.get("tiles"):
                return _("Tap one or two tiles in the warehouse.")
            case "bid" if not draft.get("cards"):
                return _("Tap the cards to add to your bid.")
            case "rebuild" if not draft.get("tile"):
                return _("Choose what to rebuild.")
            case "rebuild" if not draft.get("pay"):
                return _("Tap the card to pay with.")
        return ""

    def facts(self, position: PalazzoPosition, action: Any) -> tuple[tuple[str, str], ...]:
        """Return what a purchase costs, how far a bid goes, or what rebuilding brings."""
        match action.do:
            case "buy":
                return _facts_of_purchase(position, action)
            case "bid":
                return _facts_of_bid(position, action)
            case "rebuild":
                return ((_("Points"), signed(points_after(position, action, position.seat))),)
        return ()

    def brings(self, position: PalazzoPosition, action: Any) -> str:
        """Return what an action costs and earns."""
        if action.do in ("buy", "bid", "rebuild"):
            facts = [f"{name} {value}" for name, value in self.facts(position, action)]
            return ", ".join([*facts, *([self.summary(position, action)] if action.do == "buy" else [])])
        return choices.promised_gain(position, action)

    def closed(self, position: PalazzoPosition) -> Iterator[Choice]:
        """Iterate over what the deciding seat may find impossible."""
        return choices.closed_choices(position)

    def summary(self, position: PalazzoPosition, action: Any) -> str:
        """Return what is lost by a payment, or that the action is ready."""
        if action.do == "bid":
            return _("This raises the bid.")
        if action.do != "buy":
            return _("Ready.")
        reading = read(action.pay)
        lost = (reading.value if reading else 0) - position.price * len(action.tiles)
        return _("%(lost)s more than the price; you get no change.", lost=lost) if lost else _("Paid exactly.")


def _facts_of_purchase(state: State, action: Buy) -> tuple[tuple[str, str], ...]:
    """Return what is paid, what the tiles cost, and what they bring at best."""
    reading = read(action.pay)
    built = prospects.best(state.palazzi[state.seat], tuple(action.tiles), prospects.to_come(state))
    return (
        (_("You pay"), "–" if reading is None else str(reading.value)),
        (_("Price"), str(state.price * len(action.tiles))),
        (_("Points once built"), str(built)),
    )


def _facts_of_bid(state: State, action: Bid) -> tuple[tuple[str, str], ...]:
    """Return what the bid amounts to, what it has to beat, and how far this seat could still go later."""
    if not action.cards:
        return ()
    reading, to_beat = read(action.cards), (_("To beat"), str(state.highest))
    if reading is None:
        return (_("Your bid"), "–"), to_beat
    facts = (_("Your bid"), str(state.bid_of(state.seat) + reading.value)), to_beat
    if reading.currency not in (None, state.locked or reading.currency):  # it cannot be laid: there is no later bid
        return facts
    return (*facts, (_("Later up to"), str(choices.reach_later(state, action.cards))))


def _to_come(state: State) -> int:
    """Return how many money cards are still to be turned up."""
    return state.row_size - len(state.row)


def _runs_out(state: State) -> bool:
    """Return whether the deck has too few cards for the money row that is being turned up."""
    return state.phase == "reveal" and state.drawn is None and _to_come(state) > len(state.deck)


def _price(state: State) -> int:
    """Return what a tile of the warehouse costs, or will cost once the next tile has come."""
    return state.price if state.phase == "choose" or state.drawn else state.price_after_build


def _stacks(state: State, unseen: Mapping[str, Json]) -> dict[str, int]:
    """Return how many tiles lie face down in each stack, or in all (under an empty name) if the stacks are unknown."""
    amounts = {name: _amount(tiles) for name, tiles in unseen.items()}
    return {"": sum(amounts.values())} if state.options.stacks == UNKNOWN_STACKS else amounts


def _amount(value: Json) -> int:
    """Return how many pieces a field of a view stands for: views give some as lists, some as counts."""
    return value if isinstance(value, int) else len(value)


def _seat(number: int, seen: Mapping[str, Any], score: SeatScore, names: Names) -> PalazzoSeat:
    """Return what everybody sees of a seat."""
    palazzi = [BuiltPalazzo(part["palazzo"], part["points"]) for part in score.parts]
    return PalazzoSeat(number, names[number], _amount(seen["hand"]), palazzi, score.points, score.rank)
