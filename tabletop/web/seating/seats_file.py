"""The file that keeps who sits where over a restart.  Only hashes of tokens are kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tabletop.files import json_text
from tabletop.files.atomic import write
from tabletop.rules.validate import NOT_ALLOWED, unfit
from tabletop.web.seating.looks import SeatLook, chosen_look

log = logging.getLogger(__name__)

ANY_SEAT = range(1000)
"""More seats than any game has."""


@dataclass(frozen=True, slots=True)
class KeptSeats:
    """Hashes of the tokens that hold seats or are a host's; names and looks by seat; the bots of one match.

    ``deputed`` are the seats that the host holds for somebody who is absent.
    """

    holders: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    hosts: frozenset[str] = frozenset()
    looks: Mapping[int, SeatLook] = field(default_factory=dict)
    bots: Mapping[int, str] = field(default_factory=dict)
    match: str = ""
    deputed: frozenset[int] = frozenset()


def path_in(games: Path) -> Path:
    """Return the path of the file, which lies beside the games."""
    return games / "seats.json"


def every_name(path: Path) -> list[tuple[int, str]]:
    """Return each seat and name in a file, even one that no page can show; nothing if it is absent or damaged."""
    try:
        names = json_text.parse(path.read_text("utf-8"))["names"]
        return [(int(seat), str(name)) for seat, name in names.items()]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return []


def load(path: Path, seats: Collection[int]) -> KeptSeats:
    """Return what a file keeps of these seats: the last game may have had more.

    Nothing if the file is absent or damaged: that costs people one scan of the code, never the game.
    """
    try:
        data = json_text.parse(path.read_text("utf-8"))
        return KeptSeats(
            {int(seat): str(key) for seat, key in data["holders"].items() if int(seat) in seats},
            {int(seat): str(name) for seat, name in data["names"].items() if _fits(path, int(seat), str(name), seats)},
            frozenset(str(key) for key in data["hosts"]),
            {int(seat): chosen_look(look) for seat, look in data.get("looks", {}).items() if int(seat) in seats},
            {int(seat): str(level) for seat, level in data.get("bots", {}).items() if int(seat) in seats},
            str(data.get("match", "")),
            frozenset(int(seat) for seat in data.get("deputed", ()) if int(seat) in seats),
        )
    except (OSError, ValueError, KeyError, AttributeError, TypeError, OverflowError):
        return KeptSeats()


def _fits(path: Path, seat: int, name: str, seats: Collection[int]) -> bool:
    """Return whether a name is that of one of the seats and a page can show it; log a warning if it cannot."""
    if code := unfit(name):
        log.warning("%s: the name of seat %d is left out: it holds %s, and %s", path, seat + 1, code, NOT_ALLOWED)
    return seat in seats and not code


def save_hosts(path: Path, hosts: frozenset[str]) -> None:
    """Write the hosts into the file, like :func:`save`, and leave its seats unchanged."""
    save(path, replace(load(path, ANY_SEAT), hosts=hosts))


def save(path: Path, kept: KeptSeats) -> None:
    """Write the file; if it cannot be written, the seats are kept until a restart only, and the log says why."""
    looks = {seat: look._asdict() for seat, look in kept.looks.items()}
    people = {"holders": {**kept.holders}, "names": {**kept.names}, "hosts": sorted(kept.hosts), "looks": looks}
    data = {**people, "bots": {**kept.bots}, "match": kept.match, "deputed": sorted(kept.deputed)}
    try:
        write(path, json.dumps(data))
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error.strerror)
