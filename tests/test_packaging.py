"""The wheel that others install holds everything the program opens, and the pinned files fit the project."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tabletop.bots.strategy import STRATEGIES
from tabletop.printing.game_sheets import FACES, SHEETS
from tabletop.rules import registry
from tabletop.rules.registry import EDITIONS, GAMES
from tabletop.simulator.camera.drawing import FACES as SIMULATED_FACES
from tabletop.vision.score.tally import SCORINGS
from tabletop.web.games import UIS

LAYERS = (GAMES, EDITIONS, FACES, SHEETS, SCORINGS, STRATEGIES, UIS, SIMULATED_FACES)
ROOT = Path(__file__).parent.parent
PINNED = ("requirements.txt", "requirements-dev.txt")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_alone_plays_a_game(wheel: Path) -> None:
    """In an empty environment the rules run out of the wheel, and type checkers find that they are typed."""
    code = "from tabletop.rules import palazzo; print(palazzo.new('Ada', 'Ben'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(wheel)!r}); {code}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("<Palazzo: Ada, Ben; chance decides; 0 actions>\n", "")
    assert "tabletop/py.typed" in zipfile.ZipFile(wheel).namelist()


def packaged() -> list[str]:
    """Every file of the package that git knows or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "tabletop"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_the_wheel_holds_every_file_of_the_package(wheel_names: set[str]) -> None:
    """Pages, catalogues, pins and editions are as much part of the wheel as the modules."""
    missing = sorted(set(packaged()) - wheel_names)
    assert packaged()
    assert not missing


def test_the_wheel_holds_pages_words_and_data(wheel_names: set[str]) -> None:
    """At least one file of each kind the program opens is there under the name it is opened by."""
    suffixes = {Path(name).suffix for name in wheel_names}
    assert {".py", ".toml", ".html", ".css", ".js"} <= suffixes


def test_each_part_of_a_game_is_declared_and_none_is_forgotten() -> None:
    """An installed tabletop offers the parts of its own games by entry points, the same as a checkout finds by name."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    for layer in LAYERS:
        found = {
            name: f"{layer.module.format(game=name)}:{layer.attribute}"
            for name in registry.BUILT_IN
            if layer.part(name) is not None
        }
        assert declared.pop(layer.group) == found
    assert not declared


def test_the_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    """Tests, benches and caches stay at home."""
    strangers = [n for n in wheel_names if not n.startswith(("tabletop/", "tabletop-")) or "__pycache__" in n]
    assert not strangers


@pytest.mark.parametrize("name", PINNED)
def test_every_pin_is_exact_and_hashed(name: str) -> None:
    """Nothing is installed that was not looked at: one version, sha256 hashes, no address."""
    text = (ROOT / name).read_text()
    pins = re.split(r"\n(?=\S)", text.strip())
    assert pins
    for pin in pins:
        assert re.match(r"[a-z0-9-]+(\[[a-z,]+\])?==\S+", pin), pin.splitlines()[0]
        assert "--hash=sha256:" in pin, pin.splitlines()[0]
    assert "://" not in text


@pytest.mark.parametrize("name", PINNED)
def test_a_pin_names_the_extras_that_other_packages_ask_of_it(name: str) -> None:
    """Older pips look up an extra's package by itself, find a newer one than is pinned, and refuse it unhashed."""
    pins = dict(re.findall(r"^([a-z0-9-]+)(\[[a-z,]+\])?==", (ROOT / name).read_text(), re.M))
    asked = [
        requirement
        for distribution in metadata.distributions()
        if canonicalize_name(distribution.name) in pins
        for requirement in map(Requirement, distribution.requires or ())
        if requirement.extras and (requirement.marker is None or requirement.marker.evaluate({"extra": ""}))
    ]
    without = [one for one in asked if pins[canonicalize_name(one.name)] != f"[{','.join(sorted(one.extras))}]"]
    assert not without


SHIPPED = ("camera", "pages", "printing", "tournament")
"""The extras that ./play installs."""


@pytest.mark.parametrize("name", PINNED)
def test_every_dependency_is_pinned(name: str) -> None:
    """A dependency that pyproject.toml names cannot be forgotten in the pinned files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for one in SHIPPED for line in extras[one])]
    if name == "requirements-dev.txt":
        wanted += extras["dev"]
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==", (ROOT / name).read_text(), re.M))
    assert {re.match(r"[a-z0-9-]+", line.lower())[0] for line in wanted} <= pinned  # type: ignore[index]


def test_one_extra_brings_all_others() -> None:
    """``tabletop[all]`` is what ./play installs; the rules alone need hardly anything; cluster and data are for few."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {*SHIPPED, "cluster", "data", "all", "dev"}
    assert project["optional-dependencies"]["all"] == [f"tabletop[{','.join(SHIPPED)}]"]
    assert [line.partition(">=")[0] for line in project["dependencies"]] == ["click"]


def test_the_tests_run_what_is_shipped() -> None:
    """The test tools are added to the runtime's pins, not resolved beside them."""
    runtime, tests = ({line for line in (ROOT / n).read_text().splitlines() if "==" in line} for n in PINNED)
    assert runtime <= tests


def test_nothing_that_only_a_pi_has_is_required() -> None:
    """picamera2 and lgpio come from apt; naming them here would break installs everywhere else."""
    for name in ("pyproject.toml", *PINNED):
        requirements = re.findall(r"""^\s*"?([a-z0-9-]+)(?:==|>=)""", (ROOT / name).read_text(), re.M)
        assert requirements
        assert not {"picamera2", "lgpio", "rpi-gpio", "pigpio"} & set(requirements)


def test_play_speaks_to_old_pythons() -> None:
    """An interpreter that is too old can read ``play`` far enough to be told so."""
    import ast

    text = (ROOT / "play").read_text()
    ast.parse(text, feature_version=(3, 4))
    assert "needs Python 3.11" in text
