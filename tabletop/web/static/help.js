// Help about the thing touched: its topic on the rules page, shown over this page.  Without scripts a link leads there.

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
