"""Editions: what each card of Patrician shows, the constraints on that, and the synthetic edition that is shipped.

The rules list the kinds of cards but not which card shows what, so that is data.  A card shows its city, one crest,
and exactly one of: a second crest, one head, two equal heads, ``any``, ``move``.  A start card bears one head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from tabletop.rules.edition import EditionError, EditionFault, parse
from tabletop.rules.patrician.components import CARDS, CITIES, CITY_OF, HAND_SIZE, HEADS, SEATS, cards, cities
from tabletop.rules.validate import without_unfit

MAX_FAULTS = 5
"""The most faults that a refusal names, because data from outside may have any number of them."""


class Face(NamedTuple):
    """What one card shows besides its city."""

    crests: int = 1
    heads: tuple[str, ...] = ()
    any: bool = False
    move: bool = False
    start: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form, all five keys."""
        crests, heads, any_, move, start = self
        return {"crests": crests, "heads": [*heads], "any": any_, "move": move, "start": start}


class Edition:
    """The face of each of the 55 cards, a value.  Build one with ``Edition.parse``, which checks it.

    ``shown`` is the protocol's form, made once for callers that only read it; ``to_json`` makes a new one.
    """

    __slots__ = ("_hash", "faces", "shown")

    def __init__(self, faces: Mapping[str, Face]) -> None:
        self.faces = {card: faces[card] for card in CARDS}
        self.shown = self.to_json()
        self._hash = hash(tuple(self.faces.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edition) and (self is other or self.faces == other.faces)

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def parse(cls, data: Any, seats: int) -> Edition:
        """Return the edition that the data describes.

        Raises EditionError if it breaks a constraint for a game of that many seats.
        """
        wrong = tuple(islice(faults(data, range(seats, seats + 1)), MAX_FAULTS))
        if wrong:
            raise EditionError(*wrong)
        return cls({card: parse_face(card, data["cards"][card]) for card in CARDS})

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"cards": {card: face.to_json() for card, face in self.faces.items()}}


@cache
def synthetic_edition() -> Edition:
    """Return the shipped edition, which is made up: it satisfies every constraint but is not the printed one."""
    from importlib.resources import files

    text = files("tabletop.rules.patrician").joinpath("edition.toml").read_text(encoding="utf-8")
    return Edition.parse(parse(text), max(SEATS))


def parse_face(card: str, data: Any) -> Face:
    """Return the face that the data describes.  Raises EditionError for anything else."""
    if not isinstance(data, dict) or set(data) != set(Face._fields):
        raise _fault(card, "face", f"{card} must have exactly the keys {', '.join(Face._fields)}")
    if type(data["crests"]) is not int or data["crests"] not in (1, 2):
        raise _fault(card, "face", f"{card}: crests must be 1 or 2")
    heads = data["heads"]
    if not isinstance(heads, list) or len(heads) > 9 or any(head not in HEADS for head in heads):
        raise _fault(card, "face", f"{card}: heads must be a list of {', '.join(HEADS)}")
    for key in ("any", "move", "start"):
        if not isinstance(data[key], bool):
            raise _fault(card, "face", f"{card}: {key} must be true or false")
    return Face(data["crests"], tuple(heads), data["any"], data["move"], data["start"])


def faults(data: Any, seats: range = SEATS) -> Iterator[EditionFault]:
    """Iterate over the constraints that the data breaks, for games of any of these numbers of seats."""
    table = data.get("cards") if isinstance(data, dict) else None
    if not isinstance(table, dict):
        yield EditionFault("cards", "cards", 'an edition is a table "cards" with one entry a card')
        return
    for key in sorted(set(data) - {"cards", "game", "name", "synthetic"}):
        yield EditionFault(without_unfit(key[:20]), "cards", f"an edition has no key {key[:20]!r}")
    for card in sorted(set(table) - set(CARDS)):
        message = f"there is no card {card[:20]!r}; the cards of a city count up from 1: ROM1 … ROM7"
        yield EditionFault(without_unfit(card[:20]), "cards", message)
    faces: dict[str, Face] = {}
    for card in CARDS:
        try:
            if card not in table:
                raise _fault(card, "cards", f"{card} is missing")
            faces[card] = parse_face(card, table[card])
        except EditionError as error:
            yield from error.faults
    yield from face_faults(faces)
    yield from _crest_faults(faces)
    if len(faces) == len(CARDS):
        yield from _start_faults(faces, seats)


def face_faults(faces: Mapping[str, Face]) -> Iterator[EditionFault]:
    """Iterate over the faults of cards that show something no card of the game can show."""
    for card, face in faces.items():
        shown = [face.crests == 2, bool(face.heads), face.any, face.move]
        if sum(shown) != 1:
            yield EditionFault(card, "one-thing", f"{card} must show exactly one of: a second crest, heads, any, move")
        if len(face.heads) > 2 or len(set(face.heads)) > 1:
            yield EditionFault(
                card, "heads", f"{card} must show one head or two equal ones, not {', '.join(face.heads)}"
            )
        if face.start and (face.crests, len(face.heads)) != (1, 1):
            yield EditionFault(card, "start-card", f"{card} bears a star, so it must show one crest and one head")


def _crest_faults(faces: Mapping[str, Face]) -> Iterator[EditionFault]:
    """Iterate over the faults of the cities whose cards are all known: their crests must match their floors."""
    for number, city in enumerate(CITIES):
        known = [face for card, face in faces.items() if CITY_OF[card] == number]
        doubles = sum(face.crests == 2 for face in known)
        if len(known) == city.cards and doubles != city.doubles:
            asked = f"{city.doubles} of its {city.cards} cards must show two crests, so that they fill"
            yield EditionFault(
                city.id, "crests", f"{city.title}: {doubles} show two crests; {asked} {city.capacity} floors"
            )


def _start_faults(faces: Mapping[str, Face], seats: range) -> Iterator[EditionFault]:
    """Iterate over the faults of the start cards, checked with and without Pistoia for the most seats of each."""
    for count in sorted({max(n for n in seats if cities(n) == used) for used in {cities(n) for n in seats}}):
        stars = sum(faces[card].start for card in cards(count))
        if stars < HAND_SIZE * count:
            where = "in all cities" if count == max(SEATS) else "outside Pistoia"
            message = f"{stars} start cards {where}; {count} seats need {HAND_SIZE * count}, {HAND_SIZE} each"
            yield EditionFault(f"{count} seats", "start-cards", message)


def _fault(where: str, constraint: str, message: str) -> EditionError:
    return EditionError(EditionFault(where, constraint, message))
