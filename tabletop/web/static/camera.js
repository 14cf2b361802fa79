// The camera's picture for the demo and the host: the next one is requested when the last has arrived, and only while
// somebody looks.

import { reach } from "./send.js";

const PAUSE = 400; // ms
const picture = document.getElementById("picture");

async function next() {
  if (
    document.visibilityState === "visible" &&
    !picture.closest("details:not([open])") &&
    !picture.closest("[role=tabpanel][hidden]")
  ) {
    try {
      const answer = await reach(picture.dataset.from);
      document.getElementById("no-picture").hidden = answer.status === 200;
      picture.hidden = answer.status !== 200;
      if (answer.status === 200) {
        const url = URL.createObjectURL(await answer.blob());
        picture.onload = () => URL.revokeObjectURL(url);
        picture.src = url;
      }
    } catch {
      // the page shows that the table cannot be reached
    }
  }
  setTimeout(next, PAUSE);
}

if (picture) next();
