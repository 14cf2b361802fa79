"""What each button means in each phase of Palazzo: the whole of what its panel can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.palazzo.actions import Auction, Build, Money, Pass
from tabletop.rules.table import ButtonMeaning

BUTTONS: Mapping[str, Mapping[str, ButtonMeaning]] = {
    "action": {
        "MONEY": ButtonMeaning("take money", Money()),
        "BUILD": ButtonMeaning("turn up two tiles", Build()),
        "REBUILD": ButtonMeaning("show a rebuilding", "rebuild"),
        "OK": ButtonMeaning("finishes REBUILD"),
    },
    "choose": {
        "BUY": ButtonMeaning("show a purchase", "buy"),
        "AUCTION": ButtonMeaning("start the auction", Auction()),
        "OK": ButtonMeaning("finishes BUY"),
    },
    "bid": {
        "PASS": ButtonMeaning("pass", Pass()),
        "OK": ButtonMeaning("lays the bid"),
    },
    "place": {
        "OK": ButtonMeaning("discards the tile taken away"),
    },
}
