"""Who sits where at one moment, as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from tabletop.web.seating.looks import NO_LOOK, SeatLook
from tabletop.web.seating.tokens import hash_of

T = TypeVar("T")

MAX_NAME_LENGTH = 24
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def typed_name(typed: str) -> str:
    """Return a typed name in one line, shortened, without characters that would reverse the sentence around it."""
    return " ".join(_DIRECTIONS.sub("", typed).split())[:MAX_NAME_LENGTH]


class Person(NamedTuple):
    """Somebody who plays the next game, and the seat that they had in the last one."""

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats, the phones that hold them, and the names of their people; every change returns a new value.

    Attributes:
        seats: the seats that people may take; the others are played by the program or by no page.
        holders: seat → hash of the token that holds it.
        names: seat → the name that its person gave.
        looks: seat → the colour and mark that its person chose.
        simulated: the seats that simulated people play until somebody takes them.
        bots: seat → the level at which the host lets the program play it until somebody takes it.
        deputed: the seats that the host holds for somebody who is absent.
    """

    seats: frozenset[int]
    holders: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    looks: Mapping[int, SeatLook] = field(default_factory=dict)
    simulated: frozenset[int] = frozenset()
    bots: Mapping[int, str] = field(default_factory=dict)
    deputed: frozenset[int] = frozenset()

    @property
    def taken(self) -> frozenset[int]:
        """The seats that a phone holds."""
        return frozenset(self.holders)

    @property
    def helped(self) -> frozenset[int]:
        """The seats that the program plays until somebody takes them."""
        return self.simulated | self.bots.keys()

    @property
    def people(self) -> frozenset[int]:
        """The seats for people: all but those that the program plays until somebody takes them."""
        return (self.seats - self.helped) | self.taken

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that simulated people leave alone: those that wait for people, have some, or have a bot."""
        return (self.seats - self.simulated) | self.taken

    def held_by(self, token: str) -> tuple[int, ...]:
        """Return the seats that the token holds, in order."""
        key = hash_of(token)
        return tuple(sorted(seat for seat, holder in self.holders.items() if key and holder == key))

    def called(self, names: Sequence[str]) -> list[str]:
        """Return the names of the seats: those that their people gave, else these."""
        return [self.names.get(seat, name) for seat, name in enumerate(names)]

    def with_holder(self, seat: int, key: str, name: str, look: SeatLook, *, deputy: bool = False) -> Seating:
        """Return the seating with a seat held by a token; without a name or a look the seat keeps the old one."""
        return replace(
            self,
            holders={**self.holders, seat: key},
            names={**self.names, seat: name} if name else self.names,
            looks={**self.looks, seat: look} if look != NO_LOOK else self.looks,
            deputed=self.deputed | {seat} if deputy else self.deputed - {seat},
        )

    def without_holder(self, seat: int) -> Seating:
        """Return the seating with a seat that no phone holds; the name stays, its player may only be away."""
        return replace(self, holders=_without(self.holders, seat), deputed=self.deputed - {seat})

    def without_person(self, seat: int) -> Seating:
        """Return the seating without the name and the look of a seat's person."""
        return replace(self, names=_without(self.names, seat), looks=_without(self.looks, seat))

    def with_bot(self, seat: int, level: str) -> Seating:
        """Return the seating with a seat that the program plays at a level; an empty level ends that."""
        others = _without(self.bots, seat)
        return replace(self, bots={**others, seat: level} if level else others)

    def of_next_game(self, people: Sequence[Person]) -> Seating:
        """Return the seating of these people in the next game, in which each keeps phone and look.

        The seats for which the host played are free: everybody is told again if the host continues to play for them.
        """
        seats = frozenset(range(len(people)))
        simulated = self.simulated | (seats - self.seats if self.simulated else frozenset())
        holders = _moved({seat: key for seat, key in self.holders.items() if seat not in self.deputed}, people)
        return Seating(
            seats,
            holders,
            {seat: people[seat].name for seat in holders},
            _moved(self.looks, people),
            frozenset(seat for seat, person in enumerate(people) if person.seat in simulated),
            _moved(self.bots, people),
        )


def options_for(people: Sequence[Person], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the last game for these people, with ``first_seat`` where that player sits now.

    If that player does not play again, seat 0 begins.
    """
    if "first_seat" not in options:
        return dict(options)
    sits = {person.seat: seat for seat, person in enumerate(people)}
    return {**options, "first_seat": sits.get(options["first_seat"], 0)}


def _without(by_seat: Mapping[int, T], seat: int) -> Mapping[int, T]:
    return {other: its for other, its in by_seat.items() if other != seat}


def _moved(by_seat: Mapping[int, T], people: Sequence[Person]) -> Mapping[int, T]:
    """Return what belongs to people, by the seats that they have in the next game."""
    return {seat: by_seat[person.seat] for seat, person in enumerate(people) if person.seat in by_seat}
