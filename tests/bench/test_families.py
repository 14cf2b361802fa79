"""The family benchmark measures each table once and finds the smallest size at which nearly all tags are read."""

from __future__ import annotations

from pathlib import Path

from bench.families import FIRST_SEED, Cell, Seen, lines, run
from bench.rivals import CELLS, marker_readers, markers, on_our_grid
from tabletop.vision.tags.patterns import CODE_MODULES, draw

CELLS_MEASURED = [Cell("raw", "hard", (0.05, 0.25), 30.0, 1, side) for side in (20.0, 15.0, 12.0)]
READ = {20.0: 60, 15.0: 60, 12.0: 58}


class _MadeUp:
    """Makes figures up and remembers which tables were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Cell, int]] = []

    def __call__(self, cell: Cell, seed: int) -> dict[str, Seen]:
        self.asked.append((cell, seed))
        return {"tabletop": Seen(60, READ[cell.side], 0, 60.0, 0.1, 0.2), "rival": Seen(60, 0, 1, 6.0, 0.0, 0.0)}


def test_tables_already_measured_are_not_measured_again(tmp_path: Path) -> None:
    """A run continues after the last table that was kept, even if the file ends in the middle of a line."""
    made, kept = _MadeUp(), tmp_path / "kept.jsonl"
    first = run(CELLS_MEASURED, [FIRST_SEED], kept, made)
    kept.write_text(kept.read_text(encoding="utf-8") + '{"cell": {"rend\n', encoding="utf-8")
    assert run(CELLS_MEASURED, [FIRST_SEED], kept, made) == first
    assert made.asked == [(cell, FIRST_SEED) for cell in CELLS_MEASURED]
    run(CELLS_MEASURED, [FIRST_SEED, FIRST_SEED + 1], kept, made)
    assert made.asked[3:] == [(cell, FIRST_SEED + 1) for cell in CELLS_MEASURED]


def test_the_smallest_side_is_marked_if_it_comes_from_few_tags(tmp_path: Path) -> None:
    """The smallest side at which 99 % are read is printed, with ``~`` if fewer than a thousand tags were shown."""
    table = "\n".join(lines(run(CELLS_MEASURED, [FIRST_SEED], tmp_path / "kept.jsonl", _MadeUp())))
    assert "| raw | hard | 5–25 % | 30° | 1 | 15 ~ | > 20 |" in table
    assert "| rival | 0 of 180 | 3 | 1667 |" in table


def test_other_readers_know_the_markers_that_are_drawn() -> None:
    """Every reader of 36h11 gives the drawn marker its name, on its own modules and on ours."""
    name, pattern = next(iter(markers().items()))
    assert pattern.shape == (CELLS, CELLS)
    assert on_our_grid({name: pattern})[name].shape == (CODE_MODULES, CODE_MODULES)
    for read in marker_readers().values():
        for drawn in (draw(pattern, 12), draw(on_our_grid({name: pattern})[name], 6)):
            assert list(read(drawn)) == [name]
