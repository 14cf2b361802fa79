"""Photographs of final tables of any game, scored by the game's own tally: is the score right or marked as doubtful?

``python -m tests.campaigns.photo_scores --game patrician [--sets 36] [--first 0] [--seed 1] [--out DIR]`` plays random
games to their ends, lays the final tables with the simulator, adds things that do not belong there, and photographs
them with 12 megapixels, tilted by 10 to 45°, in four levels of light, upright or not: the whole table from two sides,
or the whole and each seat.  Each set is printed with its verdict; the exit status is 1 if one was silently wrong.
``--out`` keeps the pictures.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from doubles.final_table import laid_table
from tabletop.rules import registry
from tabletop.rules.game import Game, Position
from tabletop.rules.table import ZoneShape
from tabletop.simulator.camera.lens import PHONE_SIZE_PX, CameraModel, hold_phone
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.world import World, modules
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.kit import Kit
from tabletop.vision.report.score_files import Scorer, tally_of
from tabletop.vision.score.score import Score
from tabletop.vision.score.tally import StatedFacts, Tally, scoring_of
from tests.campaigns.covered import covered, outlines
from tests.campaigns.photographs import Array, Bytes

TILTS = (10, 28, 45)
"""Tilts of the camera from straight down, degrees."""
LEVELS = 4
FAR, NEAR = 1300, 620
"""Distance of the camera from the middle of the table, and from that of a seat, mm."""
UPRIGHT = {1: None, 3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
"""EXIF's orientation → how the pixels of such a file are turned."""
CLUTTER = ("cup", "paper", "cup")
AROUND = 90.0
"""How far off the table things may stand, mm."""
APART = 45.0
"""Distance that things keep from what counts, mm: tall things lean in the picture."""
FAN = 23.4
"""Distance between the tags of spread cards, mm: every tag shows with its white border."""
GAMMA = 2.2
NOISE_GREY = 2.0
"""Standard deviation of the noise of things that are painted into a photograph, grey levels."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The part of a photograph that begins at a pixel, as a camera for those who paint into it."""

    eye: CameraModel
    left: int = 0
    top: int = 0

    @property
    def focal(self) -> float:
        """The focal length, px."""
        return self.eye.focal

    def px(self, points: Array) -> Array:
        """Return the pixels of the part at which points (n, 3) of the table, mm, are seen."""
        return np.concatenate([self.eye.project(one[None, :2], float(one[2])) for one in points]) - (
            self.left,
            self.top,
        )


def final(game: Game, seats: int, rng: random.Random) -> Position:
    """Return the end of a game whose acts are drawn at random."""
    position = game.new([f"Seat {number + 1}" for number in range(seats)])
    while not position.over:
        legal = [*position.legal.thrifty()] if position.decider is not None else []
        position = position.after(rng.choice(legal) if legal else game.draw(position, rng))
    return position


def laid(position: Position, make: str, harsh: int, seed: int) -> World:
    """Return the final table, with the cards of piles spread over their seats' areas so that every tag shows."""
    world = laid_table(position, harsh, seed, make)
    for name, zone in world.table.zones.items():
        if zone.shape is ZoneShape.PILE and name in world.table.owners:
            for number, piece in enumerate(sorted(world.table.pieces_in(name))):
                size = world.table.sizes[world.table.pieces[piece].kind]
                down, across = divmod(number, 8)
                x = zone.area[0] + 10.5 + FAN * across - size.tag_x
                y = zone.area[1] + 4 + FAN * down - size.tag_y
                mark = world.table.marks[zone.marker]
                world.table.put_at(piece, PiecePose(*mark.out(x, y), mark.angle), name)
    return world


def counting(world: World, tally: Tally) -> list[Array]:
    """Return the outlines, mm, of everything that counts: areas of seats, towers, counted pieces and markers."""
    found = [
        np.array([world.table.marks[zone.marker].out(x, y) for x, y in corners_of(zone.area).tolist()])
        for zone in world.table.zones.values()
        if zone.name.rstrip("0123456789") in tally.zones or zone.shape is ZoneShape.TOWER
    ]
    spots = [*world.table.marks.values()]
    spots += [one.pose for one in world.table.lying.values() if one.kind == tally.kind]
    for spot in spots:
        found.append(np.array([spot.out(x, y) for x, y in ((-32, -32), (32, -32), (32, 32), (-32, 32))]))
    return found


def free_places(world: World, tally: Tally, rng: np.random.Generator) -> Iterator[Array]:
    """Iterate over places, mm, on or beside the table where a thing hides nothing that counts."""
    width, height = world.table.extent
    taken = [outline.astype(np.float32) for outline in counting(world, tally)]
    for _ in range(400):
        place = rng.uniform((-AROUND, -AROUND), (width + AROUND, height + AROUND))
        spot = (float(place[0]), float(place[1]))
        if all(cv2.pointPolygonTest(outline, spot, True) < -APART - 45 for outline in taken):
            yield place


