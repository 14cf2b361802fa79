"""Photographs of twelve megapixels, sent by a phone's browser and read as at a table."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from doubles.browsing import Table, served
from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader, Sight
from doubles.finished_games import shelf_of_games
from doubles.flat_photograph import laid
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.cameras.camera import CameraState
from tabletop.rules.palazzo import GAME
from tabletop.runtime import photo_worker as rooms
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.vision.kit import Kit
from tabletop.vision.tags import payloads
from tests.web.browser.browsing import barriers, small_targets

SIZE = (4032, 3024)


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhotoWorker]:
    made = PhotoWorker(Kit(GAME), lambda: len(NAMES), tmp_path_factory.mktemp("games"), lambda: 2e9)
    with pytest.MonkeyPatch.context() as patient:
        patient.setattr(rooms, "READING_TIMEOUT_S", PATIENCE)
        yield made
    made.close()


@pytest.fixture
def table(browser: Browser, worker: PhotoWorker, tmp_path: Path) -> Iterator[Table]:
    archive = shelf_of_games(tmp_path)
    worker._games = tmp_path
    with served(
        browser, Pages(MemoryTable(GAME, NAMES, seed=None), press=None, archive=archive, photo_reader=worker)
    ) as made:
        yield made


def photograph(placed: dict[str, tuple[int, int]]) -> FilePayload:
    """Return the JPEG file of a picture with tags: payload → left and top, px."""
    out = io.BytesIO()
    Image.fromarray(laid(placed, SIZE)).convert("RGB").save(out, "JPEG", quality=90)
    return {"name": "IMG_0001.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def cards(*pieces: str) -> FilePayload:
    return photograph({payloads.payload_of(GAME, piece): (600 + 700 * at, 1200) for at, piece in enumerate(pieces)})


def is_fit(page: Page) -> None:
    """Assert that the page's pictures are loaded, that it fits a narrow screen, and that it is accessible."""
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth)")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert small_targets(page) == []
    assert barriers(page) == []


def test_the_cards_of_the_deal_are_photographed_corrected_and_confirmed(table: Table) -> None:
    """Nothing counts in the game before the player has confirmed what was read."""
    table.mailbox.become(phases()["deal"])
    seat = 2
    page = table.phone(seat, viewport={"width": 320, "height": 640})
    page.get_by_role("link", name="Take a photo of my cards").tap()
    page.wait_for_url("**/photo/cards")
    is_fit(page)
    page.set_input_files("input[type=file]", cards("R5a", "N4b", "G7c"))
    expect(page.get_by_role("heading", name="Is this your hand?")).to_be_visible()
    expect(page.locator("#deal-picked")).to_contain_text("Selected: 3 of 4")
    is_fit(page)
    page.locator(".tap", has=page.locator("[value=C2a]")).tap()
    expect(page.locator("#deal-picked .chip")).to_have_count(4)
    assert table.mailbox.snapshot.position.to_json()["seats"][seat]["hand"] == []
    page.get_by_role("button", name="That is right").tap()
    page.wait_for_url("**/seat")
    assert table.mailbox.snapshot.position.to_json()["seats"][seat]["hand"] == ["C2a", "G7c", "N4b", "R5a"]


def test_a_file_chosen_before_the_script_has_arrived_is_sent_when_it_arrives(browser: Browser) -> None:
    made = Table(
        browser, Pages(MemoryTable(GAME, NAMES, seed=None), press=None, photo_reader=FakePhotoReader(Sight(["R5a"])))
    )
    made.mailbox.become(phases()["deal"])
    page, held = made.phone(2, opened=False), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/photo.js*", hold)
    with page.expect_request("**/photo.js*"):
        page.goto(f"{made.base}/photo/cards", wait_until="commit")
    page.set_input_files("input[type=file]", {"name": "1.jpg", "mimeType": "image/jpeg", "buffer": b"a photograph"})
    (script,) = held
    script.continue_()
    expect(page.get_by_role("heading", name="Is this your hand?")).to_be_visible()
    made.close()


def test_without_a_script_the_form_of_the_page_does_everything(table: Table) -> None:
    table.mailbox.become(phases()["deal"])
    page = table.phone(java_script_enabled=False)
    page.context.add_cookies([{"name": "seat", "value": table.pages.room.claim(2), "url": table.base}])
    page.goto(f"{table.base}/photo/cards")
    page.set_input_files("input[type=file]", cards("R5a", "N4b", "G7c", "C2a"))
    page.get_by_role("button", name="Send it").click()
    page.get_by_role("button", name="That is right").click()
    page.wait_for_url("**/seat")
    assert table.mailbox.snapshot.position.to_json()["seats"][2]["hand"] == ["C2a", "G7c", "N4b", "R5a"]


def test_a_piece_that_the_camera_cannot_read_is_photographed_and_counts(table: Table) -> None:
    position = phases()["reveal"]
    table.mailbox.become(position, camera=CameraState.LOST)
    turned_up = next(iter(position.legal)).to_json()["piece"]
    row = [*position.to_json()["row"], turned_up]
    placed = {payloads.payload_of(GAME, piece): (900 + 450 * at, 760) for at, piece in enumerate(row)}
    page = table.phone(position.active, color_scheme="dark")
    page.get_by_role("link", name="Take a photo").tap()
    page.wait_for_url("**/photo/table")
    is_fit(page)
    page.set_input_files("input[type=file]", photograph({"TT:ROW": (200, 700), **placed}))
    expect(page.locator(".acts")).to_contain_text("Turned up:")
    is_fit(page)
    page.get_by_role("button", name="That is right").tap()
    page.wait_for_url("**/seat")
    expect(page.locator("#log")).to_contain_text("From a photo: Turned up:")


def test_a_final_table_is_counted_from_two_photographs_and_found_among_the_past_games(table: Table) -> None:
    def column(*tiles: str) -> FilePayload:
        return photograph({payloads.payload_of(GAME, tile): (1900, 1900 - 200 * at) for at, tile in enumerate(tiles)})

    page = table.phone(0, opened=False, viewport={"width": 320, "height": 640})
    page.goto(f"{table.base}/games")
    page.get_by_role("link", name="Score a finished table from photos").tap()
    page.wait_for_url("**/photo/score")
    is_fit(page)
    page.set_input_files("input[type=file]", column("B1.1", "B2.2", "B3.1a"))
    expect(page.locator(".people li")).to_have_count(1 + 1)
    page.set_input_files("input[type=file]", column("S1.1", "S2.2"))
    expect(page.locator(".shots img")).to_have_count(2)
    is_fit(page)
    page.get_by_label("Seat 1").fill("Ida")
    page.get_by_role("button", name="That is right, save it").tap()
    page.wait_for_url("**/games/*")
    expect(page.locator(".winner")).to_have_text("Ida wins")
    is_fit(page)
