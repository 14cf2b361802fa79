// The browser's own voice, in the language of the page.

export const speaks = "speechSynthesis" in window;

export function say(text, rate = 1) {
  if (!text) return;
  const sentence = new SpeechSynthesisUtterance(text);
  sentence.lang = document.documentElement.lang;
  sentence.rate = rate;
  speechSynthesis.speak(sentence);
}

export function hush() {
  speechSynthesis.cancel();
}

export function waits() {
  return speechSynthesis.pending;
}

// Returns a function that gives the sentences new since its last call: whose turn it is and what is needed.
export function changes() {
  let known = new Set(sentences());
  return () => {
    const now = sentences();
    const fresh = now.filter((text) => !known.has(text));
    known = new Set(now);
    return fresh;
  };
}

export function sentences() {
  const found = document.querySelectorAll("#status .now, #prompts .prompt > span:not(.two)");
  const shown = [...found].filter((one) => one.checkVisibility({ visibilityProperty: true }));
  return shown.map((one) => one.textContent.trim().replace(/\s+/g, " ")).filter(Boolean);
}
