"""Make an animated picture of each game in each language: the TV, and beside it the phone of the seat that decides.

    .venv/bin/python -m tools.pictures.make_stage_animations [--out FOLDER] [--games palazzo,…] [--languages en,de,it]

Needs chromium.  Thrifty bots play on from the middle of a game with fixed seeds; the end of that game comes last.  The
pages are real: their motion is paused for each picture that is taken of it.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from doubles.browsers import browser_path
from doubles.browsing import SMALL, Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, well_played
from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Watcher
from tabletop.rules.game import Action, Position
from tabletop.rules.registry import BUILT_IN, game

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "stage"
LANGUAGES = ("en", "de", "it")
ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
TV: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "has_touch": False,
    "is_mobile": False,
    "reduced_motion": "no-preference",
}
SHOWN_TV, SHOWN_PHONE, BETWEEN = (640, 360), (202, 360), 10
"""The sizes at which the screens are shown, and the gap between them, px."""
ACTS, MAX_ACTS, SEED, BEGINS = 9, 14, 1, 0.5
"""The least and the greatest number of actions that are shown until a turn ends, the seed of the game, and the fraction
of it before which the first of their turns begins."""
MOMENTS, MOVES, STANDS, ENDS = (0, 130, 260, 390, 520), 110, 1300, 4500
"""The times in a motion at which pictures are taken, and how long these, a still screen and the end are shown, ms."""
QUALITY = 50
HELD = """(() => {
    window.held = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        const made = animate.apply(this, how);
        made.pause();
        held.push(made);
        return made;
    };
})()"""
SHOWS = "on => document.body.dataset.on === on"


def screen(page: Page, size: tuple[int, int]) -> Image.Image:
    """Return a screenshot of a page, resized."""
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return taken.resize(size, Image.Resampling.LANCZOS)


def beside(tv: Image.Image, phone: Image.Image) -> Image.Image:
    """Return both screens side by side."""
    made = Image.new("RGB", (SHOWN_TV[0] + BETWEEN + SHOWN_PHONE[0], SHOWN_TV[1]), "#1d1a17")
    made.paste(tv, (0, 0))
    made.paste(phone, (SHOWN_TV[0] + BETWEEN, 0))
    return made


def film(table: Table, name: str, language: str) -> Iterator[tuple[Image.Image, int]]:
    """Iterate over the pictures of a game and how long each is shown, ms."""
    played = well_played(game(name), SEED)
    begin = turns(played[: int(len(played) * BEGINS)])[-1]
    table.mailbox.become(begin)
    tv = table.phone(**TV, locale=language)
    phones = [table.phone(seat, **SMALL, locale=language) for seat in range(len(NAMES))]
    tv.add_init_script(HELD)
    tv.goto(table.base)
    tv.wait_for_selector("html.live")
    rng, watchers = random.Random(SEED), [Watcher(seat) for seat in range(len(NAMES))]
    positions = [begin]
    for number in range(MAX_ACTS):
        now = table.mailbox.snapshot
        if now.position.decider is None or (number >= ACTS and turns(positions)[-1] is positions[-1]):
            break
        phone = screen(phones[now.position.decider], SHOWN_PHONE)
        yield beside(screen(tv, SHOWN_TV), phone), STANDS
        action = _chosen(positions, watchers, rng)
        table.mailbox.act(action, on=now.number, id=f"film-{name}-{language}-{number}", seat=now.position.decider)
        positions.append(table.mailbox.snapshot.position)
        for page in (tv, *phones):
            page.wait_for_function(SHOWS, arg=str(table.mailbox.snapshot.number), polling=50)
        longest = tv.evaluate("Math.max(0, ...held.map((one) => one.effect.getTiming().delay))")
        for moment in MOMENTS + ((int(longest) + MOMENTS[-1],) if longest else ()):
            if tv.evaluate("at => held.map((one) => { one.currentTime = at; }).length", moment):
                yield beside(screen(tv, SHOWN_TV), phone), MOVES
        tv.evaluate("held.splice(0).forEach((one) => one.finish())")
    table.mailbox.become(played[-1])
    tv.wait_for_selector(".podium")
    tv.wait_for_function("() => !document.querySelector('.hides')", polling=200)
    tv.evaluate("held.splice(0).forEach((one) => one.finish())")
    yield beside(screen(tv, SHOWN_TV), screen(phones[0], SHOWN_PHONE)), ENDS


def turns(played: Sequence[Position]) -> list[Position]:
    """Return the positions in which a turn begins: another seat decides, in the phase in which the game begins."""
    deciding = [position for position in played if position.decider is not None]
    first = [position for position in deciding if position.phase == deciding[0].phase]
    return [next(turn) for _seat, turn in groupby(first, key=lambda position: position.decider)]


def _chosen(positions: list[Position], watchers: list[Watcher], rng: random.Random) -> Action:
    """Return the choice of the deciding seat's bot."""
    now = positions[-1]
    assert now.decider is not None
    bot, seen = find_bot(now.game.name, "thrifty"), watchers[now.decider].watch(positions)
    return bot.choose(now.view(now.decider), seen, list(now.legal.thrifty()), Budget(playouts=1), rng).action


def make(browser: Browser, name: str, language: str, out: Path) -> None:
    """Write the animated picture of a game in a language."""
    pages = Pages(MemoryTable(game(name), NAMES, seed=SEED), press=None)
    with served(browser, pages) as table:
        pictures: list[Image.Image] = []
        shown: list[int] = []
        for picture, time in film(table, name, language):
            if pictures and picture.tobytes() == pictures[-1].tobytes():
                shown[-1] += time
            else:
                pictures.append(picture)
                shown.append(time)
    path = out / f"{name}-{language}.webp"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=shown, loop=0, quality=QUALITY, method=6)
    print(f"{path}: {len(pictures)} pictures, {sum(shown) / 1000:.0f} s, {path.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Make every requested picture."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=PICTURES)
    options.add_argument("--games", default=",".join(BUILT_IN))
    options.add_argument("--languages", default=",".join(LANGUAGES))
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        for name in asked.games.split(","):
            for language in asked.languages.split(","):
                make(browser, name, language, asked.out)
        browser.close()


if __name__ == "__main__":
    main()
