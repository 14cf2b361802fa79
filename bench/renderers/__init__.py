"""Camera models with different physics, by name: thresholds are set on one and tested on the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from bench.painting import CameraModel
from bench.renderers.grey_levels import LEVELS, Camera
from bench.renderers.path_traced import ROOMS, TracedCamera
from bench.renderers.phone import HANDLINGS, PhoneCamera
from bench.renderers.raw_sensor import RAW_LEVELS, RawCamera


@dataclass(frozen=True)
class Renderer:
    """A camera model: the function that makes a camera from its size (px) and tilt (degrees), its levels of difficulty,
    and ``set_here``, the thresholds that were set on it.

    ``needs``: a package without which it cannot be used.
    """

    camera: Callable[[tuple[int, int], float], CameraModel]
    levels: Mapping[str, Any]
    set_here: str
    needs: str | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the package that it needs is installed."""
        return self.needs is None or find_spec(self.needs) is not None


CODES = "what an identity may leave over of foreign codes, on seeds 9711 to 9714"
FAINT_TAGS = f"what is asked of faint tags, on seeds 9001, 9002 and 9701 to 9708; {CODES}; judged on others"
RENDERERS = {
    "grey": Renderer(
        lambda size, tilt: Camera(size, tilt=tilt),
        LEVELS,
        f"thresholds of score, lead and likeness, on other seeds; {CODES}",
    ),
    "raw": Renderer(lambda size, tilt: RawCamera(size, tilt=tilt), RAW_LEVELS, FAINT_TAGS),
    "phone": Renderer(lambda size, tilt: PhoneCamera(size, tilt=tilt), HANDLINGS, CODES),
    "traced": Renderer(lambda size, tilt: TracedCamera(size, tilt=tilt), ROOMS, "nothing", needs="mitsuba"),
}


def to_measure(asked: Sequence[str] | None) -> list[str]:
    """Return the names of the requested renderers, by default of all; those that cannot be used are reported.

    Raises SystemExit if a requested one cannot be used.
    """
    missing = [name for name in asked or RENDERERS if not RENDERERS[name].is_ready]
    for name in missing:
        package = RENDERERS[name].needs
        print(f"{package} is not installed (pip install {package}): {name} is NOT measured.", file=sys.stderr)
    if asked and missing:
        raise SystemExit(1)
    return [name for name in asked or RENDERERS if name not in missing]
