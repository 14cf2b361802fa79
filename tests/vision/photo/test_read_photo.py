"""Scores from photographs: with or without markers, from any angle, with every doubt reported."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import ExifTags, Image

from tabletop.cli.read import command as read_command
from tabletop.cli.score import command
from tabletop.rules import registry
from tabletop.rules.game import Json
from tabletop.vision.decode.decode import decode
from tabletop.vision.detect.detection import merged
from tabletop.vision.detect.detector import Detector
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import read_photo
from tabletop.vision.scene import ReadBy, Sighting
from tabletop.vision.score.palazzo import PalazzoTally, judge
from tests.vision.photo.tables import DENSITY, FIRST, SECOND, Laid, photographed, stand, table

PALAZZO = registry.game("palazzo")


class Scored(Protocol):
    """Runs ``tabletop score`` on photos, and returns its answer and its exit code."""

    def __call__(self, *photos: NDArray[np.uint8], args: Sequence[str] = ()) -> tuple[dict[str, Json], int]: ...


@pytest.fixture
def scored(tmp_path: Path) -> Scored:
    def run(*photos: NDArray[np.uint8], args: Sequence[str] = ()) -> tuple[dict[str, Json], int]:
        files = []
        for number, photo in enumerate(photos):
            files.append(str(tmp_path / f"{number}.png"))
            # Noise hardly compresses: trying to takes longer than reading the picture.
            Image.fromarray(photo).save(files[-1], compress_level=0)
        done = CliRunner().invoke(command, [*files, "--json", *args])
        found: dict[str, Json] = json.loads(done.stdout)
        return found, done.exit_code

    return run


def palazzi(answer: Mapping[str, Json], seat: int) -> dict[tuple[str, ...], int]:
    return {tuple(palazzo["tiles"]): palazzo["points"] for palazzo in answer["seats"][seat]["palazzi"]}


@pytest.mark.parametrize("tilt", [0, 40])
def test_one_picture_without_markers_scores_one_seat_from_any_angle(scored: Scored, tilt: int) -> None:
    answer, status = scored(photographed(table(stand(FIRST, 60, 200)), tilt))
    assert palazzi(answer, 0) == {("S3.3",): -5, ("B2.3", "B4.2"): 0, ("B1.3", "S2.1", "B5.2"): 6}
    assert (answer["seats"][0]["points"], answer["unread"], status) == (1, [], 0)


def turned_over(picture: NDArray[np.uint8], x: int, y: int, size: int) -> NDArray[np.uint8]:
    """Return the same table with a piece that is turned over."""
    left, top = (round((middle - size / 2) * DENSITY) for middle in (x, y))
    cv2.rectangle(picture, (left, top), (left + round(size * DENSITY), top + round(size * DENSITY)), 70, -1)
    return picture


def test_a_tile_turned_over_on_a_palazzo_is_reported_without_a_marker(scored: Scored) -> None:
    answer, status = scored(photographed(turned_over(table(stand(FIRST, 60, 200)), 104, 142, 27), 15))
    assert ([one["reason"] for one in answer["unread"]], answer["seats"][0]["sure"], status) == (["no-tag"], False, 1)


@pytest.mark.parametrize("outside", [0.4, 0.6])
def test_a_tile_cut_by_the_edge_of_a_picture_without_markers_is_reported(scored: Scored, outside: float) -> None:
    """A tile whose tag is cut off by the picture's edge is reported as such, and its seat is not sure."""
    left = round(320 + 64 * outside)
    answer, status = scored(np.ascontiguousarray(photographed(table(stand(FIRST, 60, 200)))[:, left:]))
    assert ({one["reason"] for one in answer["unread"]}, status) == ({"cut-off"}, 1)
    assert not answer["seats"][0]["sure"]


def test_a_structure_turned_over_beside_a_grid_is_reported(scored: Scored) -> None:
    # Tags sit in the upper right quarter of the tiles, whose middles are 50 mm apart.
    grid = [("PP:TM3", 165, 135, 0, 20), ("PP:TM4", 215, 135, 0, 20), ("PP:TS3", 165, 85, 0, 20)]
    args = ["--game", "piecepack", "--turret", "none"]
    told = scored(photographed(turned_over(table(grid), 200, 100, 48)), args=args)[0]
    bare = scored(photographed(table(grid)), args=args)[0]
    # Both report that a seat alone cannot be compared with the others; one corner of the piece looks like a tag.
    assert [one["reason"] for one in told["unread"] if one not in bare["unread"]] == ["unknown", "no-tag"]
    assert [one["reason"] for one in bare["unread"]] == ["no-marker"]


