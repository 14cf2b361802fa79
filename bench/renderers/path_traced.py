"""A camera whose light a third-party renderer traces, ray by ray: Mitsuba 3 (https://www.mitsuba-renderer.org).

Pieces are solid and lie on each other; lamps, a window, people who block its light, varnish and laminated paper are
modelled physically, and a thin lens sees them.  Only the sensor and its processor are those of
:mod:`bench.renderers.raw_sensor`.  ``pip install mitsuba`` installs the tracer; with the library of LLVM 16 or later in
the environment variable ``DRJIT_LIBLLVM_PATH`` it is five times as fast.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.painting import MM, Disc, Laid, Painter
from bench.renderers.lamps import COLOURS, THICK
from bench.renderers.raw_sensor import LINEAR, RAW_LEVELS, Exposure, blurred, developed

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
Scene = dict[str, Any]
"""A dictionary that describes a scene, or a part of one, for Mitsuba."""
RAYS_PER_PX = 36
"""The number of rays that are traced per pixel."""
MAX_BOUNCES = 3
"""The most reflections of light on its way from a lamp to the camera."""
DISTANCE_MM, SEEN_MM = 950.0, 740.0
"""The distance of the camera, and how much of the table it sees from top to bottom."""
GROUND_STEP = 2
"""The factor by which the canvas of the table is reduced along each side."""
PAPER_MM = 0.1
"""The thickness of a label."""
EDGE_REFLECTANCE = 0.7
"""The fraction of light that the cut edges of pieces reflect."""
BULB_RADIUS_MM, WINDOW_SIDES_MM = 35.0, (1000.0, 1300.0)
PERSON_SIDES_MM = (380.0, 220.0, 900.0)
SEEN_MARGIN = 0.15
"""How far outside the picture lamps are at least, as a fraction of its sides."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """The lighting of a room, and the settings of the camera."""

    bulbs: int
    """The number of bulbs over the table; together they light the paper below with 1, the unit of the other lights."""
    heights: tuple[float, float]
    """The least and greatest height of a bulb, mm."""
    window: float
    """The light from a window."""
    everywhere: float
    """The ambient light."""
    people: int
    """The number of people around the table, whose shadows may cover parts of it."""
    laminated: float
    """The share of the pieces that are laminated with a film."""
    film: float
    """The roughness of that film: the smoother, the more it mirrors."""
    varnish: float
    """The roughness of the table's varnish."""
    opening: float
    """The aperture of the lens, mm."""
    beyond: float
    """How far beyond the table the lens is focused, as a fraction of the distance."""
    exposure: Exposure
    """The properties of sensor and processor, and the camera's tremor."""


ROOMS = {
    "clean": Room(
        bulbs=1,
        heights=(1400, 1800),
        window=0.8,
        everywhere=0.4,
        people=0,
        laminated=0.2,
        film=0.3,
        varnish=0.25,
        opening=2.0,
        beyond=0.01,
        exposure=replace(RAW_LEVELS["clean"].exposure, defocus=0.7),
    ),
    "moderate": Room(
        bulbs=2,
        heights=(900, 1300),
        window=0.6,
        everywhere=0.25,
        people=1,
        laminated=0.4,
        film=0.2,
        varnish=0.2,
        opening=3.0,
        beyond=0.03,
        exposure=replace(RAW_LEVELS["moderate"].exposure, defocus=1.2),
    ),
    "hard": Room(
        bulbs=2,
        heights=(500, 900),
        window=0.3,
        everywhere=0.1,
        people=2,
        laminated=0.6,
        film=0.12,
        varnish=0.15,
        opening=3.0,
        beyond=0.05,
        exposure=replace(RAW_LEVELS["hard"].exposure, defocus=1.2, electrons=220),
    ),
}
"""Rooms by level, set so that AprilTag 3 reads about as much as in an unrelated camera; our reader was not used."""


