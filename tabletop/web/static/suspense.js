// While a television counts the score, no open page says who has won; a page loaded meanwhile says it at once.

import { COUNTING, counts } from "./stage/finale.js";

const LONGEST = COUNTING + 2000; // ms, for a television that is slow or was switched off

export function suspense() {
  let over = isOver();
  let timer = null;
  document.addEventListener("table-changed", () => {
    const ends = isOver() && !over;
    over = isOver();
    if (ends && isHeld()) {
      document.body.classList.add("counting");
      clearTimeout(timer);
      timer = setTimeout(reveal, LONGEST);
    } else if (!over) document.body.classList.remove("counting");
    else if (!isHeld()) reveal();
  });
}

function isOver() {
  return document.querySelector(".status .held") !== null;
}

function isHeld() {
  return document.body.dataset.televised === "yes" && !counts();
}

function reveal() {
  if (!document.body.classList.contains("counting")) return;
  document.body.classList.remove("counting");
  document.dispatchEvent(new CustomEvent("table-changed", { detail: [] }));
  document.dispatchEvent(new CustomEvent("table-podium"));
}
