"""A served table that is killed at any moment, in all games, while phones play at it over HTTP.

The child serves the table; the parent acts, undoes, votes, pauses, sends photographs of the final table, confirms
what was read from them and begins next games, as phones do.  It kills the child during its start or within a
request, and sends the last request again to the next child.  What was acknowledged is there, and nothing is there
twice.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

from doubles.fake_photo_reader import Sight, scored
from tabletop.config import CameraConfig, Config, PagesConfig, PanelConfig
from tabletop.match import store
from tabletop.match.event import Event
from tabletop.match.journal_file import read_events
from tabletop.rules import registry
from tabletop.runtime import running_table, serve
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.web.seating.room import Room
from tests.campaigns.forked import Forked
from tests.campaigns.harness import Budget, Tally, main
from tests.ports import free_port

SEATS = ("Anna", "Ben", "Cleo")
MOST_REQUESTS = 12
"""Most requests that are answered before the child is killed during the next one."""
WITHIN = 0.03
"""Most seconds between a request and the kill."""
READY = 60.0
"""Seconds within which a child has to answer."""
HOST_CODE = "HOSTCODE"
PHOTOGRAPH = (
    '--edge\r\nContent-Disposition: form-data; name="photo"; filename="1.jpg"\r\n'
    "Content-Type: image/jpeg\r\n\r\n{shows}\r\n--edge--\r\n"
)


class Asked(NamedTuple):
    """A request: the sender's cookie, the path, the body, and the number of the event it was decided on."""

    cookie: str
    path: str
    body: dict[str, Any]
    on: int

    def written(self) -> tuple[str, bytes]:
        """Return the content type and the bytes of the body: a photograph, the form that confirms it, or JSON."""
        if self.path == "/photo/score":
            return "multipart/form-data; boundary=edge", PHOTOGRAPH.format(**self.body).encode()
        if self.path.startswith("/photo/"):
            return "application/x-www-form-urlencoded", urlencode(self.body).encode()
        return "application/json", json.dumps(self.body).encode()

    def acknowledged(self, status: int, answer: dict[str, Any]) -> int | None:
        """Return the number of the event that an answer acknowledges."""
        if status == 303:  # a confirmed photograph: the answer redirects to the page that shows it
            return self.on + 1
        return answer.get("number") if status == 200 else None


class QuickEye(PhotoWorker):
    """A photograph worker that reads any photograph at once: it shows how many points the first seat has."""

    def score(self, photograph: bytes, *_asked: Any) -> Any:
        """Return what a photograph of a final table shows."""
        found = scored(*([] for _ in SEATS))
        found["seats"][0]["points"] = int(photograph)
        return Sight(score=found)


@dataclass
class Place:
    """A table in its own folder, and the cookies of the phones that sit at it."""

    game: str
    folder: Path
    cookies: list[str] = field(default_factory=list)
    host: str = ""
    open: Asked | None = None
    photo: str = ""
    """The address that confirms the photograph sent last; empty if there is none."""

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        room = Room("ABCDEF", seats=range(len(SEATS)), host_code=HOST_CODE, store=self.folder / "seats.json")
        self.cookies = [f"seat={room.claim(seat, name)}" for seat, name in enumerate(SEATS)]
        self.host = f"host={room.hosts.admit(HOST_CODE)}"

    def events(self) -> tuple[Path, list[Event], Any]:
        """Return the newest journal, its events and its match."""
        path = max(self.folder.glob(f"*{store.SUFFIX}"))
        return path, *read_events(path)


def campaign(budget: Budget, tally: Tally) -> None:
    """Kill, check and continue, in each game in turn."""
    tally.counts.update(kills=0, starts=0, acknowledged=0, photographs=0, repeated=0, lost=0, doubled=0, matches=0)
    with tempfile.TemporaryDirectory() as folder:
        places = [Place(name, Path(folder) / name) for name in registry.BUILT_IN]
        for number in budget.rounds():
            if tally.enough:
                return
            blow(places[number % len(places)], budget.rng, tally)
        tally.counts["matches"] = sum(len(list(place.folder.glob(f"*{store.SUFFIX}"))) for place in places)


def blow(place: Place, rng: random.Random, tally: Tally) -> None:
    """Serve the table, play at it, and kill it."""
    port, heard, place.photo = free_port(), [], ""
    with Forked(partial(served, place, port)) as child:
        tally.count("starts")
        if rng.random() < 0.2:
            child.pause(rng.random() * 0.4)  # killed during the start
        elif child.hear_word("/host", READY):
            heard = played(place, port, child, rng, tally)
        else:
            tally.check(False, f"{place.game}: no answer within {READY} s")
        said = child.kill()
    tally.count("kills")
    tally.check(not any(line.startswith("fault") or "damaged" in line for line in said), f"{place.game}: {said}")
    tally.count("acknowledged", len(heard))
    for path, number in heard:
        events, _ = read_events(path)
        tally.count("lost", int(number > len(events)))
        tally.check(number <= len(events), f"{path.name}: event {number} of {len(events)} is lost")


