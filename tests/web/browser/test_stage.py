"""The stage on a TV: one picture that fits every size, keeps its layout, and animates what has just happened."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table, draw_small, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases, play, well_played
from tabletop.hardware.panel.lights import Pattern
from tabletop.messages import Message
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.snapshot import Said
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tests.web.browser.browsing import LOOKS, SHOWN, barriers, hasten

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
TV: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "no-preference"}
SHORT = {"palazzo": 500, "patrician": 32, "piecepack": 536}
"""Game → the seed of the shortest game in which all kinds of actions occur, of those with seeds 0 to 999."""
WELL_PLAYED = 4
"""How many games of thrifty bots are searched for the fullest position of each phase."""
CALM = {**TV, "reduced_motion": "reduce"}
OUTSIDE = """() => [...document.querySelectorAll("main *, header *")].filter((one) => {
    const { width, right, bottom, top } = one.getBoundingClientRect();
    return width && one.checkVisibility() && !one.closest(".away")
        && (right > innerWidth + 1 || bottom > innerHeight + 1 || top < -1);
}).map((one) => `${one.className} ${one.textContent.slice(0, 40)}`)"""
"""The elements that reach beyond the screen."""
COVERED = """() => {
    const boxOf = (one) => {
        const words = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        const range = document.createRange();
        if (words) range.selectNodeContents(words);
        return one.matches(".block, .slip, .floor, .hollow, .tile") ? one.getBoundingClientRect()
            : words && range.getBoundingClientRect();
    };
    const shown = [...document.querySelectorAll("main .cities *, main .people *")]
        .filter((one) => one.checkVisibility() && !one.closest(".away, .prompts, .log, .pawn, svg"))
        .map((one) => [one, boxOf(one)]).filter(([, box]) => box);
    return shown.flatMap(([one, a], at) => shown.slice(at + 1).filter(([other, b]) =>
        !one.contains(other) && !other.contains(one)
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 2.5)
        .map(([other]) => `${one.className} ${one.textContent} / ${other.className} ${other.textContent}`));
}"""
"""Pairs of words and pieces that overlap at a seat or in a city; lines may touch, and a turret stands on a tile."""
CUT = """() => {
    const hides = (one) => /hidden|clip/.test(getComputedStyle(one).overflow);
    const shown = [...document.querySelectorAll("main :is(.tile, .points, .block, .floor, .slip, .fact, .loud, .card,"
        + " .total, .score, .count, .checklist li, .supply li, .prompt, h2, h3, figcaption)")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".away, .hides"));
    return shown.filter((one) => {
        const a = one.getBoundingClientRect();
        const placed = getComputedStyle(one).position === "absolute";
        for (let up = placed ? one.offsetParent : one.parentElement; up !== document.body; up = up.parentElement) {
            const b = up.getBoundingClientRect();
            const over = Math.max(a.bottom - b.bottom, b.top - a.top, a.right - b.right, b.left - a.left);
            if (hides(up) && over > 0.15 * a.height) return true;
        }
        return false;
    }).map((one) => `${one.className} ${one.textContent.slice(0, 40)}`);
}"""
"""The elements that are cut off by the edge of a container."""
NARROW = """[...document.querySelectorAll("#seats .plot .block")]
    .map((one) => one.offsetWidth).filter((wide) => wide && wide < 24)"""
"""The widths in px of the structures of palazzi that are too small to be told apart from the sofa."""
SPILT = """() => {
    const boxes = (what, air) => [...document.querySelectorAll(`.map ${what}`)].map((one) => {
        const { x, y, width, height } = one.getBBox();
        const cut = air * (one.getAttribute("font-size") ?? 0);
        return { left: x, right: x + width, top: y + cut, bottom: y + height - cut, words: one.textContent };
    });
    const cards = boxes(".zone-card", 0);
    const written = boxes("text", 0.25);
    const holds = (a, b) => a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return written.filter((one, at) => !cards.some((card) => holds(card, one))
        || written.slice(at + 1).some((other) => meet(one, other))).map(({ words }) => words);
}"""
"""Words of the plan that leave their card or overlap others; the space above and below letters does not count."""
SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((one) =>
        one.sources.map(({ node }) => (node?.outerHTML ?? node?.parentElement?.outerHTML ?? "?").slice(0, 90)))))
    .observe({ type: "layout-shift" });
}"""


