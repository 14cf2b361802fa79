"""Every sentence with which Patrician refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.refusals import MEANINGS as COMMON
from tabletop.rules.refusals import Reason

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", "{do} is not possible now: {phase} comes first.", "A turn"),
    "over": Reason("game-over", "The game is over: every card has been played.", "End"),
    "deal-seat": Reason("not-your-turn", "Seat {due} is dealt its cards now, not seat {seat}.", "Setup"),
    "deal-number": Reason("bad-request", "A seat is dealt {needed} cards, not {number}.", "Setup"),
    "not-a-start-card": Reason("not-in-pool", "The hands are dealt from the start cards; {card} is none.", "Setup"),
    "not-in-deck": Reason("not-in-pool", "{card} cannot come now: it is not in the deck.", "Setup"),
    "unknown-city": Reason("bad-request", "{city} is no city of this game.", "Components"),
    "unknown-site": Reason("bad-request", "{site} is no site; a city has the sites A and B.", "Components"),
    "not-in-hand": Reason("not-in-hand", "{card} is not in this seat's hand.", "A turn 1: play"),
    "city-full": Reason("city-full", "{city} has all its {capacity} floors.", "A turn 2: place"),
    "must-use-empty-site": Reason(
        "must-use-empty-site",
        "This is the last of the {capacity} floors of {city} and site {other} is still empty: it must go there.",
        "A turn 2: the last floor",
    ),
    "own-city-just-built": Reason(
        "own-city-just-built",
        "This seat has just built in {city}; it may move a floor in {movable}.",
        "A turn 3a: move",
    ),
    "city-scored": Reason(
        "city-scored",
        "{city} has all its {capacity} floors and is scored; this seat may move a floor in {movable}.",
        "A turn 3b: move",
    ),
    "no-own-floor": Reason(
        "no-own-floor", "This seat has no floor in {city}; it may move a floor in {movable}.", "A turn 3c: move"
    ),
    "empty-site": Reason(
        "empty-site", "Site {site} of {city} is empty: its floors are on site {other}.", "A turn 3: move"
    ),
    "would-empty-site": Reason(
        "empty-site", "On this table a move may not empty a site, and site {site} of {city} has one floor.", "Options"
    ),
    "not-in-market": Reason("not-in-market", "{card} does not lie beside any city.", "A turn 4: take"),
    "wrong-market": Reason(
        "wrong-market",
        "{card} lies beside {beside}; having built in {city} this seat takes the card there, {offer}.",
        "A turn 4: take",
    ),
}
"""The sentences.  Their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = (
    {
        code: COMMON[code]
        for code in ("not-your-turn", "wrong-phase", "unknown-action", "unknown-piece", "not-in-pool", "not-in-hand")
    }
    | {
        "city-full": "The city has all the floors it takes.",
        "must-use-empty-site": "A city's last floor goes on a site that is still empty, if one is.",
        "own-city-just-built": "The move is in another city than the one just built in.",
        "city-scored": "Nothing moves in a city that is scored.",
        "no-own-floor": "The move is in a city in which the seat has a floor.",
        "empty-site": "The site has no floor that may be moved.",
        "not-in-market": "The card lies beside no city.",
        "wrong-market": "The card taken is the one beside the city just built in.",
    }
    | {code: COMMON[code] for code in ("game-over", "bad-position", "bad-request")}
)
"""Every code of this game, in one sentence a player understands."""
