"""A camera that is a folder of pictures: each capture shows the next one, and the last one stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tabletop.hardware.cameras.camera import shrink
from tabletop.hardware.errors import CameraLost
from tabletop.messages import said_by
from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Frame
from tabletop.vision.image.load import open_picture

SUFFIXES = {".jpg", ".jpeg", ".png"}


class FolderCamera:
    """Shows the JPEG and PNG files of a folder in the order of their names."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self._folder, self._clock, self._number = folder, clock, 0
        try:
            self._files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise CameraLost(
                self.name,
                "The camera {camera} cannot be opened: {error}.",
                error=error.strerror,
            ) from None
        if not self._files:
            raise CameraLost(
                self.name,
                "The camera {camera} shows nothing: there is no .jpg or .png file in the folder.",
            )

    @property
    def name(self) -> str:
        """``images:`` and the folder."""
        return f"images:{self._folder}"

    @property
    def about(self) -> str:
        """The folder, and how many pictures there are."""
        return f"{self._folder} (pictures: {len(self._files)})"

    def capture(self, after: float, timeout: float) -> Frame:
        """Return the next picture as if it were exposed at this moment."""
        path = self._files[min(self._number, len(self._files) - 1)]
        try:
            picture = open_picture(path, path.name)
        except PictureError as error:
            raise CameraLost(self.name, "The camera {camera} shows no picture. {error}", error=said_by(error)) from None
        self._number += 1
        return Frame(picture.grey, shrink(picture.grey), max(self._clock(), after), self._number, picture.colour)

    def close(self) -> None:
        """Do nothing: no file is open between captures."""