def seated(game: str, names: Sequence[str] = NAMES) -> Pages:
    """Return the pages of a table whose seats are all taken."""
    pages = Pages(MemoryTable(registry.game(game), names, seed=4), press=None)
    for seat in range(len(names)):
        pages.room.claim(seat)
    return pages


@pytest.fixture(params=registry.BUILT_IN)
def stage(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Table]:
    """A table of each game whose seats are all taken."""
    with served(browser, seated(request.param)) as made:
        yield made


class Hall(NamedTuple):
    """A table whose seats are all taken, and a TV with reduced motion for each language."""

    table: Table
    pages: list[Page]


@pytest.fixture(scope="class", params=registry.BUILT_IN)
def hall(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Hall]:
    """A hall of each game, shared by tests that each set their own position and screen sizes."""
    with served(browser, seated(request.param)) as table:
        yield Hall(table, [tv(table, locale=locale, **CALM) for locale in ("en", "de", "it")])


def tv(table: Table, *, mouse: bool = False, **more: Any) -> Page:
    """Return a TV that shows the table, with a ``mouse`` if the test needs one."""
    page = table.phone(**{"has_touch": False, "is_mobile": False, **TV, **more})
    if not mouse:
        draw_small(page)
    page.goto(table.base)
    page.wait_for_selector("html.live")
    return page


def act(table: Table, rng: random.Random) -> None:
    """Perform a random action of the seat that decides: first its kind is drawn, then one of that kind."""
    now = table.mailbox.snapshot
    choices = list(now.position.legal.thrifty())
    kind = rng.choice(sorted({one.do for one in choices}))
    chosen = rng.choice([one for one in choices if one.do == kind])
    table.mailbox.act(chosen, on=now.number, id=f"stage-{now.number}", seat=now.position.decider)


def test_a_game_shifts_nothing_and_its_end_fits(stage: Table) -> None:
    """No action of a whole game shifts the layout, and the final score fits the screen.

    Italian has the longest words, which wrap where others do not.
    """
    page, rng = tv(stage, locale="it"), random.Random(SHORT[stage.mailbox.snapshot.position.game.name])
    hasten(page)
    page.evaluate(SHIFTS)
    while not stage.mailbox.snapshot.over:
        act(stage, rng)
        follow(stage, page)
    page.wait_for_selector(".podium")
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    assert page.evaluate("shifts") == []
    assert page.evaluate(OUTSIDE) == []
    assert barriers(page) == []


class TestRoom:
    """Whatever a table shows has room on its screens, which these tests share."""

    def test_every_phase_fits_every_size_without_scrolling(self, hall: Hall) -> None:
        """From 720p to 4K and in three languages, nothing scrolls, leaves the screen or overlaps."""
        table, pages = hall
        game = table.mailbox.snapshot.position.game
        shown = {position.phase: position for position in play_random_game(game, 3, len(NAMES)).positions}
        for page, (width, height) in zip(pages, SIZES, strict=True):
            page.set_viewport_size({"width": width, "height": height})
            draw_small(page)
        for phase, position in shown.items():
            table.mailbox.become(position)
            for page in pages:
                follow(table, page)
                assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), phase
                assert page.evaluate(OUTSIDE) == [], phase
            assert pages[0].evaluate(COVERED) == [], phase

    def test_what_good_players_build_is_never_cut_off(self, hall: Hall) -> None:
        """The fullest position of each phase has room in three languages, with structures that can be told apart."""
        table, pages = hall
        game = table.mailbox.snapshot.position.game
        games = [well_played(game, seed) for seed in range(WELL_PLAYED)]
        fullest: dict[str, Position] = {}
        for position in (position for positions in games for position in positions):
            least = fullest.setdefault(position.phase, position)
            if len(str(position.layout())) > len(str(least.layout())):
                fullest[position.phase] = position
        for page in pages:
            page.set_viewport_size(TV["viewport"])
            draw_small(page)
        for phase, position in fullest.items():
            table.mailbox.become(position)
            for page in pages:
                follow(table, page)
                assert page.evaluate(CUT) == [], (phase, page.evaluate("document.documentElement.lang"))
                assert page.evaluate(NARROW) == [], phase


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_the_last_scores_of_a_full_table_are_never_cut_off(browser: Browser, name: str) -> None:
    """The parts of every seat's final score have room in three languages with the most seats that a game allows.

    Of several games, the one with the longest scores is shown.
    """
    game = registry.game(name)
    names = (*NAMES, "Dario", "Elena")[: max(game.seat_range)]
    ends = (well_played(game, seed, names)[-1] for seed in range(WELL_PLAYED))
    with served(browser, seated(name, names)) as table:
        table.mailbox.become(max(ends, key=lambda end: len(str(end.score()))))
        for locale in ("en", "de", "it"):
            page = tv(table, locale=locale, **CALM)
            assert page.locator(".reckonings section").count() == len(names)
            assert page.evaluate(CUT) == [], locale
            page.context.close()


