// Comforts: language, light or dark, a sound and a buzz on the seat's turn, and a link up to the choices.

import { sounding } from "./audio.js";

const year = "; max-age=31536000; path=/; samesite=strict";

export function comfort() {
  document.addEventListener("change", (event) => {
    if (event.target.id === "language") {
      document.cookie = `language=${event.target.value}${year}`;
      location.reload();
    }
    if (event.target.id === "theme") {
      document.cookie = `theme=${event.target.value}${year}`;
      document.documentElement.dataset.theme = event.target.value;
    }
    if (event.target.id === "sound") localStorage.setItem("sound", event.target.checked ? "on" : "off");
  });
  const sound = document.getElementById("sound");
  if (sound) sound.checked = localStorage.getItem("sound") !== "off";
  far(document.querySelectorAll("#covers, #do, #lesson"));
  let mine = isMine();
  document.addEventListener("table-changed", () => {
    if (isMine() && !mine) call();
    mine = isMine();
    document.title = (mine ? "● " : "") + document.body.dataset.title;
  });
}

// Whether what one can do now is out of sight: the choices, or on a phone for several the buttons that show them.
function far(dues) {
  const seen = new Set();
  const watch = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) isIntersecting ? seen.add(target) : seen.delete(target);
    document.body.classList.toggle("far", seen.size === 0);
  });
  dues.forEach((due) => watch.observe(due));
}

function isMine() {
  return document.querySelector("[data-mine='yes']") !== null;
}

function call() {
  if (localStorage.getItem("sound") === "off") return;
  // A page that was never touched may not vibrate.
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([80, 60, 80]);
  const audio = sounding();
  if (!audio) return;
  const volume = new GainNode(audio);
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
  volume.connect(audio.destination);
  const tone = new OscillatorNode(audio);
  tone.frequency.setValueAtTime(660, audio.currentTime);
  tone.frequency.setValueAtTime(880, audio.currentTime + 0.15);
  tone.connect(volume);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}
