"""Assesses how well one picture shows a table: how large each zone is, what is wrong, and what to do about it.

``look`` is a pure function of a frame; the terminal, the page and the setup show what it returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.messages import Message
from tabletop.rules.table import Zone
from tabletop.vision.aim import advice
from tabletop.vision.aim.assessment import Aim, ZoneAim
from tabletop.vision.aim.sharpness import TagSharpness, tag_sharpness
from tabletop.vision.detect.detection import Detection
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.other_sets import OtherSets
from tabletop.vision.frame import BURNT_GREY, Frame
from tabletop.vision.geometry.boxes import box, mean_side
from tabletop.vision.geometry.camera_pose import DEFAULT_FIELD_DEG, camera_pose, modules
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.zones import marker_poses, zone_at
from tabletop.vision.image.glare import MIN_SPOT_MM2, bright_spots
from tabletop.vision.kit import Kit
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Sighting, corner_points
from tabletop.vision.tags import catalogue, payloads
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

STEP_MM = 8.0
"""Distance of the points at which a zone is examined, mm."""


@dataclass(frozen=True, slots=True, eq=False)
class AimTarget:
    """What to search for at one table; made once, by :func:`aim_target`."""

    kit: Kit
    zones: tuple[Zone, ...]
    detector: Detector
    pieces: Recogniser

    @property
    def tag_mm(self) -> float:
        """The side of the smallest tag of a piece, mm, which has to be readable."""
        smallest = self.kit.smallest
        return smallest.size_mm if smallest is not None else self.kit.tag_mm


def aim_target(kit: Kit, seats: int) -> AimTarget:
    """Return what to search for at a game's table.  Raises ValueError for a game that does not describe its table."""
    table = kit.game.table
    if table is None:
        raise ValueError(
            Message("{game} is played on its pages, without a camera: there is nothing to aim at.", game=kit.game.title)
        )
    patterns = {entry.payload: kit.patterns[entry.payload] for entry in kit.pieces}
    return AimTarget(
        kit, tuple(table.zones(seats)), Detector(kit.patterns, kit.sides), Recogniser(patterns, kit.tag_mm)
    )


def assess_frame(frame: Frame, table: AimTarget, field: float = DEFAULT_FIELD_DEG) -> Aim:
    """Return the assessment of a frame; ``field``: the camera's horizontal field of view, degrees."""
    reading = table.detector.detect(frame.grey)
    plane = reading.plane
    if plane is None:
        blind = tuple(ZoneAim(zone.name, zone.title) for zone in table.zones)
        return Aim(blind, advice.no_marker_warnings(frame.grey), advice.no_marker_advice(), foreign=reading.foreign)
    prints = {
        each.payload: tag_sharpness(frame.grey, np.array(each.corners), table.kit.patterns[each.payload])
        for each in reading.sightings
    }
    poses = marker_poses(reading.sightings, table.zones)
    zones = tuple(_zone(zone, poses, table, reading, prints, frame) for zone in table.zones)
    pose = camera_pose(plane, field)
    blurs = [each.blur for each in prints.values() if each is not None]
    blur = float(np.median(blurs)) if blurs else None
    needed = np.concatenate([_outline(zone, poses[zone.name]) for zone in table.zones if zone.name in poses] or [_NONE])
    scale = reading.scale if _pieces(reading.sightings) >= advice.MIN_PRINTS and poses else None
    size = (frame.grey.shape[1], frame.grey.shape[0])
    light, smallest = _light(prints.values()), _smallest(table.kit)
    other = _other_tag_mm(frame, plane, reading.sightings, table)
    seen = advice.AdviceFacts(zones, pose, needed, blur, light, table.tag_mm, scale, *smallest, size, other)
    return Aim(
        zones,
        advice.warnings(seen),
        advice.advice(seen),
        reading.sightings,
        reading.unreadable,
        reading.foreign,
        plane,
        pose,
        blur,
        scale,
    )


_NONE: Array = np.zeros((0, 2))


def _smallest(kit: Kit) -> tuple[str, bool]:
    """Return the kind of piece with the smallest tag, and whether it has a larger one in another make.

    Empty and False if all tags have the same size.
    """
    smallest = kit.smallest
    if smallest is None or kit.game.table is None or len({entry.size_mm for entry in kit.pieces}) < 2:
        return "", False
    sides = [Kit(kit.game, make, kit.letter, kit.scale).tag_of(smallest.kind) for make in kit.game.makes]
    return smallest.kind, max(sides, default=0.0) > smallest.size_mm