def test_no_scene_shuts_anybody_out(stage: Table) -> None:
    """In the lobby, the setup, every phase and at the end axe-core finds no barrier, and the plan fits its panel."""
    positions = well_played(stage.mailbox.snapshot.position.game, 0)
    page, room = tv(stage, **CALM), stage.pages.room
    room.free(0)
    stage.mailbox.become(positions[0])
    follow(stage, page)
    scenes: dict[object, list[list[str]]] = {page.get_attribute("[data-scene]", "data-scene"): barriers(page)}
    room.claim(0)
    stage.mailbox.become(positions[0])
    follow(stage, page)
    plan, panel = (page.locator(one).bounding_box() for one in (".map svg", "#map"))
    assert plan is not None
    assert panel is not None
    assert plan["y"] + plan["height"] < panel["y"] + panel["height"]
    for phase, position in {position.phase: position for position in positions}.items():
        stage.mailbox.become(position)
        follow(stage, page)
        scenes[page.get_attribute("[data-scene]", "data-scene"), phase] = barriers(page)
    assert {"lobby", ("setup", "setup"), ("over", "over")} < scenes.keys()
    assert not any(scenes.values()), scenes


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_the_words_of_the_plan_stay_on_their_cards(browser: Browser, name: str) -> None:
    """With any number of seats and in three languages, the plan's words neither overlap nor leave their card."""
    game = registry.game(name)
    with served(browser, Pages(MemoryTable(game, NAMES, seed=None), press=None)) as table:
        page = table.phone(**{"has_touch": False, "is_mobile": False, **CALM})
        page.route("**/events/*", lambda _route: None)  # no news of this table: the page shows other tables
        page.goto(table.base)
        for seats in game.seat_range:
            pages = Pages(MemoryTable(game, [f"Seat {number}" for number in range(seats)], seed=None), press=None)
            for locale in ("en", "de", "it"):
                page.evaluate(SHOWN, pages.phone().get("/", **{"Accept-Language": locale}).text)
                assert page.evaluate("document.documentElement.lang") == locale
                assert page.locator(".map text").count() > seats
                assert page.evaluate(SPILT) == [], (seats, locale)
            pages.close()


def test_what_lies_wrong_is_shown_where_it_lies(stage: Table) -> None:
    """The plan marks where a misplaced piece is, and a prompt says how to put it right."""
    walk = play_random_game(stage.mailbox.snapshot.position.game, 3, len(NAMES)).positions
    position = next(one for one in reversed(walk) if one.decider is not None)
    table = position.game.table
    assert table is not None
    zones = {zone.name for zone in table.zones(len(NAMES))}
    home, piece = next((zone, piece) for zone in position.layout() if zone in zones
                       for piece in position.layout().pieces(zone))  # fmt: skip
    stage.mailbox.become(position)
    lies = next(zone for zone in sorted(zones) if zone != home)
    stage.mailbox.show(todo=(PieceMove(piece, lies, home, table.rule(home)),))
    page = tv(stage, **CALM)
    assert page.locator(".map .from").count() == 1
    assert page.locator(".prompt.move").is_visible()
    assert barriers(page, LOOKS) == []


