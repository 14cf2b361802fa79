"""Final tables in light that a third-party renderer traces: is each seat right or marked as doubtful?

``python -m tests.campaigns.traced_tables [--cases 10] [--of bare things] [--first 0] [--seed 1] [--out DIR]`` lays
tables as :mod:`tests.campaigns.final_tables` does, photographs them with :mod:`bench.renderers.path_traced`, which says
what it needs, and prints each case with its verdict.  ``things``: a cup, a sheet, a telephone, a coin, a ball or an arm
stands on a tile, or the tile is turned over.  The exit status is 1 if one was silently wrong; ``--out`` keeps the
pictures.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.renderers import to_measure
from bench.renderers.path_traced import ROOMS, Room, Scene, TracedCamera, plain, solid, table_top, transform
from bench.renderers.raw_sensor import blurred, developed
from tests.campaigns.final_tables import AREA, Case, FinalTable, laid_out, options, run, turned_over
from tests.campaigns.photographer import LINEAR
from tests.campaigns.photographs import Array, Bytes, Piece

SIZE = (2592, 1944)
SEEN_MM = 1180.0
"""Length of the table seen from the top to the bottom of the picture, mm."""
GROUND_STEP_PX, GROUND_PX_PER_MM = 2, 4
"""Pixels of the ground along each side that are merged into one, and the ground's pixels per mm."""
CARD_MM = 0.25
"""Thickness of the card on which tiles lie, mm."""
ELECTRONS_FACTOR, DEFOCUS_FACTOR = 3.0, 0.7
"""Factors on the electrons and on the defocus blur of a frame of the table's camera: a photograph has more light."""
THINGS = ("cup", "sheet", "telephone", "coin", "ball", "arm", "turned over")
WAYS = ("bare", "things")


def laid(table: FinalTable, room: Room, rng: np.random.Generator) -> Scene:
    """Return a table and its pieces as a scene for the tracer."""
    ground = table.under[::GROUND_STEP_PX, ::GROUND_STEP_PX]
    varnish = room.varnish if rng.random() < 0.5 else None
    scene = table_top(_light(ground), GROUND_STEP_PX / GROUND_PX_PER_MM, varnish)
    for number, piece in enumerate(table.pieces):
        x, y = _middle(piece)
        film = room.film if rng.random() < room.laminated else None
        high = piece.thick + (CARD_MM if piece.thick > 1 else 0)
        light = _light(piece.picture) * rng.uniform(0.9, 1.0, 3).astype(np.float32)
        scene |= solid(f"piece{number}", (x, y, float(np.degrees(piece.turn))), (*piece.size, high), light, film)
    return scene


def _light(picture: Bytes) -> NDArray[np.float32]:
    """Return the red, green and blue light that a print, given in the order blue, green, red, reflects."""
    light: NDArray[np.float32] = LINEAR[picture[..., ::-1]]
    return light


def _middle(piece: Piece) -> Array:
    """Return the place of a piece, mm from the middle of the table."""
    return np.array(piece.middle) - np.array(AREA) / 2


def standing_on(kind: str, piece: Piece, rng: np.random.Generator) -> Scene:
    """Return a thing that stands or lies about where a piece does."""
    x, y = (_middle(piece) + rng.normal(0, 5, 2)) * (1, -1)
    colour, way = rng.uniform(0.05, 0.8, 3).tolist(), rng.uniform(0, 360)
    if kind == "cup":
        radius, high = rng.uniform(28, 42), rng.uniform(50, 100)
        return _upright("cup", (x, y), radius, high, plain(colour)) | _disk(
            "tea", (x, y), radius, 0.8 * high, [0.05, 0.02, 0.01]
        )
    if kind == "coin":
        return _upright("coin", (x, y), 12, 5, plain([0.5, 0.4, 0.2])) | _disk("head", (x, y), 12, 5, [0.5, 0.4, 0.2])
    if kind == "ball":
        return {"ball": {"type": "sphere", "center": [x, y, 20], "radius": 20, "bsdf": plain(colour)}}
    if kind == "arm":
        skin, along = plain([0.55, 0.35, 0.26]), np.array((np.cos(np.radians(way)), np.sin(np.radians(way))))
        (near_x, near_y), (far_x, far_y), hand = ((x, y) + reach * along for reach in (60, 700, 20))
        arm = {"type": "cylinder", "p0": [near_x, near_y, 35], "p1": [far_x, far_y, 80], "radius": 35}
        return {
            "arm": arm | {"bsdf": {"type": "twosided", "skin": skin}},
            "hand": {"type": "sphere", "center": [*hand.tolist(), 30], "radius": 40, "bsdf": skin},
        }
    sides, high, light = ((36, 75), 4.0, 0.02) if kind == "telephone" else (rng.uniform((30, 40), (75, 105)), 0.15, 0.7)
    flat = transform().translate([x, y, 3 + high]).rotate([0, 0, 1], way)
    return {kind: {"type": "cube", "to_world": flat.scale([*sides, high]), "bsdf": plain(light)}}


def _upright(name: str, place: tuple[float, float], radius: float, high: float, surface: Scene) -> Scene:
    """Return a tube that stands on the table."""
    tube = {"type": "cylinder", "p0": [*place, 0], "p1": [*place, high], "radius": radius}
    return {name: tube | {"bsdf": {"type": "twosided", "surface": surface}}}


def _disk(name: str, place: tuple[float, float], radius: float, high: float, colour: list[float]) -> Scene:
    shape = transform().translate([*place, high]).scale([radius, radius, 1])
    return {name: {"type": "disk", "to_world": shape, "bsdf": plain(colour)}}


def traced_case(rng: np.random.Generator, way: str) -> Case:
    """Return a table and its picture."""
    table, level = laid_out(rng), str(rng.choice(["clean", "moderate", "moderate", "hard"]))
    there = [piece for piece in table.pieces if piece.name]
    piece = there[int(rng.integers(len(there)))]
    thing = str(rng.choice(THINGS)) if way == "things" else "bare"
    lying = turned_over(rng, table, [piece]) if thing == "turned over" else table
    exposure = ROOMS[level].exposure
    exposure = replace(
        exposure, electrons=exposure.electrons * ELECTRONS_FACTOR, defocus=exposure.defocus * DEFOCUS_FACTOR
    )
    room = replace(ROOMS[level], exposure=exposure)
    camera = TracedCamera(SIZE, float(rng.uniform(0, 35)), float(rng.normal(0, 2)), SEEN_MM)
    scene = laid(lying, room, rng)
    if thing in THINGS[:-1]:
        scene |= standing_on(thing, piece, rng)
    light = blurred(camera.light_on(scene, room, rng), 1, exposure, SIZE[1] / 1080, rng)
    picture = developed(light, exposure, rng, rng, cv2.IMREAD_COLOR)
    return Case([picture], table, {piece.name} if way == "things" else set(), f"{thing}, {level}")


def main() -> int:
    asked = options(__doc__, WAYS, 10).parse_args()
    to_measure(["traced"])
    cv2.setNumThreads(1)
    return run(asked, lambda way, number: traced_case(np.random.default_rng([asked.seed, number, len(way)]), way))


if __name__ == "__main__":
    sys.exit(main())
