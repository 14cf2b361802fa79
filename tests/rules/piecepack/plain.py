"""The building rules once more, as plainly as possible and without regard to speed, to check the real ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations

SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def next_to(cell: tuple[int, int], ways: tuple[tuple[int, int], ...] = SIDES) -> list[tuple[int, int]]:
    return [(cell[0] + x, cell[1] + y) for x, y in ways]


def reach(
    start: tuple[int, int],
    cells: set[tuple[int, int]] | Mapping[tuple[int, int], str],
    ways: tuple[tuple[int, int], ...],
) -> set[tuple[int, int]]:
    found, todo = {start}, [start]
    while todo:
        for cell in next_to(todo.pop(), ways):
            if cell in cells and cell not in found:
                found.add(cell)
                todo.append(cell)
    return found


def obeys(palazzo: Mapping[str, tuple[int, int]], diagonal: bool = False) -> bool:
    """Return whether structure → cell is one connected group of matching neighbours without a hole."""
    taken = {cell: structure for structure, cell in palazzo.items()}
    if len(taken) < len(palazzo):
        return False
    if not taken:
        return True
    for cell, one in taken.items():
        for beside in next_to(cell):
            other = taken.get(beside)
            if other and one[1] != other[1] and one[2] != other[2]:
                return False
    if reach(next(iter(taken)), taken, SIDES) != set(taken):
        return False
    box = {(x, y) for x in span(taken, 0) for y in span(taken, 1)}
    empty = box - set(taken)
    return reach(min(box), empty, SIDES + CORNERS if diagonal else SIDES) == empty


def span(cells: Iterable[tuple[int, int]], axis: int) -> range:
    places = [cell[axis] for cell in cells]
    return range(min(places) - 1, max(places) + 2)


def cells_around(palazzo: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    """Return every cell on which something could possibly be built, and some on which nothing can."""
    if not palazzo:
        return [(0, 0)]
    return [(x, y) for x in span(palazzo.values(), 0) for y in span(palazzo.values(), 1)]


def subsets(coins: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(coins, size) for size in range(len(coins) + 1))
