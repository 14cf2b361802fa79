// Keeps the page up to date: listens to its stream, and reconnects after sleep, a restart or a lost network.

import { morph } from "./morph.js";
import { fresh, reach, send } from "./send.js";
import { counts } from "./stage/finale.js";

const page = document.body.dataset.page;
const AGAIN = 3000; // ms
const SILENCE = 25000; // ms without two signs of life (stream.py): a network or a table without power ends no stream
const offline = document.getElementById("offline");
const unreachable = offline.textContent;
let source = null;
let timer = null;
let silence = null;
let stamp = document.body.dataset.stamp;
let ended = false;
const stage = page === "table" ? fresh() : null; // its name: a stream that it opens takes the place of its last one
let counting = false; // whether the table knows that the other pages wait for this one at the end

export function live() {
  if (!stamp) return;
  open();
  document.addEventListener("visibilitychange", () => {
    const shown = document.visibilityState === "visible";
    if (rests()) rest();
    else if (shown && (!source || source.readyState === EventSource.CLOSED)) open();
  });
  for (const name of ["visibilitychange", "table-changed", "table-podium"])
    document.addEventListener(name, () => counts() !== counting && source?.readyState !== EventSource.CLOSED && open());
  addEventListener("online", open);
  addEventListener("offline", lost);
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && open());
}

// A browser opens at most six connections to a table, and every stream takes one: a page that nobody looks at leaves it
// to others, unless it tells a seat that it is its turn, or may sound.
function rests() {
  if (document.visibilityState === "visible" || page === "seat" || page === "listen") return false;
  return !(stage && navigator.userActivation?.hasBeenActive);
}

function rest() {
  source?.close();
  clearTimeout(timer);
  clearTimeout(silence);
}

function open() {
  if (ended || rests()) return; // the seat is shown elsewhere: a stream would take it from there
  clearTimeout(timer);
  listen();
  source?.close();
  counting = counts();
  const query = new URLSearchParams({ stamp, ...(stage && { stage, counts: counting ? "yes" : "no" }) });
  source = new EventSource(`/events/${page}?${query}`);
  source.onopen = () => {
    connected(true);
    changed([]);
  };
  source.addEventListener("alive", () => connected(true));
  source.onmessage = receive;
  source.addEventListener("ended", () => end());
  source.onerror = () => {
    connected(false);
    // After an answer other than 200 the browser does not try again by itself.
    if (source.readyState === EventSource.CLOSED) timer = setTimeout(check, AGAIN);
  };
}

function listen() {
  clearTimeout(silence);
  silence = setTimeout(lost, SILENCE);
}

// Data that was still on its way when the network was lost proves nothing: only a new stream does.
function lost() {
  connected(false);
  open();
}

// A refused stream may mean that another phone has taken this seat: the answer to a request for the page shows it.
async function check() {
  try {
    const answer = await reach(location.pathname, { redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 403) return end(true);
    if (answer.ok || answer.status === 503) crowded();
  } catch {
    // no network: try again
  }
  open();
}

function receive(event) {
  connected(true);
  stamp = event.lastEventId;
  const { plays, on, game, me, about, regions, happened } = JSON.parse(event.data);
  // Another game came to the table while the page was away: it has other styles.
  if (plays !== document.body.dataset.plays) return location.reload();
  // A script that animates what happened has to see the page before it changes.
  document.dispatchEvent(new CustomEvent("table-happening", { detail: happened ?? [] }));
  document.body.dataset.on = on;
  document.body.dataset.game = game;
  if (me !== null) document.body.dataset.me = me;
  Object.assign(document.body.dataset, about);
  for (const [name, html] of Object.entries(regions)) {
    const region = document.getElementById(name);
    if (region) morph(region, html);
  }
  changed(Object.keys(regions));
}

// Called at the start and once the table is back as well: what a browser ticked again by itself, or what was ticked
// meanwhile, has not been asked about.
function changed(regions) {
  document.dispatchEvent(new CustomEvent("table-changed", { detail: regions }));
}

// This phone may no longer see what the page showed; if the table knows neither the phone nor the reason, the page
// that is loaded instead says what can be done.
async function end(unknown = false) {
  ended = true;
  rest();
  document.dispatchEvent(new CustomEvent("table-ended"));
  document.getElementById("help").close(); // it would lie over what can be done
  document.getElementById("main").replaceChildren();
  const cover = document.getElementById("ended");
  cover.hidden = false;
  // What it covers cannot be reached by keys either; a message may still be said.
  for (const one of document.body.children) one.inert = one !== cover && !one.matches(".toast");
  // Another window of this phone shows the seat, unless the table knows why this phone lost it.
  const { why } = ["seat", "listen"].includes(page) ? await send("/join/state", {}) : {};
  if (unknown && !why) return location.reload();
  const [here, back] = cover.querySelectorAll("button");
  if (why) cover.querySelector("h2").textContent = why;
  here.hidden = Boolean(why);
  back.hidden = !why;
  (why ? back : here).focus();
}

function connected(yes) {
  if (yes) listen();
  document.documentElement.classList.toggle("live", yes);
  offline.hidden = yes;
  if (yes) offline.textContent = unreachable;
}

// The table answers, but has no place for another stream.
function crowded() {
  offline.textContent = offline.dataset.crowded;
}
