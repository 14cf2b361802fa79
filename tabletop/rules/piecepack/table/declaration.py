"""The physical table of Palazzo for the piecepack: its makes, zones and cards, its buttons and its readers."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_, Message, SeatRef, join
from tabletop.rules.game import Action, Position
from tabletop.rules.piecepack.actions import PASS, Purchase, Reserve
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.table import reader
from tabletop.rules.table import ButtonMeaning, CardSpot, Reader, Size, Table, Zone, ZoneShape

SPREAD, STORE = ZoneShape.SPREAD, ZoneShape.STORE
TURRET = Size(21, 21, thick=1.0)


class PiecepackTable(Table):
    """The piecepack's table: hands lay tiles, coins and turrets; OK and MONEY finish a purchase.

    The tag of a structure sits in the upper right quarter of its face, so the turret has room on the other three.
    Two and three seats sit diagonally, which leaves room in front of each palazzo: one grows to seven rows or more.
    """

    makes: Mapping[str, Mapping[str, Size]] = {
        "printed": {"structure": Size(42, 42, tag_x=11, tag_y=-11), "coin": Size(28, 28, round=True), "turret": TURRET},
        "box": {
            "structure": Size(50.8, 50.8, tag_x=15.4, tag_y=-15.4, thick=6.4),
            "coin": Size(19, 19, tag=14, thick=3, round=True),
            "turret": TURRET,
        },
    }
    called: Mapping[str, Message] = {
        "printed": Message("tiles, coins and turrets that you print"),
        "box": Message("a real piecepack of 2-inch tiles with tags, and printed turrets"),
    }
    extent = (1150.0, 720.0)
    shared = (
        Zone("yard", "TT:YARD", Message("Yard"), (24, -24, 244, 36), ZoneShape.SPACES),
        Zone("stack", "TT:YARD", Message("Stack"), (-24, 38, 244, 100), STORE),
        Zone("bank", "TT:BANK", Message("Bank"), (24, -24, 184, 26), ZoneShape.SPACES),
        Zone("discards", "TT:BANK", Message("Discards"), (188, -24, 244, 26), ZoneShape.HEAP),
        Zone("coins", "TT:BANK", Message("Face-down coins"), (-24, 30, 244, 100), STORE),
    )
    own = (
        Zone("seat0", "TT:PLOT1", Message("Palazzo of seat {number}", number=1), (24, -264, 384, -28), ZoneShape.GRID),
        Zone("reserve0", "TT:PLOT1", Message("Reserve of seat {number}", number=1), (24, -24, 240, 84), SPREAD),
        Zone("pay0", "TT:PLOT1", Message("Payment of seat {number}", number=1), (244, -24, 384, 36), SPREAD),
        Zone("store0", "TT:PLOT1", Message("Die and turret of seat {number}", number=1), (244, 40, 384, 84), STORE),
    )
    spots: Mapping[str, CardSpot] = {
        "TT:PLOT1": CardSpot(32, 626),
        "TT:PLOT4": CardSpot(444, 626),
        "TT:PLOT2": CardSpot(400, 94, 180, 180),
        "TT:PLOT3": CardSpot(812, 94, 180, 180),
        "TT:YARD": CardSpot(876, 270),
        "TT:BANK": CardSpot(876, 420),
    }
    spots_for: Mapping[int, Mapping[str, CardSpot]] = {
        2: {"TT:PLOT2": CardSpot(812, 94, 180, 180)},
        3: {
            "TT:PLOT2": CardSpot(803, 94, 180, 180),
            "TT:PLOT3": CardSpot(758, 626),
            "TT:YARD": CardSpot(32, 34),
            "TT:BANK": CardSpot(465, 610),
        },
    }
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {
        "action": {
            "MONEY": ButtonMeaning(N_("pays with the die"), reader.DIE_INTENT, finishes=True),
            "PASS": ButtonMeaning(N_("pass"), PASS),
            "OK": ButtonMeaning(N_("pays without the die, or puts into the reserve")),
        },
    }
    readers: Mapping[str, Reader] = {
        "setup": reader.read_reveal,
        "deal": reader.read_deal,
        "action": reader.read_action,
        "place": reader.read_place,
        "reveal": reader.read_reveal,
    }
    shows: Mapping[str, str] = {"deal": "pay", "purchase": "pay"}

    def finish(self, action: Action) -> str | None:
        """Return the press that finishes a purchase, with or without the die; OK also finishes a removal."""
        if isinstance(action, Purchase):
            return reader.DIE_INTENT if action.die else ""
        return "" if isinstance(action, Reserve) and action.kind == "remove" else None

    def news(self, before: Position, after: Position) -> Message:
        """Return which face a die must now show, and whether an exact payment gives one more action."""
        assert isinstance(before, PiecepackPosition)
        assert isinstance(after, PiecepackPosition)
        said = []
        for seat, (was, now) in enumerate(zip(before.purses, after.purses, strict=True)):
            name, turned = SeatRef(seat, after.names[seat]), was.die != now.die
            if turned and now.die:
                said.append(Message("{name}: turn your die to {face}.", name=name, face=now.die))
            elif turned:
                said.append(Message("{name}: turn your die to null.", name=name))
        bought = {*before.yard} - {*after.yard, *after.stack}
        if bought and (after.active, after.left) == (before.active, before.left):
            said.append(Message("Paid exactly: one more action."))
        return join(said)
