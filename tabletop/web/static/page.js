import { comfort } from "./comfort.js";
import { forms } from "./forms.js";
import { live } from "./live.js";
import { photo } from "./photo.js";
import { send } from "./send.js";

document.documentElement.classList.add("js");
forms();
comfort();
photo();
live();

// A phone that waits for its seat asks now and then whether it was confirmed.
if (document.body.dataset.page === "join" && document.getElementById("waiting")) {
  setInterval(async () => {
    if ((await send("/join/state", {})).holds) location.assign("/seat");
  }, 1500);
}
document.getElementById("reload")?.addEventListener("click", () => location.reload());
