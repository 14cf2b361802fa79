"""Make the picture of what phones show about photographs: rendered ones are sent, read and shown as at a table.

    .venv/bin/python -m tools.pictures.make_photo_pictures

Needs chromium.  The picture is written to ``docs/pictures/photographs.webp``.
"""

from __future__ import annotations

import io
import tempfile
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from doubles.browsers import browser_path
from doubles.final_table import final_position, laid_table
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.simulator.camera.lens import hold_phone
from tabletop.vision.kit import Kit
from tabletop.web.server import Server

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "photographs.webp"
PHONE: ViewportSize = {"width": 390, "height": 900}
CARDS = ("C2a", "R5a", "G7c", "N4b")


def main() -> None:
    """Render the photographs, send them, and put the pages side by side."""
    shown: list[Image.Image] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        worker = PhotoWorker(Kit(GAME), lambda: len(NAMES), Path(folder))
        mailbox = MemoryTable(GAME, NAMES, seed=None)
        pages = Pages(mailbox, press=None, archive=shelf_of_games(Path(folder)), photo_reader=worker)
        server = Server(pages.app, "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        browser = play.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for purpose, position, photograph in photographs():
            mailbox.become(position)
            shown += sent(browser, pages, f"http://127.0.0.1:{server.port}", purpose, photograph)
        browser.close()
        server.close()
        worker.close()
    side_by_side(shown).save(PICTURE, quality=60)


def photographs() -> list[tuple[str, Position, bytes]]:
    """Return the photographs, each with its purpose and the game's position."""
    deal, reveal, end = phases()["deal"], phases()["reveal"], final_position(GAME, NAMES, seed=1)
    hand = laid_table(deal, harsh=1)
    for card in CARDS:
        hand.table.put(card, "bid2")
    row = laid_table(reveal, harsh=1)
    row.table.put(next(iter(reveal.legal)).to_json()["piece"], "row")
    table = laid_table(end, harsh=1)
    return [
        ("cards", deal, hand.photograph(hold_phone(hand.table.centre("bid2"), 420, tilt=25, azimuth=80))),
        ("table", reveal, row.photograph(hold_phone(row.table.centre("row"), 560, tilt=25, azimuth=80))),
        ("score", end, table.photograph(hold_phone(table.table.middle, 1300, tilt=45, azimuth=65))),
    ]


def sent(browser: Browser, pages: Pages, base: str, purpose: str, photograph: bytes) -> list[Image.Image]:
    """Return the page with what was understood; for cards, the page that asks for the photograph comes first."""
    position = pages.mailbox.snapshot.position
    seat = 2 if purpose == "cards" else position.active
    context = browser.new_context(viewport=PHONE, device_scale_factor=1.5)
    context.add_cookies([{"name": "seat", "value": pages.room.claim(seat), "url": base}])
    context.set_default_timeout(180_000)
    page = context.new_page()
    page.goto(f"{base}/photo/{purpose}")
    found: list[Image.Image] = [Image.open(io.BytesIO(page.screenshot()))] if purpose == "cards" else []
    page.set_input_files("input[type=file]", {"name": "photograph.jpg", "mimeType": "image/jpeg", "buffer": photograph})
    page.wait_for_selector(".photo img")
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    found.append(Image.open(io.BytesIO(page.screenshot())))
    context.close()
    return found


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """Return pictures of one size in a row."""
    gap = 16
    width, height = pictures[0].size
    row = Image.new("RGB", (len(pictures) * (width + gap) - gap, height), "#888")
    for number, picture in enumerate(pictures):
        row.paste(picture, (number * (width + gap), 0))
    return row


if __name__ == "__main__":
    main()
