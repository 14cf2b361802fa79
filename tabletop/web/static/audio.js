// The sound of this page: a browser lets a page make sounds only after it was touched.

let audio = null;

for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => audio?.resume(), { passive: true });

// Returns the audio context; null if the browser has none, or does not let this page make sounds yet.
export function sounding() {
  if ("AudioContext" in window) audio ??= new AudioContext();
  return audio?.state === "running" ? audio : null;
}
