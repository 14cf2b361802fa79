"""The Raspberry Pi's own cameras, through picamera2 (from apt; imported here and nowhere else).

The library may hang or crash, so a table runs it in a separate process (see ``camera_process``).
One configuration and no mode switches: the full sensor, or the size that was chosen, as YUV420, whose first plane is
the grey picture, and a small stream beside it.  Exposure, white balance and focus settle once and are then fixed, so
that pictures of a still table are alike.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.hardware.cameras import present
from tabletop.hardware.cameras.camera import not_there, small_size
from tabletop.hardware.errors import CameraLost
from tabletop.messages import Message
from tabletop.vision.frame import BURNT_GREY, Frame, Grey

CAMERA_NAME = "picamera2"
DEVICES_FOLDER = Path("/dev")
BUFFER_COUNT = 3
"""The most pictures that the driver has under way."""
MIN_FRAME_US, MAX_FRAME_US = 33333, 120000
"""Limits of a picture's duration, and so of its exposure, µs."""
MAX_SETTLE_FRAMES = 60
"""The most pictures that exposure, white balance and focus may take to settle."""
STEADY_FRAMES = 5
"""The number of pictures in a row with the same exposure that count as settled."""
MAX_LATENCY_FRAMES = 12
"""The most pictures that a control may take to come into force."""
DARKENING_FACTOR, MAX_DARKENINGS = 0.75, 4
"""The factor by which the exposure is reduced if too much of a picture is burnt out, and how often at most."""
MAX_BURNT_FRACTION = 0.003
"""The share of a picture that may be burnt out: two tiles, or a mirrored lamp, on a table of 900 × 700 mm."""
CAPTURE_TIMEOUT_S = 2.0
"""How long a camera may give no picture while it starts before it counts as lost."""
AE_SETTLED = (2, 3)
"""Values of libcamera's AeState: converged, locked."""
AF_MANUAL, AF_AUTO, AF_START, AF_DONE = 0, 1, 0, (2, 3)
"""Values of libcamera's AfMode, AfTrigger and AfState (focused, failed)."""


def flicker_free(exposure: int, gain: float, mains: int) -> tuple[int, float]:
    """Return exposure (µs) and gain of the same brightness that do not flicker with lamps on ``mains`` Hz.

    Lamps flicker twice per period, so the exposure has to be a multiple of 1/(2·mains) s: 10 ms at 50 Hz, 8.33 ms at
    60 Hz.  A light so bright that the exposure is shorter than that is daylight, and the exposure stays as it is.
    """
    flicker = 1e6 / (2 * mains)
    if exposure < flicker:
        return exposure, gain
    whole = round(flicker * int(exposure / flicker))
    return whole, gain * exposure / whole


