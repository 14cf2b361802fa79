"""A finished game as the app BG Stats takes it: a link that a phone opens or scans.

Its fields are those of the app's own description, “Push plays to BG Stats from other apps or websites”.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from urllib.parse import quote

from tabletop.referee.snapshot import Snapshot

APP_ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
MAX_LINK_LENGTH = 8000
"""The longest link that the app reads, in characters."""
MAX_PAUSE_S = 3600.0
"""The longest time between two events in which people may have been thinking or talking."""


def link(snapshot: Snapshot, names: Sequence[str]) -> str | None:
    """Return the link that hands the game to BG Stats, or None if it would be too long.

    The date is that of the end, in UTC; the source's name and ids stay the same for ever, so that a second import is
    recognised as such.  Every boolean is included, because the app requires them.
    """
    start = snapshot.match.start
    position = snapshot.position
    first = next((event.seat for event in snapshot.events if event.seat is not None), None)
    play = {
        "sourceName": "tabletop",
        "sourcePlayId": start.hash[:16] or f"{start.time:.0f}",
        "playDate": datetime.fromtimestamp(snapshot.events[-1].time, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": minutes([event.time for event in snapshot.events]),
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
    made = APP_ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe=",:")
    return made if len(made) <= MAX_LINK_LENGTH else None


def minutes(times: Sequence[float]) -> int:
    """Return how long was played, from the times of the events (Unix seconds); at least a minute.

    A pause longer than MAX_PAUSE_S does not count (people went home), nor does a step back (the clock was set).
    """
    steps = (later - earlier for earlier, later in pairwise(times))
    return max(1, round(sum(step for step in steps if 0 <= step <= MAX_PAUSE_S) / 60))
