"""The setup wizard: its step, what can be done there, and its messages, for terminal and page alike.

Several threads may drive it: a page's requests, the panel and the camera.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tabletop.bots.levels import LEVELS, no_level
from tabletop.config import NO_PANEL, SCALE_RANGE, SIMULATED_CAMERA, Config, ConfigError, load
from tabletop.hardware.cameras.present import PresentCamera
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.panel_file import Wiring
from tabletop.messages import EMPTY, Message, join, said_by
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.rules.new_game import not_for
from tabletop.rules.registry import EDITIONS
from tabletop.rules.validate import unfit
from tabletop.setup import tablefile, trials
from tabletop.setup.draft import STEPS, Draft, TrialOutcome
from tabletop.setup.trials import Trial
from tabletop.vision.aim.assessment import Aim
from tabletop.vision.kit import Kit, KitError
from tabletop.vision.tags.catalogue import TAG_MM


class Refused(ValueError):
    """Something cannot be chosen; the text says why."""


class SetupWizard:
    """The wizard.  ``file`` is the table.toml to write; ``wiring`` None means that there is no panel to try.

    Everything chosen is saved beside the file at once: a setup that was left continues there.
    """

    def __init__(
        self, config: Config, file: Path, wiring: Wiring | None, cameras: Callable[[], Sequence[PresentCamera]] = list
    ) -> None:
        self.file, self._store = file, file.with_name("setup.json")
        self._lock = threading.RLock()
        self._config = config
        self._trials = trials.trials(wiring) if wiring is not None else []
        self._listeners: list[Callable[[], None]] = []
        self.cameras = cameras
        """Returns the cameras that are plugged in."""
        self.draft = Draft.read(self._store, config)
        self.told = EMPTY
        """What to say about the last thing that was done."""
        self.aim: Aim | None = None
        """The assessment of the camera's last picture."""
        self.saved = EMPTY
        """The sentence about table.toml once it was written; empty before."""

    # going

    def go(self, step: str) -> None:
        """Go to a step."""
        if step in STEPS:
            self._change(step=step)

    def onward(self, done: str) -> None:
        """Go to the step after ``done``; saying so twice does not go a step further."""
        if done in STEPS[:-1]:
            self.go(STEPS[STEPS.index(done) + 1])

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change, so that the lights follow."""
        self._listeners.append(listener)

    # game

    def choose(
        self, game: str, seats: Sequence[str], make: str = "", edition: str = "", letter: str = "", size: str = "",
        bots: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Choose game, seats and pieces, and go to the next step.  Raises Refused.

        ``make``, ``edition`` and ``letter`` (the set) are as in table.toml, ``size`` is the side of the pieces' tags in
        mm as it is typed; empty for the usual.  ``bots`` has, seat by seat, the level at which the program plays it,
        empty for a person.
        """
        sitting = [*zip_longest([" ".join(name.split()) for name in seats], bots[: len(seats)], fillvalue="")]
        names, levels = (tuple(seat[at] for seat in sitting if seat[0]) for at in (0, 1))
        if unknown := next((level for level in levels if level and level not in LEVELS), None):
            raise Refused(no_level(unknown))
        try:
            played = registry.game(game)
        except Illegal as illegal:
            raise Refused(illegal.message) from None
        if len(names) not in played.seat_range:
            raise Refused(not_for(played.title, played.seat_range, len(names)))
        if len(set(names)) < len(names):
            raise Refused(Message("Two seats have the same name."))
        if code := unfit(names):
            raise Refused(Message("A name contains {code}, which cannot be shown. Type it again.", code=code))
        letter, scale = letter.strip().upper(), _scale(size)
        try:
            Kit(played, make, letter, scale)
        except KitError as error:
            raise Refused(said_by(error)) from None
        if edition and EDITIONS.part(played.name) is None:
            raise Refused(Message("The pieces of {game} show the same in every box.", game=played.title))
        if edition and not _is_readable(self.file.parent / edition):
            fact = Message("There is no file {file} that the table can read.", file=edition)
            raise Refused(join((fact, Message("Copy it to {folder}.", folder=self.file.parent))))
        self._change(
            game=played.name, seats=names, aimed=False, make=make, letter=letter, scale=scale, edition=edition,
            bots=levels,
        )  # fmt: skip
        self.onward("game")

    # panel

    @property
    def trial(self) -> Trial | None:
        """The current trial; None if all are done, or this is another step."""
        if self.draft.step != "panel" or not self.draft.panel:
            return None
        return next((trial for trial in self._trials if trial.name not in self.draft.tried), None)

    @property
    def outcomes(self) -> list[tuple[Trial, TrialOutcome | None]]:
        """Every trial with its outcome, None if it was not tried yet."""
        return [(trial, self.draft.tried.get(trial.name)) for trial in self._trials]

    def signals(self) -> Mapping[str, Pattern]:
        """Return the signals that the panel shows now."""
        return trials.signals(self.trial)

    def press(self, press: Press) -> None:
        """Take a press of a real button."""
        with self._lock:
            trial = self.trial
            if trial is None or press.kind is not Kind.PRESS:
                return
            outcome, self.told = trials.outcome_of_press(trial, press.button)
            if outcome is not None:
                self._tried(trial, outcome)

    def answer(self, name: str, outcome: TrialOutcome) -> None:
        """Record the outcome of a trial if it is still the current one; a button is never OK without a press."""
        with self._lock:
            trial = self.trial
            if trial is None or trial.name != name or (trial.is_button and outcome is TrialOutcome.OK):
                return
            self._tried(trial, outcome)

    def without_panel(self) -> None:
        """Note that there are no buttons and lights: none is tried, and the game will be played on the pages.

        Go on to the next step.
        """
        self._change(panel=False)
        self.onward("panel")

    def with_panel(self) -> None:
        """Note that there are buttons and lights now."""
        self._change(panel=True)

    def again(self) -> None:
        """Repeat the trials that were not OK."""
        with self._lock:
            self._change(tried={name: how for name, how in self.draft.tried.items() if how is TrialOutcome.OK})

    def _tried(self, trial: Trial, outcome: TrialOutcome) -> None:
        self.told = trial.fix if outcome is TrialOutcome.WRONG else EMPTY
        self._change(tried={**self.draft.tried, trial.name: outcome})

    # camera

    def camera(self, source: str) -> None:
        """Choose another camera."""
        with self._lock:
            self.aim = None
            self._change(source=source, aimed=False)

    def see(self, source: str, aim: Aim | None, trouble: Message = EMPTY) -> None:
        """Take the assessment of a camera's picture, or why there is none, unless another camera was chosen since."""
        with self._lock:
            if source != self.draft.source:
                return
            self.aim = aim
            if self.draft.step == "camera":
                self.told = trouble

    def aimed(self) -> None:
        """Accept the camera as it is, ready or not, and go to the next step."""
        self._change(aimed=self.aim is not None and self.aim.ready)
        self.onward("camera")

    @property
    def missing(self) -> list[str]:
        """The zone cards that the camera did not see: print them, or lay them down."""
        return [zone.title for zone in self.aim.zones if not zone.seen] if self.aim is not None else []

    # save

    def save(self) -> None:
        """Write table.toml; the wizard is done then.  Raises Refused if it cannot be written."""
        draft = self.draft
        values: dict[tuple[str, ...], tablefile.Value] = {("game",): draft.game, ("seats",): list(draft.seats)}
        if any(draft.bots) or self._config.bots:
            values["bots",] = list(draft.bots) if any(draft.bots) else []
        if draft.make or self._config.pieces.make:
            values["pieces", "make"] = draft.make
        if draft.letter or self._config.pieces.set:
            values["pieces", "set"] = draft.letter
        if draft.scale != self._config.pieces.scale:
            values["pieces", "scale"] = draft.scale
        if draft.edition or self._config.edition is not None:
            values["edition",] = draft.edition
        if draft.panel is (self._config.panel.pins == NO_PANEL):
            values["panel", "pins"] = "gpio" if draft.panel else NO_PANEL
        if draft.source != SIMULATED_CAMERA:
            values["camera", "source"] = draft.source
        try:
            with self._lock:  # two requests at once would delete the files that the other writes beside table.toml
                kept = tablefile.save(self.file, values)
                self._config = load(self.file)  # later choices are compared with this
                self._store.unlink(missing_ok=True)
        except OSError as error:
            raise Refused(Message("{file} cannot be written: {error}.", file=self.file, error=error.strerror)) from None
        except ConfigError as error:
            raise Refused(Message("{file} was not changed: {why}", file=self.file, why=said_by(error))) from None
        if kept is None:
            self.saved = Message("{file} has been saved.", file=self.file)
        else:
            self.saved = Message(
                "{file} has been saved; the previous one is kept as {kept}.", file=self.file, kept=kept.name
            )

    def _change(self, **values: Any) -> None:
        """Change parts of the draft, save it and call the listeners; a change from another thread is not lost."""
        with self._lock:
            self.draft = replace(self.draft, **values)
            try:
                self.draft.write(self._store)
            except OSError as error:
                self.told = Message(
                    "The setup cannot be saved for later ({file}: {error}).", file=self._store, error=error.strerror
                )
        for listener in self._listeners:
            listener()


def _is_readable(path: Path) -> bool:
    """Return whether a path is a readable file; a service may not even look into anybody's home."""
    return os.path.isfile(path) and os.access(path, os.R_OK)


def _scale(size: str) -> float:
    """Return the scale of tags whose side, in mm, was typed as ``size``; 1 if nothing was typed.  Raises Refused."""
    try:
        side = float(size.strip().replace(",", ".") or TAG_MM)
    except ValueError:
        side = 0.0
    least, most = (round(TAG_MM * scale) for scale in SCALE_RANGE)
    if not least <= side <= most:
        raise Refused(
            Message("Tags have sides of {least} to {most} mm, not “{size}”.", least=least, most=most, size=size)
        )
    return round(side / TAG_MM, 4)
