// Lets the browser speak what just happened, whose turn it is and what is needed; off until somebody wants it.

import { toggle } from "../toggle.js";
import { changes, hush, say, sentences, speaks, waits } from "../voice.js";

const MOST = 3; // sentences that may wait: a voice that is slower than people play would never catch up

export function speech() {
  const button = document.getElementById("stage-speech");
  if (!button || !speaks) return button?.remove();
  const fresh = changes();
  const isOn = toggle(button, "stage-speech", "off", (on) => (on ? say(sentences()[0]) : hush()));
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
