"""A place that looks like a tag is reported, unless something else explains it; a thing around it is reported too."""

from __future__ import annotations

from tabletop.vision.photo.doubts import UNKNOWN
from tabletop.vision.scene import Cause, Unreadable
from tests.vision.photo.untagged.seats import LEFT, MARKER, PX, doubted, doubted_beside, lay, lying, with_card, wood


def test_burnt_out_paper_without_any_print_is_not_like_a_tag() -> None:
    """Noise of a grey level or two may look like anything once it is amplified to the contrast of print."""
    x, y = LEFT + 60, MARKER[1] - 60
    one, two, three, four = ((PX * (x + a), PX * (y + b)) for a, b in ((-8, -8), (8, -8), (8, 8), (-8, 8)))
    place = Unreadable(Cause.UNKNOWN, UNKNOWN, (one, two, three, four))
    card = with_card(wood())
    assert doubted(card, place) == []
    assert doubted(lay(card, (x - 4, y - 4, x, y), (190, 195, 200)), place) == [place]


def test_a_square_between_the_corners_of_three_tags_is_not_like_a_tag() -> None:
    """Finder patterns of three other tags at the corners of a square do not make it a code."""
    x, y = LEFT + 100, MARKER[1] - 60
    tags = [lying("PZ:B1.1", x - 25, y - 25), lying("PZ:B2.1", x + 25, y - 25), lying("PZ:B3.2", x - 25, y + 25)]
    one, two, three, four = ((PX * (x + a), PX * (y + b)) for a, b in ((-18, -18), (18, -18), (18, 18), (-18, 18)))
    place = Unreadable(Cause.UNKNOWN, UNKNOWN, (one, two, three, four))
    printed = lay(wood(), (x - 4, y - 4, x, y), (20, 20, 20))
    marker = lying("TT:SEAT1", *MARKER, 40.0)
    assert place not in doubted_beside([marker, *tags], printed, place)
    assert place in doubted_beside([marker, *tags[:2]], printed, place)


def test_a_hand_is_noticed_though_a_part_of_a_tag_is_seen_at_its_middle() -> None:
    """An object larger than a tile is reported besides the unreadable tag in its middle, as it may hide other tiles."""
    x, y = LEFT + 100, MARKER[1] - 60
    one, two, three, four = ((PX * (x + a), PX * (y + b)) for a, b in ((-8, -8), (8, -8), (8, 8), (-8, 8)))
    part = Unreadable(Cause.UNKNOWN, UNKNOWN, (one, two, three, four))
    for reach, reasons in ((18, ["unknown"]), (40, ["unknown", "no-tag"])):
        covered = lay(wood(), (x - reach, y - 0.7 * reach, x + reach, y + 0.7 * reach), (110, 140, 190))
        assert [each.reason for each in doubted(lay(covered, (x - 4, y - 4, x, y), (20, 20, 20)), part)] == reasons
