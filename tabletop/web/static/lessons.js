// Lessons for a first game: each new thing is explained once to each seat, before the decision, and can be skipped.

const KNOWN = "taught"; // in this browser: "off", or what each seat has been taught, as a list

export function lessons() {
  document.addEventListener("table-changed", every);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-taught]");
    if (!button) return;
    localStorage.setItem(
      KNOWN,
      button.dataset.taught === "off" ? "off" : JSON.stringify([...known(), key(button.closest(".lesson"))]),
    );
    every();
    document.getElementById("do")?.focus({ preventScroll: true });
  });
  const wanted = document.getElementById("teach");
  if (wanted) {
    wanted.checked = !off();
    wanted.addEventListener("change", () => {
      localStorage.setItem(KNOWN, wanted.checked ? "[]" : "off");
      every();
    });
  }
  every();
}

function off() {
  return localStorage.getItem(KNOWN) === "off";
}

function known() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN) ?? "[]");
  } catch {
    return [];
  }
}

function key(lesson) {
  return `${lesson.dataset.seat} ${lesson.dataset.lesson}`;
}

// The table sends lessons hidden: without scripts nothing could close them.
function every() {
  for (const lesson of document.querySelectorAll(".lesson")) lesson.hidden = off() || known().includes(key(lesson));
  const wanted = document.getElementById("teach");
  if (wanted) wanted.checked = !off();
  document.dispatchEvent(new CustomEvent("tab-shown"));
}