def cluttered(photo: Bytes, eye: CameraModel, things: Sequence[tuple[str, Array]], rng: np.random.Generator) -> None:
    """Paint those things into a photograph that are in its view."""
    for kind, place in things:
        corners = np.concatenate(outlines(np.random.default_rng(1), kind, place))
        if not eye.faces(corners):
            continue
        px = Lens(eye).px(np.column_stack([corners, np.zeros(len(corners))]))
        left, top = np.maximum(px.min(axis=0) - 150, 0).astype(int)
        right, bottom = np.minimum(px.max(axis=0) + 150, photo.shape[1::-1]).astype(int)
        if right - left < 50 or bottom - top < 50:
            continue
        part = photo[top:bottom, left:right]
        light = (part.astype(np.float32) / 255) ** GAMMA
        covered(rng, light, Lens(eye, int(left), int(top)), kind, place)  # type: ignore[arg-type]
        before = part.copy()
        part[...] = np.clip(light, 0, 1) ** (1 / GAMMA) * 255
        part[...] = np.where(part == before, part, np.clip(part + rng.normal(0, NOISE_GREY, part.shape), 0, 255))


def saved(photo: Bytes, path: Path, orientation: int, quality: int) -> Path:
    """Write a photograph as a phone held that way does: its pixels turned, and the turn noted in EXIF."""
    image = Image.fromarray(photo[..., ::-1])
    turned = UPRIGHT[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    (image if turned is None else image.transpose(turned)).save(path, quality=quality, exif=exif)
    return path


def views(world: World, number: int, tilt: int, tally: Tally, rng: np.random.Generator) -> list[CameraModel]:
    """Return the cameras of a set: the whole table from two sides, or the whole and each seat.

    Cards that overlap are photographed seat by seat, as the guide says.
    """
    width, height = world.table.extent
    middle, way = (width / 2, height / 2), float(rng.uniform(0, 360))
    whole = hold_phone(middle, FAR, tilt, way)
    if number % 2 == 0 and tally.apart:
        return [whole, hold_phone(middle, FAR, tilt, way + 180)]
    seats = [zone for zone in world.table.zones if zone.rstrip("0123456789") == tally.zones[0]]
    centres = [world.table.centre(zone) for zone in seats]
    return [whole, *(hold_phone(centre, NEAR, tilt, float(rng.uniform(0, 360))) for centre in centres)]


def told_tokens(position: Position, make: str) -> dict[int, int]:
    """Return everybody's tokens as people state them; empty if the photograph shows the pieces that earn them."""
    table = position.game.table
    if table is None or not scoring_of(position.game).tokens or not table.bare(make):
        return {}
    return {
        seat: sum(int(part["points"]) for part in one.parts if "city" in part)
        for seat, one in enumerate(position.score())
    }


def verdict(found: Score, position: Position) -> str:
    """Return the verdict on a score, compared with that of the rules."""
    told = {seat.seat: seat.points for seat in found.seats}
    true = {seat: one.points for seat, one in enumerate(position.score())}
    sure = bool(found.seats) and not found.unread and all(seat.sure for seat in found.seats)
    if told == true:
        return "right" if sure else "right, in doubt"
    return f"SILENT {told} for {true}" if sure else "in doubt"


def photographed(game: Game, number: int, seed: int, folder: Path) -> tuple[str, Score, str]:
    """Return what is photographed, the score of its pictures, and the verdict."""
    rng, chance = np.random.default_rng([seed, number]), random.Random(f"{seed} {number % 3}")
    seats = [*game.seat_range][number % 3 if number % 3 < 2 else -1]
    make = tuple(game.makes)[number // 3 % 2]
    harsh, tilt = number // 9 % LEVELS, TILTS[number // 3 % 3]
    position = final(game, seats, chance)
    given = conditions(harsh)
    world = laid(position, make, harsh, seed + number)
    tally = tally_of(game, StatedFacts(tokens=told_tokens(position, make), make=make))
    places = free_places(world, tally, rng)
    things = [(kind, place) for kind, place in zip(CLUTTER, places, strict=False)]
    cameras = views(world, number, tilt, tally, rng)
    camera = SimulatedCamera(
        world.table,
        modules,
        size=PHONE_SIZE_PX,
        given=given,
        seed=number,
        colour=True,
        clock=lambda: 0.0,
        stands=cameras[0],
    )
    scorer, read = Scorer(Kit(game, make), tally), []
    for shot, eye in enumerate(cameras):
        if shot:
            camera.stand(eye)
        photo = camera.frame(0.0).colour
        assert photo is not None
        photo = photo.copy()
        cluttered(photo, eye, things, rng)
        path = folder / f"{game.name}-{number}-{shot}.jpg"
        read.append(scorer.read(saved(photo, path, [*UPRIGHT][(number + shot) % 4], given.jpeg)))
    found = scorer.score(read)
    about = f"{seats} seats, {make}, light {harsh}, {tilt}°, {len(read)} pictures"
    return about, found, verdict(found, position)


def main() -> int:
    """Score the sets that are asked for and print each with its verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True)
    parser.add_argument("--sets", type=int, default=36)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(asked.first, asked.first + asked.sets):
            folder = asked.out or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            about, found, said = photographed(registry.game(asked.game), number, asked.seed, folder)
            counts[said.split()[0] if said.startswith("SILENT") else said] += 1
            doubts = dict(Counter(f"{one.reason}: {one.message}" for _, one in found.unread).most_common(4))
            print(f"{number}: {about}: {said} {doubts or ''}", flush=True)
            if asked.out is None:
                for path in folder.iterdir():
                    path.unlink()
    print(", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
    return 1 if counts["SILENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