def test_what_the_table_waits_for_hides_the_line_below_it(stage: Table) -> None:
    """The prompt has an opaque background, since it covers the line with the latest news."""
    played = play_random_game(stage.mailbox.snapshot.position.game, 3, len(NAMES))
    stage.mailbox.become(next(one for one in played.positions if one.decider is not None))
    stage.mailbox.show(say=(Said("waiting", Message("Something is waited for.")),))
    page = tv(stage, **CALM)
    colour = page.locator(".prompt.wait").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert colour.startswith("rgb("), colour


def test_nothing_shows_above_a_prompt_of_what_it_covers(stage: Table) -> None:
    """The line with the latest news stays in sight beside what is waited for, and is hidden under anything else."""
    played = play_random_game(stage.mailbox.snapshot.position.game, 3, len(NAMES))
    stage.mailbox.become(next(one for one in played.positions if one.decider is not None))
    waiting = Said("waiting", Message("Something is waited for."))
    stage.mailbox.show(say=(waiting,))
    page = tv(stage, **CALM)
    expect(page.locator("#log")).to_be_visible()
    stage.mailbox.show(say=(waiting, Said("news", Message("The die now shows 4."))))
    expect(page.locator("#log")).to_be_hidden()


@pytest.mark.parametrize(("light", "scene"), [(Pattern.OFF, "play"), (Pattern.FAST, "wrong")])
def test_at_a_simulated_table_only_what_the_referee_asks_about_is_wrong(light: Pattern, scene: str) -> None:
    """Pieces that simulated hands are moving change the scene only if the light for illegal moves is on."""
    pages = Pages(MemoryTable(registry.game("palazzo"), NAMES, seed=4))
    pages.mailbox.become(phases()["action"])
    move = PieceMove("B1.2", "warehouse", "quarry1")
    pages.mailbox.show(todo=(move,), signals={**pages.mailbox.snapshot.signals, "illegal": light})
    assert f'data-scene="{scene}"' in pages.phone().get("/").text
    pages.close()


def test_nobody_is_awaited_at_a_seat_that_the_program_plays() -> None:
    """The lobby counts people only, and ends when all of them are here, even before the first act."""
    mailbox = MemoryTable(registry.game("palazzo"), NAMES, seed=None)
    pages = Pages(mailbox, room={"simulated": frozenset({1, 2})})
    told = pages.phone().get("/").text
    assert 'data-scene="lobby"' in told
    assert "Take a seat: 0 of 1 are here." in told
    assert told.count("played by the computer") == 2
    pages.room.claim(0)
    assert 'data-scene="setup"' in pages.phone().get("/").text
    mailbox.become(phases()["action"])
    assert 'data-scene="play"' in pages.phone().get("/").text
    pages.close()


@pytest.fixture
def palazzo(browser: Browser) -> Iterator[Table]:
    with served(browser, Pages(MemoryTable(registry.game("palazzo"), NAMES, seed=4), press=None)) as made:
        yield made


def test_before_the_game_everybody_sees_how_to_come_in(palazzo: Table) -> None:
    """The lobby shows who is here, a code large enough to be scanned from the sofa, and the plan of the table."""
    palazzo.pages.room.claim(1, "Zoe")
    palazzo.mailbox.become(phases()["deal"])
    page = tv(palazzo, **CALM)
    assert page.locator(".present li:not(.free)").inner_text().split("\n")[1] == "Zoe"
    assert page.locator(".now").inner_text() == "Take a seat: 1 of 3 is here."
    box = page.locator(".join .qr").bounding_box()
    assert box is not None
    assert box["width"] > 720 / 3
    assert page.locator(".map svg").is_visible()
    assert not page.locator("#board").is_visible()
    assert page.evaluate("document.fonts.check('20px Young Serif')")
    assert barriers(page) == []


