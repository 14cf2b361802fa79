// The stage: animates, sounds and speaks what just happened; a corner with controls appears when a pointer moves.

import { finale } from "./stage/finale.js";
import { motion } from "./stage/motion.js";
import { sound } from "./stage/sound.js";
import { speech } from "./stage/speech.js";

const NEAR = 4000; // ms
let timer = null;

motion();
finale();
sound();
speech();

function near() {
  document.body.classList.add("awake");
  clearTimeout(timer);
  timer = setTimeout(() => document.body.classList.remove("awake"), NEAR);
}

for (const sign of ["pointermove", "pointerdown", "keydown"]) addEventListener(sign, near, { passive: true });