@pytest.mark.parametrize(("height", "width"), [(22, 30), (58, 58)])
def test_tiles_of_another_size_are_scored_alike(scored: Scored, height: int, width: int) -> None:
    photo = photographed(table(stand(SECOND, 80, 260, height=height, width=width)), 20)
    assert palazzi(scored(photo)[0], 0) == {SECOND[0]: 17, SECOND[1]: 8}


def test_a_picture_of_the_table_scores_the_seats_that_face_each_other_by_their_markers(scored: Scored) -> None:
    laid = [
        ("TT:SEAT1", 40, 260, 0, 40.0),
        *stand(FIRST, 90, 260),
        ("TT:SEAT2", 460, 40, 180, 40.0),
        *stand(SECOND, 400, 40, turn=180),
        ("PZ:G1.1", 20, 120, 0, 20.0),
    ]
    answer, status = scored(photographed(table(laid, (500, 300)), 15, (2400, 1600)))
    assert [seat["points"] for seat in answer["seats"]] == [1, 25]
    assert status == 0


def test_a_seat_with_only_a_corner_of_its_marker_visible_is_reported(scored: Scored) -> None:
    laid = [
        ("TT:SEAT1", 40, 260, 0, 40.0),
        *stand(FIRST, 90, 260),
        ("TT:SEAT2", 460, 40, 180, 40.0),
        *stand((("M1.3", "M2.1"),), 400, 40, turn=180),
    ]
    picture = table(laid, (500, 300))
    for left, top, right, bottom in ((370, 0, 462, 95), (462, 0, 485, 44)):
        cv2.rectangle(picture, (left * 4, top * 4), (right * 4, bottom * 4), 110, -1)
    answer, status = scored(photographed(picture, 15, (2400, 1600)))
    assert [one["reason"] for one in answer["unread"]] == ["hidden-seat"]
    assert ([seat["points"] for seat in answer["seats"]], status) == ([1], 1)


def test_tags_too_small_for_a_decoder_are_recognised_on_the_plane_of_the_others(tmp_path: Path) -> None:
    photo = photographed(table([*stand(FIRST, 60, 130), *stand(SECOND, 60, 280)]), 20, (1000, 750))
    reading = read_photo(Picture("", photo, np.dstack([photo] * 3)), Kit(PALAZZO))
    assert len(decode(photo, thorough=True).tags) < 14
    assert (len(reading.sightings), reading.unread) == (14, ())
    Image.fromarray(photo).save(tmp_path / "a.png", compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(tmp_path / "a.png")]).stdout)
    assert {tag["id"] for tag in line["tags"]} == {tile for column in FIRST + SECOND for tile in column}
    assert {tag["how"] for tag in line["tags"]} == {"zxing", "recognised"}


def in_small(
    laid: Sequence[Laid],
    size: tuple[int, int] = (900, 675),
    mm: tuple[int, int] = (400, 300),
    decoded: Set[str] = frozenset(),
) -> Picture:
    """Return a picture in which the pieces' tags are too small for any decoder, except those of ``decoded`` games."""
    photo = photographed(table(laid, mm), 8, size)
    seen = [seen.tag.game for seen in decode(photo, thorough=True).tags if seen.tag.game != "TT"]
    assert (set(seen), len(seen)) == (set(decoded), len(decoded))
    return Picture("", photo, np.dstack([photo] * 3))


def test_without_marker_and_decoder_pieces_are_found_at_whatever_size_they_show() -> None:
    laid = [*stand(FIRST, 60, 130), *stand(SECOND, 60, 280)]
    reading = read_photo(in_small(laid, (600, 450)), Kit(PALAZZO))
    assert {each.payload for each in reading.sightings} == {each[0] for each in laid}


