// Keeps a half-made choice over a reload: this window stores the ticks and the open tabs with the moment of the game
// to which they belong.
//
// A phone that holds several seats keeps nothing: the ticks would reveal something of a covered hand.

const KEPT = "half-made";
const TICKED = "main form[id] :is([type=checkbox], [type=radio]):checked";

export function kept() {
  restore();
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keep);
  document.addEventListener("table-ended", () => sessionStorage.removeItem(KEPT));
}

function moment() {
  const { game, on, me } = document.body.dataset;
  return me === undefined ? `${game} ${on}` : null;
}

function keep() {
  const ticked = [...document.querySelectorAll(TICKED)].map(({ form, name, value }) => [form.id, name, value]);
  const tabs = [...document.querySelectorAll("[data-tabs] > [aria-selected=true]")].map(({ hash }) => hash);
  if (moment() === null) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, JSON.stringify({ moment: moment(), ticked, tabs }));
}

function restore() {
  const { moment: then, ticked, tabs } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (then === undefined || then !== moment()) return;
  for (const [form, name, value] of ticked) {
    const field = [...(document.getElementById(form)?.elements ?? [])].find(
      (one) => one.name === name && one.value === value,
    );
    if (field) field.checked = true;
  }
  for (const hash of tabs) document.querySelector(`[data-tabs] > a[href="${hash}"]`)?.click();
}
