"""The physical table of Palazzo: its zones and cards, the sizes of its pieces, its buttons and its readers.

A palazzo grows away from its owner, so a seat's marker lies at the near left corner of its area.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_, Message
from tabletop.rules.game import Position
from tabletop.rules.palazzo.actions import Auction, Build, Money, Pass
from tabletop.rules.palazzo.phases.reasons import ZONE_RULES
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.table import adopting, reader
from tabletop.rules.table import CARD, ButtonMeaning, CardSpot, Reader, Size, Table, Zone, ZoneMark, ZoneShape

SPREAD = ZoneShape.SPREAD
SIZES = {
    "tile": Size(36, 28, thick=2.4),
    "end": Size(36, 28, thick=2.4),
    "money": CARD,
    "start": CARD,
    "architect": Size(24, 24, thick=18.0),
}


class PalazzoTable(Table):
    """Palazzo's table: buttons choose, hands lay tiles and money; printed pieces are as large as those of the box."""

    makes: Mapping[str, Mapping[str, Size]] = {"printed": SIZES, "box": SIZES}
    extent = (1150.0, 680.0)
    shared = (
        Zone("warehouse", "TT:WH", Message("Warehouse"), (24, -24, 264, 126), ZoneShape.SPACES),
        *(
            Zone(f"quarry{n}", f"TT:Q{n}", Message("Quarry {number}", number=n), (24, -24, 194, 76), SPREAD)
            for n in range(1, 5)
        ),
        Zone("row", "TT:ROW", Message("Money row"), (24, -24, 274, 46), ZoneShape.SPACES),
        Zone("discards", "TT:DIS", Message("Discards"), (24, -24, 94, 46), ZoneShape.PILE),
        Zone("end", "TT:END", Message("End tiles"), (24, -24, 114, 46), SPREAD),
    )
    own = (
        Zone("seat0", "TT:SEAT1", Message("Seat {number}", number=1), (24, -150, 364, 24), ZoneShape.COLUMNS),
        Zone("bid0", "TT:BID1", Message("Bid of seat {number}", number=1), (24, -24, 174, 86), SPREAD),
    )
    spots: Mapping[str, CardSpot] = {
        # Seats 1 and 4 sit along the bottom, 2 and 3 along the top and turned about: clockwise 1, 2, 3, 4.
        "TT:SEAT1": CardSpot(52, 642),
        "TT:SEAT4": CardSpot(620, 642),
        "TT:SEAT3": CardSpot(1098, 38, 180, 180),
        "TT:SEAT2": CardSpot(530, 38, 180, 180),
        # Bids lie at the right hand of their seat, their long side away from it.
        "TT:BID1": CardSpot(470, 640, -90),
        "TT:BID4": CardSpot(1038, 640, -90),
        "TT:BID3": CardSpot(680, 40, 90, 180),
        "TT:BID2": CardSpot(112, 40, 90, 180),
        "TT:Q1": CardSpot(52, 256),
        "TT:Q4": CardSpot(52, 372),
        "TT:WH": CardSpot(300, 289),
        "TT:Q2": CardSpot(618, 256),
        "TT:Q3": CardSpot(618, 372),
        "TT:ROW": CardSpot(860, 288),
        "TT:DIS": CardSpot(860, 382),
        "TT:END": CardSpot(1000, 382),
    }
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {
        "action": {
            "MONEY": ButtonMeaning(N_("take money"), Money()),
            "BUILD": ButtonMeaning(N_("turn up two tiles"), Build()),
            "REBUILD": ButtonMeaning(N_("show a rebuilding"), "rebuild"),
            "OK": ButtonMeaning(N_("finishes REBUILD")),
        },
        "choose": {
            "BUY": ButtonMeaning(N_("show a purchase"), "buy"),
            "AUCTION": ButtonMeaning(N_("start the auction"), Auction()),
            "OK": ButtonMeaning(N_("finishes BUY")),
        },
        "bid": {"PASS": ButtonMeaning(N_("pass"), Pass()), "OK": ButtonMeaning(N_("lays the bid"))},
        "place": {"OK": ButtonMeaning(N_("discards the tile taken away"))},
    }
    readers: Mapping[str, Reader] = {
        "setup": reader.read_setup,
        "deal": reader.read_deal,
        "action": reader.read_action,
        "reveal": reader.read_reveal,
        "take": reader.read_take,
        "choose": reader.read_choose,
        "bid": reader.read_bid,
        "claim": reader.read_claim,
        "place": reader.read_place,
    }
    shows: Mapping[str, str] = {"deal": "bid", "buy": "bid", "rebuild": "bid"}
    confirmed = frozenset({"buy", "bid", "rebuild", "scrap"})
    unplaced = frozenset({"architect"})
    rules = ZONE_RULES
    places = staticmethod(adopting.places)
    adopt = staticmethod(adopting.adopt)

    def payable(self, position: Position) -> frozenset[str]:
        """Return the paid actions that a rich hand could afford: to buy, and to rebuild if the seat has palazzi."""
        built = position.to_json()["seats"][position.active]["palazzi"]
        return frozenset({"buy", "rebuild"} if built else {"buy"})

    def marks(self, position: Position) -> Mapping[str, ZoneMark]:
        """Return where the architect stands, and where the drawn tile belongs until it is seen there."""
        assert isinstance(position, PalazzoPosition)
        drawn = set(position.drawn or ()) if position.phase == "choose" else set()
        goes = {f"quarry{n}": ZoneMark.GOES for n, tiles in enumerate(position.quarries, start=1) if drawn & set(tiles)}
        return {f"quarry{position.architect}": ZoneMark.HERE} | goes
