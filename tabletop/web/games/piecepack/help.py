"""The rules of Palazzo for the piecepack in short."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.web.games.help import Topic

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_(
            "Four structures lie in the yard and four coins in the bank; everyone has two secret coins and a die "
            "showing 5."
        ),
        ["Setup"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Take exactly one action: take a coin, use the reserve, set the turret, or buy a structure. You may "
            "pass only if you can do nothing else."
        ),
        ["A turn", "A turn: pass"],
    ),
    Topic(
        "coin",
        N_("Coins"),
        N_(
            "Take one coin from the bank. A null coin is worth 6, the others what they show; their suit does not "
            "matter."
        ),
        ["A turn 1: coin"],
    ),
    Topic(
        "reserve",
        N_("The reserve"),
        N_(
            "Put a structure from your reserve into the palazzo, take one out of the palazzo into the reserve, or "
            "exchange one for another in the same cell. The reserve scores nothing."
        ),
        ["A turn 2: reserve"],
    ),
    Topic(
        "turret",
        N_("The turret"),
        N_("It stands on one of your structures, which then counts twice. Setting it is an action."),
        ["A turn 3: turret"],
    ),
    Topic(
        "purchase",
        N_("Buying"),
        N_(
            "A structure costs 5 plus its value. Pay with coins and, if you like, the number on your die, which "
            "then goes down by one. There is no change. If you pay exactly, you get one more action at once."
        ),
        ["A turn 4: purchase"],
    ),
    Topic(
        "building",
        N_("Building"),
        N_(
            "A structure must share a full edge with your palazzo, and every neighbour must have the same suit or "
            "the same value. No empty cell may be closed in, and the palazzo must stay in one piece."
        ),
        ["Building"],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "After the last purchase everyone has one more action. For each suit, the seat with the most "
            "structures scores 3 for each of them; a seat scores 2 for each if one seat has more, and 1 if two "
            "have more. Then all values count once, and the structure under the turret counts twice. Ties go to "
            "more money, then to fewer structures."
        ),
        ["End"],
    ),
    Topic("options", N_("Options"), N_("What was agreed for this table before the game began."), ["Options"]),
)

LESSONS: Mapping[str, str] = {
    "action": N_("A turn is one action: take a coin, buy a structure, set the turret, or use the reserve."),
    "place": N_("Build edge to edge: every neighbour must have the same sign or the same number."),
}
"""What to know the first time a seat decides in a phase."""
