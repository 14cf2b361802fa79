// Shows the topic of a help link over this page, taken from the rules page.  Without scripts the link leads there.

import { reach } from "./send.js";

let rules = null;

export function help() {
  const box = document.getElementById("help");
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-topic]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      rules ??= new DOMParser().parseFromString(await (await reach("/rules")).text(), "text/html");
    } catch {
      rules = null;
    }
    const topic = rules?.getElementById(link.dataset.topic);
    if (!topic) return location.assign(link.href);
    box.firstElementChild.replaceChildren(...[...topic.cloneNode(true).childNodes]);
    box.querySelector("a").href = link.href;
    box.showModal();
  });
  box?.addEventListener("click", (event) => (event.target === box || event.target.closest("button")) && box.close());
}
