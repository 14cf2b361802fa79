// One phone for several seats: a hand is requested, shown while its button is held, and removed from the page again.
//
// The page as it comes holds no hand; what is shown here is forgotten as soon as the button is let go, the page loses
// the focus, or the phone sleeps.

import { morph } from "./morph.js";
import { send, tell } from "./send.js";

const LONGEST = 60000; // ms that a hand stays open without a touch
const REGIONS = ["do", "hint", "hand"];
let open = null; // {seat, held}: whose hand is shown, and whether a button must be held for it
let timer = null;
let asked = 0; // requests so far: only the answer to the last one counts

export function covers() {
  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-hold]");
    if (button && event.isPrimary) uncover(Number(button.dataset.hold), true);
    else if (open && !open.held) wait();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, (event) => event.isPrimary && open?.held && cover());
  }
  document.addEventListener("keydown", (event) => {
    if (open && !open.held) wait();
    const button = event.target.closest?.("[data-hold]");
    if (!button || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    if (!event.repeat) uncover(Number(button.dataset.hold), true);
  });
  document.addEventListener("keyup", (event) => open?.held && (event.key === " " || event.key === "Enter") && cover());
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-uncover]");
    if (!button) return;
    if (open && !open.held) cover();
    else uncover(Number(button.dataset.uncover), false);
  });
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-hold]") && event.preventDefault());
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && cover());
  addEventListener("blur", cover);
  addEventListener("pagehide", cover);
  document.addEventListener("table-ended", cover);
  document.addEventListener("table-changed", () => {
    if (!open) return;
    if (!open.held && Number(document.body.dataset.me) !== open.seat) cover();
    else if (!open.held && !document.querySelector("[data-uncover]")) cover();
    else show(open);
  });
}

function uncover(seat, held) {
  cover();
  open = { seat, held };
  if (!held) wait();
  show(open);
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(cover, LONGEST);
}

async function show(wanted) {
  const number = ++asked;
  const answer = await send("/seat/open", wanted);
  if (open !== wanted || asked !== number) return;
  if (!answer.ok) {
    cover(); // or the hand would open by itself once the network is back
    return tell(answer.text);
  }
  for (const [name, html] of Object.entries(answer.regions)) morph(document.getElementById(name), html);
  mark();
  document.dispatchEvent(new CustomEvent("hand-shown"));
}

function cover() {
  clearTimeout(timer);
  if (!open) return;
  open = null;
  for (const name of REGIONS) document.getElementById(name).replaceChildren();
  mark();
}

function mark() {
  for (const button of document.querySelectorAll("[data-hold], [data-uncover]")) {
    const seat = Number(button.dataset.hold ?? button.dataset.uncover);
    const pressed = open !== null && open.seat === seat && open.held === (button.dataset.hold !== undefined);
    button.setAttribute("aria-pressed", String(pressed));
  }
}