class TracedCamera:
    """A camera above a table: its place, and the light it saw last, from which every picture is developed."""

    def __init__(self, size: tuple[int, int], tilt: float = 10, turn: float = 3, seen: float = SEEN_MM) -> None:
        self.size = size
        pitch, roll = np.radians(tilt), np.radians(turn)
        self._place: Array = DISTANCE_MM * np.array((0, -np.sin(pitch), np.cos(pitch)))
        self._ahead: Array = -self._place / DISTANCE_MM
        level, up = np.array((1.0, 0, 0)), np.array((0, np.cos(pitch), np.sin(pitch)))
        self._right: Array = np.cos(roll) * level + np.sin(roll) * up
        self._up: Array = np.cos(roll) * up - np.sin(roll) * level
        self._focal_px = (size[1] - 10) * DISTANCE_MM / seen
        self._seen: tuple[Painter, Room, Floats] | None = None

    def to_px(self, mm: Array) -> Array:
        """Return the pixels of points (n, 2) mm of the table."""
        return self._projected(np.column_stack([mm[:, 0], -mm[:, 1], np.zeros(len(mm))]))

    def _projected(self, places: Array) -> Array:
        """Return the pixels of places (n, 3) of the room."""
        ways = places - self._place
        across, down = ways @ self._right, -(ways @ self._up)
        px: Array = np.column_stack([across, down]) * self._focal_px / (ways @ self._ahead)[:, None]
        return px + (np.array(self.size) - 1) / 2

    def _unseen(self, far: tuple[float, float], high: tuple[float, float], rng: np.random.Generator) -> Array:
        """Return a place for a lamp outside the picture: ``far`` from the table's middle, ``high`` above it, mm."""
        while True:
            way, away = rng.uniform(0, 2 * np.pi), rng.uniform(*far)
            place = np.array((away * np.cos(way), away * np.sin(way), rng.uniform(*high)))
            off = np.abs(self._projected(place[None])[0] / self.size - 0.5)
            if off.max() > 0.5 + SEEN_MARGIN or (place - self._place) @ self._ahead < 0:
                return place

    def see(
        self, painter: Painter, level: Room, rng: np.random.Generator, light: np.random.Generator | None = None
    ) -> NDArray[np.uint8]:
        """Return a picture of a table; ``light`` generates the room if several pictures share it."""
        furniture, white = (light or rng).spawn(2)
        if self._seen is None or self._seen[0] is not painter or self._seen[1] is not level:
            self._seen = painter, level, self.light_on(_table(painter, level, furniture), level, furniture)
        shaken = blurred(self._seen[2], 1, level.exposure, self.size[1] / 1080, rng)
        return developed(shaken, level.exposure, rng, white)

    def light_on(self, table: Scene, room: Room, rng: np.random.Generator) -> Floats:
        """Return the light that reaches each pixel, (rows, columns, 3), from a table in a room."""
        mi = _tracer()
        path = {"type": "path", "max_depth": MAX_BOUNCES + 1}
        scene = {"type": "scene", "integrator": path, "sensor": self._lens(room)}
        scene |= table | self._lights(room, rng) | _people(room, rng)
        traced = mi.render(mi.load_dict(scene), seed=int(rng.integers(1 << 31)))
        return np.asarray(np.array(traced), np.float32)

    def _lens(self, room: Room) -> Scene:
        width, height = self.size
        return {
            "type": "thinlens",
            "fov": float(np.degrees(2 * np.arctan(width / 2 / self._focal_px))),
            "aperture_radius": room.opening / 2,
            "focus_distance": DISTANCE_MM * (1 + room.beyond),
            "to_world": transform().look_at(self._place.tolist(), [0, 0, 0], self._up.tolist()),
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
                "component_format": "float32",
            },
            "sampler": {"type": "multijitter", "sample_count": RAYS_PER_PX},
        }

    def _lights(self, room: Room, rng: np.random.Generator) -> Scene:
        """Return the bulbs, the window and the ambient light; none of them is in the picture."""
        scene: Scene = {"everywhere": {"type": "constant", "radiance": _rgb(room.everywhere / np.pi, rng)}}
        for number in range(room.bulbs):
            place = self._unseen((100, 600), room.heights, rng)
            distance = float(np.linalg.norm(place))
            bright = distance**3 / (np.pi * BULB_RADIUS_MM**2 * float(place[2])) / room.bulbs
            scene[f"bulb{number}"] = {
                "type": "sphere",
                "center": place.tolist(),
                "radius": BULB_RADIUS_MM,
                "emitter": {"type": "area", "radiance": _rgb(bright, rng)},
            }
        place = self._unseen((1400, 2200), (WINDOW_SIDES_MM[1] / 2 + 200,) * 2, rng)
        distance, slant = float(np.linalg.norm(place)), float(place[2] / np.linalg.norm(place))
        bright = room.window * distance**2 / (float(np.prod(WINDOW_SIDES_MM)) * slant * np.sqrt(1 - slant**2))
        upright = transform().look_at(place.tolist(), [0, 0, place[2]], [0, 0, 1])
        scene["window"] = {
            "type": "rectangle",
            "to_world": upright.scale([*(side / 2 for side in WINDOW_SIDES_MM), 1]),
            "emitter": {"type": "area", "radiance": _rgb(bright, rng)},
        }
        return scene


@cache
def _tracer() -> Any:
    """Return Mitsuba, set up for this machine."""
    import mitsuba

    mitsuba.set_variant("llvm_ad_rgb" if "DRJIT_LIBLLVM_PATH" in os.environ else "scalar_rgb")
    return mitsuba


def transform() -> Any:
    """Return the identity transform, to which other transforms are appended."""
    return _tracer().ScalarTransform4f()


