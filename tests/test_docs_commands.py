"""Every command in the documentation exists and has these options, and the cheap ones run.

A command is a line of a ``console`` block, or text in backquotes that begins with the name of a program.  None is
skipped: :data:`ELSEWHERE` lists what is not ours, :data:`PARSED` what is not run.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from tabletop.cli import main
from tabletop.cli.common.summaries import CHECKOUT, PROGRAM
from tabletop.rules.contract import play_random_game
from tabletop.rules.patrician import GAME
from tabletop.rules.text import recorder
from tabletop.service import install

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "hardware/wiring.md",
    ROOT / "bench/README.md",
]
NAMES = r"\./play|tabletop|sudo|\.venv/bin/\S+|python3?|pip|git|ssh|cd|apt-get|systemctl|journalctl|rpicam-\S+|\.ci/run"
"""Names with which a command begins."""
ELSEWHERE = {
    "cd": "the shell's own",
    "git clone": "fetches this program",
    "git log": "looks into the history",
    "git pull": "fetches a newer version of this program",
    "pip install": "the package; tests/test_packaging.py builds it",
    "ssh": "from another computer to the Pi",
    "sudo apt-get": "the Pi's system",
    "sudo journalctl": "the Pi's system",
    "sudo mv": "the Pi's system",
    "sudo poweroff": "the Pi's system",
    "sudo raspi-config": "the Pi's system",
    "sudo systemctl": "the Pi's system",
    "sudo tar": "the Pi's system",
    "rpicam-hello": "the Pi's system",
    ".ci/run": "a script; tests/test_ci.py tries it",
    ".venv/bin/python -m pip": "pip",
}
"""How commands of other programs begin → whose they are."""
GUIDES = ("hosting.md", "playing-on-phones.md", "playing-palazzo.md", "playing-patrician.md", "playing-piecepack.md")
"""Pages for people at the table, who look for the words on their screens."""
PARSED = {
    "aim": "needs a camera",
    "bench": "takes minutes; tests/runtime tries it",
    "demo": "runs until it is ended",
    "analyse": "plays each decision out; tests/bots tries it",
    "hint": "needs a record that ends in this seat’s decision; tests/bots tries it",
    "doctor": "looks at this machine",
    "edition enrol": "asks questions",
    "read": "takes seconds; tests/cli tries it",
    "score": "takes seconds; tests/cli tries it",
    "serve": "runs until it is ended",
    "setup": "asks questions",
}
"""Commands that are only parsed, options, files and values included → why they are not run."""
STAND_INS = {"GAME": "palazzo", "lantern": "palazzo", "ANYTHING": "panel", "COMMAND": "panel", "200": "2"}
"""Replacements for words: Lantern is an example game that is not installed, and 2 games are played, not 200."""


class Command(NamedTuple):
    """A command and the page on which it stands."""

    page: str
    text: str


def commands() -> Iterator[Command]:
    """Iterate over every command of the documentation."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        found = [
            line for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()
        ]
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        found += [span for span in re.findall(r"`([^`\n]+)`", prose) if re.match(rf"({NAMES})(\s|$)", span)]
        for line in found:
            bare = re.sub(r"(^|\s{2,})#.*", "", line).removeprefix("$ ").strip()
            if bare:
                yield Command(str(page.relative_to(ROOT)), bare)


COMMANDS = sorted(set(commands()))


def ours(text: str) -> list[str] | None:
    """Return the words after ``./play`` or ``tabletop``, or None for another program's command."""
    found = re.fullmatch(r"(?:(?:sudo (?:-u tabletop )?)?tabletop|\./play)(?:\s+(.*))?", text)
    return None if found is None else [STAND_INS.get(word, word) for word in shlex.split(found[1] or "")]


def own() -> list[tuple[Command, list[str]]]:
    """Return the commands of ``tabletop``, each with its words."""
    found = ((command, ours(command.text)) for command in COMMANDS)
    return [(command, words) for command, words in found if words and words[0] in PROGRAM]


