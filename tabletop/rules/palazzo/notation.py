"""The short notation of an action, as records and logs write it.

``reveal B1.2`` · ``deal 0 C2a+G3a+N4b+R7c`` · ``money`` · ``take G7c`` · ``build`` · ``rebuild lift B3.2 pay R5a`` ·
``rebuild insert B3.2 onto B1.1 pay R5a`` · ``rebuild scrap B3.2 pay R5a`` · ``buy B3.2+S1.1 pay R5a+R7b`` ·
``auction`` · ``bid R4a+R5c`` · ``pass`` · ``claim B3.2`` · ``place B3.2 onto B1.1`` · ``place B3.2`` · ``scrap B3.2``.
"""

from __future__ import annotations

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo.actions import Bid, Buy, Claim, PalazzoAction, Place, Rebuild, Scrap, Take
from tabletop.rules.palazzo.parsing import action
from tabletop.rules.text.notation import join, split, words


def format_action(value: PalazzoAction) -> str:
    """Return the action's short notation."""
    match value:
        case Reveal(piece) | Take(piece) | Claim(piece) | Scrap(piece):
            rest = piece
        case Deal(seat, cards):
            rest = f"{seat} {join(cards)}"
        case Rebuild(kind, tile, onto, pay):
            rest = f"{kind} {tile}" + (f" onto {onto}" if onto else "") + f" pay {pay}"
        case Buy(tiles, pay):
            rest = f"{join(tiles)} pay {join(pay)}"
        case Bid(cards):
            rest = join(cards)
        case Place(tile, onto):
            rest = tile + (f" onto {onto}" if onto else "")
        case _:
            rest = ""
    return f"{value.do} {rest}".rstrip()


_SINGLE = {"reveal": "piece", "take": "card", "claim": "tile", "scrap": "tile"}


def parse_action(text: str) -> PalazzoAction:
    """Return the action of a line of short notation.

    Raises Illegal: ``bad-request`` where it cannot be read, ``unknown-action`` and ``unknown-piece`` as in JSON.
    """
    found = list(words(text))
    data: Json
    match found:
        case [("reveal" | "take" | "claim" | "scrap") as do, piece]:
            data = {"do": do, _SINGLE[do]: piece}
        case ["deal", seat, cards] if seat.isascii() and seat.isdigit() and len(seat) < 4:
            data = {"do": "deal", "seat": int(seat), "cards": split(cards)}
        case ["rebuild", kind, tile, "onto", onto, "pay", pay]:
            data = {"do": "rebuild", "kind": kind, "tile": tile, "onto": onto, "pay": pay}
        case ["rebuild", kind, tile, "pay", pay]:
            data = {"do": "rebuild", "kind": kind, "tile": tile, "pay": pay}
        case ["buy", tiles, "pay", pay]:
            data = {"do": "buy", "tiles": split(tiles), "pay": split(pay)}
        case ["bid", cards]:
            data = {"do": "bid", "cards": split(cards)}
        case ["place", tile, "onto", onto]:
            data = {"do": "place", "tile": tile, "onto": onto}
        case ["place", tile]:
            data = {"do": "place", "tile": tile, "onto": None}
        case [("money" | "build" | "auction" | "pass") as do]:
            data = {"do": do}
        case _:
            raise Illegal("bad-request", f"{text[:60]!r} is no action in short notation.")
    return action(data)
