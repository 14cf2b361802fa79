"""Patrician's towers and cards are scored, and what no picture shows of them is a doubt."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.patrician.components import CITIES
from tabletop.rules.patrician.edition import synthetic_edition
from tabletop.vision.scene import Cause, Sighting, Unreadable
from tabletop.vision.score.patrician import PatricianTally
from tabletop.vision.score.score import score
from tabletop.vision.score.tally import StatedFacts
from tabletop.vision.tags.payloads import is_marker
from tests.vision.score.cities import cities, city, final, five_piles, full, patrician, piles
from tests.vision.score.pictures import lying, plane, reading, reasons, stretched


def test_patricians_heads_are_scored_and_what_no_picture_shows_is_said() -> None:
    patrician = registry.game("patrician")
    red = [card for card, face in synthetic_edition().faces.items() if face.heads == ("red",)][:3]
    cards = [lying(f"PA:{card}", 60 + 50 * number, 100) for number, card in enumerate(red)]
    found = score([reading(*cards)], patrician, PatricianTally())
    assert (found.seats[0].points, found.seats[0].parts[0].title) == (6, "3 red-haired heads")
    assert "Towers have no tags" in found.in_words()
    assert "made-up edition" in found.in_words()


def test_the_towers_of_printed_floors_are_scored_with_the_heads() -> None:
    """The tokens of a city go to the owners of its towers, and heads are counted from each seat's cards."""
    towers = {"FER": (("K38", "W38", "K39"), ("W39", "R01"))}
    found = patrician(final(*full(**towers), *piles(24, 24)))
    points = {seat.seat: {str(part.title): part.points for part in seat.parts} for seat in found.seats}
    assert points[0]["Ferrara, site A"] == 5
    assert points[2] == {"Ferrara, site B": 2}
    assert [len(group.tiles) for seat in found.seats[:2] for group in seat.palazzi] == [24, 24]
    assert "add each seat's tokens" not in found.in_words()
    assert found.sound


def test_glare_over_a_floor_is_reported_though_its_middle_is_beside_the_city() -> None:
    """Glare that reaches over a floor is reported even if no missing floor reveals it."""
    spent = iter(f"K{number:02}" for number in range(39, 0, -1))
    towers = {
        one.id: (tuple(islice(spent, one.capacity - 1)), (f"W{number:02}",))
        for number, one in enumerate(CITIES[:-1], 1)
    }
    laid = [*cities(**towers), *piles(24, 24)]
    assert patrician(final(*laid)).sound
    floor = next(one for one in laid if one.payload == "PA:W01")
    glare = Unreadable(Cause.WASHED_OUT, Message("Glare."), stretched(floor.x + 45, floor.y, 120, 30))
    hidden = final(*(one for one in laid if one is not floor))
    assert not patrician(replace(hidden, unread=(glare,))).sound


def test_a_card_that_is_hidden_is_noticed_if_all_seats_are_seen() -> None:
    """All cards are played by the end, so a missing one means that a tag is hidden."""
    found = patrician(final(*full(), *piles(24, 23)))
    assert "47 of the 48 cards are seen: a tag is hidden, or a seat is in no picture." in found.in_words()
    assert not any(seat.sure for seat in found.seats)


def test_a_card_in_another_seats_area_is_noticed_as_all_seats_have_played_equally_many() -> None:
    """Seats with unequal numbers of cards are not sure, as a card may be in another seat's area."""
    found = patrician(final(*full(), *piles(16, 15, 17)))
    text = "All seats have played the same number of cards at the end, not 16, 15 and 17: does one lie in another"
    assert text in found.in_words()
    assert not any(seat.sure for seat in found.seats)


@pytest.mark.parametrize(
    ("count", "five", "sound"),
    [(24, False, True), (16, False, True), (11, False, True), (23, False, False), (12, True, False)],
)
def test_a_seat_alone_shows_its_share_of_the_cards_or_one_is_hidden(count: int, five: bool, sound: bool) -> None:
    """A seat's number of cards must be one possible at the end; with a card of Pistoia, five play, each with 11."""
    table = [*piles(count)]
    if five:
        table[-1] = replace(table[-1], payload="PA:PIS1")
    found = patrician(final(*table))
    counts = "11" if five else "24 or 16 or 12 or 11"
    assert found.sound == sound
    assert (f"At the end a seat has played {counts} cards, not {count}: is a" in found.in_words()) == (not sound)