def test_seen_aslant_pieces_are_found_without_marker_and_decoder() -> None:
    names = sorted(payload for payload in Kit(PALAZZO).patterns if payload.startswith("PZ"))[:40]
    laid = [(name, 40 + 48 * (at % 8), 30 + 52 * (at // 8), 37 * at % 360, 20.0) for at, name in enumerate(names)]
    photo = photographed(table(laid, (420, 300)), 45, (860, 645))
    assert decode(photo, thorough=True).tags == ()
    reading = read_photo(Picture("", photo, np.dstack([photo] * 3)), Kit(PALAZZO))
    assert len(reading.sightings) >= 34
    lies = {name: (x, y) for name, x, y, _, _ in laid}
    flat = cv2.findHomography(
        np.array([(each.x, each.y) for each in reading.sightings]),
        np.array([lies[each.payload] for each in reading.sightings], dtype=np.float64),
    )[0]
    places = cv2.perspectiveTransform(np.array([[(each.x, each.y) for each in reading.sightings]]), flat)[0]
    assert np.abs(places - [lies[each.payload] for each in reading.sightings]).max() < 2


def test_the_set_is_found_though_no_decoder_reads_a_letter() -> None:
    laid = [(payload.replace("PZ", "PZK"), x, y, angle, mm) for payload, x, y, angle, mm in stand(SECOND, 80, 200)]
    reading = read_photo(in_small(laid, (600, 450)), Kit(PALAZZO))
    assert reading.letter == "K"
    assert {each.payload for each in reading.sightings} == {each[0] for each in laid}


def test_pieces_tags_of_another_size_are_found_beside_markers() -> None:
    tiles = [(payload, x, y, angle, 15.0) for payload, x, y, angle, _ in stand(SECOND, 80, 260)]
    markers = [("TT:SEAT1", 30, 30, 0, 40.0), ("TT:SEAT2", 360, 40, 180, 40.0)]
    reading = read_photo(in_small([*markers, *tiles], (840, 630)), Kit(PALAZZO))
    assert {each.payload for each in reading.sightings} == {each[0] for each in [*tiles, *markers]}


MANY = (
    ("B1.1", "B2.1", "B3.1a", "B4.1", "B5.1"),
    ("M1.1", "M2.1", "M3.1a", "M4.1", "M5.1"),
    ("S1.1", "S2.1", "S3.1a", "S4.1", "S5.1"),
    ("B1.2", "B2.2", "B3.2", "B4.2", "B5.2"),
)


def test_a_card_that_is_decoded_hides_no_tiles_of_another_size(scored: Scored) -> None:
    tiles = [(payload, x, y, angle, 12.0) for payload, x, y, angle, _ in stand(MANY, 60, 240)]
    photo = in_small([("PZ:R3A", 330, 60, 5, 20.0), *tiles], (1100, 825), decoded={"PZ"}).grey
    answer, status = scored(photo)
    assert (set(palazzi(answer, 0)), answer["unread"], status) == (set(MANY), [], 0)


@pytest.mark.parametrize("side", [20.0, 80.0])
def test_a_single_marker_that_is_not_as_large_as_it_should_be_hides_no_tile(side: float) -> None:
    tiles = [*stand(MANY, 60, 240)]
    reading = read_photo(in_small([("TT:SEAT1", 330, 60, 5, side), *tiles], (700, 525)), Kit(PALAZZO))
    assert {each[0] for each in tiles} <= {each.payload for each in reading.sightings}


MARKED = [("TT:SEAT1", 30, 30, 0, 40.0), ("TT:SEAT2", 360, 40, 180, 40.0)]


def read_of(laid: Sequence[Laid], size: tuple[int, int], folder: Path) -> set[str]:
    """Return the payloads that ``tabletop read`` reports of tags too small for any decoder."""
    Image.fromarray(in_small(laid, size).grey).save(folder / "a.png", compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(folder / "a.png")]).stdout)
    return {tag["payload"] for tag in line["tags"]}


@pytest.mark.parametrize("markers", [MARKED, []])
def test_tags_of_two_sizes_in_one_picture_are_read(
    tmp_path: Path, markers: Sequence[tuple[str, int, int, int, float]]
) -> None:
    cards = [
        (f"PZ:R{value}{one}", 60 + 55 * value, y, 5, 25.0) for value in (3, 4, 5) for one, y in (("A", 60), ("B", 110))
    ]
    laid = [*markers, *stand(SECOND, 80, 270), *cards]
    assert read_of(laid, (760, 570), tmp_path) == {each[0] for each in laid}


def test_tags_of_two_sets_in_one_picture_are_read(tmp_path: Path) -> None:
    second = [(payload.replace("PZ", "PZK"), x, y, turn, mm) for payload, x, y, turn, mm in stand(SECOND, 240, 270)]
    laid = [*MARKED, *stand((*FIRST, *SECOND[1:]), 60, 170), *second]
    assert read_of(laid, (760, 570), tmp_path) == {each[0] for each in laid}


def test_what_no_decoder_reads_may_be_of_any_game(tmp_path: Path) -> None:
    tiles = [
        (f"PP:{suit}{value}", 60 + 60 * value, y, 0, 20.0)
        for y, suit in ((80, "TM"), (180, "TC"))
        for value in range(5)
    ]
    Image.fromarray(in_small(tiles, (640, 480)).grey).save(tmp_path / "a.png", compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(tmp_path / "a.png")]).stdout)
    assert {tag["payload"] for tag in line["tags"]} == {each[0] for each in tiles}


