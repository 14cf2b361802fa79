"""Hostile texts for every route: in addresses, queries, JSON, forms, cookies and headers, from every role.

``python -m tests.campaigns.texts --seconds 60 --seed 1``.  A fault is a status of 500 or a traceback, an answer that
takes more than five seconds, a text that a page shows as markup, a page that is broken afterwards, a post from another
web site or a foreign host that is not refused, or a GET that changes something.  ``inputs`` counts requests.
"""

from __future__ import annotations

import random
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from doubles.fake_photo_reader import FakePhotoReader, Sight
from doubles.finished_games import played
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST, HOST_CODE, Pages
from doubles.positions import NAMES
from tabletop.match.archive import Archive
from tabletop.rules import registry
from tabletop.web.seating.claims import CONFIRMED, OPEN
from tests.campaigns.harness import Budget, Tally, main

MARK = "<img src=x onerror=alert(1)>"
TEXTS = (
    "", " ", "\0", "\ud800", "\udfff\ud800", "\x7f\x1b[31m", "\u202egnp.exe", "\u2028\u2029", "\ufeff", "🂡🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "Z̡̢͖̺a" * 40, MARK, f'"\'>{MARK}', "</script><script>alert(1)</script>", "{{ 7*7 }}", "{% raw %}", "%(name)s",
    "%s%n", "{0.__class__}", "../../../etc/passwd", "..\\..\\", "/etc/passwd", "%2e%2e%2f", "file:///etc/passwd",
    "http://evil.example/", "javascript:alert(1)", "' OR 1=1 --", "; rm -rf /", "$(id)", "`id`",
    "\r\nSet-Cookie: host=x", "\n", "a" * 300, "ä" * 5000, "9" * 400, "-1", "1e999", "NaN", "0x10", "٣", "²",
    "true", "null", "[]", "{}", CODE, HOST_CODE, "R5a", "B3.2", "hand0", "deck", "table", "en", "de",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 7, 10**30, 1.5, float("inf"), float("nan"), [], {}, [[]], {"": {}}, [None],
    [1, "R5a"],
)  # fmt: skip
KEYS = (
    "code", "seat", "name", "also", "action", "on", "id", "agree", "held", "button", "what", "seats", "options",
    "game", "moves", "piece", "place", "to", "now", "accept", "do", "tiles", "pay", "cards", "card", "kind", "tile",
    "onto", "at", "structure", "coin", "city", "from", "site", "die", "how", "names[]", "cards[]", "moves[]", "",
)  # fmt: skip
QUERIES = ("code", "seat", "at", "page", "with", "game", "again", "stamp", "v", "pictures")
HEADERS = (
    "Accept-Language", "Last-Event-ID", "Accept", "User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "Range",
    "If-None-Match", "Content-Type", "Accept-Encoding", "Referer", "Forwarded",
)  # fmt: skip
ORIGINS = (
    "", "null", "http://evil.example", f"{HOST}.evil.example", "http://192.168.1.20", "http://192.168.1.20:8001",
    "https://192.168.1.20:8000", "http://192.168.1.20:8000/", "http://192.168.1.20:8000@evil.example",
    "http://table.local:8000", "HTTP://192.168.1.20:8000", f"{HOST}, http://evil.example", "file://",
    "chrome-extension://abc", "http://192.168.1.20:8000.", " ",
)  # fmt: skip
FOREIGN = (
    "evil.example", "evil.example:8000", "192.168.1.20.evil.example", "table.local.evil.example", "localhost.evil",
    "[::1].evil", "a b",
)  # fmt: skip
BROKEN = "cannot be shown right now"


