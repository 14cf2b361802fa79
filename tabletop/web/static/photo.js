// A photograph is sent as soon as it is taken, and the page shows the progress; without scripts its form sends it.

import { tell } from "./send.js";

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-photo]");
  if (form && event.target.type === "file" && event.target.files.length) send(form, event.target);
});
// A photograph that was chosen before this script had loaded is waiting already.
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
  // The next page waits for the photograph to be read: until it comes, this one says so.
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