def test_the_money_row_covers_nothing(palazzo: Table) -> None:
    """With any number of cards in the row, the supply beside it stays in sight in three languages."""
    rows = {len(one.to_json()["row"]): one for one in play(3) if one.phase == "take"}
    assert {1, 2, 3, 4} <= rows.keys()
    pages = [tv(palazzo, locale=locale, **CALM) for locale in ("en", "de", "it")]
    for position in rows.values():
        palazzo.mailbox.become(position)
        for page in pages:
            follow(palazzo, page)
            row = page.locator(".row").bounding_box()
            ends = page.locator(".supply li > :last-child").evaluate_all(
                "all => Math.max(...all.map((one) => one.getBoundingClientRect().right))"
            )
            assert row is not None
            assert ends <= row["x"], page.evaluate("document.documentElement.lang")


def test_seven_palazzi_at_one_seat_are_seen_from_the_sofa(palazzo: Table) -> None:
    """With two floors, at a seat that has half a side: a tile is a fiftieth of the picture wide, and nothing is cut."""
    sevens = (one for one in play(0) if len(one.to_json()["seats"][1]["palazzi"]) == 7)
    palazzo.mailbox.become(next(sevens))
    page = tv(palazzo, **CALM)
    tiles = page.locator("[data-zone=seat1] .tile").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(tiles) >= 1280 / 50, tiles
    assert page.evaluate(CUT) == []
    assert page.evaluate(COVERED) == []


def test_only_moved_pieces_fly_and_none_with_reduced_motion(palazzo: Table) -> None:
    """Only the pieces that were moved are animated, and none with reduced motion."""
    palazzo.mailbox.become(phases()["action"])
    lively, calm = tv(palazzo), tv(palazzo, **CALM)
    for page in (lively, calm):
        page.evaluate("""() => { window.moved = []; const own = Element.prototype.animate;
            Element.prototype.animate = function (...how) { if (this.dataset.piece) moved.push(this.dataset.piece);
            return own.apply(this, how); }; }""")
    now = palazzo.mailbox.snapshot
    seat = now.position.decider
    palazzo.mailbox.act(now.position.game.action({"do": "money"}), on=now.number, id="money", seat=seat)
    for page in (lively, calm):
        follow(palazzo, page)
    row = palazzo.mailbox.snapshot.position.to_json()["row"]
    assert sorted(lively.evaluate("moved")) == sorted(row)
    assert calm.evaluate("moved") == []
    assert calm.locator(".row .card").count() == len(row)


def test_a_card_that_is_taken_flies_from_the_row_to_its_taker_above_everything(palazzo: Table) -> None:
    """The flying card is in the body, so that nothing clips it, and changes only transform and opacity."""
    palazzo.mailbox.become(position := phases()["take"])
    page = tv(palazzo)
    page.evaluate("""() => { window.flown = []; const own = Element.prototype.animate;
        const at = (one) => (({ left, top, width, height }) => [left + width / 2, top + height / 2])(
            one.getBoundingClientRect());
        Element.prototype.animate = function (frames, how) {
            const made = own.call(this, frames, how);
            made.pause();
            const begins = at(this);
            made.currentTime = made.effect.getComputedTiming().endTime - 1;
            flown.push([this.parentElement.nodeName, [...new Set(frames.flatMap(Object.keys))], begins, at(this)]);
            return made;
        }; }""")
    boxes = [page.locator(one).bounding_box() for one in (".row", f".people [data-zone=seat{position.decider}]")]
    now = palazzo.mailbox.snapshot
    action = next(iter(now.position.legal.thrifty()))
    palazzo.mailbox.act(action, on=now.number, id="take", seat=now.position.decider)
    follow(palazzo, page)
    ((parent, frames, *ways),) = page.evaluate("flown")
    assert parent == "BODY"
    assert set(frames) <= {"transform", "opacity", "offset"}
    for box, (x, y) in zip(boxes, ways, strict=True):
        assert box is not None
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]


