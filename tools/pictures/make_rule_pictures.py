"""Draw the pictures of the manuals from positions: ``python -m tools.pictures.make_rule_pictures``.

What the pictures say (what is legal, prices, points, what cards are worth) comes from the rules.
"""

from __future__ import annotations

from pathlib import Path

from tools.pictures.rule_pictures import palazzo, patrician, piecepack

OUT = Path(__file__).parents[2] / "docs" / "pictures" / "rules"


def main() -> None:
    """Draw all pictures."""
    OUT.mkdir(parents=True, exist_ok=True)
    for game in (palazzo, patrician, piecepack):
        for picture in game.pictures():
            (OUT / f"{picture.name}.svg").write_text(picture.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
