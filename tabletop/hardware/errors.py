"""What can go wrong between the program and the hardware."""

from __future__ import annotations

from functools import partial
from typing import Any

from tabletop.messages import EMPTY, Message, join


class HardwareError(Exception):
    """The base of every error of this package.

    ``fact`` says what is wrong, ``fix`` what to do; it is empty if that depends on more than the hardware knows.
    """

    def __init__(self, fact: Message, fix: Message = EMPTY) -> None:
        super().__init__(join((fact, fix)) if fix else fact)
        self.fact, self.fix = fact, fix


class WiringError(HardwareError, ValueError):
    """A panel file cannot be wired; the text names the file, the line and the fix."""


class PinsError(HardwareError, RuntimeError):
    """The pins cannot be used."""


class VoiceLost(HardwareError, OSError):
    """The table cannot speak."""


class CameraLost(HardwareError, OSError):
    """The camera gives no picture (unplugged, hanging, never there); ``camera`` names it in the sentence."""

    def __init__(self, camera: str, template: str, fix: Message = EMPTY, **facts: Any) -> None:
        super().__init__(Message(template, camera=camera, **facts), fix)
        self.camera = camera

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {name: fact for name, fact in self.fact.facts.items() if name != "camera"}
        return partial(CameraLost, self.camera, self.fact.template, self.fix, **facts), ()


class CameraUnknown(HardwareError, ValueError):
    """The name of a camera is not known."""
