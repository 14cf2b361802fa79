"""Advises what to do about a badly aimed camera, in sentences with numbers, from how it sees the zones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from tabletop.messages import N_, Message, join
from tabletop.vision.aim.assessment import (
    GOOD_MODULE_PX,
    MAX_GLARE_FRACTION,
    MIN_MODULE_PX,
    MIN_ZONE_FRACTION,
    Hint,
    ZoneAim,
    least_modules,
)
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.camera_pose import CameraPose
from tabletop.vision.geometry.plane import Array
from tabletop.vision.image.darkness import SENTENCES, blindness
from tabletop.vision.tags.catalogue import TAG_MM

LARGE_WIDTH_PX, SMALLER_HINT = 3840, "smaller"
"""Least width of pictures, px, for which cameras also offer half the width, and the code of the hint that this is
enough."""
MAX_BLUR_MODULES = 1.2
"""Standard deviation of the blur, in modules of a piece's tag, beyond which identities are confused."""
MAX_FILLED_FRACTION = 0.96
"""Largest fraction of the picture that the table may fill: the rest is a reserve for bumps."""
MIN_FILLED_FRACTION = 0.8
"""Fraction of the picture filled below which the camera could hang lower."""
MAX_TILT_DEG, MAX_UNEVEN_TILT_DEG = 20.0, 7.0
"""Largest tilt of a camera, degrees: in general, and if some tags are small."""
MAX_SIZE_RATIO = 1.2
"""Ratio of the largest zone's px per module to the smallest's above which hanging straight helps the smallest."""
TURN_GAIN = 0.88
"""Largest ratio of the necessary height after turning the camera to that before at which turning is worthwhile."""
BURNT_PAPER, DARK_PAPER, MIN_CONTRAST = 247.0, 70.0, 35.0
"""Grey levels from which paper is overexposed and below which it drowns in noise, and the least contrast of ink and
paper."""
MAX_PRINT_ERROR = 0.015
"""Largest relative error of the printed size."""
MIN_PRINTS = 3
"""Least number of pieces from whose tags the printed size is judged."""
EDGE_TITLES = {
    "left": N_("the left edge of its picture"),
    "right": N_("the right edge of its picture"),
    "top": N_("the top edge of its picture"),
    "bottom": N_("the bottom edge of its picture"),
}
LARGER_TAGS = N_("Print tags of {tag_mm} mm, or use a camera with more pixels.")
OTHER_MAKE = N_(
    "The smallest tags are on these pieces: “{kind}”. Play with printed ones, whose tags are larger, or use a camera "
    "with more pixels."
)


@dataclass(frozen=True, slots=True, eq=False)
class AdviceFacts:
    """The facts that advice is based on: the zones, the camera's pose, the points (n, 2) mm that it has to see …"""

    zones: Sequence[ZoneAim]
    camera_pose: CameraPose
    needed: Array
    blur: float | None
    light: tuple[float, float] | None
    """Usual grey levels of ink and paper."""
    tag_mm: float
    """The side of the smallest tag of a piece, mm."""
    print_scale: float | None
    kind: str = ""
    """The kind of piece that has it, if others have larger ones."""
    in_other_make: bool = False
    """True if that kind has a larger tag in another make of the game."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the picture, px."""
    other_tag_mm: int | None = None
    """The printed side of a usual tag, mm, if no piece can be read because it is not the expected one."""

    @property
    def modules(self) -> float | None:
        """The least px per module of any zone, None if none is seen."""
        return least_modules(self.zones)


def no_marker_warnings(grey: Grey) -> tuple[Hint, ...]:
    """Return the warnings for a picture in which no marker is read, with the reason if it shows nothing."""
    nothing, why = Hint("no-marker", Message("No zone card can be read.")), blindness(grey)
    return (nothing, Hint(why, SENTENCES[why])) if why else (nothing,)


def no_marker_advice() -> tuple[Hint, ...]:
    """Return the advice for a picture in which no marker is read."""
    text = Message("Put the printed zone cards on the table and point the camera straight down at them.")
    return (Hint("lay-markers", text),)


