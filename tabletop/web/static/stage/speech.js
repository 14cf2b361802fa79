// What just happened, whose turn it is and what is needed, spoken by the browser; off until somebody wants it.

import { changes, hush, say, sentences, speaks, waits } from "../voice.js";

const MOST = 3; // sentences that may wait: a voice that is slower than people play would never catch up

export function speech() {
  const toggle = document.getElementById("stage-speech");
  if (!toggle || !speaks) return toggle?.remove();
  const press = (yes) => toggle.setAttribute("aria-pressed", yes);
  const isOn = () => toggle.getAttribute("aria-pressed") === "true";
  const fresh = changes();
  press(localStorage.getItem("stage-speech") === "on");
  toggle.addEventListener("click", () => {
    press(!isOn());
    localStorage.setItem("stage-speech", isOn() ? "on" : "off");
    if (isOn()) say(sentences()[0]);
    else hush();
  });
  document.addEventListener("table-happening", ({ detail }) => {
    if (!isOn()) return;
    const texts = detail.map(({ text }) => text).filter(Boolean);
    if (texts.length > MOST || waits()) hush();
    texts.slice(-MOST).forEach((text) => say(text));
  });
  for (const name of ["table-changed", "table-podium"]) {
    document.addEventListener(name, () => {
      const texts = fresh();
      if (isOn()) texts.slice(-MOST).forEach((text) => say(text));
    });
  }
}
