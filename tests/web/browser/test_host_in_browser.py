"""The host's page, and past games with their replay, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from doubles.browsing import Table, become, served
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import HOST_CODE, Pages
from doubles.positions import NAMES, phases
from tabletop.match.archive import Archive
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules.palazzo import GAME
from tabletop.web.http.guard import MAX_BACKUP_BYTES
from tests.web.browser.browsing import assert_fits


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3), archive=shelf_of_games(tmp_path))) as made:
        yield made


def games(table: Table) -> Archive:
    found: Archive = table.pages.app.extensions["tabletop"].archive
    return found


def host(table: Table, path: str = "/host", **more: Any) -> Page:
    """Return the host's browser at a page."""
    page = table.phone(**more)
    token = table.pages.room.hosts.admit(HOST_CODE)
    assert token
    page.context.add_cookies([{"name": "host", "value": token, "url": table.base}])
    page.goto(table.base + path, wait_until="domcontentloaded")
    if path.startswith("/host"):
        page.wait_for_selector("html.live")
    return page


def host_again(table: Table, path: str, **more: Any) -> Page:
    """Return another browser, not a host's, at a page that everybody may see."""
    page = table.phone(**more)
    page.goto(table.base + path)
    return page


def task(page: Page, name: str) -> None:
    """Open the tab of one of the host's tasks."""
    page.get_by_role("tab", name=name, exact=True).click()


def test_one_task_of_the_host_is_shown_at_a_time(table: Table) -> None:
    page = host(table)
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.get_by_role("button", name="Pause the game")).to_be_visible()
    for name, part in (("Seats", "phones"), ("Corrections", "history"), ("End of the game night", "backup")):
        task(page, name)
        expect(page.locator(f"#{part}")).to_be_visible()
        expect(page.locator("#game")).to_be_hidden()


def test_no_word_on_the_tabs_of_the_host_is_broken(table: Table) -> None:
    """On a small phone each word on a tab is on one line, even long German ones."""
    page = host(table, locale="de-DE", viewport={"width": 360, "height": 640})
    tab = page.get_by_role("tab", name="Korrekturen")
    lines = tab.evaluate("""one => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return words.getClientRects().length;
    }""")
    assert lines == 1


def test_no_button_has_only_the_three_dots_on_its_second_line(table: Table) -> None:
    """The words of a button that takes two lines are shared out between them, as in German at 320 px."""
    become(table, "choose")
    table.pages.room.levels = ("strong",)
    page = host(table, locale="de", viewport={"width": 320, "height": 640})
    task(page, "Plätze")
    last_lines = """() => [...document.querySelectorAll("main summary")].filter((one) => one.checkVisibility())
        .map((one) => {
            const words = document.createRange();
            words.selectNodeContents(one);
            return [...words.getClientRects()].map(({ width }) => width);
        }).filter((lines) => lines.length > 1).map((lines) => lines.at(-1))"""
    widths = page.evaluate(last_lines)
    assert widths
    assert min(widths) > 50


def test_the_host_pauses_and_lets_the_game_go_on(table: Table) -> None:
    page, seat = host(table), table.phone(become(table, "action"))
    expect(seat.get_by_role("button", name="Money")).to_be_visible()
    page.get_by_role("button", name="Pause the game").tap()
    expect(seat.locator(".now")).to_have_text("The game is paused.")
    expect(seat.get_by_role("button", name="Money")).to_have_count(0)
    page.get_by_role("button", name="Continue").tap()
    expect(seat.get_by_role("button", name="Money")).to_be_visible()


def test_ending_the_game_takes_two_taps_and_leads_everybody_to_the_score(table: Table) -> None:
    page, seat = host(table), table.phone(0)
    task(page, "End of the game night")
    assert not page.get_by_role("button", name="End the game for good").is_visible()
    page.get_by_text("End the game …").tap()
    page.get_by_role("button", name="End the game for good").tap()
    expect(seat.locator(".now")).to_have_text("The game was ended early.")
    seat.get_by_role("link", name="Final score").first.tap()
    expect(seat.locator(".winner")).to_have_text("The game was ended early.")


