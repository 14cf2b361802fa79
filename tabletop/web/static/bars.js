// Measures the bars that stay at the edges of the window: what gets the focus is scrolled clear of them
// (style/base.css).
// Measures the room as well: if a decision does not fit a phone, whatever is also shown elsewhere gives way first.

const watch = new ResizeObserver(measure);
const BARS = ".top, .tabbar, .paybar, a.up";
const GIVES_WAY = ["", "snug", "little", "less", "scarce", "least"]; // controller/crowded.css
let watched = [];
let waits = false; // whether the page will be fitted

export function bars() {
  for (const name of ["table-changed", "hand-shown", "tab-shown"]) document.addEventListener(name, every);
  document.addEventListener("toggle", every, true);
  addEventListener("resize", soon);
  every();
}

function every() {
  const there = [...document.querySelectorAll(BARS)];
  // Bars that stay are measured only when their size changes: asking for it forces a layout of the whole page.
  if (there.length !== watched.length || there.some((bar, at) => bar !== watched[at])) {
    watch.disconnect();
    for (const bar of there) watch.observe(bar);
    watched = there;
    measure();
  }
  soon();
}

// One change of the page is often announced several times: once all of it is there, it is fitted once.
function soon() {
  if (!waits) queueMicrotask(fit);
  waits = true;
}

function measure() {
  room("--above", ".top");
  room("--tabs", ".tabbar");
  room("--below", ".paybar, a.up");
  // A bar that grows because something was ticked must not hide it.
  document.activeElement.closest("label")?.scrollIntoView({ block: "nearest" });
}

function room(name, bars) {
  const stays = [...document.querySelectorAll(bars)].filter((bar) => getComputedStyle(bar).position !== "static");
  const heights = stays.map((bar) => bar.offsetHeight);
  document.documentElement.style.setProperty(name, `${Math.max(0, ...heights)}px`);
}

function fit() {
  waits = false;
  const page = document.body;
  if (page.dataset.page !== "seat") return;
  // Prompts that come and go stand below the hand and must change nothing above it; at the end they stay.
  const passing = document.querySelector("body:not(:has(.status .over)) .prompts:not(:has(.prompt:not(.wait)))");
  passing?.style.setProperty("display", "none");
  for (const level of GIVES_WAY) {
    page.dataset.room = level;
    if (![document.documentElement, ...document.querySelectorAll("#play, #play > *")].some(overflows)) break;
  }
  passing?.style.removeProperty("display");
}

function overflows(region) {
  const scrolls = region === document.documentElement || getComputedStyle(region).overflowY !== "visible";
  return scrolls && region.scrollHeight > region.clientHeight + 1 && region.checkVisibility();
}
