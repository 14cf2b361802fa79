"""Errors in reading a picture, with sentences for people."""

from __future__ import annotations

from tabletop.messages import Message


class VisionError(Exception):
    """Base class of all errors in reading pictures."""


class PictureError(VisionError, ValueError):
    """A file that cannot be read as a picture.

    Attributes:
        path: the file, as the caller named it.
        reason: why, and what to do about it.
    """

    def __init__(self, path: str, reason: Message) -> None:
        super().__init__(Message("{path}: {reason}", path=path, reason=reason))
        self.path = path
        self.reason = reason
