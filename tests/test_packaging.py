"""The wheel contains everything the program opens, and the pinned requirements fit the project."""

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
    """With nothing but the wheel installed, the rules run; the wheel contains ``py.typed`` for type checkers."""
    code = "from tabletop.rules import palazzo; print(palazzo.new('Ada', 'Ben'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(wheel)!r}); {code}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("<Palazzo: Ada, Ben; chance decides; 0 actions>\n", "")
    assert "tabletop/py.typed" in zipfile.ZipFile(wheel).namelist()


def packaged() -> list[str]:
    """Return every file of the package that git tracks or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "tabletop"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_the_wheel_holds_every_file_of_the_package(wheel_names: set[str]) -> None:
    """Every file of the package is in the wheel: pages, catalogues, pins and editions as well as modules."""
    missing = sorted(set(packaged()) - wheel_names)
    assert packaged()
    assert not missing


def test_the_wheel_holds_pages_words_and_data(wheel_names: set[str]) -> None:
    """At least one file of each kind that the program opens is in the wheel under its name."""
    suffixes = {Path(name).suffix for name in wheel_names}
    assert {".py", ".toml", ".html", ".css", ".js"} <= suffixes


def test_each_part_of_a_game_has_an_entry_point() -> None:
    """pyproject.toml declares an entry point for each part of a game that a checkout finds by name, and no others."""
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
    """Tests, benchmarks and caches are not in the wheel."""
    strangers = [n for n in wheel_names if not n.startswith(("tabletop/", "tabletop-")) or "__pycache__" in n]
    assert not strangers


@pytest.mark.parametrize("name", PINNED)
def test_every_pin_is_exact_and_hashed(name: str) -> None:
    """Each requirement is pinned to one version with a sha256 hash and without an address."""
    text = (ROOT / name).read_text()
    pins = re.split(r"\n(?=\S)", text.strip())
    assert pins
    for pin in pins:
        assert re.match(r"[a-z0-9-]+(\[[a-z,]+\])?==\S+", pin), pin.splitlines()[0]
        assert "--hash=sha256:" in pin, pin.splitlines()[0]
    assert "://" not in text


@pytest.mark.parametrize("name", PINNED)
def test_a_pin_names_the_extras_that_other_packages_require(name: str) -> None:
    """A pin names the extras that other packages require of it: older pips would find a newer, unhashed version."""
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
"""Names of the extras that ./play installs."""


@pytest.mark.parametrize("name", PINNED)
def test_every_dependency_is_pinned(name: str) -> None:
    """Every dependency in pyproject.toml is in the pinned files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for one in SHIPPED for line in extras[one])]
    if name == "requirements-dev.txt":
        wanted += extras["dev"]
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==", (ROOT / name).read_text(), re.M))
    assert {re.match(r"[a-z0-9-]+", line.lower())[0] for line in wanted} <= pinned  # type: ignore[index]


def test_one_extra_brings_all_others() -> None:
    """``tabletop[all]`` is what ./play installs, without cluster and data; the rules alone need only click."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {*SHIPPED, "cluster", "data", "all", "dev"}
    assert project["optional-dependencies"]["all"] == [f"tabletop[{','.join(SHIPPED)}]"]
    assert [line.partition(">=")[0] for line in project["dependencies"]] == ["click"]


def test_the_tests_run_with_the_shipped_versions() -> None:
    """The pins of the test environment include all of the runtime's."""
    runtime, tests = ({line for line in (ROOT / n).read_text().splitlines() if "==" in line} for n in PINNED)
    assert runtime <= tests


def test_no_library_that_only_a_pi_has_is_required() -> None:
    """picamera2 and lgpio, which come from apt, are not required: that would break every install but a Pi's."""
    for name in ("pyproject.toml", *PINNED):
        requirements = re.findall(r"""^\s*"?([a-z0-9-]+)(?:==|>=)""", (ROOT / name).read_text(), re.M)
        assert requirements
        assert not {"picamera2", "lgpio", "rpi-gpio", "pigpio"} & set(requirements)


def test_old_pythons_can_read_play() -> None:
    """A Python that is too old can parse ``play``, which tells it so."""
    import ast

    text = (ROOT / "play").read_text()
    ast.parse(text, feature_version=(3, 4))
    assert "needs Python 3.11" in text
