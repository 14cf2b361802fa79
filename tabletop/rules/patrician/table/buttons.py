"""What each button means in each phase of Patrician: the whole of what its panel can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.patrician.actions import FLOOR, SKIP
from tabletop.rules.table import ButtonMeaning

BUTTONS: Mapping[str, Mapping[str, ButtonMeaning]] = {
    "floor": {
        "MONEY": ButtonMeaning("floor on site A", FLOOR[0]),
        "BUILD": ButtonMeaning("floor on site B", FLOOR[1]),
    },
    "move": {
        "PASS": ButtonMeaning("no move", SKIP),
    },
}
