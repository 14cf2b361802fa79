"""Draw the pictures of the manuals from positions: ``python docs/make_rule_pictures.py``.

What the pictures say (what is legal, prices, points, what cards are worth) is asked of the rules.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from docs.rule_pictures import palazzo, patrician, piecepack

OUT = Path(__file__).parent / "pictures" / "rules"


def main() -> None:
    """Draw all pictures."""
    OUT.mkdir(parents=True, exist_ok=True)
    for game in (palazzo, patrician, piecepack):
        for picture in game.pictures():
            (OUT / f"{picture.name}.svg").write_text(picture.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
