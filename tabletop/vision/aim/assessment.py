"""The assessment of how the camera is aimed, as data: its zones, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.messages import Message
from tabletop.vision.geometry.camera_pose import CameraPose
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.scene import Point, Sighting, Unreadable
from tabletop.vision.tags import payloads

MIN_MODULE_PX = 0.9
"""Px per module below which tags are missed in ordinary light (``docs/reading.md``)."""
GOOD_MODULE_PX = 1.2
"""Px per module from which nearly every tag is readable even in hard light."""
MIN_ZONE_FRACTION = 0.97
"""Least fraction of a zone in the picture if it is not cut off; people lay cards a few mm off."""
MAX_GLARE_FRACTION = 0.01
"""Largest fraction of a zone hidden by glare that is not reported."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One warning or advice: a stable code, the sentence, and the facts in it (lengths in cm, px per module, zones)."""

    code: str
    message: Message
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the hint as plain data."""
        return {"code": self.code, "message": self.message, "facts": dict(self.facts)}


@dataclass(frozen=True, slots=True)
class ZoneAim:
    """The assessment of one zone; the numbers are None while its marker is not seen.

    Attributes:
        name: as in the layout; title: as printed on its card.
        modules: px per module of a piece's smallest tag, at the place in the zone where it is lowest.
        inside: fraction of its area that lies in the picture.
        blur: standard deviation of the blur at its marker, px.
        glare: fraction of its area in which glare hides everything.
        pieces: the number of pieces' tags that are read in it.
        unreadable: the reasons of the places in it that cannot be read.
        corners: of its area in the picture, px, from its own top left, clockwise.
    """

    name: str
    title: Message
    modules: float | None = None
    inside: float | None = None
    blur: float | None = None
    glare: float = 0.0
    pieces: int = 0
    unreadable: tuple[str, ...] = ()
    corners: tuple[Point, ...] = ()

    @property
    def seen(self) -> bool:
        """Whether its marker is read."""
        return self.modules is not None

    @property
    def quality(self) -> str:
        """``bad`` if tags in it are missed, ``good`` if they are readable even in hard light, ``fair`` in between."""
        modules = self.modules or 0.0
        if modules < MIN_MODULE_PX or (self.inside or 0.0) < MIN_ZONE_FRACTION or self.glare > MAX_GLARE_FRACTION:
            return "bad"
        return "good" if modules >= GOOD_MODULE_PX else "fair"


def least_modules(zones: Iterable[ZoneAim]) -> float | None:
    """Return the least px per module of any zone, None while none is seen."""
    return min((zone.modules for zone in zones if zone.modules is not None), default=None)


@dataclass(frozen=True, slots=True)
class Aim:
    """The assessment of how the camera is aimed, from one picture.

    ``warnings`` say what is wrong, ``advice`` what to do, most urgent first.  ``print_scale`` is the printed size of
    the pieces' tags relative to the markers, as a fraction of what it should be; None while too few are read.
    """

    zones: tuple[ZoneAim, ...]
    warnings: tuple[Hint, ...] = ()
    advice: tuple[Hint, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    foreign: int = 0
    plane: Plane | None = None
    camera_pose: CameraPose | None = None
    blur: float | None = None
    print_scale: float | None = None

    @property
    def ready(self) -> bool:
        """Whether a game can be played with the camera as it is."""
        return bool(self.zones) and not self.warnings and all(zone.seen for zone in self.zones)

    @property
    def markers(self) -> int:
        """The number of zones whose markers are read."""
        return sum(zone.seen for zone in self.zones)

    @property
    def pieces(self) -> int:
        """The number of pieces' tags that are read, wherever they lie."""
        return sum(payloads.marker_of(each.payload) is None for each in self.sightings)

    @property
    def modules(self) -> float | None:
        """The least px per module of any zone, None while none is seen."""
        return least_modules(self.zones)

    def to_json(self) -> dict[str, Any]:
        """Return the assessment as plain data, without the places of the tags."""
        return {
            "ready": self.ready,
            "markers": {"read": self.markers, "of": len(self.zones)},
            "pieces": self.pieces,
            "unreadable": [each.reason for each in self.unreadable],
            "foreign": self.foreign,
            "modules": _rounded(self.modules, 2),
            "blur": _rounded(self.blur, 2),
            "height_mm": _rounded(self.camera_pose.height, 0) if self.camera_pose is not None else None,
            "aslant": _rounded(self.camera_pose.tilt, 1) if self.camera_pose is not None else None,
            "print_scale": _rounded(self.print_scale, 3),
            "zones": [
                {
                    "zone": zone.name, "title": zone.title, "seen": zone.seen, "quality": zone.quality,
                    "modules": _rounded(zone.modules, 2), "inside": _rounded(zone.inside, 2),
                    "blur": _rounded(zone.blur, 2), "glare": _rounded(zone.glare, 2),
                    "pieces": zone.pieces, "unreadable": list(zone.unreadable),
                }
                for zone in self.zones
            ],
            "warnings": [hint.to_json() for hint in self.warnings],
            "advice": [hint.to_json() for hint in self.advice],
        }  # fmt: skip


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
