"""What each button means in each phase of Palazzo for the piecepack: the whole of what its panel can do, in one table.

The game is played on its pages so far; a table of its own (:class:`~tabletop.rules.table.Table`) would read these.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.piecepack.actions import PASS
from tabletop.rules.table import Meaning

BUTTONS: Mapping[str, Mapping[str, Meaning]] = {
    "action": {
        "MONEY": Meaning("take a coin", "coin"),
        "BUILD": Meaning("set the turret", "turret"),
        "REBUILD": Meaning("use the reserve", "reserve"),
        "BUY": Meaning("show a purchase", "purchase"),
        "PASS": Meaning("pass", PASS),
        "OK": Meaning("finishes what is shown"),
    },
    "place": {
        "OK": Meaning("builds or keeps what lies there"),
    },
}