def test_a_card_that_is_only_likely_counts_if_it_is_one_of_a_few_that_no_picture_shows() -> None:
    """A place that looks like one of two missing cards is that card, since all cards are on the table at the end."""
    table, hidden = [*full(), *piles(24, 24)], ("PA:VER3", "PA:VER4")
    seen = [one for one in table if one.payload not in hidden]
    likely = {one.payload: one for one in table if one.payload in hidden}
    assert set(likely) == set(hidden)

    def outcome(*pictures: tuple[Sighting, ...]) -> tuple[bool, list[int]]:
        found = patrician(*(replace(final(*seen), likely=some) for some in pictures))
        return found.sound, sorted(len(group.tiles) for seat in found.seats[:2] for group in seat.palazzi)

    both = tuple(likely.values())
    assert outcome(both) == outcome(both[:1], both[1:]) == outcome(both, both) == (True, [24, 24])
    assert outcome(both[:1]) == (False, [23, 24])
    astray = replace(likely[hidden[0]], payload=hidden[1])
    assert outcome(both, (astray,)) == (False, [22, 24])


def test_a_card_that_looks_like_two_missing_ones_is_neither_in_one_picture_or_in_two() -> None:
    """One place cannot be two cards, and a card that seems to be in two places counts in none."""
    table, hidden = [*full(), *piles(24, 24)], ("PA:VER3", "PA:VER4")
    seen = [one for one in table if one.payload not in hidden]
    one, other = (each for each in table if each.payload in hidden)
    astray = replace(one, payload=other.payload)
    for pictures in ([(one, astray)], [(one,), (astray,)], [(one, astray), (astray,)], [(other, astray)]):
        found = patrician(*(replace(final(*seen), likely=some) for some in pictures))
        assert "46 of the 48 cards are seen: a tag is hidden, or a seat is in no picture." in found.in_words()


def test_a_card_is_not_likely_where_another_picture_shows_another_one_or_if_many_are_missing() -> None:
    table = [*full(), *piles(24, 24)]
    seen, hidden = [one for one in table if one.payload != "PA:VER4"], table[-1]
    assert hidden.payload == "PA:VER4"
    other = replace(next(one for one in seen if one.payload == "PA:VER3"), payload="PA:VER4")
    assert not patrician(replace(final(*seen), likely=(other,)), final(*seen)).sound
    many = [one for one in table if not one.payload.startswith(("PA:VER", "PA:MIL"))]
    likely = tuple(one for one in table if one not in many)
    assert not patrician(replace(final(*many), likely=likely)).sound


def test_a_floor_that_is_hidden_is_noticed_unless_a_seat_has_none_left() -> None:
    """A city takes a fixed number of floors, and only a seat that ran out leaves one unfinished."""
    lowered = {"FER": (("K38", "W38", "K39"), ("W39",))}
    found = patrician(final(*full(**lowered), *piles(24, 24)))
    assert "Ferrara takes 5 floors, and 4 are seen: is a floor hidden, or turned over?" in found.in_words()
    spent = [f"K{number:02}" for number in range(1, 40)]
    stands = {one.id: (tuple(spent.pop() for _ in range(min(one.capacity - 1, len(spent)))), ()) for one in CITIES[:-1]}
    assert patrician(final(*cities(**stands), *piles(24, 24))).sound


def test_a_floor_that_one_picture_misses_is_there_if_another_shows_the_city_full() -> None:
    """A tag that was not read removes no floor, and floors whose card only another picture shows are not astray."""
    near = [one for one in full() if one.payload != "PA:W27"]
    far = [one for one in full() if one.payload != "TT:ROM"]
    found = patrician(final(*full(), *piles(24, 24)), final(*near), final(*far))
    assert found.sound


def test_stated_tokens_replace_towers_and_must_agree_with_them() -> None:
    """Stated tokens are used with wooden floors, and compared with the towers of printed ones."""
    stated = StatedFacts(tokens={0: 30, 1: 12}, make="box")
    wood = patrician(final(*piles(24, 24)), stated=stated)
    assert [part.points for seat in wood.seats for part in seat.parts if part.title == "Tokens"] == [30, 12]
    assert wood.sound
    assert (
        "The towers earn seat 2 36 points, not 12."
        in patrician(final(*full(), *piles(24, 24)), stated=stated).in_words()
    )
    partly = StatedFacts(tokens={0: 30}, make="box")
    assert (
        "Say what the tokens of seat 2 are worth: 0 if it has none."
        in patrician(final(*piles(24, 24)), stated=partly).in_words()
    )


def test_a_seat_with_stated_tokens_is_in_doubt_unless_a_picture_shows_its_cards() -> None:
    """Without its cards a seat's heads are missing, or its number was mistyped."""
    for told, counts in (({0: 30, 1: 12}, (24,)), ({0: 30, 1: 12, 2: 5}, (24, 24)), ({1: 12}, ()), ({1: 5}, (0, 0))):
        found = patrician(final(*piles(*counts)), stated=StatedFacts(tokens=told, make="box"))
        text = f"The tokens of seat {max(told) + 1} are given, but no picture shows its cards."
        assert text in found.in_words()
        assert not any(seat.sure for seat in found.seats)
    assert patrician(final(*piles(24)), stated=StatedFacts(tokens={0: 30}, make="box")).sound