def warnings(seen: AdviceFacts) -> tuple[Hint, ...]:
    """Return the problems of the picture, most urgent first."""
    return (
        *_missing(seen),
        *_cut_off(seen),
        *_misprinted(seen),
        *_small(seen),
        *_blurred(seen),
        *_badly_lit(seen),
        *_glaring(seen),
    )


def advice(seen: AdviceFacts) -> tuple[Hint, ...]:
    """Return what to do about the problems, in the order in which to do it."""
    return (
        *_move(seen),
        *_lay(seen),
        *_set_scale(seen),
        *_focus(seen),
        *_light_better(seen),
        *_unglare(seen),
        *_print(seen),
        *_spare(seen),
    )


def _missing(seen: AdviceFacts) -> Iterable[Hint]:
    missing = _titles(zone for zone in seen.zones if not zone.seen)
    if missing:
        yield _hint("missing", "Not seen: {zones}.", zones=missing)


def _cut_off(seen: AdviceFacts) -> Iterable[Hint]:
    cut = _titles(zone for zone in seen.zones if zone.inside is not None and zone.inside < MIN_ZONE_FRACTION)
    if cut:
        yield _hint("cut-off", "Only partly in the picture: {zones}.", zones=cut)


def _small(seen: AdviceFacts) -> Iterable[Hint]:
    small = [zone for zone in seen.zones if zone.modules is not None and zone.modules < MIN_MODULE_PX]
    if small and seen.modules is not None:
        facts = {"zones": _titles(small), "modules": round(seen.modules, 2)}
        if seen.kind:
            text = N_(
                "The tags of “{kind}” pieces are too small to be read reliably ({modules} px per module): {zones}."
            )
            yield _hint("too-small", text, **facts, kind=seen.kind)
        else:
            text = N_("Tags are too small to be read reliably ({modules} px per module): {zones}.")
            yield _hint("too-small", text, **facts)


