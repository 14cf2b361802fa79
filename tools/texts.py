"""Bring the catalogues of translated texts up to date: ``./play texts [PACKAGE] [LANGUAGE]``.

Collects the texts of a package with pybabel, adds them to each catalogue in its ``translations`` folder, drops those
that are gone, and compiles.  New texts have empty translations until somebody writes them; then run this again.
PACKAGE is the folder of another game, if it is not for tabletop itself; a LANGUAGE such as ``fr`` that has no catalogue
yet gets one.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE, CATALOGUES = ROOT / "tabletop", ROOT / "tabletop/web/translations"
KEYWORDS = ("_", "gettext", "N_", "ngettext:1,2", "Message", "plural:1,2", "CameraLost:2", "JournalError:2", "_hint:2",
            "bad", "bad_request", "must:2", "wrong")  # fmt: skip
"""The functions whose texts are translated, and which of their arguments are texts."""
WIDTH = "--width=120"


def pybabel(command: str, *arguments: object, folder: Path = ROOT) -> None:
    """Run one of Babel's commands in a folder; its warnings go to the terminal."""
    babel = [sys.executable, "-m", "babel.messages.frontend", "-q", command]
    subprocess.run([*babel, *map(str, arguments)], check=True, cwd=folder)


def extract(package: Path, template: Path) -> None:
    """Write a template with every text of a package and the files that have it, relative to the package's parent."""
    keywords = [f"--keyword={keyword}" for keyword in KEYWORDS]
    pybabel("extract", f"--mapping-file={ROOT / 'pyproject.toml'}", "--no-default-keywords", *keywords,
            "--sort-output", "--add-location=file", WIDTH, "--project=tabletop", f"--output={template}", package.name,
            folder=package.parent)  # fmt: skip


def update(package: Path, catalogues: Path, language: str = "") -> None:
    """Update and compile the catalogues in a folder; a missing one for ``language`` is made."""
    new = ["--init-missing", f"--locale={language}"] if language else []
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "messages.pot"
        extract(package, template)
        pybabel("update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", WIDTH,
                f"--input-file={template}", f"--output-dir={catalogues}", *new)  # fmt: skip
    pybabel("compile", f"--directory={catalogues}")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["--template"]:
        extract(PACKAGE, Path(words[1]).resolve())
    elif words and Path(words[0]).is_dir():
        package = Path(words[0]).resolve()
        update(package, package / "translations", *words[1:])
    else:
        update(PACKAGE, CATALOGUES, *words)
