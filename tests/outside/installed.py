"""The documented game and a second one as an installer leaves them: packages with entry points in one folder."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "adding-a-game.md"


def install(site: Path) -> Path:
    """Install both games into a folder that is to be put on the path; return it."""
    page = DOCS.read_text(encoding="utf-8")
    documented = site / "my_package"
    documented.mkdir(parents=True)
    (documented / "__init__.py").touch()
    (documented / "lantern.py").write_text("\n\n".join(_blocks(page, "python")), encoding="utf-8")
    _declare(_blocks(page, "toml")[0], site)
    shutil.copytree(HERE / "smugglers/smugglers", site / "smugglers", ignore=shutil.ignore_patterns("__pycache__"))
    _declare((HERE / "smugglers/pyproject.toml").read_text(encoding="utf-8"), site)
    return site


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)


def _declare(pyproject: str, site: Path) -> None:
    """Write what an installer records of a project: its name and its entry points."""
    project = tomllib.loads(pyproject)["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups) + "\n")