def test_the_host_plays_for_an_absent_seat_on_that_seats_own_page(table: Table) -> None:
    decider = become(table, "action")
    page, watcher = host(table), table.phone()
    watcher.goto(table.base)
    task(page, "Seats")
    row = page.locator(f"[data-key=p{decider}]")
    row.get_by_text("Play for this seat …").tap()
    row.get_by_role("button", name=f"Play for {NAMES[decider]}").tap()
    expect(watcher.locator("#prompts")).to_contain_text(f"The host plays for {NAMES[decider]}.")
    row.get_by_role("link", name="Play for this seat").tap()
    page.get_by_role("button", name="Build", exact=False).first.tap()
    expect(watcher.locator("#log li").first).not_to_contain_text("plays for")
    expect(watcher.locator("#log")).to_contain_text(f"By the host: {NAMES[decider]}")


def test_pieces_in_another_zone_are_adopted_where_they_are(table: Table) -> None:
    page = host(table)
    become(table, "action")
    tile = table.mailbox.snapshot.position.to_json()["warehouse"][0]
    table.mailbox.show(todo=(PieceMove(tile, "quarry1", "warehouse"),))
    chosen = page.locator(f"label[data-key='m{tile}'] select")
    expect(chosen).to_have_value(f"{tile} quarry1")
    task(page, "Corrections")
    page.get_by_text("The table is right, not the record …").tap()
    with page.expect_request("**/host/adopt") as request:
        page.get_by_role("button", name="Continue from the table").tap()
    sent = request.value.post_data_json
    assert sent is not None
    assert sent["moves"] == [f"{tile} quarry1"]
    assert request.value.response() is not None


