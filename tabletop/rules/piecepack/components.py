"""What is in a piecepack: 24 structures (its tiles), 24 coins, and for each seat a die and a pawn, the turret."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping

from tabletop.rules.game import Piece
from tabletop.rules.value import Ids

SUITS = {"M": "moon", "S": "sun", "A": "arms", "C": "crown"}
TITLES = {"M": "observatory", "S": "solarium", "A": "fountain", "C": "statue"}
"""What a structure of each suit is called."""
FACES = range(6)
"""Null (0), ace (1), 2, 3, 4, 5."""

STRUCTURES = tuple(f"T{suit}{face}" for suit in SUITS for face in FACES)
"""All structures, in the order in which yard, stack and reserves are kept."""
COINS = tuple(f"D{suit}{face}" for face in FACES for suit in SUITS)
"""All coins, in the order in which hands, bank and pool are kept: coins of one value side by side."""
FACE: Mapping[str, int] = {piece: int(piece[2]) for piece in (*STRUCTURES, *COINS)}
ORDER: Mapping[str, int] = {piece: place for place, piece in enumerate((*STRUCTURES, *COINS))}

COST: Mapping[str, int] = {structure: 5 + FACE[structure] for structure in STRUCTURES}
"""What each structure costs in ducats: 5 and its value."""
PRICES = range(min(COST.values()), max(COST.values()) + 1)
YARD_SIZE = BANK_SIZE = 4
"""How many structures the yard and how many coins the bank holds, face up."""
HAND_SIZE = 2
"""How many coins each seat is dealt."""
INITIAL_DIE = 5
"""The face that each die shows at the start; null is 0."""
SEATS = range(2, 5)
TURRETS = tuple(f"P{seat}" for seat in range(1, max(SEATS) + 1))
"""The turret of each seat, seat 0 first; the rules know a turret only by its seat."""

SUITING_TABLES: Mapping[str, bytes] = {
    own: bytes([own[1] == other[1] or own[2] == other[2] for other in STRUCTURES]) + bytes(256 - len(STRUCTURES))
    for own in STRUCTURES
}
"""For each structure a table for ``bytes.translate``: the index of another structure becomes 1 if the two share suit or
value and so may stand side by side, else 0.
"""

PIECES: Mapping[str, Piece] = {
    **{structure: Piece(structure, "structure") for structure in STRUCTURES},
    **{coin: Piece(coin, "coin") for coin in COINS},
    **{turret: Piece(turret, "turret") for turret in TURRETS},
}


def with_one(ids: Ids, piece: str) -> Ids:
    """Return the sorted pieces with one more."""
    row = [*ids]
    insort(row, piece, key=ORDER.__getitem__)
    return tuple(row)


def ordered(*ids: str) -> Ids:
    """Return the pieces in the order in which every set of pieces is kept."""
    return tuple(sorted(ids, key=ORDER.__getitem__))