def leaf(words: list[str]) -> tuple[str, click.Command, list[str]]:
    """Return a command's name, the command and the words after it, going into groups such as ``edition``."""
    found = main.get_command(click.Context(main), words[0])
    assert found is not None
    if isinstance(found, click.Group) and len(words) > 1 and not words[1].startswith("-"):
        below = found.get_command(click.Context(found), words[1])
        assert below is not None, words
        return f"{words[0]} {words[1]}", below, words[2:]
    return words[0], found, words[1:]


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the documentation names."""
    folder = tmp_path_factory.mktemp("samples")
    walk = play_random_game(GAME, 1, 2)
    (folder / "game.txt").write_text(recorder.write(walk.positions[0], walk.actions[:20]), encoding="utf-8")
    shutil.copy(ROOT / "tabletop/hardware/panel/panel.toml", folder / "my-panel.toml")
    shutil.copy(ROOT / "tabletop/rules/patrician/edition.toml", folder / "our-box.toml")
    for name in ("PHOTO.jpg", "IMG_1.jpg", "IMG_2.jpg"):
        shutil.copy(ROOT / "docs/pictures/scoring/table-photograph.jpg", folder / name)
    (folder / "FOLDER").mkdir()
    return folder


def test_every_command_is_checked_somehow() -> None:
    """Every command is ours, one of another listed program, or Python with a file of this repository."""
    assert len(COMMANDS) > 60
    unknown = [
        command
        for command in COMMANDS
        if ours(command.text) is None
        and not command.text.startswith(tuple(ELSEWHERE))
        and not command.text.startswith(".venv/bin/python ")
    ]
    assert unknown == []
    assert all(any(command.text.startswith(begin) for command in COMMANDS) for begin in ELSEWHERE)


def test_no_command_hides_in_an_indented_block() -> None:
    """Commands on lines of their own stand in ``console`` blocks, where these tests find them."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        assert re.findall(rf"^(?: {{4,}}|\t)(?:\$ )?(?:{NAMES})\s.*$", text, re.M) == [], page


def test_every_command_of_ours_exists() -> None:
    for command in COMMANDS:
        words = ours(command.text)
        if words and not words[0].startswith("-"):
            assert words[0] in {**PROGRAM, **CHECKOUT}, command


