// A seat's listening page: questions by keys or taps, choices step by step, and events read out as they happen.
//
// A screen reader reads the live regions.  If the browser speaks instead, they are silent, so nothing is said twice.

import { settle } from "./forms.js";
import { morph } from "./morph.js";
import { send, tell } from "./send.js";
import { toggle } from "./toggle.js";
import { changes, hush, say, speaks } from "./voice.js";

const heard = document.getElementById("heard");
const region = document.getElementById("do");
const rate = document.getElementById("voice-rate");
const keys = document.getElementById("voice-keys");
const live = document.querySelectorAll("#status, #prompts, #heard, #told, #offline");
const before = new Map([...live].map((one) => [one, one.getAttribute("aria-live")]));
const fresh = changes();
let last = "overview"; // the question that was asked last
let chosen = 0; // lists that were asked for so far

const isOn = voice(document.getElementById("voice"));
rate.addEventListener("change", () => {
  localStorage.setItem("listen-rate", rate.value);
  if (isOn()) speak(heard.textContent);
});
keys.addEventListener("change", () => localStorage.setItem("listen-keys", keys.checked ? "on" : "off"));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-question], [data-choose]");
  if (!button) return;
  if (button.dataset.question) ask(button.dataset.question);
  else choose(JSON.parse(button.dataset.choose));
});
document.addEventListener("keydown", key);
document.addEventListener("table-happening", ({ detail }) => announce(detail.map(({ text }) => text)));
document.addEventListener("table-changed", () => {
  const texts = fresh();
  if (isOn()) texts.forEach((text) => say(text, rate.value / 100));
});
rate.value = localStorage.getItem("listen-rate") ?? rate.value;
keys.checked = localStorage.getItem("listen-keys") !== "off";
// Why something was refused is shown by send.js.
new MutationObserver(() => isOn() && say(document.getElementById("told").textContent, rate.value / 100)).observe(
  document.getElementById("told"),
  { childList: true },
);

function voice(button) {
  if (!speaks) {
    button.parentElement.remove();
    return () => false;
  }
  const isOn = toggle(button, "listen-voice", "off", (on) => {
    silence(on);
    if (on) ask("overview");
    else hush();
  });
  silence(isOn());
  return isOn;
}

// Keeps screen readers from reading the live regions while the browser itself speaks.
function silence(yes) {
  for (const one of live) {
    if (yes) one.setAttribute("aria-live", "off");
    else if (before.get(one) === null) one.removeAttribute("aria-live");
    else one.setAttribute("aria-live", before.get(one));
  }
}

function speak(text) {
  hush();
  say(text, rate.value / 100);
}

// News is spoken after the answer to a question, without interrupting it.
function announce(texts) {
  const text = texts.filter(Boolean).join(" ");
  if (!text) return;
  heard.textContent = text;
  if (isOn()) say(text, rate.value / 100);
}

function ask(question) {
  last = question;
  const told = question === "do" ? words(region) : words(document.getElementById(`told-${question}`), "li, h3");
  heard.textContent = "";
  heard.textContent = told || heard.dataset.nothing;
  if (isOn()) speak(heard.textContent);
}

// Makes each heading and line a sentence, at whose end a voice pauses.
function words(place, parts = "h2, h3, p, li, button:not(li button)") {
  const lines = [...(place?.querySelectorAll(parts) ?? [])].filter((one) => one.checkVisibility());
  return lines
    .map((one) => one.textContent.trim().replace(/\s+/g, " "))
    .map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

// A list that arrives after the game moved on, or after another one was requested, is out of date.
async function choose(path) {
  const number = ++chosen;
  const { on, game } = document.body.dataset;
  const answer = await send("/seat/choose", { path });
  if (chosen !== number || document.body.dataset.on !== on || document.body.dataset.game !== game) return;
  if (!answer.ok) return tell(answer.text, answer.rule);
  morph(region, answer.regions.do);
  settle();
  const heading = region.querySelector("h2") ?? region;
  heading.tabIndex = -1;
  heading.focus();
  if (isOn()) speak(words(region));
}

function key(event) {
  const typing = event.target.closest?.("input:not([type=range], [type=checkbox]), select, textarea, dialog");
  if (!keys.checked || typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Escape") region.querySelector("[data-back]")?.click();
  else if (event.key === "0") ask(last);
  else document.querySelectorAll("[data-question]")[Number(event.key) - 1]?.click();
}
