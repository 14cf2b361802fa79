"""The table part of Palazzo for the piecepack: structures and coins show what was done; a press says how it was paid.

One function a phase reads the table; each is constructive: it says which action the pieces show, legal or not, and
leaves it to the rules to refuse it with a reason.  The die is never read: it only goes down, and the record knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tabletop.messages import EMPTY, Message, PieceRef, SeatRef
from tabletop.rules.actions import Deal
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Cell
from tabletop.rules.look import Look
from tabletop.rules.piecepack.actions import ADD, BUILD, COIN, KEEP, REMOVE, REVEAL, TURRET, Purchase, Reserve
from tabletop.rules.piecepack.components import BANK, HAND, TURRETS, YARD, ordered
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.table.buttons import BUTTONS, DIE
from tabletop.rules.piecepack.table.zones import CALLED, EXTENT, MAKES, SETTING, zones
from tabletop.rules.table import OK, CardSpot, Presses, Size, Table, TableReading, Zone

PiecepackLook: TypeAlias = Look[PiecepackPosition]
Begun: TypeAlias = frozenset[str]
ORIGIN: Cell = (0, 0)
"""The cell on which the first structure of a palazzo is laid."""


def _read_reveal(look: PiecepackLook) -> TableReading:
    """Pieces of the stack lie in the yard, coins in the bank; what comes up too soon is waited for."""
    position = look.position
    coins = position.awaits == "coin"
    zone, kind = ("bank", "coin") if coins else ("yard", "structure")
    missing = BANK - len(position.bank) if coins else YARD - len(position.yard)
    fresh = _turned_up(look, zone, kind)
    begun = frozenset(_turned_up(look, "bank", "coin") + _turned_up(look, "yard", "structure"))
    if len(fresh) > missing:
        text = Message.plural(
            "Only one more is turned up here: {zone}. Put the others back.",
            "Only {count} more are turned up here: {zone}. Put the others back.",
            missing,
            zone=_title(zone),
        )
        return TableReading(underway=begun, question=text)
    waiting = EMPTY
    if not fresh:
        waiting = Message("Turn up a coin into the bank.") if coins else Message("Turn up a structure into the yard.")
    return TableReading([REVEAL[piece] for piece in fresh], begun, waiting)


def _turned_up(look: PiecepackLook, zone: str, kind: str) -> list[str]:
    """Return what came into a zone out of the stacks; what seats have is put back there, not turned up.

    If the face-down coins run out the discards are turned over and shuffled: they come last.
    """
    fresh = [piece for piece in look.came(zone, kind) if look.home[piece] in ("stack", "coins", "discards")]
    return sorted(fresh, key=lambda piece: (look.home[piece] == "discards", piece))


def _title(zone: str) -> Message:
    return Message("Bank") if zone == "bank" else Message("Yard")


def _read_deal(look: PiecepackLook) -> TableReading:
    """Each seat in turn shows its two coins, then takes them up."""
    seat = look.position.due
    shown = [coin for coin in look.came(f"pay{seat}", "coin") if look.home[coin] == "coins"]
    if len(shown) == HAND:
        return TableReading([Deal(seat, ordered(*shown))], frozenset(shown))
    text = Message(
        "{name}: show your two coins, value up, where you pay ({seen} of 2 seen).",
        name=SeatRef(seat, look.position.names[seat]),
        seen=len(shown),
    )
    return TableReading(underway=frozenset(shown), waiting=text)


def _read_action(look: PiecepackLook) -> TableReading:
    """One of the actions, the clearest sign first; a turret in the hand and what was bought may be on their way."""
    seat, position = look.seat, look.position
    begun = _lifted(look).union(position.pending)
    # Coins that were paid before lie there until they are tidied away.
    paid = [coin for coin in look.came(f"pay{seat}", "coin") if look.home[coin] != "discards"]
    bought = look.went("yard", "structure")
    placed = _placements(look)
    if paid or bought:
        reading = _purchase(look, paid, bought, begun)
        return reading._replace(actions=[*placed, *reading.actions])
    if placed:
        return TableReading(placed, begun)
    if gone := look.out("bank", "coin"):
        many = Message("One coin an action: put the others back.") if len(gone) > 1 else EMPTY
        return TableReading([COIN[coin] for coin in gone if not many], begun.union(gone), question=many)
    out, into = look.went(f"seat{seat}", "structure"), look.went(f"reserve{seat}", "structure")
    if len(out) > 1 or len(into) > 1:
        text = Message("One structure at a time: put the others back.")
        return TableReading(underway=begun.union(out, into), question=text)
    if into:
        return _exchange(look, out[0], into[0], begun) if out else _add(look, into[0], begun)
    if out:
        return _remove(look, out[0], begun)
    return _turret(look, begun)


def _lifted(look: PiecepackLook) -> Begun:
    """Return the seat's turret while it is not where the record has it: it may be on its way."""
    turret = TURRETS[look.seat]
    return frozenset({turret} if look.upon(turret) != look.position.turrets[look.seat] else ())


