"""What was chosen and tried so far, kept so that the setup can be left at any moment and resumed."""

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

    ``tried`` says of each button, light and the buzzer (by kind and name, ``button OK``) how it was; ``aimed`` is True
    once the camera was found good, or good enough, for the whole table.
    """

    step: str = STEPS[0]
    game: str = registry.DEFAULT
    seats: tuple[str, ...] = ()
    source: str = "picamera2"
    tried: Mapping[str, TrialOutcome] = field(default_factory=dict)
    aimed: bool = False
    make: str = ""
    """Which pieces are played with; empty: the game's usual ones."""
    letter: str = ""
    """The set of their tags, a letter; empty: the only one in the room."""
    scale: float = 1.0
    """How large their tags were printed, as a part of the usual size."""
    panel: bool = True
    """Whether there are buttons and lights; without any the game is played on the pages."""
    edition: str = ""
    """The file that says what is printed on them; empty: the one that ships."""
    bots: tuple[str, ...] = ()
    """The level at which the program plays each seat; an empty one is played by a person."""

    @classmethod
    def of(cls, config: Config) -> Draft:
        """Return the beginning: everything as the table is configured now."""
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
        """Resume the wizard where it was left; if the file cannot be read, start over."""
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
        """The side of the pieces' tags as people type it, mm."""
        return f"{TAG_MM * self.scale:g}"

    @property
    def kit(self) -> Kit:
        """The pieces that were chosen.  Raises Illegal or KitError if there are no such pieces."""
        return Kit(registry.game(self.game), self.make, self.letter, self.scale)

    def write(self, path: Path) -> None:
        """Keep the answers.  Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(asdict(self)))
