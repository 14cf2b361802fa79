"""What to do about a camera that is not aimed well yet: sentences with numbers, from how the zones are seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from tabletop.vision.aim.assessment import Hint, ZoneAim
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.camera_pose import CameraPose
from tabletop.vision.geometry.plane import Array
from tabletop.vision.image.darkness import SENTENCES, blindness

LEAST_MODULES = 0.9
"""Px a module below which tags are missed in ordinary light (``docs/reading.md``)."""
GOOD_MODULES = 1.2
"""Px a module from which on even hard light leaves nearly every tag readable."""
BLURRED = 1.2
"""Standard deviation of blur, in modules of a piece's tag, beyond which identities run into each other."""
WHOLE = 0.97
"""A zone of which less lies in the picture is cut off: cards are laid a few mm off."""
FILLED = 0.96
"""Part of the picture that the table may fill: the rest is for bumps."""
WASTED = 0.8
"""Filled less than this, the table could be seen larger."""
MOST_ASLANT, SOME_ASLANT = 20.0, 7.0
"""Degrees past straight down: from the first on a camera hangs wrong; from the second on where some tags are small."""
UNEVEN = 1.2
"""The zone seen largest beside the one seen smallest from which on hanging straight helps the smallest."""
TURN_GAIN = 0.88
"""Turning the camera is worth it where it brings it down at least by this factor."""
BURNT_PAPER, DARK_PAPER, LEAST_CONTRAST = 247.0, 70.0, 35.0
"""Grey levels: paper this bright is burnt, this dark drowns in noise; so much must lie between ink and paper."""
GLARING = 0.01
"""Part of a zone that may be hidden by light before it is told of."""
PRINT_OFF = 0.015
"""How far a print may be off its size."""
ENOUGH_PRINTS = 3
"""Pieces from whose tags on the printed size is told."""


@dataclass(frozen=True, slots=True, eq=False)
class AdviceFacts:
    """What advice is given on: the zones, where the camera stands, the points (n, 2) mm that it has to see …"""

    zones: Sequence[ZoneAim]
    camera_pose: CameraPose
    needed: Array
    blur: float | None
    light: tuple[float, float] | None
    """Usual grey levels of ink and paper."""
    tag_mm: float
    print_scale: float | None

    @property
    def modules(self) -> float | None:
        """Px a module in the zone that is seen smallest."""
        return min((zone.modules for zone in self.zones if zone.modules is not None), default=None)


def blind(grey: Grey) -> tuple[Hint, ...]:
    """Return why a picture in which no marker is read shows nothing, as far as it can be told."""
    nothing, why = Hint("no-marker", "No table marker can be read."), blindness(grey)
    return (nothing, Hint(why, SENTENCES[why])) if why else (nothing,)


def find_markers() -> tuple[Hint, ...]:
    """Return what to do where no marker is read."""
    text = "Lay the printed zone cards on the table, their markers up, and point the camera straight down at them."
    return (Hint("lay-markers", text),)


def warnings(seen: AdviceFacts) -> tuple[Hint, ...]:
    """Return what spoils the picture, most urgent first."""
    return (*_missing(seen), *_cut_off(seen), *_small(seen), *_blurred(seen), *_badly_lit(seen), *_glaring(seen))


def advice(seen: AdviceFacts) -> tuple[Hint, ...]:
    """Return what to do about it, in the order in which to do it."""
    return (*_move(seen), *_lay(seen), *_focus(seen), *_light_better(seen), *_unglare(seen), *_print(seen))


def _missing(seen: AdviceFacts) -> Iterable[Hint]:
    missing = _titles(zone for zone in seen.zones if not zone.seen)
    if missing:
        yield Hint("missing", f"Not seen: {', '.join(missing)}.", {"zones": missing})


def _cut_off(seen: AdviceFacts) -> Iterable[Hint]:
    cut = _titles(zone for zone in seen.zones if zone.inside is not None and zone.inside < WHOLE)
    if cut:
        yield Hint("cut-off", f"Only partly in the picture: {', '.join(cut)}.", {"zones": cut})