def _purchase(look: PiecepackLook, paid: Sequence[str], bought: Sequence[str], begun: Begun) -> TableReading:
    """Coins lie where the seat pays, or a structure has left the yard: a press says that this is all, and how."""
    begun = begun.union(paid, bought)
    if len(bought) > 1:
        return TableReading(underway=begun, question=Message("One structure at a time: put the others back."))
    ways: dict[str, Action] = {}
    for structure in bought:
        pay = ordered(*paid)
        ways = {"OK": Purchase(structure, pay, die=False), "MONEY": Purchase(structure, pay, die=True)}
    if look.confirmed and ways:
        return TableReading([ways["MONEY" if look.intent == DIE else "OK"]], begun)
    enough = frozenset(button for button, way in ways.items() if way in look.position.legal)
    if bought:
        text = Message("Lay your coins and press OK; MONEY pays with the die as well.")
    else:
        text = Message("Take the structure that you buy, then press OK; MONEY pays with the die as well.")
    return TableReading(underway=begun, waiting=text, confirms=enough or OK)


def _placements(look: PiecepackLook) -> list[Action]:
    """Return how what was bought was placed, from the palazzo outward: built on a free cell, or kept."""
    pending, cells = look.position.pending, look.position.palazzo.cells
    plot, taken = look.plot(f"seat{look.seat}"), set(cells.values())
    new = {structure: plot[structure] for structure in pending if structure in plot and plot[structure] not in taken}
    if new and not cells:
        return [BUILD[next(iter(new))][ORIGIN]]
    done: list[Action] = []
    while new:
        structure = next((one for one, cell in new.items() if _touches(cell, taken)), next(iter(new)))
        taken.add(new[structure])
        done.append(BUILD[structure][new.pop(structure)])
    kept = [KEEP[structure] for structure in pending if look.lies(structure) == f"reserve{look.seat}"]
    # Where only what fits nowhere may be kept, that goes first: what is built beside it could make room for it.
    first = [keep for keep in kept if look.position.options.reserve_only_if_unplaceable and keep in look.position.legal]
    done = [*first, *done, *(keep for keep in kept if keep not in first)]
    moved = look.went("yard") + look.went(f"reserve{look.seat}") + look.went(f"seat{look.seat}", "structure")
    # While something else is on its way it may yet make legal what is not: that is waited for.
    return done if len(done) == len(pending) and not moved else _legal(look.position, done)


def _legal(position: PiecepackPosition, actions: Sequence[Action]) -> list[Action]:
    """Return those actions that are legal one after the other."""
    done: list[Action] = []
    for action in actions:
        if position.refusal(action) is None:
            position = position.after(action)
            done.append(action)
    return done


def _touches(cell: Cell, taken: set[Cell]) -> bool:
    x, y = cell
    return not taken.isdisjoint({(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)})


def _exchange(look: PiecepackLook, gone: str, new: str, begun: Begun) -> TableReading:
    """A structure of the palazzo lies in the reserve, and one of the reserve in its cell."""
    begun, plot = begun.union({gone, new}), look.plot(f"seat{look.seat}")
    if look.lies(gone) != f"reserve{look.seat}" or new not in plot:
        return TableReading(underway=begun, waiting=_push(look, new))
    cells = look.position.palazzo.cells
    cell = plot[new] if len(cells) > 1 else cells[gone]
    if not look.position.options.exchange_same_cell:
        return TableReading([Reserve("exchange", new, cell, gone)], begun)
    if cell != cells[gone]:
        return TableReading(underway=begun, question=Message("An exchange is made in one cell."))
    return TableReading([Reserve("exchange", new, None, gone)], begun)