@pytest.mark.parametrize(("command", "words"), own(), ids=lambda one: one.text if isinstance(one, Command) else "")
def test_a_command_runs_as_it_is_written(
    command: Command, words: list[str], samples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A cheap command runs with status 0; of an expensive one, all words are parsed."""
    folder = shutil.copytree(samples, tmp_path / "here")
    monkeypatch.chdir(folder)
    name, found, rest = leaf(words)
    if name in PARSED:
        if rest or not any(parameter.required for parameter in found.params):
            found.make_context(name, rest)
        return
    done = CliRunner().invoke(main, words if rest or name in ("panel", "referee") else [*words, "--help"], input="")
    assert done.exit_code == 0, (command, done.output)


@pytest.mark.parametrize("name", PARSED)
def test_every_command_that_is_not_run_has_help(name: str) -> None:
    """Every command in the list of those not run exists and has help."""
    done = CliRunner().invoke(main, [*name.split(), "--help"])
    assert done.exit_code == 0
    assert "Usage:" in done.output


def test_the_commands_of_a_checkout_have_these_options() -> None:
    for command in COMMANDS:
        words = ours(command.text)
        if not words or words[0] not in CHECKOUT:
            continue
        options = {word for word in words[1:] if word.startswith("-")}
        if words[0] in ("install", "uninstall"):
            install.parser().parse_args(words)
        else:
            assert options <= {"--quick", "-k", "-x", "--without-picamera2", "--processors"}, command
            paths = [word.split("::")[0] for word in words[1:] if "/" in word and not word.startswith("..")]
            assert all((ROOT / path).exists() for path in paths), command


def script(text: str) -> tuple[Path, list[str]]:
    """Return the file that a command of the environment's Python runs, and the words after it."""
    words = shlex.split(text)[1:]
    if words[0] == "-m":
        return ROOT / (words[1].replace(".", "/") + ".py"), words[2:]
    return ROOT / words[0], words[1:]


def declared(file: Path) -> set[str]:
    """Return the options that a program declares, including those shared by campaigns."""
    text = file.read_text(encoding="utf-8")
    for shared in ("harness", "final_tables"):
        if f"campaigns.{shared}" in text:
            text += (ROOT / f"tests/campaigns/{shared}.py").read_text(encoding="utf-8")
    return set(re.findall(r"add_argument\(\s*\"(--[a-z-]+)\"", text))


def test_every_program_run_by_python_exists_with_these_options() -> None:
    checked = 0
    for command in COMMANDS:
        if command.text.startswith(".venv/bin/python ") and not command.text.startswith(tuple(ELSEWHERE)):
            file, words = script(command.text)
            assert file.is_file(), command
            assert 'if __name__ == "__main__"' in file.read_text(encoding="utf-8"), command
            assert {word for word in words if word.startswith("--")} <= declared(file), command
            checked += 1
    assert checked > 8


def test_every_option_named_without_its_command_exists() -> None:
    """Every option named without its command, as in “Add ``--proxies``”, exists in one of our commands or programs."""
    known = {"--help", "--version", "--dry-run", "--yes", "--purge", "--quick"}
    for name in PROGRAM:
        _, found, _ = leaf([name])
        below = found.commands.values() if isinstance(found, click.Group) else [found]
        known |= {option for one in below for parameter in one.params for option in parameter.opts}
    for folder in ("bench", "tools/pictures", "tests/campaigns"):
        for file in (ROOT / folder).glob("*.py"):
            known |= declared(file)
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        named = set(re.findall(r"`(--[a-z-]+)(?:[ =][^`]*)?`", prose))
        assert named <= known, (page.name, named - known)


def test_every_file_that_is_named_exists() -> None:
    """Every path in backquotes is a file, relative to the repository, the page, the package or its ``vision``."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for path in re.findall(r"`((?:\w[\w-]*/)+[\w-]+\.(?:py|toml|txt|md))`", text):
            roots = (ROOT, page.parent, ROOT / "tabletop", ROOT / "tabletop/vision")
            assert any((root / path).exists() for root in roots), (page.name, path)


def test_every_label_of_the_pages_is_quoted_as_it_is() -> None:
    """Every label in italics in the guides, and in the host's table of buttons, begins a text of the pages."""
    catalogue = ROOT / "tabletop/web/translations/de/LC_MESSAGES/messages.po"
    texts = {text.strip(" …") for text in re.findall(r'^msgid "(.+)"$', catalogue.read_text(encoding="utf-8"), re.M)}
    guides = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in GUIDES}
    quoted = {
        (name, label) for name, text in guides.items() for label in re.findall(r"(?<!\*)\*([A-Z][^*|]+)\*(?!\*)", text)
    }
    rows = re.findall(r"^\| ([A-Z][^|]+) \|", guides["hosting.md"], re.M)
    quoted |= {("hosting.md", row.strip()) for row in rows}
    assert len(quoted) > 30
    unknown = {
        (name, label)
        for name, label in quoted
        if not any(text.startswith(" ".join(label.split()).strip(" …")) for text in texts)
    }
    assert unknown == set()


def test_the_architecture_lists_packages_in_import_order() -> None:
    """The architecture's table lists every layer of the import contract, and no package before one that imports it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    rank = {name: place for place, layer in enumerate(layers) for name in layer.split(" | ")}
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    listed = [f"tabletop.{name}" for name in re.findall(r"^\| `tabletop/(\w+)(?:/|\.py)` \|", text, re.M)]
    assert sorted(listed) == sorted(rank)
    assert [rank[name] for name in listed] == sorted(rank[name] for name in listed)


def test_every_link_leads_somewhere() -> None:
    """Every link within the repository names an existing file, and a heading that the file has."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            assert file.exists(), (page.name, target)
            if anchor:
                titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.M)
                slugs = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
                assert anchor in slugs, (page.name, target)


def test_no_list_or_title_runs_on_in_one_line() -> None:
    """Paragraph filling has not joined the items of a list, or a heading and the text after it."""
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$|^\|.*?$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        assert not re.findall(r"^.*[.:;] \d\. .*$|^#.*:$|^#.{100,}$", prose, re.M), page.name
