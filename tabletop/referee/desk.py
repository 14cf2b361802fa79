"""The referee's desk: the one thread-safe face that pages, the camera loop and the panel speak to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tabletop.hardware.panel.io import Press
from tabletop.referee.snapshot import Answer, Snapshot
from tabletop.rules.game import Action
from tabletop.vision.scene import Scene


class Desk(Protocol):
    """One mailbox in, one snapshot out.  Every method may be called from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener, in the desk's own thread, whenever there is a new snapshot; it has to return at once."""

    def wait(self, revision: int, timeout: float) -> Snapshot | None:
        """Return the newest snapshot once its revision is larger, or None after ``timeout`` seconds."""

    def act(self, action: Action, *, on: int, id: str, seat: int | None, source: str = "page") -> Answer:
        """Do an action decided by a page on event number ``on``; the same ``id`` again gets the same answer."""

    def undo(self, to: int, *, on: int, id: str, source: str = "page") -> Answer:
        """Take back every event after number ``to``."""

    def adopt(self, places: Mapping[str, str], *, on: int, id: str, source: str = "host") -> Answer:
        """Let the table win over the record: the pieces lie where ``places`` says (piece → place)."""

    def vouch(self, lying: Mapping[str, str], *, on: int, id: str, source: str) -> Answer:
        """Believe of pieces that they lie where the record has them (piece → zone), as the camera cannot see."""

    def decree(self, kind: str, data: Mapping[str, Any], *, id: str) -> Answer:
        """Record what the host decides about the evening: an event that leaves the position as it is.

        ``kind`` is ``pause``, ``resume``, ``end``, ``deputy``, ``names``, ``note`` or ``score``.  It counts whatever
        happened meanwhile; what holds already is no new event.
        """

    def press(self, press: Press) -> None:
        """Hand over a press of a physical (or demo) button."""

    def see(self, scene: Scene) -> None:
        """Hand over a still scene; only the newest unread one is kept."""

    def camera(self, state: str) -> None:
        """Tell how the camera is: ``ok``, ``lost``, ``moved`` or ``none``."""

    def button(self, name: str, state: str) -> None:
        """Tell how a button is: ``ok``, ``stuck`` or ``loose``."""
