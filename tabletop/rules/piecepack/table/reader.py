"""Reads from a layout of the piecepack's table which actions were done; a press says how a purchase was paid.

One function per phase reads the table.  It returns the action that the pieces show, legal or not; refusing it with a
reason is left to the rules.  The die is never read: it only goes down, and the record knows its face.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.messages import EMPTY, N_, Message, PieceRef
from tabletop.rules.chance_actions import Deal
from tabletop.rules.piecepack.actions import ADD, COIN, REMOVE, REVEAL, Purchase, Reserve
from tabletop.rules.piecepack.components import BANK_SIZE, HAND_SIZE, YARD_SIZE, ordered
from tabletop.rules.piecepack.table.placing import PiecepackLook, how_to_lay, lifted, placements, turret_reading
from tabletop.rules.table import OK_BUTTON, TableReading, perhaps_done

DIE_INTENT = "die"
"""The intent with which MONEY finishes a purchase: the die pays as well."""


def read_reveal(look: PiecepackLook) -> TableReading:
    """Read which pieces of the stack lie in the yard, or coins in the bank; those turned up too soon may wait there.

    In the same movement a coin of the bank may also be taken, and another one turned up in its place.
    """
    position = look.position
    coins = position.awaits == "coin"
    zone, kind = ("bank", "coin") if coins else ("yard", "structure")
    missing = BANK_SIZE - len(position.bank) if coins else YARD_SIZE - len(position.yard)
    fresh = _turned_up(look, zone, kind)
    early = [*_turned_up(look, "bank", "coin"), *_turned_up(look, "yard", "structure")]
    # A discarded coin lies in the bank too soon unless the face-down ones will run out.
    enough = not coins and BANK_SIZE - len(position.bank) <= len(position.coins)
    begun = frozenset(piece for piece in early if not (enough and look.home[piece] == "discards"))
    if len(fresh) > missing + len(look.out(zone, kind)):
        text = Message.plural(
            "Only one more is turned up here: {zone}. Put the others back.",
            "Only {count} more are turned up here: {zone}. Put the others back.",
            missing,
            zone=Message("Bank") if coins else Message("Yard"),
        )
        return TableReading(underway=begun, question=text)
    text = Message("Turn up a coin into the bank.") if coins else Message("Turn up a structure into the yard.")
    return TableReading([REVEAL[piece] for piece in fresh[:missing]], begun, EMPTY if fresh else text)


def _turned_up(look: PiecepackLook, zone: str, kind: str) -> list[str]:
    """Return the pieces that came into a zone out of the stacks; a piece that a seat had was put back, not turned up.

    If the face-down coins run out, the discards are turned over and shuffled, so these come last.
    """
    fresh = [piece for piece in look.came(zone, kind) if look.home[piece] in ("stack", "coins", "discards")]
    return sorted(fresh, key=lambda piece: (look.home[piece] == "discards", piece))


def read_deal(look: PiecepackLook) -> TableReading:
    """Read the deal: each seat in turn shows its two coins, then takes them up."""
    text = Message("{name}: show your two coins, value up, where you pay ({seen} of 2 seen).", name="", seen=0)
    return TableReading.of_deal(look, _deal, "pay", look.position.due, HAND_SIZE, text, out_of="coins")


def _deal(seat: int, coins: Sequence[str]) -> Deal:
    return Deal(seat, ordered(*coins))


def read_action(look: PiecepackLook) -> TableReading:
    """Read one of the actions, looking for the clearest sign first; turret and bought structures may be underway."""
    seat, position = look.seat, look.position
    begun = lifted(look).union(position.pending)
    # Coins of an earlier payment lie there until they are tidied away.
    paid = [coin for coin in look.came(f"pay{seat}", "coin") if look.home[coin] != "discards"]
    bought = look.went("yard", "structure")
    placed = placements(look)
    if paid or bought:
        reading = _purchase(look, paid, bought, begun)
        return reading._replace(actions=[*placed, *reading.actions])
    if placed:
        return TableReading(placed, begun)
    if gone := look.out("bank", "coin"):
        return TableReading.of_one(
            gone, COIN.__getitem__, begun, many=Message("One coin per action: put the others back.")
        )
    out, into = look.went(f"seat{seat}", "structure"), look.went(f"reserve{seat}", "structure")
    if len(out) > 1 or len(into) > 1:
        text = Message("One structure at a time: put the others back.")
        return TableReading(underway=begun.union(out, into), question=text)
    if into:
        return _exchange(look, out[0], into[0], begun) if out else _add(look, into[0], begun)
    if out:
        return _remove(look, out[0], begun)
    return turret_reading(look, begun)


def _purchase(look: PiecepackLook, paid: Sequence[str], bought: Sequence[str], begun: frozenset[str]) -> TableReading:
    """Read a purchase: coins lie in the payment zone or a structure has left the yard; a press finishes it."""
    begun = begun.union(look.near(bought), look.came(f"pay{look.seat}", out_of=f"hand{look.seat}"))
    if len(bought) > 1:
        return TableReading(underway=begun, question=Message("One structure at a time: put the others back."))
    ways = {button: Purchase(bought[0], ordered(*paid), die=button == "MONEY") for button in ("OK", "MONEY") if bought}
    if look.confirmed and ways:
        return TableReading([ways["MONEY" if look.intent == DIE_INTENT else "OK"]], begun)
    enough = frozenset(button for button, way in ways.items() if way in look.position.legal)
    lay = N_("Lay your coins and press OK; MONEY pays with the die as well.")
    take = N_("Take the structure that you buy, then press OK; MONEY pays with the die as well.")
    return TableReading(underway=begun, waiting=Message(lay if bought else take), confirms=enough)


def _exchange(look: PiecepackLook, gone: str, new: str, begun: frozenset[str]) -> TableReading:
    """Read an exchange: a structure of the palazzo lies in the reserve, and one of the reserve in its cell."""
    begun, plot = begun.union({gone, new}), look.plot(f"seat{look.seat}")
    if look.lies(gone) != f"reserve{look.seat}" or new not in plot or look.strays(f"seat{look.seat}"):
        return TableReading(underway=begun, waiting=how_to_lay(look, gone if new in plot else new))
    cells = look.position.palazzo.cells
    cell = plot[new] if len(cells) > 1 else cells[gone]
    same = look.position.options.exchange_same_cell
    if same and cell != cells[gone]:
        return TableReading(underway=begun, question=Message("An exchange is made in one cell."))
    return TableReading([Reserve("exchange", new, None if same else cell, gone)], begun)


def _add(look: PiecepackLook, new: str, begun: frozenset[str]) -> TableReading:
    """Read an addition: a structure of the reserve lies in the palazzo; on a taken cell it begins an exchange."""
    cells, plot = look.position.palazzo.cells, look.plot(f"seat{look.seat}")
    begun = begun.union({new})
    if new not in plot or (cells and plot[new] in cells.values()) or look.strays(f"seat{look.seat}"):
        return TableReading(underway=begun, waiting=how_to_lay(look, new))
    return TableReading([ADD[new][plot[new] if cells else (0, 0)]], begun)


def _remove(look: PiecepackLook, gone: str, begun: frozenset[str]) -> TableReading:
    """Read a removal: a structure of the palazzo lies in the reserve, and OK says that none takes its place."""
    begun = begun.union({gone})
    if look.lies(gone) != f"reserve{look.seat}":
        return TableReading(underway=begun, waiting=how_to_lay(look, gone))
    if look.confirmed and look.intent != DIE_INTENT:
        return TableReading([REMOVE[gone]], begun)
    text = Message("OK puts {structure} into the reserve; or replace it with one from there.", structure=PieceRef(gone))
    return TableReading(underway=begun, waiting=perhaps_done(text), confirms=OK_BUTTON)


def read_place(look: PiecepackLook) -> TableReading:
    """Read how the bought structures were placed: in the palazzo or in the reserve."""
    begun = lifted(look).union(look.position.pending)
    if placed := placements(look):
        return TableReading(placed, begun)
    return TableReading(underway=begun, waiting=how_to_lay(look, *look.position.pending))
