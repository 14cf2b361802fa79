"""A picamera2 that misbehaves like the real one.

It has padded rows, queued old pictures, controls that take their time, captures that hang, requests that must be
released, lenses without autofocus, gain that climbs while the exposure stands still, missing controls and metadata,
adjusted sizes, and too little memory.  Time is the scene's own: a capture that waits advances it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

WIDTH, HEIGHT, STRIDE = 1000, 562, 1024
SMALL_STRIDE = 704
PERIOD = 1 / 30
GARBAGE = 99


class Scene:
    """What the camera looks at and how it behaves."""

    def __init__(self) -> None:
        self.now = 500.0
        self.cameras = [{"Model": "imx708", "Num": 0, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}]
        self.gain_climbs_until = 0
        self.digital_gain = 1.0
        self.lacks: frozenset[str] = frozenset()
        self.untold: frozenset[str] = frozenset()
        self.adjusts_to: tuple[int, int] | None = None
        self.breaks: dict[str, Exception] = {}
        self.autofocus = True
        self.hangs = False
        self.controls_take = 4
        self.auto_exposure = 23456
        self.paper = 0.0
        self.settles_after = 10
        self.opened: list[Picamera2] = []
        self.taken = self.released = 0

    def clock(self) -> float:
        return self.now

    def may_break(self, what: str) -> None:
        if what in self.breaks:
            raise self.breaks[what]

    @property
    def outstanding(self) -> int:
        return self.taken - self.released


class CompletedRequest:
    """A picture on loan from the driver, to be released."""

    def __init__(self, camera: Picamera2, begun: float, facts: dict[str, Any]) -> None:
        self._camera, self._begun, self._facts = camera, begun, facts
        self._free = False
        camera.scene.taken += 1

    def make_array(self, name: str) -> Any:
        assert not self._free, "read after release"
        width, height = self._camera.configuration[name]["size"]
        stride = STRIDE if width > SMALL_STRIDE else SMALL_STRIDE
        array = np.full((height * 3 // 2, stride), GARBAGE, np.uint8)
        array[:height, :width] = (np.arange(width) % 50 + 150).astype(np.uint8)
        if self._camera.scene.paper:
            light = self._camera.scene.paper * self._facts["ExposureTime"] / 1e6 * self._facts["AnalogueGain"]
            array[: height // 4, : width // 4] = min(255, round(light))
        return array

    def get_metadata(self) -> dict[str, Any]:
        assert not self._free, "read after release"
        return self._camera._told(self._facts)

    def release(self) -> None:
        assert not self._free, "released twice"
        self._free = True
        self._camera.scene.released += 1


class Picamera2:
    """The fake of the class Picamera2; :func:`module` sets its ``scene``."""

    scene: Scene

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        if self.scene.opened:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.scene.may_break("open")
        self.scene.opened.append(self)
        self.number = camera_num
        self.sensor_resolution = (WIDTH, HEIGHT)
        self.configuration: dict[str, Any] = {}
        self.started = False
        self.frames = 0
        self.pending: list[tuple[int, dict[str, Any]]] = []
        self.in_force: dict[str, Any] = {"AeEnable": True}
        self.jobs = 0
        self.under_way = self.scene.now

    def _told(self, facts: dict[str, Any]) -> dict[str, Any]:
        return {name: fact for name, fact in facts.items() if name not in self.scene.untold}

    @staticmethod
    def global_camera_info() -> list[Any]:
        Picamera2.scene.may_break("list")
        return Picamera2.scene.cameras

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        names = ["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "FrameDurationLimits"]
        focus = ["AfMode", "AfTrigger", "LensPosition"] if self.scene.autofocus else []
        limits = {"AnalogueGain": (1.0, 16.0, 1.0)}
        return {name: limits.get(name, (0, 1, 0)) for name in names + focus if name not in self.scene.lacks}

    def create_video_configuration(
        self, main: Any = (), lores: Any = None, raw: Any = (), transform: Any = None, colour_space: Any = None,
        buffer_count: int = 6, controls: Any = (), display: Any = "main", encode: Any = "main", queue: bool = True,
        sensor: Any = (), use_case: str = "video",
    ) -> dict[str, Any]:  # fmt: skip
        for stream in (main, lores):
            assert all(side % 2 == 0 for side in stream["size"]), "YUV420 needs even sides"
        return {"main": main, "lores": lores, "buffer_count": buffer_count, "queue": queue, "controls": controls}

    def configure(self, camera_config: Any = None) -> None:
        assert not self.started
        assert not self.configuration, "a second configuration is a mode switch"
        self.scene.may_break("configure")
        self.configuration = {**camera_config}
        if self.scene.adjusts_to is not None:
            self.configuration["main"] = {**camera_config["main"], "size": self.scene.adjusts_to}
        self.set_controls(camera_config["controls"])

    def stream_configuration(self, name: str = "main") -> dict[str, Any]:
        return self.configuration[name]  # type: ignore[no-any-return]

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        assert self.configuration
        self.started = True

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        self.scene.may_break("set_controls")
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.pending.append((self.frames + self.scene.controls_take, dict(controls)))

    def _next(self) -> tuple[float, dict[str, Any]]:
        """Return the picture under way (time and metadata) and begin the next one, whether or not it is asked for."""
        self.frames += 1
        for due, controls in self.pending:
            if due <= self.frames:
                self.in_force |= controls
        self.pending = [(due, controls) for due, controls in self.pending if due > self.frames]
        automatic = self.scene.auto_exposure + max(0, self.scene.settles_after - self.frames) * 5000
        exposure = automatic if self.in_force["AeEnable"] else self.in_force["ExposureTime"]
        climbing = self.frames < self.scene.gain_climbs_until
        automatic_gain = 1.0 + self.frames * 0.01 if climbing else 2.0
        gain = automatic_gain if self.in_force["AeEnable"] else self.in_force.get("AnalogueGain", automatic_gain)
        begun, duration = self.under_way, max(PERIOD, exposure / 1e6)
        self.scene.now = max(self.scene.now, begun + duration)
        self.under_way = max(begun + duration, self.scene.now - duration)
        stamp = int((begun + exposure / 1e6) * 1e9)
        facts = {"SensorTimestamp": stamp, "ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (1.5, 1.7)}
        settled = self.frames > self.scene.settles_after and not climbing
        facts |= {"AeState": 2 if settled else 1, "DigitalGain": self.scene.digital_gain}
        if self.scene.autofocus:
            facts |= {"AfState": 2 if self.frames > 15 else 1, "LensPosition": 3.5}
        return begun, facts

    @contextlib.contextmanager
    def captured_request(self, wait: Any = None, flush: Any = None) -> Iterator[CompletedRequest]:
        assert self.started
        assert wait is not None, "a capture without a time-out may hang for ever"
        self.jobs += 1
        if self.scene.hangs or self.scene.outstanding >= self.configuration["buffer_count"]:
            self.scene.now += wait
            raise TimeoutError
        begun, facts = self._next()
        # As the library does it; the metadata it computes with may be missing.
        while flush is not None and facts["SensorTimestamp"] - 1000 * self._told(facts)["ExposureTime"] < flush:
            begun, facts = self._next()
        self.jobs -= 1
        request = CompletedRequest(self, begun, facts)
        try:
            yield request
        finally:
            request.release()

    def cancel_all_and_flush(self) -> None:
        self.jobs = 0

    def close(self) -> None:
        self.started = False
        self.scene.opened.remove(self)


def module(scene: Scene) -> ModuleType:
    """Return a module named picamera2 whose camera looks at a scene."""
    Picamera2.scene = scene
    fake = ModuleType("picamera2")
    fake.Picamera2 = Picamera2  # type: ignore[attr-defined]
    return fake
