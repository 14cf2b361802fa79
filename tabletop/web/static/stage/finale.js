// The end, shown in order: the points of each part of the score, seat by seat; then the podium, from its lowest step.

const PARTS = 7000; // ms for all parts of the score
const STEPS = 3000; // ms for all steps of the podium
export const COUNTING = PARTS + STEPS;
const CONFETTI = 60;
const FALL = 3200; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");
const large = matchMedia("(min-width: 60rem) and (min-aspect-ratio: 5 / 4)"); // as in stage/final.css
let shown = find();
let told = shown !== null;

// Whether this page will count the score at the end before it says who has won, or is doing so: the others wait for it.
export function counts() {
  const watched = large.matches && !still.matches && document.visibilityState === "visible";
  return document.body.dataset.page === "table" && watched && !told;
}

export function finale() {
  document.addEventListener("table-changed", async () => {
    const final = find();
    if (final === shown) return;
    shown = final;
    told = false;
    const tells = final !== null && counts();
    // Who has won is not said before it is shown.
    document.body.classList.toggle("telling", tells);
    if (tells) await tell(final);
    if (final === null || final !== shown) return; // the next game has begun meanwhile
    told = true;
    document.body.classList.remove("telling");
    // If another television counts, the podium is announced together with that one (suspense.js).
    if (!document.body.classList.contains("counting")) document.dispatchEvent(new CustomEvent("table-podium"));
    if (tells) celebrate(final);
  });
}

function find() {
  return document.querySelector(".final");
}

async function tell(final) {
  const seats = [...final.querySelectorAll(".reckonings section")];
  const steps = [...final.querySelectorAll(".podium li")].reverse();
  const parts = seats.map((seat) => [...seat.querySelectorAll(".parts :is(figure, .fact)")]);
  const every = parts.flat();
  for (const node of [...every, ...steps]) node.classList.add("hides");
  const goals = seats.map((seat) => seat.querySelector(".total").textContent);
  for (const seat of seats) seat.querySelector(".total").textContent = "0";
  for (const [at, seat] of seats.entries()) {
    const total = seat.querySelector(".total");
    let sum = 0;
    for (const part of parts[at]) {
      await pause(PARTS / every.length);
      if (final !== shown) return; // the next game has begun meanwhile
      part.classList.remove("hides");
      heard("part");
      sum += points(part);
      total.textContent = String(sum).replace("-", "−");
    }
    total.textContent = goals[at];
  }
  for (const step of steps) {
    await pause(STEPS / steps.length);
    if (final !== shown) return;
    step.classList.remove("hides");
    heard("step");
    const rises = [
      { transform: "translateY(30%)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ];
    step.animate?.(rises, { duration: 400, easing: "ease-out" });
  }
}

// The part of the score or the step of the podium that appears makes a sound (sound.js).
function heard(what) {
  document.dispatchEvent(new CustomEvent("table-counted", { detail: what }));
}

// Confetti in gold and in the winners’ colours falls once over the stage, unless the game was ended early.
function celebrate(final) {
  const winners = [...final.querySelectorAll(".rank-1:has(.place:not(:empty))")].map(({ classList }) => classList[0]);
  for (let at = 0; winners.length && at < CONFETTI; at++) {
    const piece = document.createElement("i");
    piece.className = `confetti ${winners[at % winners.length]}`;
    piece.style.left = `${100 * Math.random()}%`;
    document.body.append(piece);
    const turns = `rotate3d(${Math.random()}, 1, ${Math.random()}, ${2 + 4 * Math.random()}turn)`;
    const frames = [{ transform: "none" }, { transform: `translate(${20 * Math.random() - 10}vw, 110vh) ${turns}` }];
    const times = { duration: FALL * (0.7 + 0.6 * Math.random()), delay: 1200 * Math.random() };
    piece.animate(frames, times).finished.finally(() => piece.remove());
  }
}

// The points of a part, beside which pieces may show numbers of their own; 0 if it shows something else.
function points(part) {
  const shown = part.querySelector(".points, .score") ?? part.querySelector("b");
  const text = shown?.firstChild?.textContent ?? "";
  return Number.parseInt(text.replace("−", "-"), 10) || 0;
}

function pause(time) {
  return new Promise((done) => setTimeout(done, time));
}