def _add(look: PiecepackLook, new: str, begun: Begun) -> TableReading:
    """A structure of the reserve lies in the palazzo; on a taken cell it is the begin of an exchange."""
    cells, plot = look.position.palazzo.cells, look.plot(f"seat{look.seat}")
    begun = begun.union({new})
    if new not in plot or (cells and plot[new] in cells.values()):
        return TableReading(underway=begun, waiting=_push(look, new))
    return TableReading([ADD[new][plot[new] if cells else ORIGIN]], begun)


def _remove(look: PiecepackLook, gone: str, begun: Begun) -> TableReading:
    """A structure of the palazzo lies in the reserve: OK says that none comes in its place."""
    begun = begun.union({gone})
    if look.lies(gone) != f"reserve{look.seat}":
        return TableReading(underway=begun)
    if look.confirmed:
        return TableReading([REMOVE[gone]], begun)
    text = Message(
        "OK puts {structure} into the reserve; or lay one of your reserve in its place.", structure=PieceRef(gone)
    )
    return TableReading(underway=begun, waiting=text, confirms=OK)


def _turret(look: PiecepackLook, begun: Begun) -> TableReading:
    """The seat's turret stands on another structure."""
    on = look.upon(TURRETS[look.seat])
    if on is None or not begun.intersection(TURRETS):
        return TableReading(underway=begun, waiting=_push_any(look))
    if on not in look.position.palazzo:
        return TableReading(underway=begun, question=Message("Your turret stands in another palazzo."))
    return TableReading([TURRET[on]], begun)


def _push(look: PiecepackLook, structure: str) -> Message:
    """Return what is said of a structure that lies between two cells: nobody can tell on which."""
    if structure not in look.askew(f"seat{look.seat}"):
        return EMPTY
    return Message("Push {structure} edge to edge.", structure=PieceRef(structure))


def _push_any(look: PiecepackLook) -> Message:
    return next((_push(look, one) for one in sorted(look.askew(f"seat{look.seat}"))), EMPTY)


def _read_place(look: PiecepackLook) -> TableReading:
    """What was bought lies in the palazzo or in the reserve."""
    pending = look.position.pending
    begun = _lifted(look).union(pending)
    if placed := _placements(look):
        return TableReading(placed, begun)
    text = Message("Lay {structure} in your palazzo or your reserve.", structure=PieceRef(pending[0]))
    return TableReading(underway=begun, waiting=_push_any(look) or text)


class PiecepackTable(Table):
    """Palazzo for the piecepack on a table: tiles, coins and turrets are laid; OK and MONEY finish a purchase."""

    makes: Mapping[str, Mapping[str, Size]] = MAKES
    called = CALLED
    extent = EXTENT
    spots = SETTING
    buttons = BUTTONS
    shows: Mapping[str, str] = {"deal": "pay", "purchase": "pay"}
    confirmed = frozenset({"purchase", "reserve"})
    readers: Mapping[str, Callable[[Any], TableReading]] = {
        "setup": _read_reveal,
        "deal": _read_deal,
        "action": _read_action,
        "place": _read_place,
        "reveal": _read_reveal,
    }

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""
        return zones(seats)

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where the cards are laid; two seats sit aslant, so that before each palazzo the table is free."""
        spots = super().setting(seats)
        return {**spots, "TT:PLOT2": SETTING["TT:PLOT3"]} if seats == 2 else spots

    def presses(self, position: Position, action: Action, make: str = "") -> Presses:
        """Return what is pressed for an act: the way of a payment, and OK for a structure that is put away."""
        if isinstance(action, Purchase):
            return Presses(after=("MONEY" if action.die else "OK",))
        if isinstance(action, Reserve):
            return Presses(after=("OK",) if action.kind == "remove" else ())
        return super().presses(position, action, make)

    def news(self, before: Position, after: Position) -> Message:
        """Return how a die has to stand, and that an exact payment gives one more action."""
        assert isinstance(before, PiecepackPosition)
        assert isinstance(after, PiecepackPosition)
        for seat, (was, now) in enumerate(zip(before.purses, after.purses, strict=True)):
            if was.die != now.die:
                name = SeatRef(seat, after.names[seat])
                if not now.die:
                    return Message("{name}: turn your die to null.", name=name)
                return Message("{name}: turn your die to {face}.", name=name, face=now.die)
        if len(after.yard) < len(before.yard) and (after.active, after.left) == (before.active, before.left):
            return Message("Paid exactly: one more action.")
        return EMPTY
