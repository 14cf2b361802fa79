"""Regions that are drawn once for everybody who looks at the same moment in one language."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from tabletop.web.games.game_facts import BoardFacts
from tabletop.web.games.game_ui import LogLine
from tabletop.web.live.hub import Stamp
from tabletop.web.live.live_facts import CommonFacts
from tabletop.web.live.region_templates import RegionTemplates, draw

MAX_DRAWN_LINES = 2000
"""Lines of the log that are kept as drawn; a game has some hundreds."""


class SharedRegions:
    """The facts that everybody may know at one moment, and the parts drawn from them alone, once for each language.

    Templates know it as ``shared``: calling it draws a template.  ``before`` is the moment before, whose lines of the
    log are not drawn again within the same game.
    """

    def __init__(
        self,
        stamp: Stamp,
        facts: CommonFacts,
        board: BoardFacts,
        templates: RegionTemplates,
        before: SharedRegions | None = None,
    ) -> None:
        self.stamp, self.facts, self.board = stamp, facts, board
        self.context: Mapping[str, object] = templates.complete(facts, board, {"shared": self})
        self._templates = templates
        self._made: dict[tuple[str, int | None], Markup] = {}
        known = before is not None and before.facts["snapshot"].mark == facts["snapshot"].mark
        kept = before._lines if before is not None and known else {}
        self._lines: dict[LogLine, Markup] = kept if len(kept) < MAX_DRAWN_LINES else {}

    def __call__(self, template: str, number: int | None = None) -> Markup:
        """Return the template as all may see it, for the thing of that ``number`` if there are several."""
        if (template, number) not in self._made:
            self._made[template, number] = draw(self._templates.named(template), {**self.context, "number": number})
        return self._made[template, number]

    def each(self, template: str, count: int) -> Markup:
        """Return the template for a number of things."""
        return Markup("".join(self(template, number) for number in range(count)))

    def line(self, line: LogLine) -> Markup:
        """Return a line of the log, drawn when it was first shown to anybody who may read it."""
        if line not in self._lines:
            self._lines[line] = draw(self._templates.named("parts/line.html"), {**self.context, "line": line})
        return self._lines[line]
