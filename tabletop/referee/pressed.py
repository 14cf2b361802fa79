"""The presses at the panel that still count: what the deciding seat means to do, and an OK that waits for a scene."""

from __future__ import annotations

from tabletop.hardware.panel.buttons import Press
from tabletop.messages import Declined
from tabletop.referee.messages import say
from tabletop.rules.game import Action, Position
from tabletop.vision.scene import Scene

MIN_REPEAT_S = 0.4
"""A button pressed again within this time, in s, was pressed by the same finger before anybody saw the effect."""


class Pressed:
    """The presses at the panel that still count.

    ``intent`` is what the deciding seat means to do; ``since`` the time of an OK that waits for a scene seen after it,
    None if none waits.
    """

    def __init__(self) -> None:
        self.intent: str | None = None
        self.since: float | None = None
        self._finishes: str | None = None
        self._last: Press | None = None
        self._about: tuple[str, int | None] = ("", None)

    def counts(self, press: Press, position: Position) -> bool:
        """Return whether a press counts; one that does drops the OK that waits.

        A quick second press of the same button does not count if it would do more than the first one: confirm
        something, or decide in another phase or for another seat.  UNDO always counts.
        """
        last, self._last, about = self._last, press, (position.phase, position.decider)
        soon = last is not None and last.button == press.button and press.time - last.time < MIN_REPEAT_S
        table = position.game.table
        confirms = press.button == "OK" or (table is not None and table.finishes(position, press.button))
        if soon and press.button != "UNDO" and (confirms or about != self._about):
            return False
        self._about = about
        self.forget_ok()
        return True

    def ok(self, time: float, intent: str | None = None) -> None:
        """Note an OK, or the button that finishes what an ``intent`` is about."""
        self.since, self._finishes = time, intent

    def action(self, press: Press, position: Position) -> Action | None:
        """Return the action that a press of one of the game's buttons does, None if it is an intent or finishes one.

        An intent that is pressed again is dropped.  Raises Declined if the button does nothing now.
        """
        button, table = press.button, position.game.table
        meaning = table.button(position, button) if table is not None else None
        if table is None or meaning is None:
            raise self.without_effect()
        if not isinstance(meaning, str):
            return meaning
        if table.finishes(position, button):
            self.ok(press.time, meaning)
        else:
            self.intent = None if self.intent == meaning else meaning
        return None

    def without_effect(self) -> Declined:
        """Return the refusal of the last press, which does nothing now."""
        button = self._last.button if self._last else "OK"
        return Declined("wrong-phase", say("button-nothing", button=button).text, facts={"button": button})

    def answered_by(self, scene: Scene) -> bool:
        """Return whether a scene, seen after the waiting OK and read to its end, answers it; the OK then waits no more.

        Without a waiting OK the answer is False.
        """
        if self.since is None or scene.time < self.since or scene.seeking:
            return False
        self.since = None
        return True

    def meant(self, confirmed: bool) -> str | None:
        """Return the seat's intent; for a scene that answered an OK (``confirmed``), the finished one comes first."""
        return (self._finishes if confirmed else None) or self.intent

    def forget_ok(self) -> None:
        """Drop the OK that waits: it was meant for a decision that has been made since, or it was pressed again."""
        self.since = self._finishes = None
