"""Draw the pictures of docs/data.md from an exported tournament.

    tabletop tournament --game palazzo --bots strong,thrifty --games 200 --playouts 16 --out cup
    tabletop export cup --out tables --format jsonl
    .venv/bin/python -m tools.pictures.make_data_pictures tables

It writes SVG to ``docs/pictures/data/`` and prints what the pictures show in numbers.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "data"
INKS = ("#1d4ed8", "#b45309", "#15803d", "#7e22ce")
DASHES = ("none", "9 4", "3 3", "10 3 2 3")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 340, 70, 60, 40
STEPS = 20
"""The number of parts of a game over which leads are averaged."""
Table = Sequence[Mapping[str, Any]]
Point = tuple[float, float]


def read(folder: Path, table: str) -> Table:
    """Return the rows of a table."""
    return [json.loads(line) for line in (folder / f"{table}.jsonl").read_text("utf-8").splitlines()]


def main() -> None:
    """Draw every picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    folder = parser.parse_args().tables
    seats, actions = read(folder, "seats"), read(folder, "actions")
    bots = list(dict.fromkeys(str(seat["bot"]) for seat in seats))
    sits = {(seat["game_id"], seat["seat"]): str(seat["bot"]) for seat in seats}
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, drawing in (
        ("points", points(seats, bots)),
        ("lead", leads(actions, sits, bots)),
        ("kinds", kinds(actions, sits, bots)),
    ):
        (PICTURES / f"{name}.svg").write_text(drawing, encoding="utf-8")
    print(f"{len(seats) // len(bots)} games")


def points(seats: Table, bots: Sequence[str]) -> str:
    """Return a drawing of the distribution of final points, a line for each bot."""
    of = {bot: [int(seat["points"]) for seat in seats if seat["bot"] == bot] for bot in bots}
    every = [value for values in of.values() for value in values]
    first, last = min(every) // 10 * 10, max(every) // 10 * 10 + 10
    bins = range(first, last, 10)
    most = max(sum(low <= value < low + 10 for value in of[bot]) for bot in bots for low in bins)
    chart = Chart("points at the end", "games", (first, last), (0, most))
    for number, bot in enumerate(bots):
        heights = [sum(low <= value < low + 10 for value in of[bot]) for low in bins]
        print(f"points, {bot}: mean {mean(of[bot]):.1f}")
        line = [(low + 5.0, float(height)) for low, height in zip(bins, heights, strict=True)]
        chart.line([(first, 0.0), *line, (last, 0.0)], number, f"{bot}, on average {mean(of[bot]):.0f}")
    return chart.svg()


