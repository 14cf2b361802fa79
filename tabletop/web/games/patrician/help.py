"""Patrician's rules in short."""

from __future__ import annotations

from tabletop.web.games.help import Topic
from tabletop.web.i18n import N_

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_("Everybody holds three cards, in secret; one card lies beside each city."),
        ["Setup", "Components"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Play a card, place a floor for each crest in the card’s city, move a floor if the card shows it, "
            "take the card beside the city; the space is filled again. Then it is the next seat’s turn."
        ),
        ["A turn", "A turn 1: play"],
    ),
    Topic(
        "floors",
        N_("Placing floors"),
        N_(
            "One floor of yours for each crest, on either site of the card’s city, on top. The floor that "
            "makes the city complete must go on a site that is still empty, if there is one. A complete city "
            "is scored at once."
        ),
        ["A turn 2: place", "A turn 2: the last floor"],
    ),
    Topic(
        "move",
        N_("Moving a floor"),
        N_(
            "If the card shows it, the top floor of one site may go to the other site of the same city, "
            "whosever it is. Not in the city just built in, not in one that is scored, and only where you have "
            "a floor."
        ),
        ["A turn 3: move", "A turn 3a: move", "A turn 3b: move", "A turn 3c: move"],
    ),
    Topic(
        "take",
        N_("Taking a card"),
        N_(
            "Take the card beside the city you built in. If your card shows “any”, or no card lies there, take "
            "the one beside any city you like."
        ),
        ["A turn 4: take"],
    ),
    Topic(
        "cities",
        N_("Scoring a city"),
        N_(
            "The taller tower earns the higher token, the shorter one the lower. Each goes to the seat with "
            "most floors in that tower, of tied seats to the one whose floor is highest."
        ),
        [],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "The game ends when all hands are empty. Tokens count their value, and every three equal heads on "
            "the cards you played count 6. A tie goes to the seat with fewer floors on the board."
        ),
        ["End"],
    ),
    Topic("options", N_("Options"), N_("What was agreed on for this table before the game began."), ["Options"]),
)
