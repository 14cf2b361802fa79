"""Entering a table's own edition: short answers for the faces of cards, and the text of the edition file.

An answer is what the card shows besides its first crest: ``2`` a second crest, ``red``, ``woman`` or ``beard`` one head
(``*red`` with a star), ``red red`` two, ``any``, ``move``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.rules.edition import EditionError, Enrolment, toml_string
from tabletop.rules.patrician.components import CARDS, CITIES, CITY_OF, HEADS, SEATS
from tabletop.rules.patrician.edition import Face, face_faults, faults, parse_face

ANSWER_HELP = "2, any, move, or heads: red, woman, beard, two as in 'red red', with a star as in '*red'"


def face(answer: str) -> Face:
    """Return the face that an answer describes.  Raises ValueError with a sentence if it describes none."""
    words = answer.lower().split()
    match words:
        case ["2"]:
            return Face(crests=2)
        case ["any"]:
            return Face(any=True)
        case ["move"]:
            return Face(move=True)
        case [head] if head.removeprefix("*") in HEADS:
            return Face(heads=(head.removeprefix("*"),), start=head.startswith("*"))
        case [head, other] if head == other and head in HEADS:
            return Face(heads=(head, head))
        case _:
            raise ValueError(f"{answer.strip()[:40]!r} is nothing a card shows; answer {ANSWER_HELP}.")


def answer(shown: Face) -> str:
    """Return the answer that describes a face."""
    if shown.crests == 2:
        return "2"
    return "any" if shown.any else "move" if shown.move else "*" * shown.start + " ".join(shown.heads)


def enrolled_faces(data: Mapping[str, Any]) -> dict[str, Face]:
    """Return the valid faces in an unfinished edition, by card."""
    table = data.get("cards")
    faces = {}
    for card in CARDS:
        try:
            shown = parse_face(card, table[card]) if isinstance(table, dict) else None
        except (KeyError, EditionError):
            continue
        if shown is not None and not any(face_faults({card: shown})):
            faces[card] = shown
    return faces


def to_toml(name: str, faces: Mapping[str, Face]) -> str:
    """Return the text of an edition file with these cards; some may still be missing."""
    return "\n".join(_lines(name, faces)) + "\n"


def _lines(name: str, faces: Mapping[str, Face]) -> Iterator[str]:
    yield "# What each card of Patrician shows, entered at a table."
    yield from ('game = "patrician"', f"name = {toml_string(name)}", "synthetic = false", "", "[cards]")
    for number, city in enumerate(CITIES):
        cards = [card for card in CARDS if CITY_OF[card] == number and card in faces]
        if cards:
            yield f"# {city.title}"
        for card in cards:
            # JSON writes numbers, lists of texts and booleans as TOML does.
            fields = ", ".join(f"{key} = {json.dumps(value)}" for key, value in faces[card].to_json().items())
            yield f"{card} = {{ {fields} }}"


ENROLMENT = Enrolment(
    pieces={card: CITIES[CITY_OF[card]].title for card in CARDS},
    kind="card",
    answers=ANSWER_HELP,
    single=True,
    normal=lambda given: answer(face(given)),
    entered=lambda data: {card: answer(shown) for card, shown in enrolled_faces(data).items()},
    to_toml=lambda name, answers: to_toml(name, {card: face(given) for card, given in answers.items()}),
    table="cards",
    faults=lambda data, seats: faults(data, SEATS if seats is None else range(seats, seats + 1)),
)
"""Asks for what each of the 55 cards shows."""
