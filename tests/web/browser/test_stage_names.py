"""With a full table on the stage, every name can be read, and nothing covers the podium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table, draw_small, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import well_played
from tabletop.messages import Message
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.snapshot import Said
from tabletop.rules.registry import BUILT_IN, game

NAMES = ("Alexander", "Christina", "Elisabeth", "Francesco", "Guglielmo")
"""Common names of nine letters."""
MANY_PARTS = 4
"""The seed of games in which one of two Patricians scores fifteen towers and sets of heads."""
CUT = """where => [...document.querySelectorAll(where)]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
    .map((one) => one.textContent)"""
"""The texts of elements that are cut off."""
MORE_LINES = """() => [...document.querySelectorAll(".podium strong")]
    .filter((one) => one.getBoundingClientRect().height > 1.5 * parseFloat(getComputedStyle(one).lineHeight))
    .map((one) => one.textContent)"""
"""Names on the podium that take more than one line."""
OUTSIDE = """([rows, parts]) => [...document.querySelectorAll(rows)].flatMap((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const cut = ({ top: high, bottom: low }) => high < top - 1 || low > bottom + 1;
    return [...row.querySelectorAll(parts)].filter((one) => one.checkVisibility() && cut(one.getBoundingClientRect()))
        .map((one) => one.textContent.trim());
})"""
"""The parts that reach beyond the top or the bottom of their row."""
HIDDEN_LINES = """where => {
    const one = document.querySelector(where);
    return Math.round((one.scrollHeight - one.clientHeight) / parseFloat(getComputedStyle(one).lineHeight));
}"""
"""The number of lines of a text that are cut off."""
BEHEADED = """where => {
    const pen = document.createElement("canvas").getContext("2d");
    return [...document.querySelectorAll(where)].filter((one) => one.checkVisibility()).filter((one) => {
        const { fontSize, fontFamily } = getComputedStyle(one);
        pen.font = `${fontSize} ${fontFamily}`;
        const foot = document.createElement("i");
        foot.style.display = "inline-block";
        one.prepend(foot);
        const line = foot.getBoundingClientRect().bottom;
        foot.remove();
        const { actualBoundingBoxAscent: high } = pen.measureText(one.textContent);
        return line - high < one.getBoundingClientRect().top - 0.5;
    }).map((one) => one.textContent);
}"""
"""Texts with hidden overflow whose letters reach beyond the upper edge."""
UNDER = """where => {
    const over = [...document.querySelectorAll(".prompts .prompt")].map((one) => one.getBoundingClientRect());
    const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return [...document.querySelectorAll(where)].filter((one) => one.checkVisibility())
        .filter((one) => over.some((other) => meets(other, one.getBoundingClientRect())))
        .map((one) => `${one.className} ${one.textContent.trim().slice(0, 40)}`);
}"""
"""The elements that a prompt of the table covers."""
MEET = """() => {
    const low = document.querySelector(".prompts .prompt").getBoundingClientRect().top;
    return [...document.querySelectorAll(".podium .step")]
        .filter((one) => one.getBoundingClientRect().bottom > low).map((one) => one.textContent.trim());
}"""
"""The steps of the podium that a prompt of the table covers."""


def tv(table: Table, **more: Any) -> Page:
    """Return a television at a table."""
    page = table.phone(viewport={"width": 1280, "height": 720}, has_touch=False, is_mobile=False, **more)
    draw_small(page)
    page.goto(table.base)
    page.wait_for_selector("html.live")
    return page


@pytest.mark.parametrize("name", BUILT_IN)
def test_common_names_of_nine_letters_are_whole_at_a_full_table(browser: Browser, name: str) -> None:
    names = NAMES[: game(name).seat_range[-1]]
    played = well_played(game(name), 2, names)
    with served(browser, Pages(MemoryTable(game(name), names, seed=3))) as table:
        page = tv(table)
        for phase in {one.phase for one in played if one.decider is not None} - {"setup"}:
            table.mailbox.become(next(one for one in played if one.phase == phase))
            page.wait_for_function("on => Number(document.body.dataset.on) === on", arg=table.mailbox.snapshot.number)
            assert page.evaluate(CUT, ".people strong, .bids .grow") == [], phase


def test_what_the_table_waits_for_at_the_end_covers_no_step_of_the_podium(browser: Browser) -> None:
    """At the end the prompt leaves the podium free, even in German, where it is longest."""
    names = NAMES[:4]
    pages = Pages(MemoryTable(game("palazzo"), names, seed=3), begin=lambda _people, _options: None)
    with served(browser, pages) as table:
        table.mailbox.become(well_played(game("palazzo"), 2, names)[-1])
        page = tv(table, locale="de")
        assert page.evaluate(MEET) == []


def test_the_podium_of_five_shows_every_name_in_full(browser: Browser) -> None:
    """Common names fit on one line, a very long one wraps, and none ends in “…”."""
    names = (*NAMES[:-1], "Giovannantonio Bartolome")
    with served(browser, Pages(MemoryTable(game("patrician"), names, seed=3))) as table:
        table.mailbox.become(well_played(game("patrician"), 2, names)[-1])
        page = tv(table)
        assert page.evaluate(CUT, ".podium strong, .reckonings h3") == []
        assert page.evaluate(MORE_LINES) == [names[-1]]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_final_score_is_whole_with_wide_names(browser: Browser, name: str) -> None:
    """With any number of seats, all parts of a score and the widest names stay within the row of their seat."""
    for count in (game(name).seat_range[0], game(name).seat_range[-1]):
        names = ("W" * 16,) * count
        with served(browser, Pages(MemoryTable(game(name), names, seed=3))) as table:
            table.mailbox.become(well_played(game(name), MANY_PARTS, names)[-1])
            page = tv(table, locale="de")
            assert page.evaluate(OUTSIDE, [".reckonings section", "h3, b, .fact, figcaption"]) == []
            assert page.evaluate(HIDDEN_LINES, ".now") == 0


def test_at_a_table_of_four_what_patricians_have_left_is_whole_in_german(browser: Browser) -> None:
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES[:4], seed=3))) as table:
        assert tv(table, locale="de").evaluate(CUT, ".people .fact") == []


def test_tiles_to_be_built_hide_no_end_tiles_in_german(browser: Browser) -> None:
    """Two tiles that one of two seats has to build leave the end tiles in sight."""
    names = NAMES[:2]
    played = (one for seed in (1, 2, 3) for one in well_played(game("palazzo"), seed, names))
    with served(browser, Pages(MemoryTable(game("palazzo"), names, seed=3))) as table:
        table.mailbox.become(next(one for one in played if len(one.to_json().get("pending", ())) == 2))
        page = tv(table, locale="de")
        shown = """[".pips", ".row"]
            .map((one) => document.querySelector(`#board ${one}`).getBoundingClientRect().toJSON())"""
        pips, tiles = page.evaluate(shown)
        assert pips["right"] < tiles["left"]


def test_a_long_name_stays_beside_the_plan_of_the_table(browser: Browser) -> None:
    """Long names overlap the plan neither in the lobby nor in a prompt about a misplaced card."""
    names = ("W" * 16,) * 5
    every = well_played(game("patrician"), 1, names)
    with served(browser, Pages(MemoryTable(game("patrician"), names, seed=3), press=None)) as table:
        table.mailbox.become(every[1])
        page = tv(table)
        edges = "[...document.querySelectorAll('.present strong')].map((one) => one.getBoundingClientRect().right)"
        plan = page.evaluate("document.querySelector('.map svg').getBoundingClientRect().left")
        assert max(page.evaluate(edges)) <= plan
        assert page.evaluate(OUTSIDE, ["#map", "li"]) == []
        for seat in range(len(names)):
            table.pages.room.claim(seat)
        played = next(one for one in every if one.decider is not None and one.layout().pieces("played0"))
        card = next(iter(played.layout().pieces("played0")))
        table.mailbox.become(played, todo=(PieceMove(card, "marketROM", "played0"),))
        expect(page.locator(".prompts .prompt")).to_contain_text(names[0])
        assert page.evaluate("document.querySelector('.prompts .prompt').getBoundingClientRect().right <= innerWidth")


def test_a_name_of_two_lines_keeps_clear_of_the_cards_below_it(browser: Browser) -> None:
    """The marks below Arabic letters do not run into the number of cards."""
    names = ("عبد الرحمن محمد السيد", *NAMES[:2])
    played = [one for one in well_played(game("palazzo"), 2, names) if one.decider is not None]
    lines = """one => {
        const written = document.createRange();
        written.selectNodeContents(one);
        return [...written.getClientRects()].map(({ top, bottom }) => [top, bottom]);
    }"""
    with served(browser, Pages(MemoryTable(game("palazzo"), names, position=played[0]))) as table:
        page = tv(table)
        name, cards = page.locator(".people strong").first, page.locator(".people .count").first
        written = name.evaluate(lines)
        assert len(written) == 2
        assert max(bottom for _top, bottom in written) <= min(top for top, _bottom in cards.evaluate(lines))


def test_what_stands_above_capital_letters_is_not_cut_off(browser: Browser) -> None:
    """The dots of “Ä” are whole in the line at the top, at the seats and among the bids."""
    names = ("Änne", "Özlem", "Ünal")
    played = [one for one in well_played(game("palazzo"), 2, names) if one.phase == "bid"]
    with served(browser, Pages(MemoryTable(game("palazzo"), names, position=played[0]))) as table:
        page = tv(table)
        expect(page.locator(".bids .grow")).to_have_count(3)
        assert page.evaluate(BEHEADED, ".people strong, .bids .grow, .status .now") == []


def test_two_lines_at_the_top_are_whole_with_their_descenders(browser: Browser) -> None:
    """A status of two lines is shown with the descenders of its last line."""
    setup = game("palazzo").new(NAMES[:3], {})
    with served(browser, Pages(MemoryTable(game("palazzo"), NAMES[:3], position=setup))) as table:
        for seat in range(3):
            table.pages.room.claim(seat)
        now = tv(table).locator(".status .now")
        heights = "(one) => [one.scrollHeight, one.clientHeight, parseFloat(getComputedStyle(one).lineHeight)]"
        whole, shown, line = now.evaluate(heights)
        assert 2 * line < whole <= shown, now.inner_text()


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_the_table_waits_for_covers_nothing(browser: Browser, name: str) -> None:
    """Two lines cover neither what just happened nor pieces on the board nor a seat's things nor notices."""
    played = [one for one in well_played(game(name), 1) if one.decider is not None]
    with served(browser, Pages(MemoryTable(game(name), NAMES[:3], seed=3), press=None)) as table:
        table.mailbox.become(played[-2])
        now = table.mailbox.snapshot
        table.mailbox.act(next(iter(now.position.legal)), on=now.number, id="last-action", seat=now.position.decider)
        table.mailbox.show(say=(Said("waiting", Message("This is what the table waits for. " * 2)),))
        page, things = tv(table), ".people > li, .board .loud, .board .row, .market > *, .supply li"
        expect(page.locator(".log li[data-key]").first).to_be_visible()
        assert page.evaluate(UNDER, f"{things}, .log li[data-key] > *") == []


