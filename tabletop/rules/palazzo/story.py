"""Sentences for what happened in a game of Palazzo; the pieces that an action names are listed after its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tabletop.messages import N_, Message, SeatRef
from tabletop.rules.game import Around, Json
from tabletop.rules.palazzo.components import END_TILES
from tabletop.rules.palazzo.phases.auction import OPENING_STAKE
from tabletop.rules.palazzo.phases.payments import read
from tabletop.rules.palazzo.state import State
from tabletop.rules.value import Ids

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-warehouse": N_("Turned up for the warehouse:"),
    "reveal-quarry": N_("Turned up for quarry {number}:"),
    "reveal-aside": N_("Turned up and set aside:"),
    "reveal-end": N_("End tile {number} of 5, set aside:"),
    "reveal-last": N_("The last of 5 end tiles: the game ends."),
    "deal": N_("{name} is dealt four cards."),
    "money": N_("{name} turns up money."),
    "take": N_("{name} takes"),
    "build": N_("{name} builds: two tiles are turned up."),
    "rebuild-lift": N_("{name} pays a card and stands a tile alone:"),
    "rebuild-insert": N_("{name} pays a card and inserts a tile:"),
    "rebuild-scrap": N_("{name} pays a card and discards a tile:"),
    "buy": N_("{name} buys for {value}:"),
    "auction": N_("{name} calls an auction: the architect moves on."),
    "auction-quarry": N_("{name} calls an auction for quarry {number}."),
    "auction-handout": N_("{name} has the tiles on quarry {number} handed out."),
    "auction-empty": N_("{name} calls an auction, but no quarry has a tile: nothing happens."),
    "bid": N_("{name} adds {value} to the bid:"),
    "pass": N_("{name} passes."),
    "pass-won": N_("{name} passes. {winner} wins the auction for {value}."),
    "pass-unraised": N_("{name} passes. Nobody raised: {winner} gets everything for free."),
    "claim": N_("{name} takes from the hand-out"),
    "place": N_("{name} builds"),
    "scrap": N_("{name} discards"),
}
"""Action and variant → the words before its pieces."""


def describe(action: Any, seat: int | None, around: Around | None) -> Message:
    """Return what an action of a seat does; without the positions around it, where its pieces go is left out."""
    kind = str(action.do)
    facts: dict[str, Json] = {
        "value": worth(cards_laid(action)),
        **(_how(action, around) if around is not None else {}),
    }
    how = action.kind if kind == "rebuild" else facts.pop("how", "")
    who = action.seat if kind == "deal" else seat
    if who is not None:
        facts["name"] = SeatRef(who)
    return Message(LINES[f"{kind}-{how}" if how else kind], **facts)


def _how(action: Any, around: Around) -> dict[str, Json]:
    """Return the facts that only the positions before and after an action show.

    These are where a tile went, which end tile came, what an auction is about, and who won by the last pass.
    """
    before, after = cast(State, around.before), cast(State, around.after)
    match action.do:
        case "reveal" if action.piece in END_TILES:
            number = len(after.end_tiles)
            return {"how": "end" if number < len(END_TILES) else "last", "number": number}
        case "reveal":
            return _place(action.piece, after)
        case "auction":
            how = {"bid": "quarry", "claim": "handout"}.get(after.phase)
            return {"how": how, "number": after.architect} if how else {"how": "empty"}
        case "pass" if after.phase == "place":
            assert before.laid is not None
            raised = before.laid[after.seat] != OPENING_STAKE
            how = "won" if raised else "unraised"
            return {"how": how, "winner": SeatRef(after.seat), "value": before.bid_of(after.seat)}
    return {}


def _place(piece: str, after: State) -> dict[str, Json]:
    """Return where a tile that was turned up went; empty for a money card."""
    if piece in after.warehouse:
        return {"how": "warehouse"}
    quarry = next((number for number, tiles in enumerate(after.quarries, start=1) if piece in tiles), None)
    return {"how": "quarry", "number": quarry} if quarry else {}


def cards_laid(action: Any) -> Ids:
    """Return the cards of a purchase or a bid, none for other actions."""
    return action.pay if action.do == "buy" else action.cards if action.do == "bid" else ()


def worth(cards: Ids) -> int:
    """Return what cards laid together are worth, 0 if there are none or they mix currencies."""
    reading = read(cards) if cards else None
    return reading.value if reading else 0