def sighting(payload: str, x: int, how: ReadBy = ReadBy.ZXING) -> Sighting:
    return Sighting(payload, x, 0, 0, ((x, 0), (x + 20, 0), (x + 20, 20), (x, 20)), 1.0, how)


def test_where_two_ways_of_reading_disagree_nothing_is_accepted() -> None:
    one = [sighting("PZ:E1", 0), sighting("PZ:E2", 100)]
    two = [sighting("PZ:E1", 1, ReadBy.RECOGNISED), sighting("PZ:E3", 101, ReadBy.RECOGNISED), sighting("PZ:E4", 200)]
    agreed, disputed = merged(one, two)
    assert [(each.payload, each.x, each.how) for each in agreed] == [("PZ:E1", 1, "zxing"), ("PZ:E4", 200, "zxing")]
    assert [each.payload for each in disputed] == ["PZ:E2"]


@pytest.mark.parametrize(
    ("distance", "least", "most"), [(25.0, 22.5, 25.0), (28.5, 28.0, 28.0), (33.0, 28.0, 33.0), (45.0, 40.5, 45.0)]
)
def test_tiles_may_be_as_high_as_their_distance_and_its_gaps_allow(distance: float, least: float, most: float) -> None:
    tiles = [Placed(name, 0, -distance * floor, 0) for floor, name in enumerate(SECOND[0])]
    heights = [height for height, _ in PalazzoTally().sizes(tiles)]
    assert (min(heights), max(heights)) == pytest.approx((least, most))


def test_tiles_face_down_between_any_two_others_are_reported(scored: Scored) -> None:
    """Tiles read above and below a tile face down do not count as neighbours that are twice as large."""
    tags = [("TT:SEAT1", 40, 260, 0, 40.0)]
    bare, picture = table([]), table([])
    for column, suit in enumerate("BMS"):
        for floor, tile in enumerate(("1.1", "", "3.2")):
            x, y = 100 + 66 * column, 250 - 29 * floor
            tags += [(f"PZ:{suit}{tile}", x, y, 0, 20.0)] if tile else []
            left, top, right, bottom = (round(side * DENSITY) for side in (x - 18, y - 14, x + 18, y + 14))
            picture[top:bottom, left:right] = 200 if tile else 70
    answer, status = scored(photographed(np.where(table(tags) != bare, table(tags), picture)))
    assert ([one["reason"] for one in answer["unread"]], status) == (["no-tag"] * 3, 1)
    assert not answer["seats"][0]["sure"]


def test_one_picture_per_seat_scores_the_seats_in_order(scored: Scored) -> None:
    answer, _ = scored(
        photographed(table(stand(FIRST, 60, 200)), 10), photographed(table(stand(SECOND, 60, 240), set_letter="B"), 30)
    )
    assert [(seat["seat"], seat["points"]) for seat in answer["seats"]] == [(0, 1), (1, 25)]