def test_who_gets_the_tokens_of_a_city_is_told_below_the_seats_of_patrician(browser: Browser) -> None:
    """The sentence takes one line with common names of nine letters in Italian, and covers nobody's things."""
    played = [one for one in well_played(game("patrician"), 1) if one.decider is not None]
    tokens = ", ".join(f"{name} {points}" for name, points in zip(NAMES[:2], (9, 6), strict=True))
    news = Message("{city} is complete. Tokens: {awards}.", city="Bologna", awards=tokens)
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES[:3], seed=3), press=None)) as table:
        table.mailbox.become(played[9], say=(Said("news", news),))
        assert tv(table, locale="it").evaluate(UNDER, ".people > li") == []


def test_the_words_of_patricians_cards_stay_on_them_in_german(browser: Browser) -> None:
    """The words on a card with two women's heads, the longest ones, are not cut off."""
    played = [one for seed in (1, 2) for one in well_played(game("patrician"), seed) if one.phase == "play"]
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES[:3], seed=3))) as table:
        page = tv(table, locale="de")
        faces = played[0].to_json()["edition"]["cards"]
        two = {card for card, face in faces.items() if face["heads"] == ["woman", "woman"]}
        table.mailbox.become(next(one for one in played if two & {*one.to_json()["market"].values()}))
        assert page.evaluate(CUT, ".board .slip small") == []


def test_the_final_score_of_patrician_shows_the_towers_that_were_won(browser: Browser) -> None:
    """Each tower that brought points stands above its city and its points, with floors that can be told apart.

    That includes those of two seats with more towers than fit side by side.
    """
    end = well_played(game("patrician"), 3, NAMES[:3])[-1]
    assert sorted(len(score.parts) for score in end.score())[-2:] == [11, 11]
    stands = """all => all.map((one) => {
        const [floors, city] = [".floors", ".city"].map((it) => one.querySelector(it).getBoundingClientRect());
        const whole = [...one.querySelectorAll(".floor")].every((floor) => floor.offsetHeight > 5);
        return [whole && floors.bottom <= city.top, Number(one.querySelector(".score").textContent)];
    })"""
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES[:3], seed=3))) as table:
        table.mailbox.become(end)
        shown = tv(table).locator(".reckonings figure:has(.city)").evaluate_all(stands)
    assert all(whole for whole, _points in shown)
    brought = [part["points"] for score in end.score() for part in score.parts if "site" in part]
    assert sorted(points for _whole, points in shown) == sorted(brought)
