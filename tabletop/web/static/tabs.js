// Makes links to parts of the page tabs that show one of these parts at a time.  Without scripts they stay links.
//
//   <nav data-tabs aria-label="…"><a id="…" href="#one">…</a><a id="…" href="#other">…</a></nav>
//
// With data-tabs="narrow" they are tabs only on a narrow screen; a wide one shows every part.  Any other link to a part
// opens its tab.

const open = new WeakMap(); // the list of tabs → the address of the open one
const narrow = matchMedia("(max-width: 59.99rem)"); // as in controller/phone.css

export function tabs() {
  document.addEventListener("table-changed", every);
  document.addEventListener("hand-shown", every);
  narrow.addEventListener("change", () => {
    every();
    document.dispatchEvent(new CustomEvent("tab-shown"));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const tab = link && document.querySelector(`[data-tabs] > a[href="${link.hash}"]`);
    if (!tab || !used(tab.parentElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(tab);
    if (tab.parentElement.dataset.tabs) scrollTo(0, 0);
  });
  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[data-tabs] > a");
    const wanted =
      tab && used(tab.parentElement) && !event.ctrlKey && !event.metaKey && !event.altKey && reached(tab, event.key);
    if (!wanted) return;
    event.preventDefault();
    choose(wanted);
    wanted.focus();
  });
  every();
}

function reached(tab, key) {
  const all = [...tab.parentElement.children];
  const at = all.indexOf(tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1, " ": at }[key];
  return to === undefined ? null : all.at(to % all.length);
}

function choose(tab) {
  open.set(tab.parentElement, tab.hash);
  show(tab.parentElement);
  document.dispatchEvent(new CustomEvent("tab-shown"));
}

function used(list) {
  return list.dataset.tabs !== "narrow" || narrow.matches;
}

// The HTML that the table sends has no tabs: they are made again after each change, before anybody sees it.
function every() {
  document.querySelectorAll("[data-tabs]").forEach(show);
}

function show(list) {
  if (!used(list)) return links(list);
  list.setAttribute("role", "tablist");
  const all = [...list.children];
  const chosen = all.find((tab) => tab.hash === open.get(list)) ?? all[0];
  for (const tab of all) {
    const panel = document.getElementById(tab.hash.slice(1));
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.hidden = tab !== chosen;
  }
}

function links(list) {
  list.removeAttribute("role");
  for (const tab of list.children) {
    const panel = document.getElementById(tab.hash.slice(1));
    for (const name of ["role", "aria-controls", "aria-selected", "tabindex"]) tab.removeAttribute(name);
    for (const name of ["role", "aria-labelledby", "hidden"]) panel.removeAttribute(name);
  }
}