def test_wrong_builds_are_named_with_their_rule(scored: Scored) -> None:
    wrong = (("B3.2", "B1.1"), ("S2.1", "M2.2"), ("B1.2", "B2.2", "B3.3"))
    answer, status = scored(photographed(table(stand(wrong, 60, 200)), 10))
    codes = {tuple(p["tiles"]): [fault["code"] for fault in p["faults"]] for p in answer["seats"][0]["palazzi"]}
    assert codes == {wrong[0]: ["not-on-top"], wrong[1]: ["duplicate-floor"], wrong[2]: []}
    assert (answer["seats"][0]["points"], status) == (10, 1)


def test_the_same_tile_in_two_places_counts_in_none(scored: Scored) -> None:
    laid = [*stand((("B1.2", "B2.2"),), 60, 200), *stand((("B1.2",),), 250, 200)]
    answer, status = scored(photographed(table(laid)))
    assert palazzi(answer, 0) == {("B2.2",): -5}
    assert [unread["piece"] for unread in answer["unread"]] == ["B1.2", "B1.2"]
    assert status == 1


def test_a_tile_in_two_pictures_counts_in_none(scored: Scored) -> None:
    one, two = (photographed(table(stand(((tile, "B4.2"),), 60, 200))) for tile in ("B1.2", "B1.1"))
    answer, _ = scored(one, two)
    assert (palazzi(answer, 0), palazzi(answer, 1)) == ({("B1.2",): -5}, {("B1.1",): -5})
    told = [each["message"] for each in answer["unread"]]
    assert "Pictures 1 and 2 disagree about whose these are, so they count for nobody: B4.2." in told


def test_a_mirrored_picture_scores_nothing_and_says_so(scored: Scored) -> None:
    photo = np.ascontiguousarray(photographed(table(stand(FIRST, 60, 200)))[:, ::-1])
    answer, status = scored(photo)
    assert not any(palazzo["tiles"] for seat in answer["seats"] for palazzo in seat["palazzi"])
    assert any("mirrored" in note for note in answer["notes"])
    assert status == 1


def test_tags_of_another_set_or_game_are_left_out_and_named(scored: Scored) -> None:
    laid = [*stand(FIRST, 60, 200), ("PZQ:B1.1", 300, 200, 0, 20.0), ("PA:ROM1", 300, 100, 0, 20.0)]
    answer, _ = scored(photographed(table(laid)))
    assert answer["seats"][0]["points"] == 1
    assert any("PA:ROM1, PZQ:B1.1" in note for note in answer["notes"])


def test_a_tile_of_another_set_among_those_of_a_seat_is_a_doubt(scored: Scored) -> None:
    """A seat with a tile of another set, whose points are missing, is not sure, and the tile is reported."""
    *laid, top = stand(FIRST, 60, 200)
    answer, status = scored(photographed(table([*laid, (top[0].replace("PZ:", "PZQ:"), *top[1:])])))
    assert [each["message"][:34] for each in answer["unread"]] == ["This piece is from a different set"]
    assert (answer["seats"][0]["sure"], status) == (False, 1)


def test_the_cards_of_another_set_than_the_pieces_show_no_seat_and_are_a_doubt(scored: Scored) -> None:
    """A seat's card with another set letter is reported: the seat is then the picture's number."""
    tiles = [(one[0].replace("PZ:", "PZK:"), *one[1:]) for one in stand(FIRST, 90, 200)]
    answer, status = scored(photographed(table([("TT:SEAT2", 40, 200, 0, 40.0), *tiles])))
    told = [each["message"] for each in answer["unread"]]
    assert any(text.startswith("The set letter on this card") for text in told)
    assert status == 1


def test_pieces_of_another_game_do_not_choose_the_set(scored: Scored) -> None:
    """Pieces of another game, with their own set letter, do not change the set in which tiles are sought."""
    others = [(f"PAB:FIR{number}", 80 + 40 * number, 60, 0, 20.0) for number in range(1, 8)]
    answer, _ = scored(photographed(table([*stand((("M1.1", "M2.1"),), 60, 200), *others])))
    assert palazzi(answer, 0) == {("M1.1", "M2.1"): 0}