def _table(painter: Painter, room: Room, rng: np.random.Generator) -> Scene:
    """Return the table and everything that lies on it, pieces laid later on top of earlier ones."""
    step = 1 / GROUND_STEP
    ground = cv2.resize(painter.ground, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    wood = _tinted(np.asarray(ground, np.uint8), rng.uniform((0.9, 0.7, 0.5), 1.0))
    scene = table_top(wood, GROUND_STEP / MM, room.varnish)
    tops: list[float] = []
    for number, laid in enumerate(painter.laid):
        beneath = [top for other, top in zip(painter.laid[:number], tops, strict=True) if _overlap(laid, other)]
        tops.append(max(beneath) + PAPER_MM if beneath else rng.uniform(*THICK))
        film = room.film if rng.random() < room.laminated else None
        face = _tinted(laid.picture, rng.uniform(0.85, 1.0, 3))
        scene |= solid(f"piece{number}", (laid.x, laid.y, laid.angle), (laid.width, laid.long, tops[-1]), face, film)
    for number, disc in enumerate(painter.discs):
        scene |= _disc(f"disc{number}", disc, max(tops, default=0.0) + PAPER_MM, rng)
    return scene


def _tinted(picture: NDArray[np.uint8], tint: Array) -> Floats:
    """Return the light that a grey print on tinted paper reflects, (rows, columns, 3)."""
    return LINEAR[picture][..., None] * tint.astype(np.float32)


def table_top(light: Floats, step: float, varnish: float | None) -> Scene:
    """Return a table that reflects light (rows, columns, 3), each element being ``step`` mm wide."""
    high, wide, _ = light.shape
    shape = transform().scale([wide * step / 2, high * step / 2, 1])
    return {"table": {"type": "rectangle", "to_world": shape, "bsdf": _surface(light, varnish)}}


def solid(
    name: str, lying: tuple[float, float, float], sides: tuple[float, float, float], light: Floats, film: float | None
) -> Scene:
    """Return a piece at ``lying`` (x, y in mm, y downwards, degrees clockwise) whose face reflects ``light``.

    ``sides``: its width, length and height, mm; ``film``: the roughness of a film on its face, None for bare paper.
    """
    x, y, turn = lying
    width, long, high = sides
    flat = transform().translate([x, -y, 0]).rotate([0, 0, 1], -turn)
    body = flat.translate([0, 0, high / 2]).scale([width / 2, long / 2, high / 2])
    face = flat.translate([0, 0, high + PAPER_MM / 10]).scale([width / 2, long / 2, 1])
    return {
        f"{name} body": {"type": "cube", "to_world": body, "bsdf": plain(EDGE_REFLECTANCE)},
        f"{name} face": {"type": "rectangle", "to_world": face, "bsdf": _surface(light, film)},
    }


def plain(light: float | list[float]) -> Scene:
    """Return a surface that reflects that fraction of light, or those of red, green and blue."""
    return {"type": "diffuse", "reflectance": {"type": "rgb", "value": light}}


def _disc(name: str, disc: Disc, above: float, rng: np.random.Generator) -> Scene:
    """Return a disc that lies on top of everything."""
    high = above + rng.uniform(*THICK)
    middle = [disc.x, -disc.y, high]
    grey = plain(float(LINEAR[disc.grey]))
    return {
        name: {
            "type": "disk",
            "to_world": transform().translate(middle).scale([disc.radius, disc.radius, 1]),
            "bsdf": grey,
        },
        f"{name} rim": {
            "type": "cylinder",
            "p0": [disc.x, -disc.y, 0],
            "p1": middle,
            "radius": disc.radius,
            "bsdf": grey,
        },
    }


def _surface(light: Floats, film: float | None) -> Scene:
    """Return a surface that reflects light (rows, columns, 3); ``film``: a film's roughness, None for bare paper."""
    # Mitsuba counts rows from the bottom.
    print_ = {"type": "bitmap", "bitmap": _tracer().Bitmap(np.ascontiguousarray(light[::-1])), "raw": True}
    print_ |= {"wrap_mode": "clamp"}
    if film is None:
        return {"type": "diffuse", "reflectance": print_}
    return {"type": "roughplastic", "alpha": film, "diffuse_reflectance": print_}


def _overlap(one: Laid, other: Laid) -> bool:
    area, _ = cv2.intersectConvexConvex(one.outline.astype(np.float32), other.outline.astype(np.float32))
    return area > 0


def _people(room: Room, rng: np.random.Generator) -> Scene:
    """Return people who stand around the table, as dark blocks."""
    scene: Scene = {}
    for number in range(room.people):
        way, (width, deep, high) = rng.uniform(0, 2 * np.pi), PERSON_SIDES_MM
        stands = transform().rotate([0, 0, 1], float(np.degrees(way))).translate([850, 0, high / 2 - 200])
        scene[f"person{number}"] = {
            "type": "cube",
            "to_world": stands.scale([deep / 2, width / 2, high / 2]),
            "bsdf": plain(0.1),
        }
    return scene


def _rgb(bright: float, rng: np.random.Generator) -> Scene:
    return {"type": "rgb", "value": (bright * rng.choice(COLOURS)).tolist()}
