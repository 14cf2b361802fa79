// What just happened, spoken by the browser in the language of the page; off until somebody wants it.

const MOST = 3; // sentences that wait: who speaks slower than people play would never catch up

export function speech() {
  const toggle = document.getElementById("stage-speech");
  if (!toggle || !("speechSynthesis" in window)) return toggle?.remove();
  const say = (text) => {
    const sentence = new SpeechSynthesisUtterance(text);
    sentence.lang = document.documentElement.lang;
    speechSynthesis.speak(sentence);
  };
  const press = (yes) => toggle.setAttribute("aria-pressed", yes);
  const isOn = () => toggle.getAttribute("aria-pressed") === "true";
  press(localStorage.getItem("stage-speech") === "on");
  toggle.addEventListener("click", () => {
    press(!isOn());
    localStorage.setItem("stage-speech", isOn() ? "on" : "off");
    if (isOn()) say(document.querySelector("#status .now")?.textContent ?? "");
    else speechSynthesis.cancel();
  });
  document.addEventListener("table-happening", ({ detail }) => {
    if (!isOn()) return;
    const texts = detail.map(({ text }) => text).filter(Boolean);
    if (texts.length > MOST || speechSynthesis.pending) speechSynthesis.cancel();
    texts.slice(-MOST).forEach(say);
  });
}