def _misprinted(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.other_tag_mm is not None:
        text = N_("No piece can be read: the tags were printed at {tag_mm} mm.")
        yield _hint("other-size", text, tag_mm=seen.other_tag_mm)


def _blurred(seen: AdviceFacts) -> Iterable[Hint]:
    if _is_blurred(seen):
        blur, modules = round(seen.blur or 0, 1), round((seen.blur or 0) / (seen.modules or 1), 1)
        text = N_("The picture is blurred: edges are {blur} px wide ({modules} modules of a tag).")
        yield _hint("blurred", text, blur=blur, modules=modules)


def _badly_lit(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.light is None:
        return
    dark, light = (round(level) for level in seen.light)
    facts = {"ink": dark, "paper": light}
    if light >= BURNT_PAPER:
        yield _hint("bright", "White paper is overexposed (grey level {paper} of 255).", **facts)
    elif light < DARK_PAPER or light - dark < MIN_CONTRAST:
        text = N_("The picture is too dark or has too little contrast: ink has grey level {ink}, paper {paper} of 255.")
        yield _hint("dark", text, **facts)


def _glaring(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.light is not None and seen.light[1] >= BURNT_PAPER:
        return
    hit = [zone for zone in seen.zones if zone.glare > MAX_GLARE_FRACTION]
    if hit:
        where, part = _titles(hit), max(zone.glare for zone in hit)
        text = N_("Glare hides what lies there: {zones}.")
        yield _hint("glare", text, zones=where, part=round(part, 2))


def _move(seen: AdviceFacts) -> Iterable[Hint]:
    """Advise how to hang the camera: above the middle, looking down, as low as possible, turned the better way."""
    if not len(seen.needed):
        return
    pose = seen.camera_pose
    if _is_aslant(seen):
        yield _straighten(seen)
        return
    directions = pose.directions(seen.needed)
    lowest, highest = directions.min(axis=0), directions.max(axis=0)
    spans, middle = (highest - lowest) / 2, (highest + lowest) / 2
    factor = float(spans.max())
    turned = float((spans * pose.half_field / pose.half_field[::-1]).max())
    if factor > MAX_FILLED_FRACTION and turned < TURN_GAIN * factor:
        yield _hint("turn", "Turn the camera by 90°: the table is longer in the other direction than the picture.")
        return
    too_high = (
        factor < MIN_FILLED_FRACTION and all(zone.seen for zone in seen.zones) and (seen.modules or 0) < GOOD_MODULE_PX
    )
    room = factor / MAX_FILLED_FRACTION if too_high else 1.0  # extent of the lowered camera's picture relative to now
    if bool((np.maximum(-lowest, highest) > room).any()) and bool((np.abs(middle) > 0.03 * room).any()):
        yield _shift(seen, middle)
    elif too_high:
        yield _lower(seen, room)
    if factor > MAX_FILLED_FRACTION:
        yield _raise(seen, factor / MAX_FILLED_FRACTION)


def _straighten(seen: AdviceFacts) -> Hint:
    pose = seen.camera_pose
    offset = (seen.needed.min(axis=0) + seen.needed.max(axis=0)) / 2 - pose.foot
    edge = _edge(pose.sideways(offset[None])[0])
    text = N_(
        "The camera is tilted by {aslant}°. Move it {cm} cm towards {edge}, so that it is above the middle "
        "of the table, and point it straight down."
    )
    return _hint("straighten", text, aslant=round(pose.tilt), cm=_cm(float(np.linalg.norm(offset))), edge=edge)


def _shift(seen: AdviceFacts, middle: Array) -> Hint:
    """Return the hint to move the camera sideways, along the axis of its picture with the larger offset."""
    offset = middle * seen.camera_pose.half_field * seen.camera_pose.height
    axis = int(np.argmax(np.abs(offset)))
    along = np.where(np.arange(2) == axis, offset, 0.0)
    return _hint(
        "shift", "Move the camera {cm} cm towards {edge}.", cm=_cm(float(abs(offset[axis]))), edge=_edge(along)
    )


def _raise(seen: AdviceFacts, factor: float) -> Hint:
    height = seen.camera_pose.height
    facts = {"cm": _cm(height * (factor - 1)), "height_cm": _cm(height * factor)}
    text = Message("Move the camera {cm} cm higher (to about {height_cm} cm above the table).", **facts)
    modules = (seen.modules or 0) / factor
    if seen.modules is None or modules >= MIN_MODULE_PX:
        return Hint("higher", text, facts)
    larger = _larger_tags(seen, modules)
    return Hint("higher", join((text, larger)), {**facts, **larger.facts})


def _lower(seen: AdviceFacts, factor: float) -> Hint:
    height, modules = seen.camera_pose.height, seen.modules or 0
    facts = {"cm": _cm(height * (1 - factor)), "height_cm": _cm(height * factor), "modules": round(modules / factor, 1)}
    return _hint("lower", "Move the camera {cm} cm lower: a module then has {modules} px.", **facts)


def _lay(seen: AdviceFacts) -> Iterable[Hint]:
    missing = _titles(zone for zone in seen.zones if not zone.seen)
    if missing:
        yield _hint("lay-zones", "Put these zone cards where the camera sees all of them: {zones}.", zones=missing)


def _focus(seen: AdviceFacts) -> Iterable[Hint]:
    if _is_blurred(seen):
        text = N_("Turn the lens until the edges are as sharp as possible, and make sure nothing shakes.")
        yield _hint("focus", text, blur=round(seen.blur or 0, 1))


def _light_better(seen: AdviceFacts) -> Iterable[Hint]:
    for hint in _badly_lit(seen):
        dim, light = Message("Dim the lamp or lower the exposure."), Message("Bring more light onto the table.")
        yield Hint(f"fix-{hint.code}", dim if hint.code == "bright" else light)


def _unglare(seen: AdviceFacts) -> Iterable[Hint]:
    if any(True for _ in _glaring(seen)):
        text = N_("Move the lamp aside, or hang a sheet of paper in front of it, until nothing shines there.")
        yield _hint("lamp", text)


def _print(seen: AdviceFacts) -> Iterable[Hint]:
    """Advise to print larger tags if they are too small for a well-hung camera, or print at actual size."""
    modules = seen.modules
    fills = (
        len(seen.needed)
        and float(np.ptp(seen.camera_pose.directions(seen.needed), axis=0).max()) / 2 >= MIN_FILLED_FRACTION
    )
    if modules is not None and modules < MIN_MODULE_PX and fills and not _is_aslant(seen):
        larger = _larger_tags(seen, modules)
        yield Hint("larger-tags", larger, {**larger.facts, "modules": round(modules, 2)})
    if seen.print_scale is not None and abs(seen.print_scale - 1) > MAX_PRINT_ERROR:
        percent = round(100 * seen.print_scale)
        text = N_(
            "The pieces’ tags are printed smaller or larger than the zone cards, at {percent} %: print both at "
            "actual size."
        )
        yield _hint("print-scale", text, percent=percent)


def _set_scale(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.other_tag_mm is not None:
        text = N_("Set scale = {scale} under [pieces] in table.toml, or {tag_mm} mm in the setup.")
        yield _hint("set-scale", text, scale=f"{seen.other_tag_mm / TAG_MM:g}", tag_mm=seen.other_tag_mm)


def _larger_tags(seen: AdviceFacts, modules: float) -> Message:
    """Return the sentence that says which tags would be large enough if they have ``modules`` px per module now."""
    if seen.in_other_make:
        return Message(OTHER_MAKE, kind=Message(seen.kind))
    return Message(LARGER_TAGS, tag_mm=_enough_mm(seen.tag_mm, modules))


def _spare(seen: AdviceFacts) -> Iterable[Hint]:
    """Advise pictures of half the width if these would do: a quarter of the memory, and less to read."""
    modules = (seen.modules or 0) / 2
    if seen.size[0] >= LARGE_WIDTH_PX and modules >= GOOD_MODULE_PX and all(zone.seen for zone in seen.zones):
        text = N_(
            "Pictures of {width} × {height} px would be enough, and easier for a slow machine: a module then has "
            "{modules} px. Set size under [camera] in table.toml."
        )
        yield _hint(SMALLER_HINT, text, width=seen.size[0] // 2, height=seen.size[1] // 2, modules=round(modules, 1))


def _is_aslant(seen: AdviceFacts) -> bool:
    """Return whether the camera is tilted too much, in general or for the zone with the smallest tags."""
    sizes = [zone.modules for zone in seen.zones if zone.modules is not None]
    helps = min(sizes) < GOOD_MODULE_PX and max(sizes) > MAX_SIZE_RATIO * min(sizes)
    return seen.camera_pose.tilt > (MAX_UNEVEN_TILT_DEG if helps else MAX_TILT_DEG)


def _is_blurred(seen: AdviceFacts) -> bool:
    return seen.blur is not None and bool(seen.modules) and seen.blur / (seen.modules or 1) > MAX_BLUR_MODULES


def _enough_mm(tag_mm: float, modules: float) -> int:
    """Return the side of tags, mm, that would have good px per module."""
    return ceil(tag_mm * GOOD_MODULE_PX / max(modules, 0.1))


def _edge(vector: Array) -> str:
    """Return the edge of the picture towards which a vector (px right and down) points most."""
    axis = int(np.argmax(np.abs(vector)))
    return (("left", "right"), ("top", "bottom"))[axis][int(vector[axis] > 0)]


def _cm(mm: float) -> int:
    """Return mm as whole cm, at least one: a camera cannot be placed more precisely."""
    return max(1, round(mm / 10))


def _titles(zones: Iterable[ZoneAim]) -> list[Message]:
    return [zone.title for zone in zones]


def _hint(code: str, template: str, **facts: Any) -> Hint:
    """Return a hint; its template is extracted for translation by this function's name."""
    message_facts = {key: tuple(fact) if isinstance(fact, list) else fact for key, fact in facts.items()}
    if edge := EDGE_TITLES.get(facts.get("edge", "")):
        message_facts["edge"] = Message(edge)
    if kind := facts.get("kind"):
        message_facts["kind"] = Message(kind)
    return Hint(code, Message(template, **message_facts), facts)