class PiCamera:
    """One camera on the Pi's own connector."""

    def __init__(self, camera: Any, size: tuple[int, int]) -> None:
        self._camera, self._size = camera, size
        self._small = small_size(*size)
        self._number, self._model = 0, ""

    @classmethod
    def open(cls, mains: int = 50, size: tuple[int, int] | None = None) -> PiCamera:
        """Open the first camera, let it settle, then fix its settings.  Raises CameraLost with what to do.

        ``size`` is that of its pictures, px, None for the whole sensor; the library chooses the sensor's mode for it.
        """
        try:
            from picamera2 import Picamera2
        except Exception as error:  # also of what it needs: kms++, a camera library of another version
            fix = Message("On a Pi: sudo apt-get install python3-picamera2; then delete .venv if it was made before.")
            raise CameraLost(CAMERA_NAME, "The camera {camera} cannot be used: {error}.", fix, error=error) from None
        camera = None
        try:
            found = _own(Picamera2.global_camera_info())
            device = _opened(Picamera2, found)
            camera = cls(device, size or tuple(device.sensor_resolution))
            camera._model = str(found.get("Model", "unknown"))
            camera._start()
            camera._lock(mains)
        except BaseException as error:
            if camera is not None:
                camera.close()
            if isinstance(error, CameraLost) or not isinstance(error, Exception):
                raise
            raise CameraLost(CAMERA_NAME, "The camera {camera} failed: {error}.", error=error) from error
        return camera

    @property
    def name(self) -> str:
        """``picamera2``."""
        return CAMERA_NAME

    @property
    def about(self) -> str:
        """The sensor, and whether its lens can focus by itself."""
        return f"{self._model} ({'autofocus' if 'AfMode' in self._camera.camera_controls else 'fixed focus'})"

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture whose exposure began after ``after``; times are the sensor's own."""
        end = time.monotonic() + timeout
        # The library can wait for such a picture itself, but fails over one of which it does not know the exposure.
        for passed in itertools.count():
            with self._request(max(0.0, end - time.monotonic()), timeout) as request:
                # Pictures under way at the time of the request come first, so any after them is late enough.
                begun = _begun(request.get_metadata(), after if passed >= BUFFER_COUNT else -math.inf)
                if begun >= after:
                    grey, small = _luma(request, "main", self._size), _luma(request, "lores", self._small)
                    break
        self._number += 1
        return Frame(grey, small, begun, self._number)

    def close(self) -> None:
        """Release the camera.  The driver may hang: callers that cannot wait open the camera in a separate process."""
        try:
            self._camera.cancel_all_and_flush()
        finally:
            self._camera.close()

    def _start(self) -> None:
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": self._size, "format": "YUV420"},
                    lores={"size": self._small, "format": "YUV420"},
                    controls=self._advertised({"FrameDurationLimits": (MIN_FRAME_US, MAX_FRAME_US)}),
                    buffer_count=BUFFER_COUNT,
                    queue=False,
                )
            )
            # Not every size is possible: the library adjusts it silently.
            self._size, self._small = (
                tuple(self._camera.stream_configuration(stream)["size"]) for stream in ("main", "lores")
            )
            self._camera.start()
        except Exception as error:
            raise CameraLost(CAMERA_NAME, "The camera {camera} does not start: {error}.", error=error) from None

    @contextmanager
    def _request(self, wait: float, timeout: float) -> Iterator[Any]:
        """Provide one request that completes within ``wait`` seconds, and release it in any case.

        ``timeout``, in seconds, is named in the error if none comes.
        """
        try:
            with self._camera.captured_request(wait=wait) as request:
                yield request
        except TimeoutError:
            self._camera.cancel_all_and_flush()  # otherwise nobody would release the request once it completes
            raise CameraLost(
                CAMERA_NAME, "The camera {camera} gave no picture for {time} s.", time=f"{timeout:g}"
            ) from None
        except Exception as error:
            raise CameraLost(CAMERA_NAME, "The camera {camera} failed: {error}.", error=error) from error

    def _facts(self) -> Mapping[str, Any]:
        with self._request(CAPTURE_TIMEOUT_S, CAPTURE_TIMEOUT_S) as request:
            return dict(request.get_metadata())

    def _lock(self, mains: int) -> None:
        """Fix exposure, gain, white balance and, if the lens has one, focus as they have settled."""
        focus = "AfMode" in self._camera.camera_controls
        if focus:
            self._camera.set_controls(self._advertised({"AfMode": AF_AUTO, "AfTrigger": AF_START}))
        settled = self._settled(focus)
        if "ExposureTime" not in settled:
            return  # the camera reports no exposure that could be fixed
        brightness = settled.get("AnalogueGain", 1.0) * settled.get("DigitalGain", 1.0)
        fixed: dict[str, Any] = {"AeEnable": False}
        if "ColourGains" in settled:
            fixed |= {"AwbEnable": False, "ColourGains": settled["ColourGains"]}
        if focus and "LensPosition" in settled:
            fixed |= {"AfMode": AF_MANUAL, "LensPosition": settled["LensPosition"]}
        # Automatic exposure makes a dark table as bright as any other, which burns out the paper on it.
        for _ in range(MAX_DARKENINGS + 1):
            light = settled["ExposureTime"] * min(1.0, brightness), max(1.0, brightness)
            self._expose(fixed, *flicker_free(int(light[0]), light[1], mains))
            if self._burnt() <= MAX_BURNT_FRACTION:
                return
            brightness *= DARKENING_FACTOR

    def _expose(self, fixed: Mapping[str, Any], exposure: int, gain: float) -> None:
        """Set the fixed controls with this exposure (µs) and gain, and wait until they are in force."""
        most = self._camera.camera_controls.get("AnalogueGain", (1.0, gain))[1]
        self._camera.set_controls(
            self._advertised({**fixed, "ExposureTime": exposure, "AnalogueGain": min(gain, most)})
        )
        for _ in range(MAX_LATENCY_FRAMES):
            facts = self._facts()
            if _is_near(facts, "ExposureTime", exposure) and _is_near(facts, "AnalogueGain", min(gain, most)):
                return

    def _burnt(self) -> float:
        """Return the share of a picture that is burnt out, so that paper and glare look the same."""
        with self._request(CAPTURE_TIMEOUT_S, CAPTURE_TIMEOUT_S) as request:
            return float((_luma(request, "lores", self._small) >= BURNT_GREY).mean())

    def _advertised(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Return the controls that this camera has; the library would refuse any other."""
        known = self._camera.camera_controls
        return {name: value for name, value in controls.items() if name in known}

    def _settled(self, focus: bool) -> Mapping[str, Any]:
        """Return the facts of the first picture after exposure stood still and focus was found (or given up)."""
        facts = self._facts()
        calm = 0
        for _ in range(MAX_SETTLE_FRAMES):
            before, facts = facts, self._facts()
            still = abs(_brightness(facts) - _brightness(before)) <= _brightness(before) * 0.02
            # Exposure may stand at a limit while the gain still climbs: the library's own state, if given, decides.
            done = facts["AeState"] in AE_SETTLED if "AeState" in facts else facts.get("AeLocked", True)
            calm = calm + 1 if still and done else 0
            if calm >= STEADY_FRAMES and (not focus or facts.get("AfState") in (None, *AF_DONE)):
                break
        return facts


def _own(cameras: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first camera on the Pi's own connector of all that libcamera found.  Raises CameraLost."""
    own = [camera for camera in cameras if "/usb" not in str(camera.get("Id", ""))]
    if own:
        return own[0]
    if cameras:
        raise CameraLost(CAMERA_NAME, "There is no camera {camera}, only a USB camera.", present.advice())
    raise not_there(
        CAMERA_NAME,
        [*sorted(DEVICES_FOLDER.glob("media*")), *sorted(DEVICES_FOLDER.glob("video*"))],
        CameraLost(
            CAMERA_NAME,
            "The camera {camera} was not found: check the ribbon cable (contacts, both ends) and rpicam-hello.",
        ),
    )


def _opened(kind: Any, camera: Mapping[str, Any]) -> Any:
    """Open the camera.  Raises CameraLost."""
    try:
        return kind(camera.get("Num", 0))
    except Exception as error:
        fix = Message("Is another program using it? Close that, or restart the machine.")
        raise CameraLost(CAMERA_NAME, "The camera {camera} cannot be opened ({error}).", fix, error=error) from None


def _begun(facts: Mapping[str, Any], otherwise: float) -> float:
    """Return when the exposure of a picture began, monotonic seconds; ``otherwise`` if the camera does not say."""
    if "SensorTimestamp" not in facts:
        return otherwise
    return float(facts["SensorTimestamp"] / 1e9 - facts.get("ExposureTime", MAX_FRAME_US) / 1e6)


def _is_near(facts: Mapping[str, Any], name: str, wanted: float) -> bool:
    """Return whether a picture was taken with about the wanted settings, as far as it says."""
    return bool(abs(facts.get(name, wanted) - wanted) <= wanted * 0.02)


def _brightness(facts: Mapping[str, Any]) -> float:
    """Return how much a picture was brightened: the product of exposure and gains that it reports."""
    factors = (facts.get(name, 1) for name in ("ExposureTime", "AnalogueGain", "DigitalGain"))
    return math.prod(float(part) for part in factors)


def _luma(request: Any, stream: str, size: tuple[int, int]) -> Grey:
    """Cut the grey picture out of a stream's YUV420 buffer, whose rows may be padded."""
    width, height = size
    return np.ascontiguousarray(request.make_array(stream)[:height, :width], np.uint8)