def test_sound_and_speech_have_switches_that_appear_when_the_pointer_moves(palazzo: Table) -> None:
    """The switches appear when the pointer moves; speech is off at first, and a choice outlives a reload."""
    palazzo.mailbox.become(phases()["action"])
    page = tv(palazzo, mouse=True)
    speech = page.locator("#stage-speech")
    assert not speech.is_visible()
    page.mouse.move(600, 300)
    speech.wait_for(state="visible")
    assert (speech.get_attribute("aria-pressed"), page.locator("#stage-sound").get_attribute("aria-pressed")) == (
        "false",
        "true",
    )
    page.locator("#stage-sound").click()
    page.reload()
    page.wait_for_selector("html.live")
    assert page.locator("#stage-sound").get_attribute("aria-pressed") == "false"


def test_the_language_of_the_television_is_chosen_in_the_corner(palazzo: Table) -> None:
    """The corner offers the language but no light or dark appearance, of which the stage has one."""
    page = tv(palazzo, mouse=True)
    page.mouse.move(600, 300)
    language = page.get_by_label("Language")
    language.wait_for(state="visible")
    assert not page.get_by_label("Appearance").is_visible()
    language.select_option("de")
    page.wait_for_selector("html.live[lang=de]")


def test_the_volume_makes_no_sound_while_sound_is_off(palazzo: Table) -> None:
    """Setting the volume plays a sample, except while sound is off."""
    palazzo.mailbox.become(phases()["action"])
    page = tv(palazzo, mouse=True)
    page.evaluate("""() => {
        const { start } = AudioScheduledSourceNode.prototype;
        window.sounds = 0;
        AudioScheduledSourceNode.prototype.start = function (at) { sounds += 1; start.call(this, at); };
    }""")
    page.mouse.move(600, 300)
    volume, toggle = page.locator("#stage-volume"), page.locator("#stage-sound")
    toggle.click()
    toggle.click()
    page.wait_for_function(
        "() => { document.getElementById('stage-volume').dispatchEvent(new Event('input')); return sounds; }"
    )
    toggle.click()
    page.evaluate("sounds = 0")
    volume.fill("30")
    assert page.evaluate("[localStorage.getItem('stage-volume'), sounds]") == ["30", 0]


def test_without_scripts_the_stage_is_readable(palazzo: Table) -> None:
    """Without scripts the server's page shows the auction, the seats, the status and the links."""
    palazzo.mailbox.become(phases()["bid"])
    for seat in range(len(NAMES)):
        palazzo.pages.room.claim(seat)
    page = palazzo.phone(**{**CALM, "has_touch": False, "is_mobile": False, "java_script_enabled": False})
    page.goto(palazzo.base)
    for shown in (".auction", ".people li", ".status .now", ".foot nav"):
        assert page.locator(shown).first.is_visible(), shown


def test_a_phone_that_comes_to_the_table_is_led_to_a_seat(palazzo: Table) -> None:
    """On a phone the table's page begins with a large link to a seat, above the board."""
    palazzo.mailbox.become(phases()["action"])
    page = palazzo.phone()
    page.goto(palazzo.base)
    box = page.locator(".way-in a").bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["y"] < 300
    assert page.locator("#board").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_seat_whose_turn_begins_lights_up(palazzo: Table) -> None:
    """Its panel glows once and the newest sentence fades in, neither with reduced motion."""
    palazzo.mailbox.become(next(one for one in play(3) if one.phase == "take" and len(one.to_json()["row"]) == 2))
    lively, calm = pages = [tv(palazzo), tv(palazzo, **CALM)]
    for page in pages:
        page.evaluate("""() => {
            window.begun = [];
            addEventListener("animationstart", ({ animationName, target }) =>
                begun.push([animationName, target.dataset.zone ?? ""]));
        }""")
    act(palazzo, random.Random(1))
    for page in pages:
        follow(palazzo, page)
    seat = palazzo.mailbox.snapshot.position.decider
    lively.wait_for_function("zone => begun.some(([name, at]) => name === 'turn' && at === zone)", arg=f"seat{seat}")
    lively.wait_for_function("() => begun.some(([name]) => name === 'said')")
    assert calm.evaluate("begun") == []