def served(place: Place, port: int, tell: Callable[[str], None]) -> None:
    """Serve the table until it is killed, without a camera; the program draws what is left to chance."""
    config = Config(
        game=place.game,
        seats=SEATS,
        games=place.folder,
        camera=CameraConfig("none"),
        panel=PanelConfig("mock"),
        pages=PagesConfig("127.0.0.1", port, (), 400, 1_000_000),
    )
    with patch.object(running_table, "PhotoWorker", QuickEye):
        serve.run(config, lambda said: tell(said.replace("\n", " ")))


def played(place: Place, port: int, child: Forked, rng: random.Random, tally: Tally) -> list[tuple[Path, int]]:
    """Play at the table until it is killed; return what was acknowledged: journals and numbers of events."""
    heard: list[tuple[Path, int]] = []
    if place.open is not None:
        again(place, port, tally)
    for _ in range(rng.randrange(MOST_REQUESTS)):
        path, asked = wanted(place, rng)
        status, answer = reply(sent(port, asked), READY)
        tally.check(status in (200, 303, 409, 422), f"{place.game}: {asked} was answered {status} {answer}")
        place.photo = answer.get("next", "") if asked.path == "/photo/score" else ""
        tally.count("photographs", int(status == 303))
        if (number := asked.acknowledged(status, answer)) is not None:
            heard.append((path, number))
    path, place.open = wanted(place, rng)
    line = sent(port, place.open)
    child.pause(rng.random() * WITHIN)
    child.kill()
    status, answer = reply(line, 1.0)
    if status:
        if (number := place.open.acknowledged(status, answer)) is not None:
            heard.append((path, number))
        place.open = None
    return heard


def again(place: Place, port: int, tally: Tally) -> None:
    """Repeat the request that the kill cut off: it counts once, whether or not it had been recorded."""
    asked, place.open = place.open, None
    assert asked is not None
    _, before, match = place.events()
    status, answer = reply(sent(port, asked), READY)
    _, after, _ = place.events()
    tally.count("repeated")
    recorded = any(event.source != "draw" for event in before[asked.on :])
    doubled = recorded and status == 200 and len(after) > len(before) and asked.path.startswith("/seat")
    tally.count("doubled", int(doubled))
    tally.check(not doubled, f"{place.game}: {asked} was recorded twice: {answer}, {match.last}")


def wanted(place: Place, rng: random.Random) -> tuple[Path, Asked]:
    """Return the newest journal and a request that somebody might make now, mostly an act."""
    path, events, match = place.events()
    on, kind, id = match.last, rng.random(), f"{rng.getrandbits(64):x}"
    if place.photo:
        return path, Asked(place.host, place.photo, {"how": "ours"}, on)
    if match.over and kind < 0.6:
        return path, Asked(place.host, "/photo/score", {"shows": rng.getrandbits(30)}, on)
    if match.over:
        return path, Asked(place.host, "/host/next", {"game": events[0].hash[:8]}, on)
    if match.paused or kind < 0.05:
        what = "resume" if match.paused else "end" if kind < 0.005 else "pause"
        return path, Asked(place.host, "/host/game", {"what": what, "id": id}, on)
    newest = match.newest_change
    if kind < 0.15 and newest is not None and newest.seat is not None:
        return path, Asked(place.cookies[newest.seat], "/seat/undo", {"on": on, "id": id}, on)
    if kind < 0.25:  # from the players whom such an undo asked; without a vote it changes nothing
        return path, Asked(rng.choice(place.cookies), "/seat/vote", {"agree": True, "on": on, "id": id}, on)
    position = match.position
    if position.decider is None:  # it is being drawn
        return path, Asked(place.cookies[0], "/seat/undo", {"on": on, "id": id}, on)
    action = rng.choice(list(position.legal.thrifty()))
    body = {"action": action.to_json(), "on": on, "id": id}
    return path, Asked(place.cookies[position.decider], "/seat/act", body, on)


def sent(port: int, asked: Asked) -> socket.socket:
    """Send a request as a phone does; return the connection on which the answer comes."""
    kind, body = asked.written()
    head = (
        f"POST {asked.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Cookie: {asked.cookie}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    line = socket.create_connection(("127.0.0.1", port), READY)
    line.sendall(head.encode() + body)
    return line


def reply(line: socket.socket, seconds: float) -> tuple[int, dict[str, Any]]:
    """Return the status and the data of an answer; status 0 if it was cut off."""
    content = b""
    with line, contextlib.suppress(OSError):
        line.settimeout(seconds)
        while more := line.recv(65536):
            content += more
    head, _, body = content.partition(b"\r\n\r\n")
    try:
        status = int(head.split()[1])
        return status, json.loads(body) if status != 303 else {}
    except (IndexError, ValueError):
        return 0, {}


if __name__ == "__main__":
    main(campaign, __doc__)
