"""What every page must fulfil in a browser, and helpers to look at pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
LOOKS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}}
"""The rules that depend on colours and size, for states checked by all rules in other colours and another size."""


Colours: TypeAlias = Literal["light", "dark"]
"""The colour scheme that a screen prefers."""
SCREENS: Sequence[tuple[tuple[int, int], Colours, dict[str, Any]]] = (
    ((320, 640), "light", RULES),
    ((1920, 1080), "dark", LOOKS),
)
"""The screens on which every state is checked: width and height in px, colour scheme, axe-core options."""

SETTLING = """new MutationObserver(() => {
    if (document.documentElement.classList.contains("settling"))
        window.under = getComputedStyle(document.querySelector("main button")).pointerEvents;
}).observe(document.documentElement, {attributeFilter: ["class"]})"""
"""Records in ``window.under`` the pointer-events of a button while the page settles."""

VOICE = """() => {
    window.spoken = [];
    speechSynthesis.speak = (one) => spoken.push([one.text, one.lang]);
    speechSynthesis.cancel = () => {};
}"""
"""Records in ``window.spoken`` what the browser is asked to say, with its language."""


def on_screens(page: Page) -> Iterator[tuple[int, dict[str, Any]]]:
    """Show a page on each of the screens, and yield the screen's width and its axe-core options."""
    for (width, height), colours, rules in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        yield width, rules


def resize(page: Page, size: ViewportSize) -> None:
    """Give a page another size in px, and wait until it is laid out and fitted for it."""
    page.set_viewport_size(size)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def hasten(page: Page) -> None:
    """Play a page's animations fifty times as fast, because each moment of a motion has to be drawn."""
    browser = page.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 50})


def press(page: Page, what: str, key: str) -> None:
    """Press Tab until an element that matches a selector has the focus, then press a key on it."""
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
"""Replaces the page's body by that of another page without loading styles and scripts again."""
SETTLED = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => null))).then(() => null)"""
"""Waits for the end of every finite animation: the contrast of words that still fade in cannot be judged."""


def barriers(page: Page, rules: dict[str, Any] = RULES) -> list[list[str]]:
    """Return what axe-core finds wrong by WCAG 2.2 AA once nothing moves: the rule and its first element."""
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        """async rules => (await axe.run(rules)).violations.map(({id, nodes}) => [id, nodes[0].html.slice(0, 160)])""",
        {**rules, "resultTypes": ["violations"]},
    )
    return found


def small_targets(page: Page) -> list[str]:
    """Return the elements to tap that are smaller than 48 px."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll(
            "button, a.button, label.button, summary, select, input[type=range], .tap:has(input), label > .pick")]
        .filter((one) => one.checkVisibility())
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 47.5)
        .map((one) => one.outerHTML.slice(0, 120))"""
    )
    return found


def close_targets(page: Page) -> list[str]:
    """Return pairs of buttons less than 8 px apart; cells of a board, and bars over lists, may touch."""
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
    """Assert that a page with everything unfolded fits the width of each screen and is accessible."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width, rules in on_screens(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert small_targets(page) == [], where
        assert close_targets(page) == [], where
        assert barriers(page, rules) == [], where
