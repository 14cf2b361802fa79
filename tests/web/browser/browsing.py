"""What is required of every page in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
LOOKS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}}
"""What colours and room decide: enough for a state that was looked at whole in other colours, on another screen."""


Colours: TypeAlias = Literal["light", "dark"]
"""How a screen is set to show pages."""
SCREENS: Sequence[tuple[tuple[int, int], Colours, dict[str, Any]]] = (
    ((320, 640), "light", RULES),
    ((1920, 1080), "dark", LOOKS),
)
"""What every state of a page is looked at on: a screen, its colours, and what axe-core is asked."""

SETTLING = """new MutationObserver(() => {
    if (document.documentElement.classList.contains("settling"))
        window.under = getComputedStyle(document.querySelector("main button")).pointerEvents;
}).observe(document.documentElement, {attributeFilter: ["class"]})"""
"""Notes what a tap would do while the page settles."""

VOICE = """() => {
    window.spoken = [];
    speechSynthesis.speak = (one) => spoken.push([one.text, one.lang]);
    speechSynthesis.cancel = () => {};
}"""
"""Keeps what the browser is asked to say."""


def on_screens(page: Page) -> Iterator[tuple[int, dict[str, Any]]]:
    """Show a page on each of the screens; give how wide that is, and what axe-core is asked there."""
    for (width, height), colours, rules in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        yield width, rules


def hasten(page: Page) -> None:
    """Let everything on a page move as it does, but fifty times as fast: each moment of a motion has to be drawn."""
    browser = page.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 50})


def press(page: Page, what: str, key: str) -> None:
    """Go on from thing to thing by the keyboard until one is reached, and press a key on it."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            page.keyboard.press(key)
            return
    raise AssertionError(f"no key leads to {what}")


SHOWN = """html => {
    const { documentElement, body } = new DOMParser().parseFromString(html, "text/html");
    document.documentElement.lang = documentElement.lang;
    document.body = body;
    body.getBoundingClientRect();
    return document.fonts.ready.then(() => null);
}"""
"""Shows another page of the same kind, without loading styles and scripts again."""
SETTLED = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => null))).then(() => null)"""
"""Waits for the end of every motion that has one: words that are still fading in have no colour to judge."""


def barriers(page: Page, rules: dict[str, Any] = RULES) -> list[list[str]]:
    """Return what axe-core holds against the page by WCAG 2.2 AA once nothing moves: rule and first element."""
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        """async rules => (await axe.run(rules)).violations.map(({id, nodes}) => [id, nodes[0].html.slice(0, 160)])""",
        {**rules, "resultTypes": ["violations"]},
    )
    return found


def small_targets(page: Page) -> list[str]:
    """Return what can be tapped and is smaller than 48 px."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll(
            "button, a.button, label.button, summary, select, input[type=range], .tap:has(input), label > .pick")]
        .filter((one) => one.checkVisibility())
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 47.5)
        .map((one) => one.outerHTML.slice(0, 120))"""
    )
    return found


def close_targets(page: Page) -> list[str]:
    """Return pairs of buttons with less than 8 px between them; cells of a board, and bars over lists, may touch."""
    found: list[str] = page.evaluate(
        """() => {
            const all = [...document.querySelectorAll("button, .button, summary")].filter((one) =>
                one.checkVisibility({visibilityProperty: true}) && !one.closest(".field, .paybar, .closed"));
            const boxes = all.map((one) => one.getBoundingClientRect());
            const named = (at) => all[at].textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
            const close = (a, b) => a.width && b.width
                && Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom) < 7.5;
            return boxes.flatMap((box, at) => boxes.flatMap((other, there) =>
                there > at && close(box, other) ? [`${named(at)} | ${named(there)}`] : []));
        }"""
    )
    return found


def assert_fits(page: Page, where: tuple[object, ...]) -> None:
    """Assert that a page, with everything unfolded, fits the width of each screen and can be used by everybody."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width, rules in on_screens(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert small_targets(page) == [], where
        assert close_targets(page) == [], where
        assert barriers(page, rules) == [], where
