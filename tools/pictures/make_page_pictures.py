"""Make pictures of every page in every state and language, for people to look at: sheets of many screens.

    .venv/bin/python -m tools.pictures.make_page_pictures [--out FOLDER] [--languages en,de,it] [--screens phone,tv]

Needs chromium.  It writes one sheet for each language, screen and scheme to ``docs/pictures/pages/``.  The pages show
positions of random games with fixed seeds, so a picture stays the same until a page changes.
"""

from __future__ import annotations

import argparse
import io
import random
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any, Literal

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, sync_playwright

from doubles.browsers import browser_path
from doubles.browsing import TAUGHT
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.lights import Pattern
from tabletop.rules.game import Position
from tabletop.simulator.world import World
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.report import live_overlay
from tabletop.web.server import Server
from tools.pictures.page_states import State, states

ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "pages"
SCREENS = {"phone": (360, 640, 2), "tv": (1280, 720, 1)}
"""Name of a screen → its width and height in CSS px, and how many of its heights of a page are shown."""
COLUMNS = {"phone": 8, "tv": 4}
SCALES = {"phone": 0.5, "tv": 0.39}
SCHEMES: dict[str, Literal["light", "dark"]] = {"en": "light", "de": "dark", "it": "light"}
"""The colour scheme in which each language is shown; together they show both."""
PATIENCE = 180_000
"""How long a page may take, ms, even on a busy machine."""
FRAMES = 50
"""The number of frames shown, ten a second: more than it takes to read a still table."""


@cache
def seen(position: Position) -> bytes | None:
    """Return a camera's picture of a position with what was read drawn in, as JPEG; None for a game without a table."""
    if position.game.table is None:
        return None
    world = World(position.game, NAMES, seed=1, size=(1920, 1080), colour=True, clock=lambda: 0.0)
    world.arrange(position)
    tracker = tracker_for(Kit(position.game), len(NAMES))
    for number in range(FRAMES):
        frame = world.camera.frame(number / 10)
        scene = tracker.look(frame)
        if scene is not None:
            return live_overlay.draw(frame, scene)
    raise RuntimeError("The camera saw no table that stands still.")


class Table:
    """A served table of one game; on request a simulated one, or one at which the whole game was played."""

    def __init__(self, position: Position, *, played: bool, simulated: bool) -> None:
        self.mailbox = MemoryTable(position.game, NAMES, seed=5 if played else None)
        while played and not self.mailbox.snapshot.position.over:
            now, number = self.mailbox.snapshot.position, self.mailbox.snapshot.number
            kinds = sorted({action.do for action in now.legal.thrifty()})
            kind = random.Random(number).choice(kinds)
            chosen = next(action for action in now.legal.thrifty() if action.do == kind)
            self.mailbox.act(chosen, on=number, id=f"picture-{number}", seat=now.decider)
        self._games = tempfile.TemporaryDirectory(prefix="games-")
        games = shelf_of_games(Path(self._games.name))
        hands: dict[str, Any] = {} if simulated else {"press": None}
        self.pages = Pages(self.mailbox, archive=games, **hands, picture=lambda: seen(self.mailbox.snapshot.position))
        self.server = Server(self.pages.app, "127.0.0.1", 0)
        threading.Thread(target=self.server.run, daemon=True).start()
        self.base = f"http://table.local:{self.server.port}"

    def close(self) -> None:
        """Stop serving and delete the games."""
        self.server.close()
        self._games.cleanup()


def table_of(tables: dict[str, Table], state: State) -> Table:
    """Return the table at which a state is shown; it is set up for the first picture that needs it."""
    simulated = state.path == "/demo"
    name = f"{state.position.game.name} {state.played} {simulated}"
    if name not in tables:
        tables[name] = Table(state.position, played=state.played, simulated=simulated)
    return tables[name]


def shot(browser: Browser, table: Table, state: State, language: str, screen: str) -> Image.Image:
    """Return the picture of a state on a screen."""
    width, height, heights = SCREENS[screen]
    if not state.played:
        table.mailbox.become(state.position, camera=CameraState.OK)
        if state.wrong is not None:
            signals = {**table.mailbox.snapshot.signals, "illegal": Pattern.FAST}
            table.mailbox.show(todo=(state.wrong,), signals=signals)
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=SCHEMES[language], locale=language,
        has_touch=screen == "phone", is_mobile=screen == "phone",
    )  # fmt: skip
    if not state.new:
        context.add_init_script(TAUGHT)
    context.set_default_timeout(PATIENCE)
    votes = table.pages.app.extensions["tabletop"].votes
    if state.asks is not None:
        votes.ask(0, on=table.mailbox.snapshot.match.position_since, asker=state.asks, voters=range(len(NAMES)))
    for seat in range(state.here):
        table.pages.room.claim(seat)
    token = ""
    for seat in state.seats:
        token = table.pages.room.claim(seat, also=token)
    cookies: dict[str, Any] = {"seat": token} if token else {}
    if state.host:
        cookies["host"] = table.pages.room.ask_to_host()
        table.pages.room.accept(None)
    context.add_cookies([{"name": name, "value": value, "url": table.base} for name, value in cookies.items()])
    page = context.new_page()
    page.goto(table.base + state.path, wait_until="load")
    if page.locator("body[data-stamp]").count():
        page.wait_for_selector("html.live")
    if state.path == "/demo":
        page.wait_for_selector("#picture[src]:visible")
    if state.touch:
        for place in state.touch.split(" >> "):
            page.locator(place).first.click()
        page.wait_for_timeout(200)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=screen == "phone" and not state.touch)))
    context.close()
    votes.drop()
    for seat in range(len(NAMES)):
        table.pages.room.free(seat)
    return picture.crop((0, 0, width, min(picture.height, height * heights)))


def sheet(pictures: dict[str, Image.Image], screen: str) -> Image.Image:
    """Return all pictures side by side, each with its name."""
    width, height, heights = SCREENS[screen]
    scale, columns = SCALES[screen], COLUMNS[screen]
    wide, tall = int(width * scale) + 12, int(height * heights * scale if screen == "phone" else height * scale) + 26
    rows = -(-len(pictures) // columns)
    whole = Image.new("RGB", (columns * wide, rows * tall), "#888")
    for number, (name, picture) in enumerate(pictures.items()):
        x, y = number % columns * wide + 6, number // columns * tall
        ImageDraw.Draw(whole).text((x, y + 6), name, fill="#fff")
        small = picture.resize((int(picture.width * scale), int(picture.height * scale)), Image.Resampling.LANCZOS)
        whole.paste(small, (x, y + 20))
    return whole


def main() -> None:
    """Take every picture and write the sheets."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=PICTURES)
    options.add_argument("--languages", default=",".join(SCHEMES))
    options.add_argument("--screens", default=",".join(SCREENS))
    options.add_argument("--single", type=Path, help="also a folder for every picture by itself")
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Table] = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        for language in asked.languages.split(","):
            for screen in asked.screens.split(","):
                pictures = {}
                for state in states():
                    if screen in state.screens:
                        table = table_of(tables, state)
                        pictures[state.name] = shot(browser, table, state, language, screen)
                        if asked.single:
                            asked.single.mkdir(parents=True, exist_ok=True)
                            pictures[state.name].save(asked.single / f"{language}-{screen}-{state.name}.png")
                name = f"{screen}-{language}-{SCHEMES[language]}.webp"
                sheet(pictures, screen).save(asked.out / name, quality=42)
        browser.close()
    for table in tables.values():
        table.close()


if __name__ == "__main__":
    main()
