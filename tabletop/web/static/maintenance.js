// Setup and health: the step is requested again and again, so that a press of a real button advances the page.

import { morph } from "./morph.js";
import { reach, send, tell } from "./send.js";

const PAUSE = 500; // ms
const step = document.getElementById("step");

let asked = 0;

// A response to a request from before the last act would show the step as it was before that.
async function refresh() {
  const number = ++asked;
  try {
    const answer = await reach(step.dataset.from);
    const told = await answer.text();
    if (number !== asked) return;
    if (answer.ok) {
      const name = shown();
      morph(step, told);
      document.getElementById("view").hidden = shown() !== "camera";
      if (shown() !== name) scrollTo({ top: 0 });
    }
    document.getElementById("offline").hidden = answer.ok;
  } catch {
    document.getElementById("offline").hidden = false;
  }
}

function shown() {
  return step.querySelector("[data-step]").dataset.step;
}

async function forever() {
  // A step in which somebody is typing is not replaced.
  if (document.visibilityState === "visible" && !step.contains(document.activeElement?.closest("input, select")))
    await refresh();
  setTimeout(forever, PAUSE);
}

document.addEventListener("submit", async (event) => {
  const what = event.target.dataset.setup;
  if (!what) return;
  event.preventDefault();
  const data = { what };
  for (const [name, value] of new FormData(event.target)) {
    if (name.endsWith("[]")) (data[name.slice(0, -2)] ??= []).push(value);
    else data[name] = value;
  }
  const answer = await send("/setup/do", data);
  tell(answer.ok ? "" : answer.text);
  document.activeElement?.blur();
  await refresh();
});

// The program ends and is started again by the system: wait for the new one, then show its page.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-leave]");
  if (!button) return;
  const answer = await send("/health/leave", {});
  if (answer.status === 403) return location.assign("/health");
  tell(answer.ok ? "" : answer.text);
  if (!answer.ok) return;
  button.disabled = true;
  document.querySelector("[data-leaving]").hidden = false;
  setTimeout(showWhenBack, 3000);
});

async function showWhenBack() {
  try {
    if ((await reach("/")).ok) return location.assign("/");
  } catch {
    // not yet
  }
  setTimeout(showWhenBack, 1000);
}

if (step) forever();
