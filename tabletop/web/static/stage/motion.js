// Animates what just happened: pieces fly from where they were to where they are, numbers count.  Nothing else moves.

const LONG = 520; // ms
const APART = 140; // ms between two pieces
const MOST = 8; // backs of cards that fly at once
const PIECE = "main :not(.log *)"; // pieces shown in a sentence of the log lie nowhere
const EASE = "cubic-bezier(.3, .1, .2, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const counting = new WeakMap();
let told = [];
let before = null;

export function motion() {
  document.addEventListener("table-happening", ({ detail }) => {
    told = detail;
    const moves = detail.length && !still.matches && document.visibilityState === "visible" && document.body.animate;
    before = moves ? look(detail) : null;
  });
  document.addEventListener("table-changed", () => {
    if (before) show(before);
    before = null;
  });
}

// Returns the places and looks of everything that may be about to move.
function look(happened) {
  const named = new Set(happened.flatMap(({ passages }) => passages.map(([piece]) => piece)));
  const pieces = new Map();
  for (const node of document.querySelectorAll(`${PIECE}[data-piece]`)) {
    const own = named.has(node.dataset.piece);
    if (own || node.hasAttribute("data-walks"))
      pieces.set(node.dataset.piece, { box: box(node), copy: node.cloneNode(true) });
  }
  const zones = new Map();
  for (const node of document.querySelectorAll("main [data-zone]")) {
    for (const zone of node.dataset.zone.split(" ")) zones.set(zone, box(node));
  }
  const numbers = [...document.querySelectorAll("main :is(.score, [data-counts])")].map((node) => [
    node,
    node.textContent,
  ]);
  return { pieces, zones, numbers };
}

function box(node) {
  const found = node.getBoundingClientRect();
  return found.width ? found : null;
}

// All places are measured before anything is changed: measuring a place after a change forces a new layout of the
// whole page.
function show({ pieces, zones, numbers }) {
  const flights = [];
  for (const { passages } of told) {
    for (const [piece, start, end, number] of passages) {
      const old = pieces.get(piece);
      const from = old?.box ?? place(start, zones);
      const flight = piece ? fly(piece, old, from, end) : backs(from ?? place(start), place(end), number);
      if (flight) flights.push(flight);
    }
  }
  const walks = [];
  for (const node of document.querySelectorAll("main [data-walks]")) {
    const [from, to] = [pieces.get(node.dataset.piece)?.box, box(node)];
    if (from && to && (from.left !== to.left || from.top !== to.top)) walks.push(() => carry(node, from, to, 0));
  }
  flights.forEach((flight, at) => flight(at * APART));
  for (const walk of walks) walk();
  for (const [node, was] of numbers) if (node.isConnected && node.textContent !== was) count(node, was);
}

// Returns the place of a zone: its own, or else that of the seat to which it belongs.
function place(zone, zones) {
  const seat = zone.match(/\d+$/)?.[0];
  for (const name of [zone, seat && `seat${seat}`]) {
    const node = name && document.querySelector(`main [data-zone~="${CSS.escape(name)}"]`);
    const found = (name && zones?.get(name)) || (node && box(node));
    if (found) return middle(found);
  }
  return null;
}

// A piece's way begins or ends in the middle of a zone, which is larger than the piece.
function middle({ left, top, width, height }) {
  const [w, h] = [Math.min(width, 60), Math.min(height, 80)];
  return new DOMRect(left + (width - w) / 2, top + (height - h) / 2, w, h);
}

// Returns a function that starts a piece's flight after a delay; null if the piece does not fly.
function fly(piece, old, from, end) {
  const now = newest(piece, end);
  const to = now && box(now);
  if (to && from) {
    const how = old?.box ? ` scale(${from.width / to.width})` : " rotateY(80deg)";
    return (delay) => carry(now, from, to, delay, how);
  }
  const goal = place(end);
  if (!old?.box || !goal) return null;
  return (delay) => {
    float(old.copy, old.box);
    fade(old.copy, `${way(old.box, goal)} scale(.6)`, delay);
  };
}

// Returns the element that shows a piece now; of pieces that look alike, the last one in its zone.
function newest(piece, end) {
  const found = `[data-piece="${CSS.escape(piece)}"]`;
  const within = end && document.querySelectorAll(`main [data-zone~="${CSS.escape(end)}"] ${found}`);
  return within?.length ? within[within.length - 1] : document.querySelector(PIECE + found);
}

// A copy flies above everything, so that no edge cuts it off; the piece itself is out of sight until it has arrived.
// Only transform and opacity change: the browser then neither lays out nor paints anything on the way.
function carry(node, from, to, delay, how = "") {
  const copy = node.cloneNode(true);
  float(copy, to);
  node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + LONG });
  const frames = [{ transform: way(to, from) + how }, { transform: "none" }];
  glide(copy, frames, delay).finished.finally(() => copy.remove());
}

function backs(from, to, number) {
  if (!from || !to) return null;
  return (delay) => {
    for (let at = 0; at < Math.min(number, MOST); at++) {
      const card = document.createElement("i");
      card.className = "back";
      float(card, from);
      fade(card, way(from, to), delay + at * 70);
    }
  };
}

// A piece that will be out of sight at its destination stays visible until it has almost arrived.
function fade(copy, transform, delay) {
  const frames = [
    { transform: "none", opacity: 1 },
    { opacity: 1, offset: 0.7 },
    { transform, opacity: 0.1 },
  ];
  glide(copy, frames, delay).finished.finally(() => copy.remove());
}

function float(node, { left, top, width, height }) {
  node.classList.add("flies");
  node.removeAttribute("data-piece");
  node.setAttribute("aria-hidden", "true");
  Object.assign(node.style, { left: `${left}px`, top: `${top}px` });
  if (!node.classList.contains("back")) Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
  node.style.setProperty("--w", `${width}px`);
  document.body.append(node);
}

function way(at, to) {
  return `translate(${to.left - at.left}px, ${to.top - at.top}px)`;
}

function glide(node, frames, delay) {
  return node.animate(frames, { duration: LONG, delay, easing: EASE, fill: "backwards" });
}

// Counts from one number to the next; a newer count of the same number continues from there.
function count(node, was) {
  const [start, goal] = [number(was), number(node.textContent)];
  if (Number.isNaN(start) || Number.isNaN(goal)) return;
  const begun = performance.now();
  const text = node.textContent;
  counting.set(node, begun);
  const step = (now) => {
    if (counting.get(node) !== begun) return;
    const part = Math.min(1, Math.max(0, (now - begun) / LONG));
    node.textContent = part < 1 ? String(Math.round(start + (goal - start) * part)).replace("-", "−") : text;
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function number(text) {
  return Number.parseInt(text.replace("−", "-"), 10);
}
