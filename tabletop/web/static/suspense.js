// While the stage counts the score, no other page says who has won; one that is loaded then says it at once.

import { COUNTING } from "./stage/finale.js";

export function suspense() {
  let shown = isOver();
  let timer = null;
  document.addEventListener("table-changed", () => {
    const over = isOver();
    if (over === shown) return;
    shown = over;
    clearTimeout(timer);
    document.body.classList.toggle("counting", over && document.body.dataset.televised === "yes");
    if (over) timer = setTimeout(reveal, COUNTING);
  });
}

function isOver() {
  return document.querySelector(".status .held") !== null;
}

function reveal() {
  document.body.classList.remove("counting");
  document.dispatchEvent(new CustomEvent("table-changed", { detail: [] }));
}
