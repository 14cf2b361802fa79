"""A kit is what one table plays with: pieces of one make, with tags of one set, printed at one size."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from math import hypot

import pytest

from tabletop.rules import registry
from tabletop.rules.game import Piece
from tabletop.rules.palazzo.game import Palazzo
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.table import Size
from tabletop.vision.geometry.outlines import EDGE_MM, shape
from tabletop.vision.kit import Kit, KitError

PALAZZO = registry.game("palazzo")


class CoinsTable(PalazzoTable):
    """A table whose coins have small tags in the box and usual ones if they are printed; stones have none."""

    makes: Mapping[str, Mapping[str, Size]] = {
        "printed": {"coin": Size(28, 28), "stone": Size(9, 9, tag=0)},
        "box": {"coin": Size(19, 19, tag=14), "block": Size(50, 50, 15, -15)},
    }


class Coins(Palazzo):
    """A game of coins, stones and blocks."""

    pieces: Mapping[str, Piece] = {
        name: Piece(name, kind) for name, kind in (("C1", "coin"), ("S1", "stone"), ("B1", "block"), ("D1", "die"))
    }
    table = CoinsTable()


def sides(kit: Kit) -> dict[str, float]:
    """Return the sides of the tags of pieces by id."""
    return {entry.id: entry.size_mm for entry in kit.pieces}


def test_a_make_says_which_pieces_have_a_tag_and_how_large_it_is() -> None:
    """Kinds with a tag of 0 or of another make are not in the kit; kinds without a size have the usual tag."""
    assert sides(Kit(Coins())) == {"C1": 20, "D1": 20}
    assert sides(Kit(Coins(), "box")) == {"C1": 14, "B1": 20, "D1": 20}


def test_a_scale_is_about_the_tags_of_pieces_and_not_about_markers() -> None:
    """The scale applies to pieces' tags, while markers are always 40 mm."""
    kit = Kit(Coins(), "box", scale=1.25)
    assert sides(kit) == {"C1": 17.5, "B1": 25, "D1": 25}
    assert {entry.size_mm for entry in kit.entries.values() if entry.kind == "marker"} == {40}
    assert kit.sizes["coin"] == Size(19, 19, tag=17.5)


def test_no_tag_is_larger_than_its_piece_has_room_for() -> None:
    """A tag that is printed smaller than requested, for lack of room, is expected at its real size."""
    assert sides(Kit(Coins(), "box", scale=1.5))["C1"] == 18


def test_the_smallest_and_the_usual_tag_are_known() -> None:
    """The kit names its smallest tag, the hardest to read, and the usual size."""
    kit = Kit(Coins(), "box")
    assert kit.smallest is not None
    assert (kit.smallest.kind, kit.smallest.size_mm, kit.tag_mm) == ("coin", 14, 20)


def test_a_piece_reaches_as_far_as_its_farthest_corner_from_its_tag() -> None:
    """The reach of the largest piece follows from the declared sizes: 58 mm for a card, 57 mm for a 2-inch tile."""
    assert Kit(PALAZZO).reach == 58
    assert Kit(Coins(), "box").reach == 57
    corners = shape("PZ:R5A", Kit(PALAZZO))
    assert max(hypot(abs(x) - EDGE_MM, abs(y) - EDGE_MM) for x, y in corners) == pytest.approx(hypot(31, 49))


def test_a_set_letter_is_in_every_payload() -> None:
    """Every tag of another set has its letter, even markers."""
    assert {payload.partition(":")[0] for payload in Kit(PALAZZO, letter="B").entries} == {"PZB", "TTB"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [(("wood", ""), "Palazzo has no make “wood”; choose printed, box."), (("", "BB"), "one letter A to Z, not “BB”")],
)
def test_what_there_is_none_of_is_refused_in_one_sentence(asked: tuple[str, str], told: str) -> None:
    """The error names a make or set that does not exist and says which can be used."""
    with pytest.raises(KitError) as refused:
        Kit(PALAZZO, *asked)
    assert told in str(refused.value)


def test_a_kit_is_a_value_and_travels_to_another_process() -> None:
    """Kits of the same pieces are equal, and pickling leaves out derived values."""
    kit = Kit(PALAZZO, "box", "B", 1.25)
    assert kit.entries
    again = pickle.loads(pickle.dumps(kit))
    assert (again.game.name, again.make, again.letter, again.scale) == ("palazzo", "box", "B", 1.25)
    assert "entries" not in vars(again)
    assert kit == Kit(PALAZZO, "box", "B", 1.25)
