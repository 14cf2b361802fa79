"""Every sentence with which Patrician refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_, Message
from tabletop.rules.refusals import Reason, meanings

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", N_("{do} is not possible now: {phase} comes first."), Message("A turn")),
    "over": Reason("game-over", N_("The game is over: every card has been played."), Message("End")),
    "deal-seat": Reason("not-your-turn", N_("Seat {due} is dealt its cards now, not seat {seat}."), Message("Setup")),
    "deal-number": Reason("bad-request", N_("A seat is dealt {needed} cards, not {number}."), Message("Setup")),
    "deal-twice": Reason("not-in-pool", N_("{piece} is named twice; it can be dealt only once."), Message("Setup")),
    "not-a-start-card": Reason(
        "not-in-pool", N_("The hands are dealt from the start cards; {card} is not one of them."), Message("Setup")
    ),
    "not-in-deck": Reason(
        "not-in-pool", N_("{card} cannot be turned up now: it is not in the deck."), Message("Setup")
    ),
    "unknown-city": Reason("bad-request", N_("{city} is not a city in this game."), Message("Components")),
    "unknown-site": Reason(
        "bad-request", N_("{site} is not a site; a city has the sites A and B."), Message("Components")
    ),
    "not-in-hand": Reason("not-in-hand", N_("{card} is not in this seat's hand."), Message("A turn 1: play")),
    "city-full": Reason("city-full", N_("{city} has all its {capacity} floors."), Message("A turn 2: place")),
    "must-use-empty-site": Reason(
        "must-use-empty-site",
        N_("This is the last of the {capacity} floors of {city} and site {other} is still empty: it must go there."),
        Message("A turn 2: the last floor"),
    ),
    "own-city-just-built": Reason(
        "own-city-just-built",
        N_("This seat has just built in {city}; it may move a floor in {movable}."),
        Message("A turn 3a: move"),
    ),
    "city-scored": Reason(
        "city-scored",
        N_("{city} has all its {capacity} floors and is scored; this seat may move a floor in {movable}."),
        Message("A turn 3b: move"),
    ),
    "no-own-floor": Reason(
        "no-own-floor",
        N_("This seat has no floor in {city}; it may move a floor in {movable}."),
        Message("A turn 3c: move"),
    ),
    "empty-site": Reason(
        "empty-site", N_("Site {site} of {city} is empty: its floors are on site {other}."), Message("A turn 3: move")
    ),
    "would-empty-site": Reason(
        "empty-site",
        N_("On this table a move may not empty a site, and site {site} of {city} has one floor."),
        Message("Options"),
    ),
    "not-in-market": Reason("not-in-market", N_("{card} is not beside any city."), Message("A turn 4: take")),
    "wrong-market": Reason(
        "wrong-market",
        N_("{card} lies beside {beside}; having built in {city} this seat takes the card there, {offer}."),
        Message("A turn 4: take"),
    ),
}
"""The sentences by key; their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = meanings(
    {
        "city-full": "The city has all the floors it takes.",
        "must-use-empty-site": "A city's last floor goes on a site that is still empty, if one is.",
        "own-city-just-built": "The move must be in a different city from the one just built in.",
        "city-scored": "Nothing can be moved in a city that has been scored.",
        "no-own-floor": "The move must be in a city where the seat has a floor.",
        "empty-site": "The site has no floor that may be moved.",
        "not-in-market": "The card is not beside any city.",
        "wrong-market": "The card taken must be the one beside the city just built in.",
    }
)
"""Every code of this game, in one sentence a player understands."""
