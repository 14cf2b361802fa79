"""The graph of an analysis: the share of wins that each seat could expect, as characters and as a drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabletop.bots.hints import JudgedDecision

BARS = "▁▂▃▄▅▆▇█"
SEAT_COLOURS = ("#1d4ed8", "#b91c1c", "#15803d", "#a16207", "#7e22ce")
SEAT_DASHES = ("none", "8 4", "2 3", "10 3 2 3", "4 4")
"""Lines differ by their dashes as well as by colour."""
WIDTH, HEIGHT, MARGIN = 720, 300, 56
LEGEND_ROWS, FULL_HEIGHT = 2, 350
"""The rows of the legend below the graph, two so that five long names have room, and the height with the legend."""


def curve(judged: Sequence[JudgedDecision], seat: int) -> str:
    """Return a seat's shares of wins at its decisions as a row of bars."""
    shares = [decision.best.wins for decision in judged if decision.seat == seat]
    return "".join(BARS[min(len(BARS) - 1, int(share * len(BARS)))] for share in shares)


def graph(names: Sequence[str], judged: Sequence[JudgedDecision]) -> str:
    """Return an SVG of every seat's share of wins over the game; rings mark the decisions that cost something."""
    last = max(decision.number for decision in judged)

    def at(decision: JudgedDecision) -> tuple[float, float]:
        return MARGIN + decision.number / last * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - decision.best.wins * (
            HEIGHT - 2 * MARGIN
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {FULL_HEIGHT}" font-family="sans-serif" '
        'font-size="14">',
        f'<rect width="{WIDTH}" height="{FULL_HEIGHT}" fill="white"/>',
        *[_level(share) for share in (0.0, 0.5, 1.0)],
        f'<text x="{MARGIN}" y="{MARGIN - 24}">Expected share of wins; rings mark decisions that cost points</text>',
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 22}" text-anchor="middle">actions of the game, 1 to {last}</text>',
    ]
    for seat, name in enumerate(names):
        ink, dash = SEAT_COLOURS[seat % len(SEAT_COLOURS)], SEAT_DASHES[seat % len(SEAT_DASHES)]
        own = [decision for decision in judged if decision.seat == seat]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, own))
        line = f'fill="none" stroke="{ink}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" {line}/>')
        parts += [_ring(*at(decision), decision, ink) for decision in own if decision.cost > 0]
        column, row = divmod(seat, LEGEND_ROWS)
        x = MARGIN + column * (WIDTH - 2 * MARGIN) / math.ceil(len(names) / LEGEND_ROWS)
        y = HEIGHT + 10 + 20 * row
        parts.append(f'<path d="M{x:.0f} {y}h24" {line}/>')
        parts.append(f'<text x="{x + 30:.0f}" y="{y + 5}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _level(share: float) -> str:
    y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
    return (
        f'<path d="M{MARGIN} {y:.0f}H{WIDTH - MARGIN}" stroke="#ccc"/>'
        f'<text x="{MARGIN - 6}" y="{y + 5:.0f}" text-anchor="end">{100 * share:.0f} %</text>'
    )


def _ring(x: float, y: float, decision: JudgedDecision, ink: str) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 + min(10.0, decision.cost / 2):.1f}" fill="none" stroke="{ink}">'
        f"<title>action {decision.number}: {decision.cost:.1f} points</title></circle>"
    )
