"""The kit that one table plays with: a game's pieces of one make, with tags of one set, printed at one scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, hypot, sqrt

from tabletop.messages import Message
from tabletop.rules.game import Game
from tabletop.rules.table import Size
from tabletop.vision.tags.catalogue import MARKER_MM, TAG_MM, Entry, markers
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES, Pattern, patterns_of
from tabletop.vision.tags.payloads import MARKER, SET_LETTERS, Tag, payload_of

TAG_MARGIN_MM = 0.5
"""Least distance, mm, of a tag from the edge of its piece."""
MIN_SQUARE_RATIO = 0.9
"""Least ratio of the sides of a piece that counts as square, and of a tile's side to that of the largest one."""


class KitError(ValueError):
    """A make or a set does not exist; the text says which ones do."""


@dataclass(frozen=True)
class Kit:
    """A game's pieces of one ``make`` (empty: its first) with tags of one set (``letter``), printed at a ``scale``.

    ``scale`` applies only to the tags of pieces, as far as each piece has room; table markers are always 40 mm.
    Raises KitError for a make or a set that does not exist.
    """

    game: Game
    make: str = ""
    letter: str = ""
    scale: float = 1.0

    def __post_init__(self) -> None:
        makes = tuple(self.game.makes)
        if self.make and makes and self.make not in makes:
            raise KitError(
                Message(
                    "{game} has no make “{make}”; choose {makes}.", game=self.game.title, make=self.make, makes=makes
                )
            )
        if self.letter not in SET_LETTERS:
            raise KitError(Message("A set is one letter A to Z, not “{letter}”.", letter=self.letter))

    def __reduce__(self) -> tuple[type[Kit], tuple[Game, str, str, float]]:
        """Pickle only the fields of a kit, not the cached properties."""
        return Kit, (self.game, self.make, self.letter, self.scale)

    @cached_property
    def sizes(self) -> Mapping[str, Size]:
        """The size of each kind of piece of this make, with its tag as printed; empty if the game says nothing."""
        chosen = self.game.makes.get(self.make) or next(iter(self.game.makes.values()), {})
        return {kind: size._replace(tag=min(size.tag * self.scale, tag_room(size))) for kind, size in chosen.items()}

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every tag of the kit by payload: its pieces, then the markers of the game's largest table."""
        tags = [
            Entry(piece.id, payload_of(self.game, piece.id, self.letter), piece.kind, side)
            for piece in self.game.pieces.values()
            if (side := self.tag_of(piece.kind))
        ]
        for marker in markers(self.game):
            name = marker.partition(":")[2]
            tags.append(Entry(name, Tag(MARKER, self.letter, name).payload, "marker", MARKER_MM))
        return {entry.payload: entry for entry in tags}

    @cached_property
    def patterns(self) -> Mapping[str, Pattern]:
        """The pattern of every tag of the kit, by payload."""
        return patterns_of(self.entries)

    @cached_property
    def sides(self) -> Mapping[str, float]:
        """The side of every tag of the kit by payload, quiet zone included, mm."""
        return {payload: entry.size_mm for payload, entry in self.entries.items()}

    @cached_property
    def pieces(self) -> list[Entry]:
        """The tags of the kit that are stuck on pieces."""
        return [entry for entry in self.entries.values() if entry.kind != "marker"]

    @cached_property
    def tag_mm(self) -> float:
        """The side that most tags of pieces have, mm."""
        sides = Counter(entry.size_mm for entry in self.pieces)
        return max(sides, key=lambda side: (sides[side], side), default=TAG_MM * self.scale)

    @cached_property
    def smallest(self) -> Entry | None:
        """The first of the smallest tags of pieces, None if no piece has a tag."""
        return min(self.pieces, key=lambda entry: entry.size_mm, default=None)

    @cached_property
    def tile_kinds(self) -> frozenset[str]:
        """The kinds of pieces that lie on the cells of a grid: the largest square ones."""
        sides = {
            kind: size.width
            for kind, size in self.sizes.items()
            if min(size.width, size.height) >= MIN_SQUARE_RATIO * max(size.width, size.height)
        }
        return frozenset(kind for kind, side in sides.items() if side >= MIN_SQUARE_RATIO * max(sides.values()))

    @cached_property
    def reach(self) -> float:
        """How far the largest piece reaches from the middle of its tag, mm."""
        kinds = {entry.kind for entry in self.pieces}
        far = (reach(size) for kind, size in self.sizes.items() if kind in kinds)
        return float(ceil(max(far, default=self.tag_mm * 0.75)))

    def tag_of(self, kind: str) -> float:
        """Return the side of the tag of a kind of piece, mm; 0 if it has none in this make."""
        if kind in self.sizes:
            return self.sizes[kind].tag
        # A kind that only other makes have is not in this one; a kind that no make knows has the usual tag.
        known = any(kind in sizes for sizes in self.game.makes.values())
        return 0.0 if known else TAG_MM * self.scale


def tag_room(size: Size) -> float:
    """Return the side of the largest tag that fits on a piece, mm; on a disc only its code has to, to half a mm."""
    if size.round:
        return floor(size.width / sqrt(2) * TAG_MODULES / CODE_MODULES * 2) / 2
    return min(size.width, size.height) - 2 * TAG_MARGIN_MM


def reach(size: Size) -> float:
    """Return how far a piece reaches from the middle of its tag, mm."""
    return hypot(size.width / 2 + abs(size.tag_x), size.height / 2 + abs(size.tag_y))
