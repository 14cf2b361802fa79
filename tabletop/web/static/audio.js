// The sound of this page: a browser lets a page sound only once it was touched.

let audio = null;

for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => audio?.resume(), { passive: true });

// Returns what sounds; null if the browser has no sound, or does not let this page sound yet.
export function sounding() {
  if ("AudioContext" in window) audio ??= new AudioContext();
  return audio?.state === "running" ? audio : null;
}
