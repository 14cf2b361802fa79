"""Make the README's animated picture: a tile is laid on the wrong quarry; a light and the phone report it.

    .venv/bin/python -m tools.pictures.make_animation [--out FILE] [--stills FOLDER]

Needs chromium.  A scenario is played before the simulated camera; the tracker, the referee, the lights and the phone's
page are real.  Only the panel, the captions and the frame around the phone are drawn here.
"""

from __future__ import annotations

import argparse
import io
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, sync_playwright

from doubles.browsers import browser_path
from doubles.browsing import TAUGHT
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.lights import level, strongest
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import Scenario, parse
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Push
from tabletop.vision.frame import Frame
from tabletop.vision.report import live_overlay
from tabletop.vision.scene import Scene
from tabletop.web.app import create_app
from tabletop.web.pages.session import TableParts
from tabletop.web.seating.room import Room
from tabletop.web.server import Server

HERE = Path(__file__).resolve().parents[2] / "docs"
OUT = HERE / "pictures" / "referee.webp"
SCENARIO = HERE.parent / "tests" / "scenarios" / "wrong-quarry.txt"
SIZE = (800, 500)
CAMERA = (0, 0, 560, 316)
PANEL = (0, 316, 560, 430)
PHONE = (560, 0, 800, 430)
CAPTION = (0, 430, 800, 500)
OVERLAY, PART = 960, (36, 150, 708, 529)
"""The width to which a camera frame is shrunk before its tags are labelled, and the part of it that is shown, px."""
SCREEN, SCALE = (360, 640), 0.62
"""The phone's screen in CSS px, and the factor by which it is scaled down."""
SEED = 1
TICK = 0.2
"""Seconds per picture, both of the simulated camera and of the animation."""
QUALITY = 75
BUTTONS = ("MONEY", "BUILD", "REBUILD", "BUY", "AUCTION", "PASS", "OK", "UNDO")
LAMPS = (("quarry1", "quarry 1"), ("quarry2", "quarry 2"), ("quarry3", "quarry 3"), ("quarry4", "quarry 4"))
DARK, PLATE, INK, DIM = "#1d1a17", "#2c2723", "#f6f1e8", "#8b8178"
LIT, RED, GREEN = "#ffc94d", "#ff4438", "#7ad67a"


@dataclass(frozen=True, slots=True)
class Moment:
    """One shot: the table, the phone, the lights, the caption, and how long they are shown."""

    camera: Image.Image
    phone: Image.Image
    snapshot: Snapshot
    pressed: str
    caption: str
    ticks: int


