// The host's backup of all games: saved by a request that the referee records, restored by uploading the file.

import { tell } from "./send.js";

const lost = () => document.getElementById("offline").textContent.trim();

document.getElementById("save")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("/host/backup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    if (!answer.ok) return tell((await answer.json()).text);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = /filename=([^;]+)/.exec(answer.headers.get("Content-Disposition"))[1].replaceAll('"', "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch {
    tell(lost());
  } finally {
    button.removeAttribute("aria-busy");
  }
});

document.getElementById("restore")?.addEventListener("change", async (event) => {
  const input = event.target;
  const label = input.closest("label");
  if (!input.files[0]) return;
  // The table would hang up in the middle of the upload, which looks as if it could not be reached.
  if (input.files[0].size > Number(input.dataset.most)) {
    tell(input.dataset.large);
    input.value = "";
    return;
  }
  label.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("/host/restore", {
      method: "POST",
      headers: { "Content-Type": "application/gzip" },
      body: input.files[0],
    });
    document.getElementById("restored").textContent = (await answer.json()).text;
  } catch {
    tell(lost());
  } finally {
    label.removeAttribute("aria-busy");
    input.value = "";
  }
});