def test_a_replay_is_stepped_through_by_keys_links_and_slider(table: Table) -> None:
    page, last = host(table, "/games/finished/replay?at=40"), len(games(table).match("finished").steps)
    step = page.locator("#step .at")
    page.locator("#hands summary").first.tap()
    for key, at in (
        ("ArrowRight", 41), ("ArrowRight", 42), ("ArrowLeft", 41), ("PageDown", 51), ("Home", 1), ("ArrowLeft", 1),
        ("End", last), ("ArrowRight", last), ("PageUp", last - 10),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(step).to_have_text(f"{at} of {last}")
    page.get_by_role("link", name="One event forward").tap()
    expect(step).to_have_text(f"{last - 9} of {last}")
    expect(page).to_have_url(f"{table.base}/games/finished/replay?at={last - 9}")
    page.get_by_label("Event", exact=True).fill("25")
    expect(step).to_have_text(f"25 of {last}")
    page.get_by_label("Event", exact=True).press("ArrowRight")
    expect(step).to_have_text(f"26 of {last}")
    expect(page.locator("#hands details").first).to_have_attribute("open", "")


def test_a_replay_begins_at_the_beginning_and_plays_by_itself_until_somebody_steps(table: Table) -> None:
    page = host(table, "/games/finished/replay", reduced_motion="no-preference")
    last, step = len(games(table).match("finished").steps), page.locator("#step .at")
    expect(step).to_have_text(f"2 of {last}")
    expect(step).to_have_text(f"3 of {last}")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Home")
    expect(step).to_have_text(f"1 of {last}")
    play = page.get_by_role("button", name="Play")
    expect(play).to_have_attribute("aria-pressed", "false")
    play.tap()
    expect(step).to_have_text(f"2 of {last}")
    still = host_again(table, "/games/finished/replay", reduced_motion="reduce")
    expect(still.get_by_role("button", name="Play")).to_be_visible()
    expect(still.locator("#step .at")).to_have_text(f"1 of {last}")


def test_a_replay_waits_for_a_table_that_cannot_be_reached(table: Table) -> None:
    """After a lost connection a replay continues from the event that it shows."""
    page, asked = host(table, "/games/finished/replay?at=40"), list[str]()
    page.clock.install()
    page.reload()

    def answer(route: Route) -> None:
        asked.append(route.request.url.split("=")[1])
        route.fulfill(body="")

    page.route("**/replay?at=*", answer)
    page.get_by_role("button", name="Play").tap()
    while len(asked) < 3:
        page.clock.run_for(1400)
    assert set(asked) == {"41"}


def test_without_javascript_a_replay_is_stepped_through_by_links(table: Table) -> None:
    page = host(table, "/games/finished/replay?at=40", java_script_enabled=False)
    last = len(games(table).match("finished").steps)
    page.get_by_role("link", name="One event forward").click()
    expect(page.locator("#step .at")).to_have_text(f"41 of {last}")
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    expect(page.locator("#step .at")).to_have_text(f"41 of {last}")


def test_deleting_takes_two_taps(table: Table) -> None:
    page = host(table, "/games")
    expect(page.locator(".games > li")).to_have_count(3)
    one = page.locator("[data-key=finished]")
    assert not one.get_by_role("button").is_visible()
    one.get_by_text("Delete …").tap()
    one.get_by_role("button", name="Delete this game for ever").tap()
    expect(page.locator(".games > li")).to_have_count(2)
    assert "finished" not in games(table).names()


def test_all_games_are_backed_up_and_restored(table: Table, tmp_path: Path) -> None:
    page = host(table)
    task(page, "End of the game night")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all games").tap()
    file = tmp_path / download.value.suggested_filename
    assert file.name.startswith("tabletop-")
    assert file.name.endswith(".jsonl.gz")
    download.value.save_as(file)
    games(table).delete("finished")
    page.set_input_files("#restore", file)
    expect(page.locator("#restored")).to_have_text("Restored: 1. Already here: 2.")
    assert "finished" in games(table).names()
    file.write_bytes(file.read_bytes()[:500])
    page.set_input_files("#restore", file)
    expect(page.locator("#restored")).to_contain_text("Nothing was changed")
    table.faults.clear()


def test_a_file_that_is_too_large_is_not_even_sent(table: Table, tmp_path: Path) -> None:
    """A backup above the limit is refused by the page, which would take the table's hang-up for a lost network."""
    page, file = host(table), tmp_path / "large.gz"
    with file.open("wb") as large:
        large.truncate(MAX_BACKUP_BYTES + 1)
    page.set_input_files("#restore", file)
    expect(page.locator("#told")).to_have_text("This is too large to send.")


STATES = {
    "/host": ("as it is", "paused", "a vote", "differences"),
    "/host/history": ("as it is",),
    "/games": ("as it is",),
    "/games/people": ("as it is",),
    "/games/finished": ("as it is",),
    "/games/ended": ("as it is",),
    "/games/finished/replay?at=90": ("as it is",),
    "/seat": ("paused", "ended"),
    "/": ("paused", "ended"),
}


def bring(table: Table, state: str) -> None:
    """Bring the table into a state of the game, such as “paused”."""
    position, request = phases()["place"], f"request-{table.mailbox.snapshot.number}"
    table.mailbox.decide(EventKind.RESUME, {}, id=f"{request}-resume")
    table.mailbox.become(position)
    match state:
        case "paused":
            table.mailbox.decide(EventKind.PAUSE, {}, id=request)
        case "ended":
            match = table.mailbox.snapshot.match
            (end,) = chain_events([Fact(EventKind.END, {}, None, Source.PAGE, 0.0)], table.mailbox.journal.last)
            table.mailbox.show(match=match.with_event(end))
        case "a vote":
            votes = table.pages.app.extensions["tabletop"].votes
            votes.ask(5, on=table.mailbox.snapshot.number, asker=None, voters={0})
            table.mailbox.decide(EventKind.DEPUTY, {"seats": [1]}, id=request)
        case "differences":
            tile = position.to_json()["warehouse"][0]
            table.mailbox.show(todo=(PieceMove(tile, "quarry1", "warehouse"),))


def test_every_page_of_the_host_fits_and_shuts_nobody_out(table: Table) -> None:
    """Every page is as wide as the screen at most, with large targets and without barriers, light and dark."""
    page = host(table, is_mobile=False)
    token = table.pages.room.claim(0)
    page.context.add_cookies([{"name": "seat", "value": token, "url": table.base}])
    for path, states in STATES.items():
        for state in states:
            bring(table, state)
            page.goto(table.base + path, wait_until="domcontentloaded")
            page.evaluate("document.querySelectorAll('[role=tabpanel]').forEach((one) => (one.hidden = false))")
            assert_fits(page, (path, state))
