"""What each button means in each phase of Palazzo for the piecepack: the whole of what its panel can do, in one table.

The game is played on its pages so far; a table of its own (:class:`~tabletop.rules.table.Table`) would read these.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.piecepack.actions import PASS
from tabletop.rules.table import ButtonMeaning

BUTTONS: Mapping[str, Mapping[str, ButtonMeaning]] = {
    "action": {
        "MONEY": ButtonMeaning("take a coin", "coin"),
        "BUILD": ButtonMeaning("set the turret", "turret"),
        "REBUILD": ButtonMeaning("use the reserve", "reserve"),
        "BUY": ButtonMeaning("show a purchase", "purchase"),
        "PASS": ButtonMeaning("pass", PASS),
        "OK": ButtonMeaning("finishes what is shown"),
    },
    "place": {
        "OK": ButtonMeaning("builds or keeps what lies there"),
    },
}