@pytest.mark.parametrize("value", [0, 255])
def test_a_black_or_white_picture_scores_nothing(scored: Scored, value: int) -> None:
    answer, status = scored(np.full((300, 400), value, np.uint8))
    assert (answer["seats"], status) == ([], 1)
    told = [each["message"] for each in answer["unread"]]
    assert "Picture 1 shows nothing of any seat: take it again, or leave it out." in told


def test_what_was_understood_is_drawn_for_each_picture(scored: Scored, tmp_path: Path) -> None:
    photo = photographed(table(stand(FIRST, 60, 200)), 20, (1200, 900))
    scored(photo, photographed(table(stand(SECOND, 60, 240))), args=("--picture", str(tmp_path / "out.jpg")))
    with Image.open(tmp_path / "out.jpg") as first, Image.open(tmp_path / "out-2.jpg") as second:
        assert first.width == 2000
        assert 2000 <= max(second.size) < 2300
        assert np.asarray(first.convert("HSV"))[:, :, 1].max() > 150


def test_whatever_may_hide_a_whole_seat_is_a_doubt(scored: Scored) -> None:
    """A patch painted over the photograph, a blurred place with something on it, and a finger over the lens."""
    photo = photographed(table([("TT:SEAT1", 40, 270, 0, 40.0), *stand((("B1.3", "S2.1"),), 100, 270)]), 0, (800, 600))
    things = np.full((170, 210), 150, np.uint8)
    things[40:80, 50:90] = things[90:130, 110:150] = 40
    photo[60:230, 310:520] = cv2.GaussianBlur(things, (0, 0), 8)
    finger = cv2.GaussianBlur(cv2.circle(np.zeros((600, 800), np.float32), (780, 10), 170, 1, -1), (0, 0), 10)[
        ..., None
    ]
    noise = np.random.default_rng(1).normal(0, 3, (600, 800, 1))
    shown = np.clip(photo[..., None] * (1 - finger) + np.array((110, 60, 45)) * finger + noise, 0, 255).astype(np.uint8)
    shown[80:210, 90:250] = 100
    answer, _ = scored(shown)
    told = " ".join(each["message"] for each in answer["unread"])
    assert all(part in told for part in ("painted over or blurred", "wipe the lens", "right in front of the lens"))


def test_a_panorama_is_in_doubt_whatever_it_shows(tmp_path: Path) -> None:
    """Where its parts were put together, it may leave out a tile, and nothing in it shows that."""
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.CustomRendered] = 6
    Image.fromarray(photographed(table(stand(FIRST, 60, 200)))).save(tmp_path / "a.jpg", quality=92, exif=exif)
    done = CliRunner().invoke(command, [str(tmp_path / "a.jpg")])
    assert "Picture 1: This is a panorama" in done.stdout
    assert done.exit_code == 1