def test_cards_are_missed_if_a_second_seat_shows_only_its_marker_or_towers() -> None:
    """A seat without any visible card makes the number of cards too low, which is reported."""
    text = "24 of the 48 cards are seen: a tag is hidden, or a seat is in no picture."
    assert text in patrician(final(*piles(24, 0))).in_words()
    assert text in patrician(final(*full(), *piles(24))).in_words()
    assert "0 of the 48 cards are seen" in patrician(final(*full())).in_words()


def test_towers_that_two_pictures_show_differently_count_for_nobody() -> None:
    """The city is named, and nobody's points are sure, as one of the pictures is older."""
    first, second = ({"FER": (("K01", *more), ())} for more in ((), ("W01", "W02")))
    found = score([final(*cities(**first)), final(*cities(**second))], PATRICIAN, PatricianTally())
    assert "Pictures show the towers of Ferrara differently: they count for nobody." in found.in_words()
    assert not any(seat.sure for seat in found.seats)


def test_a_city_that_is_not_seen_whole_is_named() -> None:
    """A city that is not seen whole is named, and nobody's points are sure, because its tokens are missing."""
    seen = [one for one in cities(FER=(("K01",), ())) if one.payload != "TT:ROM"]
    found = score([final(*seen)], PATRICIAN, PatricianTally())
    assert "The towers of these cities are not seen whole: Roma." in found.in_words()
    assert not found.sound


def test_floors_of_which_no_city_is_seen_whole_are_towers_that_are_not_counted_and_those_in_a_store_are_none() -> None:
    """Floors without a whole city are a doubt, unlike those in a store."""
    table = [*full(), *piles(24, 24)]
    glare = [
        Unreadable(Cause.WASHED_OUT, Message("Glare."), stretched(105 + 120 * (n % 5), 100 + 200 * (n // 5), 60, 60))
        for n in range(9)
    ]
    hidden = replace(final(*table), unread=tuple(glare))
    without = final(*(one for one in table if "TT:" not in one.payload or "PILE" in one.payload))
    for found in map(patrician, (hidden, without)):
        assert "The towers of these cities are not seen whole: " in found.in_words()
        assert not found.sound
    stored = [*piles(24, 24), lying("PA:K01", 100, 505)]
    assert patrician(reading(*stored, seen=plane(size=(800, 560)))).sound
    assert patrician(without, stated=StatedFacts(tokens={0: 30, 1: 12}, make="box")).sound


def test_five_seats_or_a_card_of_pistoia_say_that_pistoia_plays() -> None:
    """If Pistoia plays and its city card is not seen, its towers are reported as missing."""
    wide = plane(size=(1100, 520))
    pistoia = city("PIS", ("Y01", "B01", "Y02", "B02"), ("R01", "R02", "R03", "R04", "R05"), 660, 260)
    assert patrician(reading(*full(), *pistoia, *five_piles(), seen=wide)).sound
    unseen = "The towers of these cities are not seen whole: Pistoia."
    assert unseen in patrician(reading(*full(), *five_piles(), seen=wide)).in_words()
    assert unseen in patrician(reading(*full(), *piles(24, 24), lying("PA:PIS1", 550, 430), seen=wide)).in_words()
    blue = {"FER": (("K38", "B01", "K39"), ("W38", "W39"))}
    assert "48 of the 55 cards are seen" in patrician(final(*full(**blue), *piles(24, 24))).in_words()
    without = patrician(reading(*full(), *five_piles(pistoia=False), seen=wide)).in_words()
    assert "48 of the 55 cards are seen: a tag is hidden, or a seat is in no picture." in without
    assert unseen in without


def test_without_city_cards_heads_alone_are_scored_as_before() -> None:
    """With wooden floors the heads are sure, and a sentence says to add the tokens by hand."""
    cards = [one for one in piles(16) if not is_marker(one.payload)]
    found = score([final(*cards)], PATRICIAN, PatricianTally())
    assert found.sound
    assert "add each seat's tokens" in found.in_words()


def test_cards_that_are_spread_beyond_their_area_are_that_seats_card_by_card() -> None:
    """A card next to one of the seat's belongs to the seat; a card apart counts for nobody."""
    marker = lying("TT:PILE1", 60, 250)
    row = [
        lying(f"PA:{card}", 100 + 24 * number, 250)
        for number, card in enumerate(sorted(synthetic_edition().faces)[:11])
    ]
    apart = lying("PA:VER4", 400, 250)
    found = score([reading(marker, *row, apart)], registry.game("patrician"), PatricianTally())
    assert len(found.seats[0].palazzi[0].tiles) == 11
    assert reasons(found) == ["no-seat"]
    assert "nobody: VER4." in found.in_words()
