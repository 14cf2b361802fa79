// A button that is on or off, which the browser stores under the key.  Returns a function that says whether it is on.

export function toggle(button, key, usual, changed) {
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  const press = (on) => button.setAttribute("aria-pressed", on);
  press((localStorage.getItem(key) ?? usual) === "on");
  button.addEventListener("click", () => {
    press(!isOn());
    localStorage.setItem(key, isOn() ? "on" : "off");
    changed(isOn());
  });
  return isOn;
}