class ShownDesk:
    """The referee of a simulated table with the interface that a page reads."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._referee.snapshot

    def on_change(self, listener: Callable[[], None]) -> None:
        """Ignore the listener: pages are loaded again for each picture."""


class Film:
    """A table that is filmed while people act at it, with the phone of seat 1 beside it."""

    def __init__(self, table: SeenTable, browser: Browser) -> None:
        self.moments: list[Moment] = []
        self._table = table
        room = Room("K7MPX2", seats=range(2))
        base = "http://127.0.0.1"
        parts = TableParts(mailbox=ShownDesk(table.referee), room=room, addresses=[base])  # type: ignore[arg-type]
        self._server = Server(create_app(parts), "127.0.0.1", 0)
        threading.Thread(target=self._server.run, daemon=True).start()
        self._address = f"{base}:{self._server.port}"
        context = browser.new_context(
            viewport={"width": SCREEN[0], "height": SCREEN[1]}, device_scale_factor=2, is_mobile=True, locale="en-GB"
        )
        context.add_init_script(TAUGHT)
        context.add_cookies([{"name": "seat", "value": room.claim(0), "url": self._address}])
        self._page = context.new_page()
        self._renderer: tuple[int, Image.Image] | None = None

    def close(self) -> None:
        """Stop serving the pages."""
        self._server.close()

    def settle(self) -> None:
        """Let the table be read without filming it."""
        self._table.tick(2.0)

    def keep(self, caption: str, seconds: float = TICK, pressed: str = "") -> None:
        """Add a shot of the table as it was seen last, shown for this many seconds."""
        snapshot, ticks = self._table.snapshot, max(1, round(seconds / TICK))
        assert self._table.loop.last is not None
        camera = overlay(self._table.loop.last, snapshot.scene)
        self.moments.append(Moment(camera, self._phone(snapshot), snapshot, pressed, caption, ticks))

    def press(self, button: str, caption: str) -> None:
        """Press a button of the panel."""
        self.keep(caption, 0.6, pressed=button)
        self._table.perform(Push(button))
        self.settle()

    def lay(self, piece: str, zone: str, caption: str, *, take: str = "") -> None:
        """Film a hand that lays a piece in a zone, taking it from another zone if one is named."""
        where = [take, zone] if take else [zone]
        for place in where:
            x, y = self._table.centre(place)
            self._reach(x, (y + 300, y + 150, y + 20), caption)
        self._table.world.perform(Lay(piece, zone))
        x, y = self._table.centre(zone)
        self._reach(x, (y + 120, y + 280), caption)
        self._table.world.perform(HandOut(0))
        self.settle()

    def _reach(self, x: float, ways: Sequence[float], caption: str) -> None:
        for y in ways:
            self._table.world.perform(HandIn(0, x + 30, min(y, 660)))
            self._table.playground.tick()
            self.keep(caption)

    def _phone(self, snapshot: Snapshot) -> Image.Image:
        if self._renderer is None or self._renderer[0] != snapshot.revision:
            self._page.goto(f"{self._address}/seat", wait_until="load")
            self._renderer = snapshot.revision, Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
        return self._renderer[1]


def overlay(frame: Frame, scene: Scene | None) -> Image.Image:
    """Return the middle of the table as the camera sees it, each tag outlined and named."""
    picture = Image.open(io.BytesIO(live_overlay.draw(frame, scene, OVERLAY)))
    size = (CAMERA[2] - CAMERA[0], CAMERA[3] - CAMERA[1])
    return picture.resize(size, Image.Resampling.LANCZOS, box=PART)


def play(film: Film) -> None:
    """Play the scene: what Ann does, and how the table reacts."""
    film.settle()
    film.keep("Palazzo at the table. A camera reads every tile and card.", 2.0)
    film.press("BUILD", "Ann presses BUILD and turns up two tiles.")
    film.lay("M1.1", "warehouse", "The first goes to the warehouse.")
    film.keep("Legal: the table stays silent.", 1.2)
    film.lay("S1.3", "quarry2", "The second has three windows. Ann lays it on quarry 2 …")
    film.keep("… but it belongs on quarry 4. That light blinks; her phone says so.", 3.6)
    film.lay("S1.3", "quarry4", "She moves it …", take="quarry2")
    film.keep("… and the sentence is gone.", 1.4)
    film.press("BUY", "Now she buys a tile …")
    film.lay("R5a", "bid0", "… for a single 5 …")
    film.lay("M1.1", "seat0", "… and builds it.", take="warehouse")
    film.press("OK", "She presses OK …")
    film.keep("… and Stop blinks. Her phone says why: 8 is needed, 3 short.", 4.0)


def panel(draw: ImageDraw.ImageDraw, moment: Moment, time: float) -> None:
    """Draw the panel: the lights of quarries and seats, the Stop light, and the buttons with their lights."""
    left, top, right, _ = PANEL
    draw.rectangle(PANEL, fill=PLATE)
    shows = {wire.name: wire.shows for wire in panel_file.load().lights}
    signals = moment.snapshot.signals

    def lamp(x: float, y: float, name: str, colour: str, radius: int = 7) -> None:
        on = level(strongest(signals[lamp] for lamp in shows[name] if lamp in signals), time)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour if on else "#14110f", outline=DIM)

    x = left + 22.0
    for name, label in (*LAMPS, ("seat0", "Ann"), ("seat1", "Bob")):
        lamp(x, top + 24, name, LIT)
        draw.text((x + 12, top + 24), label, fill=INK, font=font(13), anchor="lm")
        x += 84 if name.startswith("quarry") else 58
    lamp(right - 66, top + 24, "illegal", RED, 10)
    draw.text((right - 51, top + 24), "Stop", fill=INK, font=font(13), anchor="lm")
    step = (right - left - 16) / len(BUTTONS)
    for number, name in enumerate(BUTTONS):
        x = left + 8 + step * number
        down = name == moment.pressed
        draw.rounded_rectangle((x + 3, top + 50, x + step - 3, top + 102), 8, fill=LIT if down else "#3b352f")
        lamp(x + step / 2, top + 66, name, GREEN, 6)
        fill = DARK if down else INK
        draw.text((x + step / 2, top + 88), name, fill=fill, font=font(11), anchor="mm")


def picture(moment: Moment, time: float) -> Image.Image:
    """Return one picture of the animation."""
    made = Image.new("RGB", SIZE, DARK)
    draw = ImageDraw.Draw(made)
    made.paste(moment.camera, CAMERA[:2])
    panel(draw, moment, time)
    wide, high = round(SCREEN[0] * SCALE), round(SCREEN[1] * SCALE)
    x, y = (PHONE[0] + PHONE[2] - wide) // 2, (PHONE[1] + PHONE[3] - high) // 2
    draw.rounded_rectangle((x - 7, y - 9, x + wide + 7, y + high + 9), 14, fill="#000", outline=DIM)
    made.paste(moment.phone.resize((wide, high), Image.Resampling.LANCZOS), (x, y))
    draw.rectangle(CAPTION, fill=INK)
    middle = ((CAPTION[0] + CAPTION[2]) / 2, (CAPTION[1] + CAPTION[3]) / 2)
    draw.text(middle, moment.caption, fill=DARK, font=font(21), anchor="mm")
    return made


def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of panel and captions."""
    return ImageFont.truetype("DejaVuSans.ttf", size)