def test_two_tables_in_one_picture_are_in_doubt_whatever_they_show(tmp_path: Path) -> None:
    halves = photographed(table(stand(FIRST, 60, 200)), 20), photographed(table(stand(SECOND, 60, 240)) // 2)
    Image.fromarray(np.concatenate(halves, axis=1)).save(tmp_path / "a.jpg", quality=92)
    done = CliRunner().invoke(command, [str(tmp_path / "a.jpg")])
    assert "Picture 1: This picture is put together from several" in done.stdout
    assert done.exit_code == 1


def test_scores_are_printed_for_people(tmp_path: Path) -> None:
    Image.fromarray(photographed(table(stand(FIRST, 60, 200)))).save(tmp_path / "a.jpg", quality=92)
    done = CliRunner().invoke(command, [str(tmp_path / "a.jpg")])
    assert "Seat 1: 1 point\n" in done.stdout
    assert "-5  S3.3" in done.stdout


@pytest.mark.parametrize(
    ("args", "sentence", "status"),
    [
        (["nothing.jpg"], "nothing.jpg: cannot be opened", 1),
        (["a.jpg", "--game", "chess"], "'chess' is not one of", 2),
        (["a.jpg", "--carrier", "TM3"], "Palazzo has no pieces that carry others.", 2),
        (["a.jpg", "--edition", "x.toml"], "does not depend on an edition", 2),
        (["a.jpg", "--game", "piecepack", "--turret", "DM3"], "There is no structure 'DM3'", 2),
        (["a.jpg", "--game", "piecepack", "--turret", "none", "--turret", "TM3"], "Say none alone, or name pieces.", 2),
        (["a.jpg", "--game", "patrician", "--edition", "nothing.toml"], "nothing.toml: the edition cannot be read", 2),
        (["a.jpg", "--set", "BB"], "one letter A to Z", 2),
        (["a.jpg", "--seats", "7"], "Palazzo is for 2 to 4 seats, not 7.", 2),
        (["a.jpg", "--make", "wood"], "has no make “wood”", 2),
        (["a.jpg", "--tokens", "1=15"], "Palazzo has no tokens", 2),
        (["a.jpg", "--game", "patrician", "--tokens", "15"], "'15' is not SEAT=POINTS, such as 1=15 for seat 1", 2),
        (["a.jpg", "--game", "patrician", "--tokens", "0=15"], "'0=15' is not SEAT=POINTS", 2),
        (["a.jpg", "--game", "patrician", "--tokens", "6=15"], "There is no seat 6; Patrician has seats 1 to 5", 2),
        (["a.jpg", "--game", "patrician", "--tokens", "1=4", "--tokens", "1=5"], "Seat 1 is named twice", 2),
        (["a.jpg", "--game", "patrician", "--tokens", "1=115"], "all tokens of Patrician are worth 114", 2),
        (["a.jpg", "--option", "stack", "1"], "There is no option stack.", 2),
        (["a.jpg", "--game", "piecepack", "--option", "holes", "8"], "can be: enclosed_4, enclosed_8.", 2),
        ([], "Missing argument", 2),
    ],
)
def test_bad_input_gets_one_sentence(args: Sequence[str], sentence: str, status: int) -> None:
    done = CliRunner().invoke(command, args)
    assert sentence in done.stderr
    assert (done.exit_code, done.stdout) == (status, "")


def test_a_hole_that_opens_across_a_corner_counts_by_the_option_of_the_rules(scored: Scored) -> None:
    """Only with the option “enclosed_8” does the palazzo count; without it a sentence says that rules may differ."""
    ring = ((1, 2), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (2, 1))
    tags = [
        (f"PP:{piece}", 150.0 + 52 * x, 200.0 - 52 * y, 0.0, 20.0)
        for piece, (x, y) in zip(("TM0", "TM1", "TM2", "TM3", "TM4", "TM5", "TS5"), ring, strict=True)
    ]
    photo = photographed(table(tags))
    usual, code = scored(photo, args=("--game", "piecepack", "--turret", "none"))
    assert (usual["seats"][0]["points"], code) == (0, 1)
    assert "only if your rules say so" in json.dumps(usual)
    args = ("--game", "piecepack", "--turret", "none", "--option", "holes", "enclosed_8")
    agreed, code = scored(photo, args=args)
    # Materials 0 + 1 + 2 + 3 + 4 + 5 + 5, six observatories and a solarium.
    assert agreed["seats"][0]["points"] == 20 + 3 * 6 + 3
    # A seat alone cannot be compared with the others.
    assert ([one["reason"] for one in agreed["unread"]], code) == (["no-marker"], 1)


def test_each_worked_example_of_the_rules_has_its_points() -> None:
    assert judge(("S3.3",)).points == -5
    assert judge(("S2.2", "S3.2", "S4.2", "S5.1")).points == 13
    assert judge(("B1.1", "B2.2", "B3.3", "B4.1", "B5.1")).points == 20
    assert judge(("B1.1", "B2.2", "M2.3")).points is None


def test_memory_that_is_free_goes_back_before_what_was_not_read_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free memory is returned first, which saves 20 MB at the peak with 12 megapixels; maps of the table are freed."""
    given: list[str] = []
    monkeypatch.setattr("tabletop.vision.photo.read_photo.give_back", lambda: given.append("memory"))
    monkeypatch.setattr(Detector, "forget_maps", lambda _detector, _plane: given.append("maps"))
    grey = table(stand((("B1.1", "S2.2"),), 60, 100), (150, 120))
    colour = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    read_photo(Picture("", grey, colour), Kit(registry.game("palazzo")), tally=PalazzoTally())
    assert given == ["maps", "memory", "memory"]
