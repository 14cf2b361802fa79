"""What the pages say about Smugglers: names of crates and a little help."""

from __future__ import annotations

from pathlib import Path

from smugglers.rules import CRATES, REASONS, SmugglersPosition
from tabletop.web.games.game_facts import BoardFacts
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.games.help import Topic

GOODS = {"G": "gold", "S": "silk", "T": "tea"}


class SmugglersUI(GameUI[SmugglersPosition]):
    """The words of Smugglers on the pages."""

    title = "Smugglers"
    templates = Path(__file__).parent / "templates"
    static = Path(__file__).parent / "static"
    reasons = REASONS
    topics = (Topic("turn", "A turn", "Ship a crate; the other one waves it through or searches it.", ("A turn",)),)

    def board(self, position: SmugglersPosition, names: Names, *, over: bool) -> BoardFacts:
        """Return what everybody sees, with crates drawn by this game's own template."""
        return {**super().board(position, names, over=over), "draw": f"games/{self.name}/pieces.html"}

    def called(self, piece: str) -> str:
        """Return what people call a crate."""
        return f"{GOODS[piece[0]]} {piece[1:]}" if piece in CRATES else piece


UI = SmugglersUI("smugglers", CRATES)
