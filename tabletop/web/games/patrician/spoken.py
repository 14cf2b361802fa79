"""Patrician read out: words for its view and its actions."""

from __future__ import annotations

from tabletop.messages import N_
from tabletop.rules.patrician.components import CITIES
from tabletop.web.games.spoken import PHASES, Spoken

PLACES = {
    "cities.*": N_("In %(key)s, each site from the ground up"),
    "market.*": N_("Card beside %(key)s"),
    "deck": N_("Cards in the deck"),
    "pending": N_("Being built now"),
    "space": N_("The next card is turned up beside"),
    "edition.cards.*": N_("What %(key)s shows"),
    "mine.hand": N_("Your hand"),
    "mine.played": N_("Your pile, the last card on top"),
    "mine.colour": N_("Your colour"),
    "mine.supply": N_("Your remaining floors"),
    "mine.tokens": N_("Your tokens"),
    "mine.top": N_("The top card of your pile"),
    "seats.*.colour": N_("Colour of %(name)s"),
    "seats.*.hand": N_("Cards in %(name)s’s hand"),
    "seats.*.played": N_("Cards that %(name)s has played"),
    "seats.*.supply": N_("Remaining floors of %(name)s"),
    "seats.*.tokens": N_("Tokens of %(name)s"),
    "seats.*.top": N_("The top card of the pile of %(name)s"),
}
WORDS = {
    "turn.phase=play": N_("a card is played"),
    "turn.phase=floor": N_("a floor is placed"),
    "turn.phase=move": N_("a floor may be moved"),
    "turn.phase=take": N_("a card is taken"),
    "black": N_("black"),
    "white": N_("white"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "blue": N_("blue"),
    "woman": N_("woman"),
    "beard": N_("bearded"),
    "A": N_("site A"),
    "B": N_("site B"),
    "card": N_("card"),
    "floors": N_("floors to place"),
    "scored": N_("scored already"),
    "crests": N_("crests"),
    "heads": N_("heads"),
    "any": N_("take any card"),
    "move": N_("move a floor"),
    "start": N_("dealt at the beginning"),
    **{city.id: city.title for city in CITIES},
}
ACTS = {
    "play": N_("Play a card"),
    "play.card": N_("Which card?"),
    "floor": N_("Place a floor"),
    "floor.site": N_("Where does the floor go?"),
    "move": N_("Move a floor"),
    "move.city": N_("In which city?"),
    "move.from": N_("From which site?"),
    "skip": N_("Do not move a floor"),
    "take": N_("Take a card"),
    "take.card": N_("Which card?"),
}

SPOKEN = Spoken(places=PLACES, words={**PHASES, **WORDS}, acts=ACTS)