class Table:
    """A table in memory with everything that pages can show, and a browser for each role."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        game = registry.game(rng.choice(registry.BUILT_IN))
        self.rng = rng
        self.mailbox = MemoryTable(game, NAMES, seed=rng.randrange(10**6))
        for _ in range(rng.randrange(40)):
            position = self.mailbox.snapshot.position
            if position.decider is None or position.over:
                break
            action = rng.choice(list(position.legal.thrifty()))
            self.mailbox.act(action, on=self.mailbox.snapshot.number, id=f"begin-{rng.random()}", seat=position.decider)
        admission = CONFIRMED if rng.random() < 0.5 else OPEN
        reader = FakePhotoReader(Sight(pieces=("R5a", "N4a"), doubts=((0, MARK),)))
        begun = lambda _people, _options: None  # noqa: E731
        self.pages = Pages(
            self.mailbox, photo_reader=reader, archive=Archive(folder), begin=begun, room={"admission": admission}
        )
        self.phones = {"nobody": self.pages.phone(), "host": self.pages.phone(host=True)}
        for seat in range(len(NAMES)):
            token = self.pages.room.claim(seat, rng.choice([MARK, "Ada", "{{ 7*7 }}"]))
            self.pages.room.accept(seat)
            self.phones[f"seat {seat}"] = phone = self.pages.phone()
            phone.client.set_cookie("seat", token, domain="192.168.1.20")
        self.routes = [
            (rule.rule, method)
            for rule in self.pages.app.url_map.iter_rules()
            for method in sorted(rule.methods or ())
            if method in ("GET", "POST")
        ]

    def any(self, depth: int = 2) -> Any:
        """Return any JSON value."""
        kind = self.rng.random()
        if depth and kind < 0.15:
            return [self.any(depth - 1) for _ in range(self.rng.randrange(4))]
        if depth and kind < 0.35:
            return {self.rng.choice(KEYS): self.any(depth - 1) for _ in range(self.rng.randrange(5))}
        return self.rng.choice(TEXTS) if kind < 0.75 else self.rng.choice(VALUES)

    def body(self) -> dict[str, Any]:
        """Return the body of a post: hostile, and often close to what is expected."""
        rng, position = self.rng, self.mailbox.snapshot.position
        data = {rng.choice(KEYS): self.any() for _ in range(rng.randrange(6))}
        if rng.random() < 0.7:
            data |= {"id": f"text-{rng.random()}", "on": self.mailbox.snapshot.number}
        if rng.random() < 0.3 and position.decider is not None:
            action = dict(next(iter(position.legal)).to_json())
            action[rng.choice([*action, "seat"])] = self.any()
            data["action"] = action
        if rng.random() < 0.3:
            data |= {"code": CODE, "seat": rng.randrange(3), "name": rng.choice(TEXTS)}
        if rng.random() < 0.2:
            data |= {"moves": [f"{rng.choice(TEXTS)} {rng.choice(TEXTS)}", rng.choice(TEXTS)]}
        return data

    def ask(self) -> tuple[str, Any]:
        """Send one request; return a description of it and the answer."""
        rng = self.rng
        route, method = rng.choice(self.routes)
        role = rng.choice(list(self.phones))
        path = route
        while "<" in path:
            before, _, rest = path.partition("<")
            fitting = ["table", "seat", "host", "score", "cards", "txt", "csv", "json", "one", "two", "style.css", "0"]
            path = before + _quoted(rng.choice(fitting if rng.random() < 0.6 else TEXTS)) + rest.partition(">")[2]
        query = "&".join(f"{rng.choice(QUERIES)}={_quoted(str(self.any(0)))}" for _ in range(rng.randrange(3)))
        headers = {"Origin": HOST, "Accept": rng.choice(["*/*", "text/html"])}
        headers |= {rng.choice(HEADERS): _fit(rng.choice(TEXTS)) for _ in range(rng.randrange(2))}
        client = self.phones[role].client
        if rng.random() < 0.1:
            name = rng.choice(["language", "theme", "phone"])
            client.set_cookie(name, _fit(rng.choice(TEXTS)).replace(";", "")[:400], domain="192.168.1.20")
        sent: dict[str, Any] = {}
        if method == "POST":
            kind = rng.random()
            if kind < 0.75:
                sent["json"] = self.body()
            elif kind < 0.9:
                pairs = (f"{_quoted(key)}={_quoted(str(value))}" for key, value in self.body().items())
                sent |= {"data": "&".join(pairs), "content_type": "application/x-www-form-urlencoded"}
            else:
                sent["data"] = rng.choice(TEXTS).encode("utf-8", "surrogatepass")
                sent["content_type"] = rng.choice(
                    ["application/json", "application/gzip", "multipart/form-data; boundary=x"]
                )
        self.pages.now += 6
        asked = f"{role} {method} {path!r} {query} {headers} {sent}"
        answer = client.open(path, method=method, base_url=HOST, query_string=query, headers=headers, **sent)
        return asked, answer


def _quoted(text: str) -> str:
    """Return a text encoded for an address, lone surrogates included."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def _fit(text: str) -> str:
    """Return the part of a text that a header can hold."""
    return text.replace("\r", "").replace("\n", "").replace("\0", "").encode("latin-1", "ignore").decode("latin-1")


