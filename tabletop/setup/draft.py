"""The choices and trials of the setup so far, saved so that it can be left at any moment and resumed."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tabletop.config import NO_PANEL, Config
from tabletop.files import json_text
from tabletop.files.atomic import write
from tabletop.rules import registry
from tabletop.vision.kit import Kit
from tabletop.vision.tags.catalogue import TAG_MM

STEPS = ("game", "panel", "camera", "sheets", "save")
"""The steps in their order; any of them can be visited at any time."""


class TrialOutcome(enum.StrEnum):
    """The outcome of trying a button or a light."""

    OK = "ok"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Draft:
    """The answers given to the wizard so far.

    ``tried`` is the outcome for each button, each light and the buzzer (by kind and name, ``button OK``); ``aimed`` is
    True once the camera was found to be ready for the whole table.
    """

    step: str = STEPS[0]
    game: str = registry.DEFAULT
    seats: tuple[str, ...] = ()
    source: str = "picamera2"
    tried: Mapping[str, TrialOutcome] = field(default_factory=dict)
    aimed: bool = False
    make: str = ""
    """The make of the pieces; empty for the game's usual one."""
    letter: str = ""
    """The letter of their set of tags; empty for the only set in the room."""
    scale: float = 1.0
    """The size at which their tags were printed, relative to the usual size."""
    panel: bool = True
    """Whether there are buttons and lights; without them the game is played on the pages."""
    edition: str = ""
    """The edition file, which says what is printed on the pieces; empty for the shipped one."""
    bots: tuple[str, ...] = ()
    """The level at which the program plays each seat, empty for a person's seat."""

    @classmethod
    def of(cls, config: Config) -> Draft:
        """Return the first draft, with everything as the table is configured now."""
        return cls(
            game=config.game,
            seats=config.seats,
            source=config.camera.source,
            make=config.pieces.make,
            letter=config.pieces.set,
            scale=config.pieces.scale,
            panel=config.panel.pins != NO_PANEL,
            edition="" if config.edition is None else str(config.edition.absolute()),
            bots=config.bots,
        )

    @classmethod
    def read(cls, path: Path, config: Config) -> Draft:
        """Return the draft that was saved, or a first one if the file cannot be read."""
        try:
            data = json_text.parse(path.read_text("utf-8"))
            kept = cls(
                step=str(data["step"]),
                game=str(data["game"]),
                seats=tuple(map(str, data["seats"])),
                source=str(data["source"]),
                tried={str(name): TrialOutcome(outcome) for name, outcome in data["tried"].items()},
                aimed=bool(data["aimed"]),
                make=str(data["make"]),
                letter=str(data["letter"]),
                scale=float(data["scale"]),
                panel=bool(data["panel"]),
                edition=str(data["edition"]),
                bots=tuple(map(str, data["bots"])),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls.of(config)
        return kept if kept.step in STEPS and kept.seats else cls.of(config)

    @property
    def size(self) -> str:
        """The side of the pieces' tags in mm, as people type it."""
        return f"{TAG_MM * self.scale:g}"

    @property
    def kit(self) -> Kit:
        """The pieces that were chosen.  Raises Illegal or KitError if there are no such pieces."""
        return Kit(registry.game(self.game), self.make, self.letter, self.scale)

    def write(self, path: Path) -> None:
        """Save the answers.  Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(asdict(self)))
