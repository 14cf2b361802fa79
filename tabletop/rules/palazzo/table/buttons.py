"""What each button means in each phase of Palazzo: the whole of what its panel can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.palazzo.actions import Auction, Build, Money, Pass
from tabletop.rules.table import Meaning

BUTTONS: Mapping[str, Mapping[str, Meaning]] = {
    "action": {
        "MONEY": Meaning("take money", Money()),
        "BUILD": Meaning("turn up two tiles", Build()),
        "REBUILD": Meaning("show a rebuilding", "rebuild"),
        "OK": Meaning("finishes REBUILD"),
    },
    "choose": {
        "BUY": Meaning("show a purchase", "buy"),
        "AUCTION": Meaning("start the auction", Auction()),
        "OK": Meaning("finishes BUY"),
    },
    "bid": {
        "PASS": Meaning("pass", Pass()),
        "OK": Meaning("lays the bid"),
    },
    "place": {
        "OK": Meaning("discards the tile taken away"),
    },
}
