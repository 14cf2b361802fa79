// The end, told in order: what each part of the score brought, seat by seat; then the podium, from below.

const PART = 420; // ms
const STEP = 700; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function finale() {
  let shown = find() !== null;
  document.addEventListener("table-changed", async () => {
    const final = find();
    if (final && !shown) {
      shown = true;
      if (!still.matches && document.visibilityState === "visible") await tell(final);
      document.dispatchEvent(new CustomEvent("table-podium"));
    }
    shown = find() !== null;
  });
}

function find() {
  return document.querySelector(".final");
}

async function tell(final) {
  const seats = [...final.querySelectorAll(".reckonings section")];
  const steps = [...final.querySelectorAll(".podium li")].reverse();
  const parts = seats.map((seat) => [...seat.querySelectorAll(".parts :is(figure, .fact)")]);
  for (const node of [...parts.flat(), ...steps]) node.classList.add("hides");
  const goals = seats.map((seat) => seat.querySelector(".total").textContent);
  for (const seat of seats) seat.querySelector(".total").textContent = "0";
  for (const [at, seat] of seats.entries()) {
    const total = seat.querySelector(".total");
    let sum = 0;
    for (const part of parts[at]) {
      await pause(PART);
      part.classList.remove("hides");
      sum += points(part);
      total.textContent = String(sum).replace("-", "−");
    }
    total.textContent = goals[at];
  }
  for (const step of steps) {
    await pause(STEP);
    step.classList.remove("hides");
    const rises = [
      { transform: "translateY(30%)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ];
    step.animate?.(rises, { duration: 400, easing: "ease-out" });
  }
}

// The points of a part: its own number, or 0 if it shows something else.
function points(part) {
  const text = part.querySelector(".points, .score, b")?.firstChild?.textContent ?? "";
  return Number.parseInt(text.replace("−", "-"), 10) || 0;
}

function pause(time) {
  return new Promise((done) => setTimeout(done, time));
}
