// Sounds for what just happened: a small set synthesised by the browser, with volume and switch in the corner.

import { sounding } from "../audio.js";
import { toggle } from "../toggle.js";

const APART = 0.14; // s, as in motion.js
let audio = null;
let volume = null;

export function sound() {
  const button = document.getElementById("stage-sound");
  const slider = document.getElementById("stage-volume");
  if (!button || !("AudioContext" in window)) return;
  slider.value = localStorage.getItem("stage-volume") ?? slider.value;
  const isOn = toggle(button, "stage-sound", "on", (on) => on && play(["place"]));
  slider.addEventListener("input", () => {
    localStorage.setItem("stage-volume", slider.value);
    if (isOn()) play(["place"]);
  });
  document.addEventListener("table-happening", ({ detail }) => isOn() && play(detail.flatMap(cues)));
  document.addEventListener("table-counted", ({ detail }) => isOn() && play([detail === "part" ? "coin" : "place"]));
  document.addEventListener("table-podium", () => isOn() && play(["fanfare"]));

  function play(names) {
    audio = sounding();
    if (!audio) return;
    if (!volume) {
      volume = new GainNode(audio);
      volume.connect(audio.destination);
    }
    volume.gain.value = slider.value / 100;
    names.slice(0, 10).forEach((name, at) => SOUNDS[name](audio.currentTime + 0.02 + at * APART));
  }
}

// Returns the sounds of a happening: by its kind, or else by where pieces went.
function cues({ kind, passages, points }) {
  if (kind === "pass" || kind === "skip") return ["knock"];
  if (kind === "undo") return ["back"];
  const found = passages.map(([, start, end]) => {
    if (kind === "reveal") return "turn";
    if (/^hand/.test(end)) return "slide";
    return kind === "bid" || /^(discards|pay|bid)/.test(end) ? "coin" : "place";
  });
  const gained = points.some(([, change]) => change > 0);
  return [...found, ...(gained ? ["chime"] : [])];
}

function tone(at, pitch, long, loud, type = "sine", to = pitch) {
  const source = new OscillatorNode(audio, { type, frequency: pitch });
  source.frequency.setValueAtTime(pitch, at);
  source.frequency.exponentialRampToValueAtTime(to, at + long);
  fade(source, at, long, loud);
}

function rustle(at, long, pitch, loud) {
  const buffer = new AudioBuffer({ length: audio.sampleRate * long, sampleRate: audio.sampleRate });
  buffer.getChannelData(0).forEach((_, index, samples) => (samples[index] = Math.random() * 2 - 1));
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source.connect(filter);
  fade(source, at, long, loud, filter);
}

function fade(source, at, long, loud, last = source) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  last.connect(gain).connect(volume);
  source.start(at);
  source.stop(at + long);
}

const SOUNDS = {
  turn: (at) => rustle(at, 0.09, 3200, 0.5),
  slide: (at) => rustle(at, 0.22, 1400, 0.3),
  place(at) {
    tone(at, 190, 0.12, 0.8, "sine", 70);
    rustle(at, 0.04, 900, 0.4);
  },
  coin(at) {
    tone(at, 2350, 0.22, 0.18, "triangle");
    tone(at + 0.03, 3140, 0.2, 0.12, "triangle");
  },
  knock(at) {
    for (const later of [0, 0.13]) tone(at + later, 130, 0.09, 0.9, "sine", 80);
  },
  back: (at) => tone(at, 520, 0.3, 0.3, "triangle", 260),
  chime(at) {
    [784, 1175].forEach((pitch, number) => tone(at + number * 0.09, pitch, 0.5, 0.25, "triangle"));
  },
  fanfare(at) {
    [523, 659, 784, 1047].forEach((pitch, number) =>
      tone(at + number * 0.16, pitch, number === 3 ? 1.2 : 0.3, 0.35, "triangle"),
    );
  },
};