def judge(asked: str, answer: Any, tally: Tally) -> None:
    """Note everything that is wrong with an answer."""
    code = answer.status_code
    tally.check(code < 500 or code in (503, 507), f"{code}: {asked}")
    if answer.mimetype == "text/event-stream":
        text = b"".join(islice(answer.response, 2)).decode("utf-8", "replace")
        text = text.replace('\\"', '"').replace("\\u003c", "<")
    else:
        text = answer.get_data(as_text=True) if answer.mimetype in ("text/html", "application/json") else ""
    if answer.mimetype != "application/json":
        tally.check(MARK not in text, f"markup: {asked}")
    tally.check(BROKEN not in text, f"broken: {asked}")
    tally.check("root:x:0" not in text and str(Path.cwd()) not in text, f"a file or folder of this machine: {asked}")
    answer.close()


def foreign(table: Table, tally: Tally) -> None:
    """Post from other web sites and request foreign host names: all of it must be refused."""
    rng = table.rng
    for route, method in table.routes:
        if "<" in route or route.startswith("/static"):
            continue
        phone, state = table.phones[rng.choice(list(table.phones))], _state(table)
        if method == "POST":
            origin = rng.choice(ORIGINS)
            with tally.input((route, origin)):
                headers = {"Origin": origin} if origin else {}
                answer = phone.client.post(route, json=table.body(), base_url=HOST, headers=headers)
                tally.check(answer.status_code == 403, f"{route} from {origin!r}: {answer.status_code}")
        host = rng.choice(FOREIGN)
        with tally.input((route, host)):
            environ = {"HTTP_HOST": host}
            headers = {"Origin": f"http://{host}"}
            answer = phone.client.open(route, method=method, json={}, headers=headers, environ_overrides=environ)
            tally.check(answer.status_code in (400, 403), f"{method} {route} at {host!r}: {answer.status_code}")
        tally.check(_state(table) == state, f"{method} {route}: changed something")


def _state(table: Table) -> tuple[int, int, int]:
    parts = table.pages
    return table.mailbox.snapshot.number, parts.room.revision, len(table.mailbox.snapshot.events)


def campaign(budget: Budget, tally: Tally) -> None:
    """Send requests to one table after another."""
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder)
        played(games, "one", 400)
        played(games, "two", 20)
        for _round in budget.rounds():
            table = Table(budget.rng, games)
            foreign(table, tally)
            for _ in range(400):
                if not budget.left():
                    break
                before = _state(table)
                with tally.input("a request"):
                    asked, answer = table.ask()
                    judge(asked, answer, tally)
                    if " GET " in asked:
                        tally.check(_state(table) == before, f"a GET changed something: {asked}")
            for role, path in (("nobody", "/"), ("host", "/host"), ("nobody", "/games"), ("host", "/host/history")):
                answer = table.phones[role].get(path)
                tally.check(answer.status_code in (200, 302), f"afterwards {path}: {answer.status_code}")
                judge(f"afterwards {path}", answer, tally)
            table.pages.close()
            if tally.enough:
                return


if __name__ == "__main__":
    main(campaign, __doc__)
