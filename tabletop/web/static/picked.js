// Draws the ticked pieces of a long form beside its button, as a picture of what will be sent.

export function picked() {
  document.addEventListener("input", (event) => draw(event.target.closest("form[data-picked]")));
  document.addEventListener("reset", (event) => setTimeout(() => draw(event.target.closest("form[data-picked]"))));
  document.addEventListener("table-changed", every);
  every();
}

function every() {
  document.querySelectorAll("form[data-picked]").forEach(draw);
}

function draw(form) {
  if (!form) return;
  const box = document.getElementById(form.dataset.picked);
  const ticked = [...form.querySelectorAll("input[type=checkbox]:checked")];
  const said = Object.assign(document.createElement("b"), {
    textContent: box.dataset.said.replace("#", ticked.length),
  });
  box.replaceChildren(said, ...ticked.map(piece));
  form.querySelector("[type=submit]").setAttribute("aria-disabled", ticked.length !== Number(form.dataset.mostcards));
}

// The sign of its group, if it has one, is drawn as well: colour alone is not enough.
function piece(field) {
  const drawn = document.createElement("span");
  drawn.className = field.closest("fieldset").className;
  const sign = field.closest("fieldset").querySelector("[data-sign]");
  drawn.append(...(sign ? [sign.cloneNode()] : []), field.nextElementSibling.cloneNode(true));
  return drawn;
}
