"""The physical table of Patrician: its makes, zones and cards, its buttons and its readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tabletop.messages import EMPTY, N_, Message, SeatRef, join
from tabletop.rules.game import Action, Position
from tabletop.rules.patrician.actions import FLOOR, SKIP, Move
from tabletop.rules.patrician.components import MASON, SITES, City, cities
from tabletop.rules.patrician.phases.towers import awards
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.table import reader
from tabletop.rules.table import CARD, ButtonMeaning, CardSpot, Reader, Size, Table, Zone, ZoneShape

SPREAD, STORE = ZoneShape.SPREAD, ZoneShape.STORE
BOARD = ("BOL", "FIR", "ROM", "PIS", "SIE", "LUC", "MIL", "FER", "PAR", "VER")
"""The cities as their cards lie, in two rows of five."""
FLOOR_STEP_MM = 22
"""The distance between floors of a tower laid flat; a city's last floor needs no room if it goes on the empty site."""


def _city(city: City) -> Iterator[Zone]:
    marker, foot, name = f"TT:{city.id}", FLOOR_STEP_MM * (city.capacity - 1) - 20, city.title
    yield Zone(f"market{city.id}", marker, Message("Market of {city}", city=name), (-24, 24, 24, 92), ZoneShape.SPACES)
    for site, left in zip(SITES, (28, 60), strict=True):
        title = Message("Site {site} of {city}", site=site, city=name)
        yield Zone(f"site{city.id}{site}", marker, title, (left, -24, left + 30, foot), ZoneShape.TOWER)
    yield Zone(f"tokens{city.id}", marker, Message("Tokens of {city}", city=name), (-24, 94, 24, 118), STORE)


class PatricianTable(Table):
    """Patrician's table: hands lay cards and floors; buttons say what wooden floors do not show.

    Printed floors are flat, a bar in the owner's colour beside the tag; no tag holds on the wooden ones of the box, and
    the mason names the city of a move with them.  City cards take the place of the board: floors lie on them in
    columns, upward from the line at the foot of each site.  Seats 1, 5 and 4 sit along the near edge.
    """

    makes: Mapping[str, Mapping[str, Size]] = {
        "printed": {"card": CARD, "floor": Size(28, 22, tag_x=3.5)},
        "box": {"card": CARD, "floor": Size(16, 16, tag=0, thick=9), "mason": Size(24, 24, round=True)},
    }
    called: Mapping[str, Message] = {
        "printed": Message("cards and flat floors that you print: the camera reads both"),
        "box": Message("the cards of the box with tags, and its wooden floors: a button says where each one goes"),
    }
    extent = (1000.0, 680.0)
    own = (
        Zone("played0", "TT:PILE1", Message("Pile of seat {number}", number=1), (24, -24, 76, 48), ZoneShape.PILE),
        Zone("show0", "TT:PILE1", Message("Cards that seat {number} shows", number=1), (78, -24, 200, 48), SPREAD),
        Zone("store0", "TT:PILE1", Message("Floors and tokens of seat {number}", number=1), (-24, 50, 200, 110), STORE),
    )
    spots: Mapping[str, CardSpot] = {
        **{f"TT:{city}": CardSpot(229 + 118 * (n % 5), 196 + 188 * (n // 5)) for n, city in enumerate(BOARD)},
        "TT:PILE1": CardSpot(40, 566),
        "TT:PILE5": CardSpot(388, 566),
        "TT:PILE4": CardSpot(736, 566),
        "TT:PILE2": CardSpot(240, 114, 180, 180),
        "TT:PILE3": CardSpot(936, 114, 180, 180),
    }
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {
        "floor": {
            "MONEY": ButtonMeaning(N_("floor on site A"), FLOOR[0], instead=True),
            "BUILD": ButtonMeaning(N_("floor on site B"), FLOOR[1], instead=True),
        },
        "move": {
            "MONEY": ButtonMeaning(N_("moved to site A"), SITES[0], finishes=True, instead=True),
            "BUILD": ButtonMeaning(N_("moved to site B"), SITES[1], finishes=True, instead=True),
            "PASS": ButtonMeaning(N_("no move"), SKIP),
        },
    }
    readers: Mapping[str, Reader] = {
        "deal": reader.read_deal,
        "setup": reader.read_reveal,
        "play": reader.read_play,
        "floor": reader.read_floor,
        "move": reader.read_move,
        "take": reader.read_take,
        "reveal": reader.read_reveal,
    }
    shows: Mapping[str, str] = {"deal": "show"}

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats: a card for each city and for each seat."""
        return [*(zone for city in cities(seats) for zone in _city(city)), *super().zones(seats)]

    def finish(self, action: Action) -> str | None:
        """Return the site to which a floor was moved: a button says it if floors have no tags."""
        return SITES[1 - SITES.index(action.site)] if isinstance(action, Move) else None

    def pointers(self, position: Position, action: Action, make: str = "") -> Mapping[str, str]:
        """Return where the mason is laid for a move with wooden floors."""
        return {MASON: f"tokens{action.city}"} if isinstance(action, Move) and self.bare(make) else {}

    def news(self, before: Position, after: Position) -> Message:
        """Return who takes which token of a city that was completed, or that its tokens go back after an undo."""
        assert isinstance(before, PatricianPosition)
        assert isinstance(after, PatricianPosition)
        for number, city in enumerate(after.cities):
            if after.full(number) == before.full(number):
                continue
            if not after.full(number):
                return Message("{city} is no longer complete: put its tokens back.", city=city.title)
            won = awards(city, *after.towers[2 * number : 2 * number + 2])
            facts = [
                Message("{name} {points}", name=SeatRef(award.seat, after.names[award.seat]), points=award.points)
                for award in won
            ]
            return Message("{city} is complete. Tokens: {awards}.", city=city.title, awards=join(facts, ", "))
        return EMPTY
