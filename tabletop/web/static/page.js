import { bars } from "./bars.js";
import { comfort } from "./comfort.js";
import { covers } from "./covers.js";
import { forms } from "./forms.js";
import { help } from "./help.js";
import { kept } from "./kept.js";
import { lessons } from "./lessons.js";
import { live } from "./live.js";
import { picked } from "./picked.js";
import { send } from "./send.js";
import { suspense } from "./suspense.js";
import { tabs } from "./tabs.js";

// Every script of the page has run by then: only now can what needs scripts be tapped (style/frame.css).
document.addEventListener("DOMContentLoaded", () => document.documentElement.classList.add("js"));
suspense(); // before the scripts that look for what can be done now
forms();
comfort();
help();
picked();
tabs();
bars();
if (document.body.dataset.page === "seat") {
  covers();
  lessons();
  kept();
}
live();

// A phone that waits for a seat asks now and then what became of it; so does one that asks to be the host.
const waiting = document.getElementById("waiting");
if (waiting) {
  const ask = async () => {
    const { ok, holds, waits } = await send("/join/state", {});
    if (ok === false || waits === Number(waiting.dataset.waits)) setTimeout(ask, 1500);
    else if (!waiting.dataset.page && waits === 0 && holds > Number(waiting.dataset.held)) location.assign("/seat");
    else location.reload();
  };
  setTimeout(ask, 1500);
}
document.getElementById("reload")?.addEventListener("click", () => location.reload());
