"""What each button means in each phase of Patrician: the whole of what its panel can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.patrician.actions import FLOOR, SKIP
from tabletop.rules.patrician.components import SITES
from tabletop.rules.table import ButtonMeaning

SITE_BUTTONS = ("MONEY", "BUILD")
"""The buttons of site A and site B."""

BUTTONS: Mapping[str, Mapping[str, ButtonMeaning]] = {
    "floor": {
        "MONEY": ButtonMeaning("floor on site A", FLOOR[0], instead=True),
        "BUILD": ButtonMeaning("floor on site B", FLOOR[1], instead=True),
    },
    "move": {
        "MONEY": ButtonMeaning("moved to site A", SITES[0], finishes=True, instead=True),
        "BUILD": ButtonMeaning("moved to site B", SITES[1], finishes=True, instead=True),
        "PASS": ButtonMeaning("no move", SKIP),
    },
}
