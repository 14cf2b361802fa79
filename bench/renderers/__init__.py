"""Camera models with different physics, by name: thresholds are set on one and judged on the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.renderers.phone import HANDLINGS, PhoneCamera
from bench.renderers.raw_sensor import EXPOSURES, RawCamera
from bench.rendering import LEVELS, Camera, CameraModel


@dataclass(frozen=True)
class Renderer:
    """A camera model: what makes a camera of a size in px and a tilt in degrees, its levels, and what it stands for."""

    camera: Callable[[tuple[int, int], float], CameraModel]
    levels: Mapping[str, Any]
    set_here: str


CODES = "what an identity may leave over of foreign codes, on seeds 9711 to 9714"
FAINT_TAGS = f"what is asked of faint tags, on seeds 9001, 9002 and 9701 to 9708; {CODES}; judged on others"
RENDERERS = {
    "grey": Renderer(
        lambda size, tilt: Camera(size, tilt=tilt),
        LEVELS,
        f"thresholds of score, lead and likeness, on other seeds; {CODES}",
    ),
    "raw": Renderer(lambda size, tilt: RawCamera(size, tilt=tilt), EXPOSURES, FAINT_TAGS),
    "phone": Renderer(lambda size, tilt: PhoneCamera(size, tilt=tilt), HANDLINGS, CODES),
}
