"""A finished game as the app BG Stats takes it: a link that a phone opens or scans."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import quote

from tabletop.referee.state import Snapshot

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST = 8000
"""Characters that the app reads of a link."""


def link(snapshot: Snapshot, names: Sequence[str]) -> str | None:
    """Return the link that hands the game to BG Stats; None where it would be too long or there is no start.

    Times are UTC; the source's name and ids stay the same for ever, so that a second import is known as such.
    """
    start, end = snapshot.events[0], snapshot.events[-1]
    position = snapshot.position
    first = next((event.seat for event in snapshot.events if event.seat is not None), None)
    play = {
        "sourceName": "tabletop",
        "sourcePlayId": start.hash[:32] or f"{start.time:.0f}",
        "playDate": datetime.fromtimestamp(start.time, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round((end.time - start.time) / 60)),
        "game": {
            "name": position.game.title,
            "sourceGameId": position.game.name,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "startPlayer": seat == first,
                "score": str(score.points),
                "rank": score.rank,
                "winner": score.rank == 1,
            }
            for seat, (name, score) in enumerate(zip(names, position.score(), strict=True))
        ],
    }
    made = ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")))
    return made if len(made) <= LONGEST else None