def leads(actions: Table, sits: Mapping[tuple[str, int], str], bots: Sequence[str]) -> str:
    """Return a drawing of the first bot's lead in the course of the games: the middle half, and the mean."""
    ends = Counter(action["game_id"] for action in actions)
    ahead_at: dict[int, list[int]] = defaultdict(list)
    for action in actions:
        if action["lead"] is not None:
            ahead = action["lead"] if sits[action["game_id"], action["seat"]] == bots[0] else -action["lead"]
            ahead_at[(action["number"] - 1) * STEPS // ends[action["game_id"]]].append(ahead)
    middle = {step: quantiles(values, n=4) for step, values in sorted(ahead_at.items())}
    low, high = min(band[0] for band in middle.values()), max(band[2] for band in middle.values())
    chart = Chart(
        "course of the game, %", f"points by which {bots[0]} leads", (0, 100), (low // 10 * 10, high // 10 * 10 + 10)
    )
    at = {step: (step + 0.5) * 100 / STEPS for step in middle}
    chart.band(
        [(at[step], band[0]) for step, band in middle.items()], [(at[step], band[2]) for step, band in middle.items()]
    )
    chart.line([(at[step], mean(ahead_at[step])) for step in middle], 0, "mean; the shade holds half of all games")
    return chart.svg()


def kinds(actions: Table, sits: Mapping[tuple[str, int], str], bots: Sequence[str]) -> str:
    """Return a drawing of how often each bot chooses each kind of action, in percent of its decisions."""
    done = {bot: Counter[str]() for bot in bots}
    for action in actions:
        if action["seat"] is not None:
            done[sits[action["game_id"], action["seat"]]][str(action["do"])] += 1
    shares = {bot: {kind: 100 * count / done[bot].total() for kind, count in done[bot].items()} for bot in bots}
    names = sorted(
        {kind for parts in shares.values() for kind in parts}, key=lambda kind: -shares[bots[0]].get(kind, 0)
    )
    most = max(share for parts in shares.values() for share in parts.values())
    chart = Chart("", "of 100 decisions", (0, len(names)), (0, most), names)
    for number, bot in enumerate(bots):
        print(f"kinds, {bot}: " + ", ".join(f"{kind} {shares[bot].get(kind, 0):.1f}" for kind in names))
        chart.bars([shares[bot].get(kind, 0) for kind in names], number, len(bots), bot)
    return chart.svg()


class Chart:
    """One drawing with two axes."""

    def __init__(
        self, across: str, up: str, x: tuple[float, float], y: tuple[float, float], names: Sequence[str] = ()
    ) -> None:
        self._x, self._y, self._keys = x, y, 0
        title = f'<text x="{(WIDTH + LEFT) / 2:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
        middle = (HEIGHT - BOTTOM + TOP) / 2
        self._parts = [
            title,
            f'<text transform="translate(18 {middle:g}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
        ]
        for value in _ticks(*y):
            _, height = self._at((x[0], value))
            self._parts.append(
                f'<path d="M{LEFT} {height:.1f}H{WIDTH - 20}" stroke="{"#888" if value == 0 else "#ddd"}"/>'
            )
            self._parts.append(f'<text x="{LEFT - 8}" y="{height + 5:.1f}" text-anchor="end">{value:g}</text>')
        marks = [(at + 0.5, name) for at, name in enumerate(names)] or [(value, f"{value:g}") for value in _ticks(*x)]
        for value, text in marks:
            place, _ = self._at((value, y[0]))
            self._parts.append(
                f'<text x="{place:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{escape(text)}</text>'
            )

    def line(self, along: Sequence[Point], number: int, key: str) -> None:
        """Draw a line through these points."""
        style = f'fill="none" stroke="{INKS[number]}" stroke-width="3" stroke-dasharray="{DASHES[number]}"'
        self._parts.append(f'<polyline points="{self._points(along)}" {style}/>')
        self._key(f'<path d="M0 0h30" {style}/>', key)

    def band(self, low: Sequence[Point], high: Sequence[Point]) -> None:
        """Shade the area between two lines."""
        self._parts.append(f'<polygon points="{self._points([*low, *reversed(high)])}" fill="#dbeafe"/>')

    def bars(self, heights: Sequence[float], number: int, of: int, key: str) -> None:
        """Draw one of ``of`` sets of bars, one bar at each place."""
        ink, wide = INKS[number], 0.8 / of
        fill = f'fill="{ink}"' if number == 0 else f'fill="white" stroke="{ink}" stroke-width="2"'
        for at, height in enumerate(heights):
            left, top = self._at((at + 0.1 + number * wide, height))
            right, foot = self._at((at + 0.1 + (number + 0.9) * wide, 0))
            self._parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{foot - top:.1f}" {fill}/>'
            )
        self._key(f'<rect y="-8" width="30" height="14" {fill}/>', key)

    def svg(self) -> str:
        """Return the drawing."""
        inside = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="sans-serif" font-size="15">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{inside}\n</svg>\n'
        )

    def _at(self, point: Point) -> Point:
        wide, high = WIDTH - 20 - LEFT, HEIGHT - BOTTOM - TOP
        across = (point[0] - self._x[0]) / (self._x[1] - self._x[0])
        return LEFT + across * wide, HEIGHT - BOTTOM - (point[1] - self._y[0]) / (self._y[1] - self._y[0]) * high

    def _points(self, along: Sequence[Point]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self._at, along))

    def _key(self, mark: str, text: str) -> None:
        place = f"translate({LEFT + 10 + 330 * self._keys} 20)"
        self._parts.append(f'<g transform="{place}">{mark}<text x="40" y="5">{escape(text)}</text></g>')
        self._keys += 1


def _ticks(low: float, high: float) -> list[float]:
    """Return some round numbers from one to the other."""
    step = next(width for width in (1, 2, 5, 10, 20, 50, 100, 200, 500) if (high - low) / width <= 8)
    return [value for value in range(int(low), int(high) + 1) if value % step == 0]


if __name__ == "__main__":
    main()