def _small(seen: AdviceFacts) -> Iterable[Hint]:
    small = [zone for zone in seen.zones if zone.modules is not None and zone.modules < LEAST_MODULES]
    if small and seen.modules is not None:
        where, least = _titles(small), round(seen.modules, 2)
        text = f"Tags are too small to be read surely ({least:.2f} px a module; {LEAST_MODULES} are needed): "
        yield Hint("too-small", f"{text}{', '.join(where)}.", {"zones": where, "modules": least})


def _blurred(seen: AdviceFacts) -> Iterable[Hint]:
    if _is_blurred(seen):
        facts = {"blur": round(seen.blur or 0, 1), "modules": round((seen.blur or 0) / (seen.modules or 1), 1)}
        text = f"The picture is blurred: edges are {facts['blur']} px wide ({facts['modules']} modules of a tag)."
        yield Hint("blurred", text, facts)


def _badly_lit(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.light is None:
        return
    dark, light = (round(level) for level in seen.light)
    facts = {"ink": dark, "paper": light}
    if light >= BURNT_PAPER:
        yield Hint("bright", f"White paper is overexposed (grey level {light} of 255).", facts)
    elif light < DARK_PAPER or light - dark < LEAST_CONTRAST:
        text = f"The picture is too dark or has too little contrast: ink has grey level {dark}, paper {light} of 255."
        yield Hint("dark", text, facts)


def _glaring(seen: AdviceFacts) -> Iterable[Hint]:
    if seen.light is not None and seen.light[1] >= BURNT_PAPER:
        return
    hit = [zone for zone in seen.zones if zone.glare > GLARING]
    if hit:
        where, part = _titles(hit), max(zone.glare for zone in hit)
        text = f"Light is mirrored and hides what lies there: {', '.join(where)} (up to {part:.0%} of it)."
        yield Hint("glare", text, {"zones": where, "part": round(part, 2)})


def _move(seen: AdviceFacts) -> Iterable[Hint]:
    """Say how to hang the camera: above the middle, looking down, as high as it must be, turned the better way."""
    if not len(seen.needed):
        return
    where = seen.camera_pose
    if _is_aslant(seen):
        yield _straighten(seen)
        return
    shown = where.directions(seen.needed)
    low, high = shown.min(axis=0), shown.max(axis=0)
    spans, middle = (high - low) / 2, (high + low) / 2
    factor = float(spans.max())
    turned = float((spans * where.reach / where.reach[::-1]).max())
    if factor > FILLED and turned < TURN_GAIN * factor:
        yield Hint("turn", "Turn the camera by 90°: the table is longer in the other direction than the picture.")
        return
    if bool((np.maximum(-low, high) > 1).any()) and bool((np.abs(middle) > 0.03).any()):
        yield _shift(seen, middle)
    if factor > FILLED:
        yield _raise(seen, factor / FILLED)
    elif factor < WASTED and all(zone.seen for zone in seen.zones) and (seen.modules or 0) < GOOD_MODULES:
        yield _lower(seen, factor / FILLED)


def _straighten(seen: AdviceFacts) -> Hint:
    where = seen.camera_pose
    away = (seen.needed.min(axis=0) + seen.needed.max(axis=0)) / 2 - where.foot
    far = _edge(where.sideways(away[None])[0])
    facts = {"aslant": round(where.aslant), "cm": _cm(float(np.linalg.norm(away))), "edge": far}
    text = (
        f"The camera looks {facts['aslant']}° past straight down. Move it {facts['cm']} cm towards the {far} edge "
        "of its picture, above the middle of the table, and let it look straight down."
    )
    return Hint("straighten", text, facts)


def _shift(seen: AdviceFacts, middle: Array) -> Hint:
    """Say how far to move the camera sideways, along the longer of its picture's two axes."""
    way = middle * seen.camera_pose.reach * seen.camera_pose.height
    axis = int(np.argmax(np.abs(way)))
    along = np.where(np.arange(2) == axis, way, 0.0)
    facts = {"cm": _cm(float(abs(way[axis]))), "edge": _edge(along)}
    return Hint("shift", f"Move the camera {facts['cm']} cm towards the {facts['edge']} edge of its picture.", facts)


def _raise(seen: AdviceFacts, factor: float) -> Hint:
    height = seen.camera_pose.height
    facts = {"cm": _cm(height * (factor - 1)), "height_cm": _cm(height * factor)}
    text = f"Move the camera {facts['cm']} cm higher (to about {facts['height_cm']} cm above the table)"
    then = (seen.modules or 0) / factor
    if seen.modules is None or then >= LEAST_MODULES:
        return Hint("higher", f"{text}.", facts)
    size = _enough_mm(seen.tag_mm, then)
    facts |= {"tag_mm": size}
    text += f"; a module then has only {then:.1f} px: print tags of {size} mm, or use a camera with more px."
    return Hint("higher", text, facts)


def _lower(seen: AdviceFacts, factor: float) -> Hint:
    height, now = seen.camera_pose.height, seen.modules or 0
    facts = {"cm": _cm(height * (1 - factor)), "height_cm": _cm(height * factor), "modules": round(now / factor, 1)}
    text = f"Move the camera {facts['cm']} cm lower (to about {facts['height_cm']} cm above the table): "
    return Hint("lower", f"{text}a module then has {facts['modules']} px instead of {now:.1f}.", facts)


def _lay(seen: AdviceFacts) -> Iterable[Hint]:
    missing = _titles(zone for zone in seen.zones if not zone.seen)
    if missing:
        text = f"Lay the zone cards {', '.join(missing)} where the camera sees them whole, their markers bare."
        yield Hint("lay-zones", text, {"zones": missing})


def _focus(seen: AdviceFacts) -> Iterable[Hint]:
    if _is_blurred(seen):
        text = "Turn the lens until the edges are as sharp as possible, and make sure nothing shakes."
        yield Hint("focus", text, {"blur": round(seen.blur or 0, 1)})


def _light_better(seen: AdviceFacts) -> Iterable[Hint]:
    for hint in _badly_lit(seen):
        text = "Dim the lamp or lower the exposure." if hint.code == "bright" else "Bring more light onto the table."
        yield Hint(f"mend-{hint.code}", text)


def _unglare(seen: AdviceFacts) -> Iterable[Hint]:
    if any(True for _ in _glaring(seen)):
        text = "Move the lamp aside, or hang a sheet of paper in front of it, until nothing shines there."
        yield Hint("lamp", text)


def _print(seen: AdviceFacts) -> Iterable[Hint]:
    """Say where tags are too small for a camera that hangs well, and where the printer scaled them."""
    now = seen.modules
    fills = len(seen.needed) and float(np.ptp(seen.camera_pose.directions(seen.needed), axis=0).max()) / 2 >= WASTED
    if now is not None and now < LEAST_MODULES and fills and not _is_aslant(seen):
        size = _enough_mm(seen.tag_mm, now)
        text = f"Print tags of {size} mm, or use a camera with more px: a module has only {now:.2f} px."
        yield Hint("larger-tags", text, {"tag_mm": size, "modules": round(now, 2)})
    if seen.print_scale is not None and abs(seen.print_scale - 1) > PRINT_OFF:
        percent = round(100 * seen.print_scale)
        text = f"The pieces' tags are printed at {percent} % beside the markers: print both at true size, 100 %."
        yield Hint("print-scale", text, {"percent": percent})


def _is_aslant(seen: AdviceFacts) -> bool:
    """Return whether the camera should look straighter down, at all or for the sake of the zone seen smallest."""
    sizes = [zone.modules for zone in seen.zones if zone.modules is not None]
    helps = min(sizes) < GOOD_MODULES and max(sizes) > UNEVEN * min(sizes)
    return seen.camera_pose.aslant > (SOME_ASLANT if helps else MOST_ASLANT)


def _is_blurred(seen: AdviceFacts) -> bool:
    return seen.blur is not None and bool(seen.modules) and seen.blur / (seen.modules or 1) > BLURRED


def _enough_mm(tag_mm: float, modules: float) -> int:
    """Return the size of tags that would have good modules, mm."""
    return ceil(tag_mm * GOOD_MODULES / max(modules, 0.1))


def _edge(way: Array) -> str:
    """Return which edge of the picture a vector points at most, in px right and down."""
    axis = int(np.argmax(np.abs(way)))
    return (("left", "right"), ("top", "bottom"))[axis][int(way[axis] > 0)]


def _cm(mm: float) -> int:
    """Return whole cm, at least one: less cannot be told from how a camera hangs."""
    return max(1, round(mm / 10))


def _titles(zones: Iterable[ZoneAim]) -> list[str]:
    return [zone.title for zone in zones]
