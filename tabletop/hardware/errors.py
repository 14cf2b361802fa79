"""What can go wrong between the program and the things it is wired to."""

from __future__ import annotations

from typing import Any

from tabletop.messages import Message, join


class HardwareError(Exception):
    """The base of every error of this package."""


class WiringError(HardwareError, ValueError):
    """A panel file cannot be wired; the text names the file, the line and the fix."""


class PinsError(HardwareError, RuntimeError):
    """The pins cannot be had; ``fix`` says what to do."""

    def __init__(self, fact: Message, fix: Message) -> None:
        super().__init__(join((fact, fix)))
        self.fact, self.fix = fact, fix


class CameraLost(HardwareError, OSError):
    """The camera gives no picture (unplugged, hanging, never there); ``camera`` names it in the sentence."""

    def __init__(self, camera: str, template: str, **facts: Any) -> None:
        super().__init__(Message(template, camera=camera, **facts))
        self.camera = camera


class CameraUnknown(HardwareError, ValueError):
    """A camera was asked for by a name that means none."""