def cut(moments: Sequence[Moment]) -> tuple[list[Image.Image], list[int]]:
    """Return the pictures and how long each is shown, ms; consecutive equal ones are joined."""
    pictures: list[Image.Image] = []
    shown: list[int] = []
    tick = 0
    for moment in moments:
        for _ in range(moment.ticks):
            made = picture(moment, tick * TICK)
            if pictures and made.tobytes() == pictures[-1].tobytes():
                shown[-1] += round(1000 * TICK)
            else:
                pictures.append(made)
                shown.append(round(1000 * TICK))
            tick += 1
    return pictures, shown


def scene() -> Scenario:
    """Return the scenario after whose opening the film begins."""
    return parse(SCENARIO.read_text(encoding="utf-8"), GAME)


def main() -> None:
    """Film the scene and write it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=OUT)
    options.add_argument("--stills", type=Path, help="a folder for every picture by itself, for people to look at")
    asked = options.parse_args()
    opening = scene()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        names = opening.position.names
        table = SeenTable(GAME, names, Path(folder), seed=SEED, harsh=0, colour=True, opening=opening.opening)
        with closing(table), closing(Film(table, browser)) as film:
            play(film)
        browser.close()
    pictures, shown = cut(film.moments)
    if asked.stills:
        asked.stills.mkdir(parents=True, exist_ok=True)
        for number, made in enumerate(pictures):
            made.save(asked.stills / f"{number:03d}-{shown[number]}.png")
    pictures[0].save(
        asked.out, save_all=True, append_images=pictures[1:], duration=shown, loop=0, quality=QUALITY, method=5
    )
    seconds, size = sum(shown) / 1000, asked.out.stat().st_size / 1e6
    print(f"{asked.out}: {len(pictures)} pictures, {seconds:.1f} s, {size:.2f} MB")


if __name__ == "__main__":
    main()
