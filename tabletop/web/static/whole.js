// Loads a page again of which a script or a style could not be loaded: without it the page would be dead.
// It must not depend on other scripts.

addEventListener(
  "error",
  ({ target }) => {
    if (!target.matches?.("script, link[rel=stylesheet]")) return;
    const box = document.getElementById("offline");
    if (box) box.hidden = false;
    setTimeout(() => location.reload(), 5000);
  },
  true,
);
