// A photograph of the hand: sent as it is, read at the table, shown to be confirmed.

import { tell } from "./send.js";

export function photo() {
  document.addEventListener("change", async (event) => {
    const input = event.target;
    if (input.type !== "file" || !input.files[0]) return;
    const label = input.closest("label");
    label.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`/seat/photo?seat=${document.body.dataset.me ?? ""}`, {
        method: "POST",
        headers: { "Content-Type": input.files[0].type || "image/jpeg" },
        body: input.files[0],
      });
      const found = await answer.json();
      if (found.ok && !found.pieces.length) tell(input.dataset.none);
      else if (found.ok) {
        tell("");
        tick(input.form, found.pieces);
      }
      else tell(found.text);
    } catch {
      tell(document.getElementById("offline").textContent.trim());
    } finally {
      label.removeAttribute("aria-busy");
      input.value = "";
    }
  });
}

function tick(form, pieces) {
  for (const field of form.elements) if (field.type === "checkbox") field.checked = pieces.includes(field.value);
  form.dispatchEvent(new Event("input", { bubbles: true }));
  form.querySelector(":checked")?.focus();
}