def _other_tag_mm(frame: Frame, plane: Plane, sightings: Sequence[Sighting], table: AimTarget) -> int | None:
    """Return the printed side of a usual tag, mm, if no piece is read because it is not the expected one."""
    if _pieces(sightings):
        return None
    look = OtherSets(frame.grey, plane, sightings, table.kit.tag_mm)
    look.of_other_sides(table.pieces)
    printed = [_printed_mm(plane, each) / table.kit.sides[each.payload] for each in look.found]
    if len(printed) < advice.MIN_PRINTS:
        return None
    return round(catalogue.TAG_MM * table.kit.scale * float(np.median(printed)))


def _zone(
    zone: Zone,
    poses: dict[str, MarkerPose],
    table: AimTarget,
    reading: Detection,
    prints: Mapping[str, TagSharpness | None],
    frame: Frame,
) -> ZoneAim:
    """Return the assessment of one zone."""
    plane, pose = reading.plane, poses.get(zone.name)
    if pose is None or plane is None:
        return ZoneAim(zone.name, zone.title)
    points = _grid(zone, pose)
    px = plane.to_px(points)
    inside = ((px >= 0) & (px <= np.array(plane.shape[::-1]) - 1)).all(axis=1)
    smallest = modules(plane, points[inside], table.tag_mm).min(initial=np.inf)
    marker = next(each for each in reading.sightings if payloads.marker_of(each.payload) == zone.marker)
    sharpness = prints[marker.payload]
    piece_sightings = [each for each in reading.sightings if payloads.marker_of(each.payload) is None]
    return ZoneAim(
        zone.name,
        zone.title,
        float(smallest) if np.isfinite(smallest) else 0.0,
        float(inside.mean()),
        sharpness.blur if sharpness is not None else None,
        _glare(frame, plane, px[inside]),
        sum(zone_at(each.x, each.y, table.zones, poses) == zone.name for each in piece_sightings),
        tuple(each.reason for each in reading.unreadable if zone_at(*each.place, table.zones, poses) == zone.name),
        corner_points(plane.to_px(_outline(zone, pose)[:4])),
    )


def _grid(zone: Zone, pose: MarkerPose) -> Array:
    """Return points (n, 2) mm all over a zone's area."""
    left, top, right, bottom = zone.area
    across = np.linspace(left, right, max(2, round((right - left) / STEP_MM)))
    along = np.linspace(top, bottom, max(2, round((bottom - top) / STEP_MM)))
    return np.array([pose.table(x, y) for x in across for y in along])


def _outline(zone: Zone, pose: MarkerPose) -> Array:
    """Return the corners of a zone's area and of its marker, (8, 2) mm."""
    marker = box((0.0, 0.0), catalogue.MARKER_MM / 2)
    return np.concatenate([pose.outline(zone.area), pose.outline(marker)])


def _glare(frame: Frame, plane: Plane, px: Array) -> float:
    """Return the fraction of the points that lie in an overexposed spot large enough to hide a tag."""
    if not len(px):
        return 0.0
    factor = frame.small.shape[1] / frame.grey.shape[1]
    mask, _ = bright_spots(frame.small, BURNT_GREY, MIN_SPOT_MM2 / (plane.mm_per_px(px.mean(axis=0)) / factor) ** 2)
    spots = np.clip(np.round((px + 0.5) * factor - 0.5).astype(int), 0, np.array(mask.shape[::-1]) - 1)
    return float(mask[spots[:, 1], spots[:, 0]].mean())


def _light(prints: Iterable[TagSharpness | None]) -> tuple[float, float] | None:
    """Return the median grey levels of ink and paper, None if no tag shows them."""
    levels = [(each.dark, each.light) for each in prints if each is not None]
    if not levels:
        return None
    dark, light = np.median(np.array(levels), axis=0)
    return float(dark), float(light)


def _printed_mm(plane: Plane, tag: Sighting) -> float:
    """Return the side of a tag as it was printed, quiet zone included, mm."""
    return float(mean_side(plane.to_mm(np.array(tag.corners)))) * TAG_MODULES / CODE_MODULES


def _pieces(sightings: Sequence[Sighting]) -> int:
    return sum(payloads.marker_of(each.payload) is None for each in sightings)
