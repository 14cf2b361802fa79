// Sends small JSON requests, and says in the page's own words what became of them.

export function fresh() {
  // crypto.randomUUID does not exist on plain http; getRandomValues does.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const PATIENCE = 20000; // ms

// If nothing comes back, this gives up sooner than the browser would.
export function reach(path, more = {}) {
  return fetch(path, { signal: AbortSignal.timeout?.(PATIENCE), ...more });
}

export async function send(path, data, id = fresh()) {
  const on = Number(document.body.dataset.on);
  const game = document.body.dataset.game;
  // A phone that holds several seats says for which of them it speaks.
  const me = document.body.dataset.me === undefined ? {} : { seat: Number(document.body.dataset.me) };
  let answer;
  try {
    answer = await reach(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ on, game, id, ...me, ...data }),
    });
  } catch {
    return { ok: false, lost: true, text: document.getElementById("told").dataset.lost };
  }
  try {
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { ok: false, status: answer.status, text: `${answer.status}` };
  }
}

let timer = null;

export function tell(text, rule = "") {
  const box = document.getElementById("told");
  box.textContent = rule ? `${text} (${rule})` : text;
  box.hidden = !text;
  // The message must not cover the button that it is about, nor the tabs.
  const bars = [...document.querySelectorAll(".tabbar, .paybar")].map((bar) => bar.getBoundingClientRect());
  const low = bars.filter(({ top, height }) => height && top > innerHeight / 3).map(({ top }) => top);
  box.style.bottom = `${innerHeight - Math.min(innerHeight, ...low) + 10}px`;
  clearTimeout(timer);
  timer = setTimeout(() => (box.hidden = true), 8000);
}

// A message may cover what comes next, so a tap or Escape closes it.
document.getElementById("told").addEventListener("click", () => tell(""));
document.addEventListener("keydown", ({ key }) => key === "Escape" && tell(""));
