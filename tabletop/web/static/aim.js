// The aim page: asks again and again for the report on the newest picture, but only while somebody looks.

import { morph } from "./morph.js";
import { reach } from "./send.js";

const PAUSE = 700; // ms
const look = document.getElementById("look");

async function refresh() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await reach(look.dataset.from);
      if (answer.ok) morph(look, await answer.text());
      document.getElementById("offline").hidden = answer.ok;
    } catch {
      document.getElementById("offline").hidden = false;
    }
  }
  setTimeout(refresh, PAUSE);
}

refresh();
