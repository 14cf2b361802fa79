// Steps through a past game: slider, links and keys request the page of another event and put it in place.

import { morph } from "./morph.js";
import { reach } from "./send.js";

const form = document.getElementById("steps");
const slider = form.elements.at;
const last = Number(form.dataset.last);
const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
let wanted = Number(slider.value);
let asking = false;
let shown = wanted;

function go(to) {
  wanted = Math.min(Math.max(1, to), last);
  slider.value = wanted;
  if (!asking) load();
}

// Only the newest request counts: dragging the slider does not load every step on the way.
async function load() {
  asking = true;
  while (shown !== wanted) {
    const at = wanted;
    const address = `${location.pathname}?at=${at}`;
    try {
      const answer = await reach(address);
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const name of ["step", "ways", "board", "seats", "hands"]) {
        morph(document.getElementById(name), page.getElementById(name).innerHTML);
      }
      shown = at;
      history.replaceState(null, "", address);
      document.getElementById("offline").hidden = true;
    } catch {
      document.getElementById("offline").hidden = false;
      break;
    }
  }
  asking = false;
}

// The replay plays by itself from its event, at the beginning even without a tap, until somebody steps through it.
const STEP = 1400; // ms
const button = document.getElementById("play");
let timer = null;

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (shown < last ? !asking && go(shown + 1) : play(false)), STEP) : null;
  button.setAttribute("aria-pressed", String(on));
  button.textContent = on ? button.dataset.pause : button.dataset.play;
}

function leaf(to) {
  play(false);
  go(to);
}

button.addEventListener("click", () => {
  if (timer === null && wanted === last) go(1);
  play(timer === null);
});
if (!new URLSearchParams(location.search).has("at") && !matchMedia("(prefers-reduced-motion: reduce)").matches)
  play(true);

slider.addEventListener("input", () => leaf(Number(slider.value)));
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-to]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  leaf(Number(link.dataset.to));
});
document.addEventListener("keydown", (event) => {
  const own = event.target.closest?.("input:not([type=range]), select");
  if (!(event.key in KEYS) || own || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  leaf(wanted + KEYS[event.key]);
});
