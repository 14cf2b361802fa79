// How much of the window the bars take that stay at its edges: what gets the focus is scrolled clear of them (style.css).

const watch = new ResizeObserver(measure);

export function bars() {
  document.addEventListener("table-changed", every);
  document.addEventListener("hand-shown", every);
  every();
}

function every() {
  watch.disconnect();
  document.querySelectorAll(".top, .paybar, a.up").forEach((bar) => watch.observe(bar));
  measure();
}

function measure() {
  room("--above", ".top");
  room("--below", ".paybar, a.up");
}

function room(name, bars) {
  const heights = [...document.querySelectorAll(bars)].map((bar) => bar.offsetHeight);
  document.documentElement.style.setProperty(name, `${Math.max(0, ...heights)}px`);
}
