"""The extras of the package that a command needs: ``pip install tabletop`` alone installs only the rules."""

from __future__ import annotations

EXTRAS = {
    "demo": "camera,pages",
    "serve": "camera,pages",
    "setup": "camera,pages,printing",
    "doctor": "camera,pages",
    "bench": "camera,pages",
    "aim": "camera",
    "train": "camera,cluster",
    "panel": "camera,printing",
    "tags": "camera,printing",
    "edition": "camera",
    "read": "camera",
    "score": "camera",
    "tournament": "tournament,cluster",
    "export": "data",
}
"""The extras of each command; one that is not named here needs none."""

LIBRARIES = frozenset(
    ("babel", "cv2", "distributed", "flask", "flask_babel", "gpiozero", "jinja2", "markupsafe", "numpy", "openskill",
     "PIL", "pyarrow", "pyzbar", "reportlab", "segno", "waitress", "werkzeug", "zxingcpp")
)  # fmt: skip
"""The modules that the extras install."""


def missing(command: str, error: ModuleNotFoundError) -> str | None:
    """Return a sentence naming the extras to install, or None if no extra provides the module."""
    library = (error.name or "").partition(".")[0]
    if library not in LIBRARIES or command not in EXTRAS:
        return None
    return f"tabletop {command} needs more than the rules: pip install 'tabletop[{EXTRAS[command]}]'."
