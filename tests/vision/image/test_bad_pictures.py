"""Bad pictures get one clear sentence each, and nothing uncertain is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from tabletop.cli.read import command as read_command
from tabletop.cli.score import command as score_command
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report import read_tags
from tabletop.vision.report.read_tags import read_file
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.tags import payloads
from tests.vision.photo.tables import FIRST, SECOND, Laid, photographed, stand, table

SIZE = (1000, 750)
GAMES = [registry.game(name) for name in registry.BUILT_IN]
IDS = payloads.ids(GAMES)


def seat() -> np.ndarray:
    return photographed(table(stand(FIRST, 60, 200)), size=SIZE)


def two_games() -> np.ndarray:
    """Return a picture of two copies of one game and a card of another, each copy with its markers."""
    other = [("PZB" + payload[2:], x, y, angle, mm) for payload, x, y, angle, mm in stand(SECOND, 400, 40, turn=180)]
    laid = [("TT:SEAT1", 40, 260, 0, 40.0), *stand(FIRST, 90, 260), ("TTB:SEAT1", 460, 40, 180, 40.0), *other]
    return photographed(table([*laid, ("PA:ROM1", 250, 150, 0, 20.0)], (500, 300)), size=(1600, 1200))


def flat(grey: int) -> np.ndarray:
    return np.full((120, 160), grey, np.uint8)


def twice(size: tuple[int, int]) -> np.ndarray:
    """Return a picture of a tile beside a photograph of the same tile."""
    return photographed(table([*stand((("B1.2", "B2.2"),), 60, 200), *stand((("B1.2",),), 250, 200)]), size=size)


OPENED: dict[str, tuple[Callable[[], np.ndarray], str, str]] = {
    "black": (lambda: flat(0), "The picture is black", "The picture is black"),
    "white": (lambda: flat(255), "The picture is white", "The picture is white"),
    "no tag": (lambda: photographed(table([]), size=(600, 450)), "No tag of this set", "No tag of this game"),
    "mirrored": (lambda: seat()[:, ::-1], "The picture is mirrored", "The picture is mirrored"),
}


@pytest.mark.parametrize("kind", OPENED)
def test_a_picture_without_a_readable_tag_says_why_and_gives_none(tmp_path: Path, kind: str) -> None:
    """``read`` lists no tag and ``score`` no palazzo, each with its sentence."""
    make, said, scored = OPENED[kind]
    path = tmp_path / "a.png"
    Image.fromarray(np.ascontiguousarray(make())).save(path, compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert line["tags"] == []
    assert line["error"] is None
    assert any(said in note for note in line["notes"])
    done = CliRunner().invoke(score_command, [str(path), "--json"])
    answer = json.loads(done.stdout)
    assert not any(palazzo["tiles"] for seat in answer["seats"] for palazzo in seat["palazzi"])
    assert any(scored in note for note in answer["notes"])
    assert done.exit_code == 1


def test_light_that_is_far_too_strong_gives_no_wrong_tag(tmp_path: Path) -> None:
    """Every tag that is read in an overexposed picture is there."""
    path = tmp_path / "a.png"
    Image.fromarray(np.clip(seat().astype(np.int16) * 2 + 60, 0, 255).astype(np.uint8)).save(path, compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert {tag["id"] for tag in line["tags"]} <= {tile for column in FIRST for tile in column}


def test_what_has_no_tag_is_in_doubt_where_it_is_too_dark_to_tell(tmp_path: Path) -> None:
    """In a picture too dark to show tiles that are turned over, tags count, and the rest is in doubt."""
    path = tmp_path / "a.png"
    Image.fromarray((seat() * 0.15).astype(np.uint8)).save(path, compress_level=0)
    done = CliRunner().invoke(score_command, [str(path), "--json"])
    answer = json.loads(done.stdout)
    assert {tile for one in answer["seats"][0]["palazzi"] for tile in one["tiles"]} == set(chain(*FIRST))
    assert [doubt["reason"] for doubt in answer["unread"]] == ["dark"]
    assert (answer["seats"][0]["sure"], done.exit_code) == (False, 1)


def test_a_mirrored_tag_beside_others_is_reported(tmp_path: Path) -> None:
    """A tag seen in a mirror is reported, and the tags that are not mirrored count."""
    path = tmp_path / "a.png"
    glass = photographed(table([("PZ:B1.2", 60, 60, 0, 20.0)], (120, 120)), size=(600, 600))[:, ::-1]
    whole = photographed(table(stand(FIRST, 60, 200)), size=(1600, 1200))
    Image.fromarray(np.hstack([whole, np.vstack([glass, np.full_like(glass, 120)])])).save(path, compress_level=0)
    said = "Tags that are mirrored, or do not look like what they say, do not count (1)."
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert said in line["notes"]
    assert line["tags"]
    assert said in json.loads(CliRunner().invoke(score_command, [str(path), "--json"]).stdout)["notes"]


def cut(path: Path) -> None:
    Image.fromarray(seat()).save(path, quality=90)
    path.write_bytes(path.read_bytes()[:9000])


def animated(path: Path) -> None:
    Image.fromarray(flat(0)).save(path, format="PNG", save_all=True, append_images=[Image.fromarray(flat(90))])


CLOSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "one px": (lambda path: Image.new("L", (1, 1)).save(path, format="PNG"), "1 × 1 px is too small to show a tag"),
    "a hundred megapixels": (lambda path: Image.new("1", (10_000, 10_000)).save(path, format="PNG"), "megapixels"),
    "a strip": (lambda path: Image.new("L", (21, 60_000)).save(path, format="PNG"), "sides of more than 30000 px"),
    "truncated": (cut, "damaged or cut short"),
    "animated": (animated, "animated"),
    "no picture": (lambda path: path.write_bytes(b"hello"), "not a JPEG, PNG or WebP"),
    "empty": (lambda path: path.write_bytes(b""), "empty"),
}


@pytest.mark.parametrize("kind", CLOSED)
def test_a_file_that_is_not_a_usable_picture_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    """``read`` continues with the next file and ``score`` ends, both with status 1 and without a traceback."""
    make, said = CLOSED[kind]
    path, good = tmp_path / "a.jpg", tmp_path / "b.png"
    make(path)
    Image.fromarray(flat(0)).save(good)
    done = CliRunner().invoke(read_command, [str(path), str(good)])
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert said in first["error"]
    assert (first["tags"], second["error"], done.exit_code) == ([], None, 1)
    done = CliRunner().invoke(score_command, [str(path)])
    assert said in done.stderr
    assert done.exit_code == 1


@pytest.mark.parametrize("kind", ["CMYK", "16 bit"])
def test_unusual_colours_are_read_like_others(tmp_path: Path, kind: str) -> None:
    """Pictures with CMYK colours and with 16 bits per px are read like others."""
    photo = Image.fromarray(seat())
    if kind == "CMYK":
        photo.convert("CMYK").save(tmp_path / "a.jpg", quality=95)
    else:
        Image.fromarray(np.asarray(photo, np.uint16) * 257).save(tmp_path / "a.png", compress_level=0)
    answer = read_file(next(tmp_path.iterdir()), IDS, GAMES)
    assert {tag["id"] for tag in answer["tags"]} == {tile for column in FIRST for tile in column}


@pytest.mark.parametrize("size", [(1600, 1200), (1000, 750)], ids=["decoded", "recognised"])
def test_the_same_tag_in_two_places_is_sure_in_none(tmp_path: Path, size: tuple[int, int]) -> None:
    """``read`` lists both places as doubtful or none, with a sentence, and ``score`` counts neither."""
    path = tmp_path / "a.png"
    Image.fromarray(twice(size)).save(path, compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert all(tag["certainty"] <= 0.5 for tag in line["tags"] if tag["id"] == "B1.2")
    assert line["notes"].count("B1.2 can be seen in more than one place: none of them counts.") == 1
    answer = json.loads(CliRunner().invoke(score_command, [str(path), "--json"]).stdout)
    assert [palazzo["tiles"] for seat in answer["seats"] for palazzo in seat["palazzi"]] == [["B2.2"]]


def test_a_tag_that_only_one_way_of_reading_sees_a_second_time_is_not_sure_either() -> None:
    told = [{"id": "B1.2", "certainty": 0.97}, {"id": "B2.2", "certainty": 0.97}]
    second = Unreadable(
        Cause.DOUBLE, Message("B1.2 can be seen in more than one place: none of them counts."), piece="B1.2"
    )
    assert list(read_tags.double_notes(told, PhotoReading((), None, (second, second)))) == [second.message]
    assert [one["certainty"] for one in told] == [read_tags.MAX_DOUBTFUL_CERTAINTY, 0.97]


def test_two_games_on_one_table_are_told_apart(tmp_path: Path) -> None:
    """``read`` says that there are several games; ``score`` counts the one with most tags and names the others."""
    path = tmp_path / "a.png"
    Image.fromarray(two_games()).save(path, compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert any("Tags of several games or sets" in note and "PZB" in note for note in line["notes"])
    answer = json.loads(CliRunner().invoke(score_command, [str(path), "--json", "--set", ""]).stdout)
    tiles = {tile for seat in answer["seats"] for palazzo in seat["palazzi"] for tile in palazzo["tiles"]}
    assert tiles <= {tile for column in FIRST for tile in column}
    assert any("PZB:" in note for note in answer["notes"])


def test_a_print_at_a_wrong_scale_is_reported(tmp_path: Path) -> None:
    """Tiles whose tags were printed at 94 % beside true markers are read, and the print is reported."""
    laid: list[Laid] = [("TT:Q1", 40, 40, 0, 40.0), ("TT:Q2", 360, 40, 0, 40.0), ("TT:Q3", 200, 260, 0, 40.0)]
    laid += [(payload, x, y, angle, 18.8) for payload, x, y, angle, _ in stand(FIRST, 60, 200)]
    path = tmp_path / "a.png"
    Image.fromarray(photographed(table(laid), 10)).save(path, compress_level=0)
    line = json.loads(CliRunner().invoke(read_command, [str(path)]).stdout)
    assert {tile for column in FIRST for tile in column} <= {tag["id"] for tag in line["tags"]}
    assert any("printed at 94 %" in note for note in line["notes"])
