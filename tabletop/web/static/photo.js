// A photograph is sent as soon as it is taken, and the page says how far that is; without this its form does the same.

import { tell } from "./send.js";

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-photo]");
  if (form && event.target.type === "file" && event.target.files.length) send(form, event.target);
});
// One that was chosen while this was still on its way waits already.
for (const input of document.querySelectorAll("form[data-photo] input[type=file]")) {
  if (input.files.length) send(input.form, input);
}

function send(form, input) {
  const bar = form.querySelector(".progress");
  const label = input.closest("label");
  const [meter, words] = [bar.querySelector("progress"), bar.querySelector("span")];
  const request = new XMLHttpRequest();
  const over = (text) => {
    label.removeAttribute("aria-busy");
    bar.hidden = true;
    input.value = "";
    tell(text);
  };
  request.open("POST", form.action);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => {
    meter.value = (100 * loaded) / total;
    words.textContent = bar.dataset.sending.replace("#", Math.floor((100 * loaded) / total));
  };
  request.upload.onload = () => {
    meter.removeAttribute("value");
    words.textContent = bar.dataset.reading;
  };
  // The page that comes waits for the photograph to be read: until then this one says so.
  request.onload = () =>
    request.response?.ok ? location.assign(request.response.next) : over(request.response?.text ?? `${request.status}`);
  request.onerror = () => over(document.getElementById("told").dataset.lost);
  tell("");
  label.setAttribute("aria-busy", "true");
  bar.hidden = false;
  request.send(new FormData(form));
}

// People who come back from the result find the form ready again.
addEventListener("pageshow", () => {
  for (const bar of document.querySelectorAll(".progress")) bar.hidden = true;
  for (const label of document.querySelectorAll(".filebox")) label.removeAttribute("aria-busy");
});
