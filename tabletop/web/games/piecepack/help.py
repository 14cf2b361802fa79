"""The rules of Palazzo for the piecepack in short."""

from __future__ import annotations

from tabletop.web.games.help import Topic
from tabletop.web.i18n import N_

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_(
            "Four structures lie in the yard, four coins in the bank; everybody holds two coins, in secret, "
            "and a die on 5."
        ),
        ["Setup"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Exactly one action: take a coin, use the reserve, set the turret, or buy a structure. Only who "
            "can do nothing at all passes."
        ),
        ["A turn", "A turn: pass"],
    ),
    Topic(
        "coin",
        N_("Coins"),
        N_("Take one coin of the bank. A null coin is worth 6, the others what they show; their suit plays no part."),
        ["A turn 1: coin"],
    ),
    Topic(
        "reserve",
        N_("The reserve"),
        N_(
            "Put a structure from your reserve into the palazzo, take one out of the palazzo into it, or "
            "exchange one of each in the same cell. The reserve scores nothing."
        ),
        ["A turn 2: reserve"],
    ),
    Topic(
        "turret",
        N_("The turret"),
        N_("It stands on one structure of yours, which then counts twice. Setting it is an action."),
        ["A turn 3: turret"],
    ),
    Topic(
        "purchase",
        N_("Buying"),
        N_(
            "A structure costs 5 and its value. Pay with coins and, if you wish, the number of your die, which "
            "then goes down by one. There is no change. Who pays exactly has one more action at once."
        ),
        ["A turn 4: purchase"],
    ),
    Topic(
        "building",
        N_("Building"),
        N_(
            "A structure shares a full edge with your palazzo, and every neighbour must share its suit or its "
            "value. No empty cell may be closed in, and the palazzo never falls into parts."
        ),
        ["Building"],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "After the last purchase everybody has one more action. Each suit counts its number of structures "
            "times 3 for who has most, 2 where one seat has more, 1 where two have. Then all values count "
            "once. The structure under the turret counts twice. A tie goes to more money, then to fewer "
            "structures."
        ),
        ["End"],
    ),
    Topic("options", N_("Options"), N_("What was agreed on for this table before the game began."), ["Options"]),
)
