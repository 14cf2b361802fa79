"""What each button means in each phase of Palazzo for the piecepack: all that its panel can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.piecepack.actions import PASS
from tabletop.rules.table import ButtonMeaning

DIE = "die"
"""The intent with which MONEY finishes a purchase: the die pays as well."""

BUTTONS: Mapping[str, Mapping[str, ButtonMeaning]] = {
    "action": {
        "MONEY": ButtonMeaning("pays with the die", DIE, finishes=True),
        "PASS": ButtonMeaning("pass", PASS),
        "OK": ButtonMeaning("pays without the die, or puts into the reserve"),
    },
}
