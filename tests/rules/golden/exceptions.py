"""The exceptions of each game, by name, recognised by a position, an action and the position after it in a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tabletop.rules.palazzo.components import END_TILES

Shows = Callable[[Any, Any, Any], bool]


def tie_broken(_: Any, __: Any, after: Any) -> bool:
    """Return whether the game has ended with seats of equal points but different ranks."""
    scores = after.score()
    return bool(after.over and len({seat.points for seat in scores}) < len({seat.rank for seat in scores}))


def tie_shared(_: Any, __: Any, after: Any) -> bool:
    """Return whether the game has ended with seats that share a rank."""
    return bool(after.over and len({seat.rank for seat in after.score()}) < after.seats)


PALAZZO: Mapping[str, Shows] = {
    "hand-out of four or more": lambda b, a, n: a.do == "auction" and n.phase == "claim",
    "hand-out that leaves tiles for the box": lambda b, a, n: (
        a.do == "auction" and n.phase == "claim" and len(n.quarry) > n.seats
    ),
    "handed-out tile discarded": lambda b, a, n: a.do == "scrap" and b.handout is not None,
    "empty auction": lambda b, a, n: a.do == "auction" and not any(b.quarries) and n.phase == "action",
    "architect passes an empty quarry": lambda b, a, n: (
        a.do == "auction" and n.phase == "bid" and n.architect != b.architect % 4 + 1
    ),
    "fifth end tile as the first of two": lambda b, a, n: n.over and b.drawn == (),
    "fifth end tile as the second of two": lambda b, a, n: n.over and b.drawn is not None and len(b.drawn) == 1,
    "end tile first, play goes on": lambda b, a, n: a.do == "reveal" and a.piece in END_TILES and b.drawn == (),
    "end tile second, play goes on": lambda b, a, n: (
        a.do == "reveal" and a.piece in END_TILES and bool(b.drawn) and not n.over
    ),
    "two end tiles at once": lambda b, a, n: (
        a.do == "reveal" and a.piece in END_TILES and bool(b.drawn) and b.drawn[0] in END_TILES
    ),
    "discards become the deck in the middle of a row": lambda b, a, n: (
        a.do == "reveal" and b.drawn is None and b.phase == "reveal" and bool(b.row) and not b.deck
    ),
    "stack runs out between the two tiles": lambda b, a, n: (
        a.do == "reveal" and b.drawn == () and n.phase == "reveal" and n.stack != b.stack
    ),
    "bought at price 0 for nothing": lambda b, a, n: a.do == "buy" and not a.pay,
    "least price 1": lambda b, a, n: a.do == "buy" and b.options.min_price == 1 and len(b.warehouse) >= 10,
    "price from the start of the turn": lambda b, a, n: a.do == "buy" and b.options.price_basis == "start_of_turn",
    "two tiles bought": lambda b, a, n: a.do == "buy" and len(a.tiles) == 2,
    "nobody raises": lambda b, a, n: a.do == "pass" and n.phase == "place" and n.decider == n.active,
    "another seat wins": lambda b, a, n: a.do == "pass" and n.phase == "place" and n.decider != n.active,
    "several tiles won": lambda b, a, n: a.do == "pass" and n.phase == "place" and len(n.pending) > 1,
    "a seat raises twice": lambda b, a, n: a.do == "bid" and len(b.laid[b.decider].acts) > 0,
    "tile discarded": lambda b, a, n: a.do == "scrap" and b.handout is None,
    "tile lifted": lambda b, a, n: a.do == "rebuild" and a.kind == "lift",
    "tile inserted": lambda b, a, n: a.do == "rebuild" and a.kind == "insert",
    "tile of a palazzo scrapped": lambda b, a, n: a.do == "rebuild" and a.kind == "scrap",
    "a group of three values": lambda b, a, n: (
        a.do in ("buy", "bid")
        and len({c[0] for c in cards(a)}) == 3 == len(cards(a))
        and len({c[1] for c in cards(a)}) == 1
    ),
    "three certificates": lambda b, a, n: a.do in ("buy", "bid") and [c[0] for c in cards(a)] == ["C"] * 3,
    "unknown stacks": lambda b, a, n: n.over and b.options.stacks == "unknown",
    "two seats": lambda b, a, n: n.over and n.seats == 2,
    "four seats": lambda b, a, n: n.over and n.seats == 4,
    "certificates never alone": lambda b, a, n: n.over and not n.options.certificates_alone,
    "handed-out tiles must be built": lambda b, a, n: a.do == "claim" and not n.options.handout_discard,
    "tie broken": tie_broken,
    "tie shared": tie_shared,
    "another first seat and quarry": lambda b, a, n: n.over and b.options.first_seat > 0 and b.options.architect > 1,
}


def cards(action: Any) -> tuple[str, ...]:
    named: tuple[str, ...] = action.pay if action.do == "buy" else action.cards
    return named


def tied(tower: tuple[int, ...]) -> bool:
    """Return whether at least two seats have the most floors in a tower."""
    most = sorted(Counter(tower).values())
    return len(most) > 1 and most[-1] == most[-2]


PATRICIAN: Mapping[str, Shows] = {
    "a city is full before the end": lambda b, a, n: a.do == "floor" and n.full(b.built) and not n.over,
    "the last floor goes on the empty site": lambda b, a, n: (
        a.do == "floor" and n.full(b.built) and 1 in (len(n.towers[2 * b.built]), len(n.towers[2 * b.built + 1]))
    ),
    "a tied tower goes by its highest floor": lambda b, a, n: (
        a.do == "floor" and n.full(b.built) and any(tied(n.towers[2 * b.built + site]) for site in (0, 1))
    ),
    "two floors": lambda b, a, n: a.do == "play" and n.left == 2,
    "supply runs short": lambda b, a, n: a.do == "play" and n.left < n.faces[a.card].crests,
    "a floor is moved": lambda b, a, n: a.do == "move",
    "a move empties a site": lambda b, a, n: a.do == "move" and n.towers.count(()) > b.towers.count(()),
    "a move is not made": lambda b, a, n: a.do == "skip",
    "no move is possible": lambda b, a, n: n.phase == "take" and b.phase == "floor" and n.faces[n.card].move,
    "any card is taken": lambda b, a, n: a.do == "take" and b.faces[b.card].any,
    "the seat's own space is empty": lambda b, a, n: a.do == "take" and b.market[b.built] is None,
    "no market card is left": lambda b, a, n: b.card != "" and b.phase != "take" and n.phase in ("play", "over"),
    "a seat without cards is passed over": lambda b, a, n: (
        n.phase == "play" and n.active != b.active and n.active != (b.active + 1) % n.seats
    ),
    "every city full at the end": lambda b, a, n: n.over and all(n.full(city) for city in range(len(n.market))),
    "two equal towers at the end": lambda b, a, n: (
        n.over and any(len(n.towers[2 * c]) == len(n.towers[2 * c + 1]) > 0 for c in range(len(n.market)))
    ),
    "an empty site at the end": lambda b, a, n: n.over and () in n.towers,
    "tie broken": tie_broken,
    "tie shared": tie_shared,
    "unfinished city at the end": lambda b, a, n: n.over and not all(n.full(city) for city in range(len(n.market))),
    "sites may not be emptied": lambda b, a, n: n.over and not n.options.move_may_empty_site,
    "open heads": lambda b, a, n: n.over and n.options.open_heads,
    "two seats": lambda b, a, n: n.over and n.seats == 2,
    "five seats and Pistoia": lambda b, a, n: n.over and n.seats == 5,
    "another first seat": lambda b, a, n: n.over and n.options.first_seat > 0,
}


PIECEPACK: Mapping[str, Shows] = {
    "exact payment": lambda b, a, n: a.do == "purchase" and bool(n.left),
    "exact payments in a chain": lambda b, a, n: a.do == "purchase" and bool(n.left) and bool(b.pending),
    "overpaid": lambda b, a, n: a.do == "purchase" and not n.left,
    "built while the extra action is open": lambda b, a, n: a.do == "build" and b.phase == "action",
    "die spent": lambda b, a, n: any(not p.die for p in n.purses) and all(p.die for p in b.purses),
    "turret set": lambda b, a, n: a.do == "turret",
    "turret comes back": lambda b, a, n: a.do == "reserve" and n.turrets.count(None) > b.turrets.count(None),
    "added from the reserve": lambda b, a, n: a.do == "reserve" and a.kind == "add",
    "last structure taken out": lambda b, a, n: a.do == "reserve" and a.kind == "remove" and len(b.palazzo) == 1,
    "exchanged in its cell": lambda b, a, n: a.do == "reserve" and a.kind == "exchange" and a.at is None,
    "exchanged to another cell": lambda b, a, n: (
        a.do == "reserve" and a.kind == "exchange" and a.at not in (None, b.palazzo.cells[a.swap])
    ),
    "kept because it fits nowhere": lambda b, a, n: (
        a.do == "keep" and b.options.reserve_only_if_unplaceable and b.phase == "place"
    ),
    "discards become the pool": lambda b, a, n: a.do == "reveal" and b.awaits == "coin" and not b.coins,
    "bank runs short": lambda b, a, n: a.do == "coin" and n.phase == "action" and len(n.bank) < 4,
    "payment fills the bank": lambda b, a, n: a.do == "purchase" and n.phase == "reveal" and n.awaits == "coin",
    "yard filled at once": lambda b, a, n: a.do == "purchase" and n.phase == "reveal" and n.awaits == "structure",
    "nothing can be done": lambda b, a, n: a.do == "pass" and b.closing is None,
    "extra action of the last purchase": lambda b, a, n: (
        a.do == "purchase" and bool(n.left) and not n.yard and not n.stack
    ),
    "closing round": lambda b, a, n: b.closing is None and n.closing is not None and len(n.closing) == n.seats,
    "closing round without the buyer": lambda b, a, n: (
        b.closing is None and n.closing is not None and len(n.closing) < n.seats
    ),
    "passed in the closing round": lambda b, a, n: a.do == "pass" and b.closing is not None,
    "coin in the closing round": lambda b, a, n: a.do == "coin" and b.closing is not None,
    "turret in the closing round": lambda b, a, n: a.do == "turret" and b.closing is not None,
    "reserve in the closing round": lambda b, a, n: a.do == "reserve" and b.closing is not None,
    "ended by a pass": lambda b, a, n: n.over and a.do == "pass",
    "ended by an action": lambda b, a, n: n.over and a.do in ("turret", "reserve"),
    "ended when the bank was filled": lambda b, a, n: n.over and a.do == "reveal",
    "tie shared": tie_shared,
    "null is worth nothing": lambda b, a, n: n.over and n.options.coin_null == 0,
    "tie broken": tie_broken,
    "two seats": lambda b, a, n: n.over and n.seats == 2,
    "four seats": lambda b, a, n: n.over and n.seats == 4,
}

EXCEPTIONS: Mapping[str, Mapping[str, Shows]] = {"palazzo": PALAZZO, "patrician": PATRICIAN, "piecepack": PIECEPACK}
