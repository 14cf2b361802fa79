// Turns any form of any game into an action: fields become keys, and a name that ends in [] becomes a list.
//
//   <form data-act="buy"> fields tiles[] and pay[] …       sent on submit, asked about on every change
//   <button data-act='{"do": "pass"}'>                     sent at once
//   <button data-pick="R4a N4a G4a" data-field="pay[]">    ticks exactly these fields of that name, or of those names;
//                                                          if they are ticked already, none of them
//   <form data-post="/join">                               sent as it is

import { send, tell } from "./send.js";

export function forms() {
  document.addEventListener("submit", submit);
  document.addEventListener("pointerdown", () => (down = performance.now()));
  document.addEventListener("click", click);
  document.addEventListener("input", changed);
  document.addEventListener("hand-shown", everyAsk);
  document.addEventListener("table-changed", everyAsk);
  document.addEventListener("table-changed", ({ detail }) => (sent || settling || detail.some(tappable)) && settle());
  document.addEventListener("table-happening", () => {
    if (document.activeElement !== document.body) pressed = document.activeElement;
  });
  document.addEventListener("table-changed", goOn);
}

function everyAsk() {
  document.querySelectorAll("form[data-ask]").forEach(ask);
}

function read(form) {
  const data = JSON.parse(form.dataset.fixed ?? "{}");
  if (form.dataset.act) data.do = form.dataset.act;
  for (const name of (form.dataset.lists ?? "").split(" ").filter(Boolean)) data[name] = [];
  for (const [name, value] of new FormData(form)) {
    if (name === "json") Object.assign(data, JSON.parse(value));
    else if (name.endsWith("[]")) (data[name.slice(0, -2)] ??= []).push(value);
    else data[name] = form.querySelector(`[name="${name}"]`)?.dataset.number === undefined ? value : Number(value);
  }
  return data;
}

async function submit(event) {
  const form = event.target;
  if (!form.dataset.act && !form.dataset.post) return;
  event.preventDefault();
  const data = read(form);
  await busy(form.querySelector("[type=submit]") ?? event.submitter, async () => {
    const path = form.dataset.post ?? "/seat/act";
    const answer = await send(path, form.dataset.act ? { action: data } : data);
    show(answer, path);
    if (answer.ok && form.dataset.next) location.assign(answer.waits ? form.dataset.waits : form.dataset.next);
    else if (answer.ok) {
      form.reset();
      // If the page does not show the result yet, the form is asked about once it does: the turn may be over by then.
      if (form.dataset.ask && form.isConnected && Number(document.body.dataset.on) >= answer.number) ask(form);
    }
  });
}

const HELD = 1000; // ms after which a button of the demo's panel counts as held down
let down = Infinity; // when the pointer went down

async function click(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.pick !== undefined) return pick(button);
  const path = button.dataset.post ?? (button.dataset.act && "/seat/act");
  if (!path || button.form?.dataset.post) return;
  const data = JSON.parse(button.dataset.json ?? "{}");
  if (button.dataset.act) data.action = JSON.parse(button.dataset.act);
  // A click by a key has the detail 0: when the pointer last went down says nothing about it.
  if (button.dataset.held !== undefined) data.held = event.detail > 0 && performance.now() - down > HELD;
  await busy(button, async () => {
    const answer = await send(path, data);
    show(answer, path);
    if (answer.ok && button.dataset.next) location.assign(answer.waits ? button.dataset.waits : button.dataset.next);
  });
}

// The next choices are at the top of the page; the button that was pressed may be far below.
function show(answer, path) {
  tell(answer.ok ? "" : answer.text, answer.rule);
  if (!answer.ok) return;
  settle();
  if (!["/seat/act", "/seat/undo", "/host/next"].includes(path)) return;
  scrollTo(0, 0);
  document.getElementById("do")?.scrollTo(0, 0);
}

const SETTLES = 350; // ms, in which the second tap of a double one comes
let settling = null;

// The second tap of a double one, or a tap on what has just moved away, must not hit what has come in its place
// (style/frame.css).
export function settle() {
  clearTimeout(settling);
  document.documentElement.classList.add("settling");
  settling = setTimeout(() => {
    settling = null;
    document.documentElement.classList.remove("settling");
  }, SETTLES);
}

// Return whether something in a region can be tapped.
function tappable(region) {
  return Boolean(document.getElementById(region)?.querySelector("button, summary, select, input"));
}

let sent = 0; // requests that are on their way
let pressed = null; // the control that was pressed, or had the focus as the page changed

// If that control is gone, keyboard users continue from what can be done next.
function goOn() {
  const next = document.getElementById("do");
  if (!pressed || pressed.isConnected || !next?.checkVisibility({ visibilityProperty: true })) return;
  pressed = null;
  if (document.activeElement === document.body) next.focus({ preventScroll: true });
}

// A second tap while the first is on its way does nothing.
async function busy(button, work) {
  if (button?.getAttribute("aria-busy") === "true") return;
  button?.setAttribute("aria-busy", "true");
  sent += 1;
  pressed = button;
  try {
    await work();
  } finally {
    sent -= 1;
    button?.removeAttribute("aria-busy");
  }
}

function pick(button) {
  const form = document.getElementById(button.dataset.form);
  const wanted = isPicked(button, form) ? [] : button.dataset.pick.split(" ");
  for (const field of choosable(button, form)) field.checked = wanted.includes(field.value);
  ask(form);
}

function isPicked(button, form) {
  const wanted = button.dataset.pick.split(" ");
  return choosable(button, form).every((field) => field.checked === wanted.includes(field.value));
}

function choosable(button, form) {
  const names = button.dataset.field.split(" ");
  return [...form.elements].filter((field) => names.includes(field.name));
}

function changed(event) {
  const form = event.target.form;
  if (!form) return;
  limit(form, event.target);
  if (form.dataset.ask !== undefined) ask(form);
}

// A list may have a maximum: the oldest tick is removed to make room.
function limit(form, field) {
  const most = Number(form.dataset[`most${field.name.replace("[]", "")}`] ?? 0);
  if (!most || !field.checked) return;
  const ticked = [...form.elements].filter((other) => other.name === field.name && other.checked && other !== field);
  if (ticked.length >= most) ticked[0].checked = false;
}

const asked = new WeakMap();

async function ask(form) {
  for (const button of form.querySelectorAll("[data-pick]")) {
    button.setAttribute("aria-pressed", String(isPicked(button, form)));
  }
  const number = (asked.get(form) ?? 0) + 1;
  asked.set(form, number);
  const box = document.getElementById(form.dataset.ask);
  const button = form.querySelector("[type=submit]");
  const answer = await send("/seat/ask", { action: read(form) });
  if (asked.get(form) !== number || !box) return;
  box.replaceChildren();
  for (const [name, value] of answer.facts ?? []) {
    const fact = document.createElement("span");
    fact.className = "fact";
    fact.append(`${name} `, Object.assign(document.createElement("b"), { textContent: value }));
    box.append(fact);
  }
  box.append(Object.assign(document.createElement("span"), { className: "sum", textContent: answer.text ?? "" }));
  box.dataset.ok = answer.ok === true;
  if (button) button.setAttribute("aria-disabled", answer.ok !== true);
}
