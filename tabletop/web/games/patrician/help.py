"""Patrician's rules in short."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.web.games.help import Topic

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_("Everyone has a secret hand of three cards; one card lies beside each city."),
        ["Setup", "Components"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Play a card, place one floor for each crest in the card’s city, move a floor if the card shows it, "
            "and take the card beside the city; a new card fills the space. Then it is the next seat’s turn."
        ),
        ["A turn", "A turn 1: play"],
    ),
    Topic(
        "floors",
        N_("Placing floors"),
        N_(
            "For each crest, put one of your floors on top of either site in the card’s city. The floor that "
            "completes the city must go on a site that is still empty, if there is one. A complete city is scored "
            "at once."
        ),
        ["A turn 2: place", "A turn 2: the last floor"],
    ),
    Topic(
        "move",
        N_("Moving a floor"),
        N_(
            "If the card shows it, you may move the top floor of one site, no matter whose it is, to the other "
            "site of the same city. Not in the city where you have just built, not in one that is already scored, "
            "and only where you have a floor."
        ),
        ["A turn 3: move", "A turn 3a: move", "A turn 3b: move", "A turn 3c: move"],
    ),
    Topic(
        "take",
        N_("Taking a card"),
        N_(
            "Take the card beside the city where you built. If your card shows “any”, or if there is no card "
            "there, take the card beside any city."
        ),
        ["A turn 4: take"],
    ),
    Topic(
        "cities",
        N_("Scoring a city"),
        N_(
            "The taller tower earns the higher token, the shorter one the lower. Each goes to the seat with the "
            "most floors in that tower; if seats are tied, to the one whose floor is highest."
        ),
        [],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "The game ends when all hands are empty. Tokens score their value, and every three equal heads on the "
            "cards you played score 6. Ties go to the seat with fewer floors on the board."
        ),
        ["End"],
    ),
    Topic("options", N_("Options"), N_("What was agreed for this table before the game began."), ["Options"]),
)

LESSONS: Mapping[str, str] = {
    "play": N_("A card says in which city you build, and its crests say how many floors."),
    "floor": N_("The taller tower earns more. Each tower belongs to the seat with the most floors in it."),
    "move": N_("You may move the top floor of a tower, no matter whose it is, across to the other site of its city."),
    "take": N_("Take the card beside the city where you built: three equal heads score 6 points in the end."),
}
"""What to know the first time a seat decides in a phase."""
