"""Scores Patrician: the heads on the cards that a seat has played, and the tokens for towers of printed floors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from tabletop.messages import N_, Message, either, join, listed
from tabletop.rules.layout import Tower as Standing
from tabletop.rules.patrician.components import (
    CITIES,
    CITY_OF,
    COLOURS,
    FLOOR_SUPPLY,
    HEAD_SET,
    HEAD_SET_POINTS,
    HEADS,
    SEATS,
    SITES,
    City,
    cities,
)
from tabletop.rules.patrician.components import cards as all_cards
from tabletop.rules.patrician.edition import Edition, synthetic_edition
from tabletop.rules.patrician.phases.towers import Tower, awards, full
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.tally import (
    Built,
    CommonParts,
    PhotoTable,
    ScoredGroup,
    ScorePart,
    Scoring,
    StatedFacts,
    Tally,
    Worth,
)

TOWERS_DIFFER = N_("Pictures show the towers of {city} differently: they count for nobody.")
CITY_UNFINISHED = N_("{city} takes {capacity} floors, and {count} are seen: is a floor hidden, or turned over?")
CARDS_HIDDEN = N_("{seen} of the {needed} cards are seen: a tag is hidden, or a seat is in no picture.")
CARDS_UNEVEN = N_(
    "All seats have played the same number of cards at the end, not {counts}: does one lie in another seat's area?"
)
CARDS_OF_ONE = N_("At the end a seat has played {counts} cards, not {seen}: is a tag hidden?")
TOKENS_UNTOLD = N_("Say what the tokens of seat {seat} are worth: 0 if it has none.")
CARDS_UNSEEN = N_("The tokens of seat {seat} are given, but no picture shows its cards.")
POINTS_DIFFER = N_("The towers earn seat {seat} {points} points, not {told}.")

MAX_MISSING_CARDS = 6
"""Most missing cards that narrow down which card an unsure tag is."""
NEIGHBOUR_MM = 36.0
"""Largest distance between the visible tags of two cards that are spread side by side, mm."""

PISTOIA_CARDS = frozenset(all_cards(max(SEATS))) - frozenset(all_cards(min(SEATS)))
"""The cards of the city that is only in play with five seats."""


@dataclass(frozen=True, slots=True)
class PatricianTally(Tally):
    """The tally of Patrician: the heads on the cards played, according to ``edition``, and tokens.

    ``tokens``: the stated worth of each seat's tokens; ``towers``: True if pictures show towers, which have floors with
    tags, or, unless tokens are stated, floors that may belong to towers; ``complete``: True if pictures show all cards
    of a game.
    """

    edition: Edition = field(default_factory=synthetic_edition)
    tokens: Mapping[int, int] = field(default_factory=dict)
    towers: bool = False
    complete: bool = False
    kind = N_("card")
    zones = ("played", "show")

    @property
    def unseen(self) -> Message:
        """Return what cannot be seen: wooden floors, which have no tags, and hidden cards if any are missing."""
        sentences = []
        if not self.towers and not self.tokens:
            sentences.append(
                Message("Towers have no tags: these are the points for heads alone; add each seat's tokens.")
            )
        if not self.complete:
            sentences.append(Message("A card whose tag is hidden is not noticed: check how many cards are listed."))
        if self.edition == synthetic_edition():
            sentences.append(
                Message(
                    "The heads are counted as in the made-up edition that is included; those of your box may differ."
                )
            )
        return join(sentences)

    def joined(self, seats: Mapping[int, Sequence[Placed]], loose: Sequence[Placed]) -> Mapping[str, int]:
        """Return the owners of cards outside all zones, which a spread wider than its area reaches card by card."""
        spread = {seat: list(cards) for seat, cards in seats.items()}
        owners: dict[str, int] = {}
        remaining = [card for card in loose if card.piece in CITY_OF]
        while remaining:
            joining = {}
            for card in remaining:
                neighbours = {
                    seat for seat, cards in spread.items() if any(_are_neighbours(card, other) for other in cards)
                }
                if len(neighbours) == 1:
                    joining[card] = neighbours.pop()
            for card, seat in joining.items():
                owners[card.piece] = seat
                spread[seat].append(card)
            remaining = [card for card in remaining if card not in joining] if joining else []
        return owners

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return all cards that are seen; their arrangement has no meaning."""
        cards = tuple(sorted({each.piece for placed in pictures for each in placed}))
        return Built((cards,) if cards else (), {}, ())

    def updated_from(self, tables: Sequence[PhotoTable]) -> PatricianTally:
        """Return the tally with ``towers`` and ``complete`` set according to the pictures."""
        cards = {piece.piece for table in tables for piece in table.pieces if piece.piece in CITY_OF}
        towers = any(tower for table in tables for towers in _towers(table).values() for tower in towers)
        built = any(piece.like and not _is_stored(piece.piece, table) for table in tables for piece in table.pieces)
        complete = cards >= {*all_cards(self._playing(tables))}
        return replace(self, towers=towers or (built and not self.tokens), complete=complete)

    def missing_from(self, tables: Sequence[PhotoTable]) -> frozenset[str]:
        """Return the cards that no picture shows, if there are few: at the end of the game every card was played."""
        seen = {piece.piece for table in tables for piece in table.pieces if piece.piece in CITY_OF}
        missing = {card for card in all_cards(self._playing(tables)) if card not in seen}
        return frozenset(missing if len(missing) <= MAX_MISSING_CARDS else ())

    def common_parts(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return all seats' tokens, as stated or as earned by the towers of printed floors."""
        playing = self._playing(tables, seats)
        seen, unsure = _awarded(tables, cities(playing)) if self.towers else ({}, ())
        faults = _missing_cards(seats, seen, len(all_cards(playing)))
        if not self.tokens:
            return CommonParts(seen, [*faults, *unsure])
        worth = {seat: sum(part.points for part in parts) for seat, parts in seen.items()}
        for seat in sorted({*seats, *worth, *self.tokens}):
            tokens = self.tokens.get(seat)
            if tokens is None:
                faults.append(Message(TOKENS_UNTOLD, seat=seat + 1))
                continue
            if seat not in seats or not any(seats[seat].groups):
                faults.append(Message(CARDS_UNSEEN, seat=seat + 1))
            if self.towers and not unsure and tokens != worth.get(seat, 0):
                faults.append(Message(POINTS_DIFFER, seat=seat + 1, points=worth.get(seat, 0), told=tokens))
        title = Message("Tokens")
        return CommonParts({seat: [ScorePart(title, points)] for seat, points in self.tokens.items()}, faults)

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return each seat's points for every three equal heads."""
        return {seat: self._worth(built) for seat, built in seats.items()}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width of the frame that is drawn around a card's tag, mm."""
        return 24.0, 24.0

    def _playing(self, tables: Sequence[PhotoTable], seats: Collection[int] = ()) -> int:
        """Return five if five seats play, else two, because fewer than five all play with the same cards and cities.

        Five play if a card of Pistoia or anything of the fifth seat is seen; ``seats``: those that are known.
        """
        last = max(SEATS) - 1
        areas = {f"{zone}{last}" for zone in self.zones}
        pieces = [piece for table in tables for piece in table.pieces]
        five = (
            last in {*seats, *self.tokens}
            or any(not areas.isdisjoint(table.layout) for table in tables)
            or any(piece.like == COLOURS[last] or piece.piece in PISTOIA_CARDS for piece in pieces)
        )
        return max(SEATS) if five else min(SEATS)

    def _worth(self, built: Built) -> Worth:
        cards = built.groups[0] if built.groups else ()
        shown = Counter(head for card in cards for head in self.edition.faces[card].heads)
        return Worth(
            (ScoredGroup(cards, 0),),
            tuple(
                ScorePart(_heads(head, shown[head]), shown[head] // HEAD_SET * HEAD_SET_POINTS)
                for head in HEADS
                if shown[head]
            ),
        )


def _heads(head: str, count: int) -> Message:
    """Return a number of equal heads in words."""
    match head:
        case "red":
            return Message.plural("{count} red-haired head", "{count} red-haired heads", count)
        case "woman":
            return Message.plural("{count} woman’s head", "{count} women’s heads", count)
        case _:
            return Message.plural("{count} bearded head", "{count} bearded heads", count)


def _are_neighbours(one: Placed, other: Placed) -> bool:
    """Return whether two cards may lie side by side in one spread."""
    return dist((one.x, one.y), (other.x, other.y)) < NEIGHBOUR_MM


def _missing_cards(seats: Mapping[int, Built], winners: Collection[int], needed: int) -> list[Message]:
    """Return the faults if not all ``needed`` cards are seen: at the end all were played.

    Each turn plays one, so all seats have the same number; if only one seat is seen, it has its share of them.
    ``winners``: the seats that earn points from towers.
    """
    counts = [count for _, built in sorted(seats.items()) if (count := sum(map(len, built.groups)))]
    seen = sum(counts)
    known = {*seats, *winners}
    if len(known) == 1 and seen:
        shares = [cards // playing for playing in SEATS if (cards := len(all_cards(playing))) >= needed]
        return [] if seen in shares else [Message(CARDS_OF_ONE, counts=either(shares), seen=seen)]
    if known and seen != needed:
        return [Message(CARDS_HIDDEN, seen=seen, needed=needed)]
    return [Message(CARDS_UNEVEN, counts=listed(counts))] if len({*counts}) > 1 else []


def _awarded(
    tables: Sequence[PhotoTable], needed: Collection[City]
) -> tuple[dict[int, list[ScorePart]], list[Message]]:
    """Return the tokens of the cities whose two towers are seen, and the faults, also of ``needed`` cities not seen."""
    shown = [_towers(table) for table in tables]
    parts: dict[int, list[ScorePart]] = {}
    standing: dict[City, tuple[Tower, Tower]] = {}
    faults, missing = [], []
    for city in CITIES:
        seen = {towers[city.id] for towers in shown if city.id in towers}
        whole = next(
            (pair for pair in sorted(seen) if full(city, *pair) and all(_is_part(other, pair) for other in seen)), None
        )
        if whole is not None:
            standing[city] = whole
        elif len(seen) > 1:
            faults.append(Message(TOWERS_DIFFER, city=city.title))
        elif seen:
            standing[city] = seen.pop()
        elif city in needed:
            missing.append(city.title)
    for city, (first, second) in standing.items():
        for won in awards(city, first, second):
            title = Message("{city}, site {site}", city=city.title, site=won.site)
            parts.setdefault(won.seat, []).append(ScorePart(title, won.points))
    if missing:
        faults.append(Message("The towers of these cities are not seen whole: {cities}.", cities=tuple(missing)))
    astray = sorted(_astray(tables))
    if astray:
        faults.append(Message("Floors beside every city card count for nobody: {floors}.", floors=tuple(astray)))
    return parts, [*faults, *_unfinished(standing)]


def _unfinished(standing: Mapping[City, tuple[Tower, Tower]]) -> Iterator[Message]:
    """Iterate over faults of cities with too many floors, or with too few although every seat has some left."""
    floors = Counter(seat for towers in standing.values() for tower in towers for seat in tower)
    supply = FLOOR_SUPPLY[max(min(SEATS), max(floors, default=0) + 1)]
    spent = any(count >= supply for count in floors.values())
    for city, (first, second) in standing.items():
        count = len(first) + len(second)
        if count > city.capacity or (count < city.capacity and not spent):
            yield Message(CITY_UNFINISHED, city=city.title, capacity=city.capacity, count=count)


def _towers(table: PhotoTable) -> dict[str, tuple[Tower, Tower]]:
    """Return city → its two towers, as the seats that own their floors from the ground up, for cities seen whole."""
    sites = {}
    for city in CITIES:
        towers = [table.layout.get(f"site{city.id}{site}") for site in SITES]
        first, second = (tuple(map(COLOURS.index, one.floors)) if isinstance(one, Standing) else None for one in towers)
        if first is not None and second is not None:
            sites[city.id] = (first, second)
    return sites


def _is_stored(floor: str, table: PhotoTable) -> bool:
    """Return whether a picture shows a floor in a seat's store of unused floors."""
    return any(zone.startswith("store") and floor in table.layout.pieces(zone) for zone in table.layout)


def _is_part(seen: tuple[Tower, Tower], whole: tuple[Tower, Tower]) -> bool:
    """Return whether two towers are the ``whole`` ones with some floors not read."""

    def within(one: Tower, other: Tower) -> bool:
        remaining = iter(other)
        return all(seat in remaining for seat in one)

    return all(within(pair, other) for pair, other in zip(seen, whole, strict=True))


def _astray(tables: Sequence[PhotoTable]) -> set[str]:
    """Return the floors that every picture that shows them has outside all visible zones."""
    lost: set[str] = set()
    astray: set[str] = set()
    for table in tables:
        elsewhere = table.layout.pieces("table")
        for piece in table.pieces:
            if piece.like:
                (lost if piece.piece in elsewhere else astray).add(piece.piece)
    return lost - astray


def _tally(facts: StatedFacts) -> PatricianTally:
    edition = synthetic_edition() if facts.edition is None else Edition.parse(facts.edition, max(SEATS))
    return PatricianTally(edition, facts.tokens)


SCORING = Scoring(_tally, tokens=sum(sum(city.tokens) for city in CITIES), has_editions=True)
