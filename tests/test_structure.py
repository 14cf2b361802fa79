"""The rules by which files get their places, names and sizes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tabletop.cli.common.summaries import PROGRAM
from tabletop.rules import registry

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tabletop"
GAMES = re.compile("|".join(registry.BUILT_IN), re.IGNORECASE)
CODE = (".py", ".html", ".css", ".js")
"""Suffixes of the files that the rules apply to; TOML files and catalogues are data."""


def game_of(path: Path) -> str | None:
    """Return the game below whose folder a file lies, or whose name it has; None if it is for all games."""
    inside = path.relative_to(PACKAGE)
    return next((part for part in (*inside.parent.parts, inside.stem) if part in registry.BUILT_IN), None)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def code() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in CODE)


def test_a_game_is_named_only_in_its_own_files() -> None:
    """Code about one game is in a file or below a folder of its name, so that any game can bring the same."""
    shared = [path for path in code() if game_of(path) is None]
    assert len(shared) > 300
    naming = {
        f"{path.relative_to(ROOT)}:{number}": line.strip()[:80]
        for path in shared
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if GAMES.search(line)
    }
    assert naming == {}


CLASSES = re.compile(r'class="((?:[^"{]|{{.*?}}|{%.*?%})*)"', re.DOTALL)
"""The classes that a template gives to an element."""


def test_styles_for_all_games_know_no_class_of_one_game() -> None:
    """A class that only one game's templates use is styled in that game's own sheets."""
    users: dict[str, set[str | None]] = {}
    for path in code():
        text = path.read_text(encoding="utf-8")
        found = CLASSES.findall(text) if path.suffix == ".html" else []
        if path.suffix == ".js":
            found = re.findall(r""""[^"\n]*"|`[^`]*`""", text)
        for name in re.findall(r"[a-z][\w-]*", " ".join(found), re.IGNORECASE):
            users.setdefault(name, set()).add(game_of(path))
    sheets = [path for path in code() if path.suffix == ".css" and game_of(path) is None]
    styled = {
        name: path.name
        for path in sheets
        for name in re.findall(r"\.([a-z][\w-]*)(?=[^;{}]*{)", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert len(styled) > 100
    assert {name: sheet for name, sheet in styled.items() if len(owners := users.get(name, set())) == 1
            and owners != {None}} == {}  # fmt: skip


SELECTOR = re.compile(r"""(?:querySelector(?:All)?|closest|matches)\(\s*["`]([^"`]*)["`]""")
"""The selectors that a script looks for."""


def test_scripts_for_all_games_look_for_no_class_of_one_game() -> None:
    """Scripts for all games find elements by attributes or classes that the templates of any game may set."""
    users: dict[str, set[str | None]] = {}
    sought: dict[str, str] = {}
    for path in code():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            for name in re.findall(r"[a-z][\w-]*", " ".join(CLASSES.findall(text)), re.IGNORECASE):
                users.setdefault(name, set()).add(game_of(path))
        elif path.suffix == ".js" and game_of(path) is None:
            selectors = " ".join(SELECTOR.findall(text))
            sought |= dict.fromkeys(re.findall(r"\.([a-z][\w-]*)", selectors, re.IGNORECASE), path.name)
    assert len(sought) > 10
    assert {name: script for name, script in sought.items() if None not in users.get(name, {None})} == {}


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_no_game_imports_another(name: str) -> None:
    """A game's own files import those of no other game."""
    others = "|".join(other for other in registry.BUILT_IN if other != name)
    foreign = re.compile(rf"^\s*(?:from|import) tabletop\.(?:(?!{name}\b)\w+\.)*(?:{others})\b", re.MULTILINE)
    own = [path for path in code() if path.suffix == ".py" and game_of(path) == name]
    assert own
    assert {str(path): found[0] for path in own if (found := foreign.search(path.read_text(encoding="utf-8")))} == {}


def test_only_rules_call_something_illegal() -> None:
    """Only the rules construct Illegal; everything else declines with its base class."""
    made = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Illegal"
    }
    assert any(place.startswith("tabletop/rules/") for place in made)
    assert {place for place in made if not place.startswith("tabletop/rules/")} == set()


DOZEN = 13
"""Most modules in one folder, about a dozen."""
LARGER = {"cli": "one module a command", "rules": "what every game's rules share"}
"""Packages that may hold more → why."""


WIDEST = 120
"""Most characters in a line, as for Python in pyproject.toml."""


@pytest.mark.parametrize("suffix", [".css", ".js"])
def test_styles_and_scripts_have_short_lines(suffix: str) -> None:
    """No line of a style sheet or script is wider than one of Python, and each CSS declaration has its own line."""
    lines = [(path.name, line) for path in code() if path.suffix == suffix
             for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    assert len(lines) > 1000
    assert [(name, line) for name, line in lines if len(line) > WIDEST] == []
    assert [(name, line) for name, line in lines if suffix == ".css" and re.search(r"[;{]\s*[\w-]+\s*:", line)] == []


LONGEST = 40
"""Most lines of a function, without its docstring."""
LONGEST_FILE = 400
"""Most lines of a module, a style sheet or a script, docstrings and comments included."""


def length(function: ast.FunctionDef) -> int:
    return lines_of(function) - (lines_of(function.body[0]) if ast.get_docstring(function) else 0)


def lines_of(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def test_no_function_is_long() -> None:
    """A function is at most 40 lines long, so that it can be understood at a glance."""
    functions = {
        f"{path.relative_to(PACKAGE)}: {node.name}": length(node)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(functions) > 3000
    assert {name: lines for name, lines in functions.items() if lines > LONGEST} == {}


SENTENCE = re.compile(r'_\("[^"]*"')
"""A sentence for translation, which cannot be broken."""


def test_templates_have_short_lines() -> None:
    """No line of a template is wider than one of Python, except for a long sentence."""
    lines = [(path.name, line) for path in code() if path.suffix == ".html"
             for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    assert len(lines) > 1000
    assert [(name, line) for name, line in lines if len(SENTENCE.sub("", line)) > WIDEST] == []


def prose(page: str) -> Iterator[str]:
    """Yield the lines of a page in Markdown that can be broken: not code, tables or pictures."""
    in_code = False
    for line in page.splitlines():
        fence = line.lstrip().startswith("```")
        in_code ^= fence
        if not in_code and not fence and not line.lstrip().startswith(("|", "![")):
            yield line


def test_pages_of_the_documentation_have_short_lines() -> None:
    """No line of prose is wider than one of Python."""
    folders = [ROOT, *(ROOT / name for name in ("bench", "docs", "hardware", "tests", "tools"))]
    pages = {path for folder in folders for path in folder.glob("*.md" if folder == ROOT else "**/*.md")}
    lines = [(str(path.relative_to(ROOT)), line) for path in sorted(pages)
             for line in prose(path.read_text(encoding="utf-8"))]  # fmt: skip
    assert len(lines) > 3000
    assert [(page, line) for page, line in lines if len(line) > WIDEST] == []


MAX_PLACES = 7
"""Most arguments of a function that may be passed by position."""


def test_no_call_depends_on_the_order_of_many_arguments() -> None:
    """Functions with many arguments take them by name."""
    functions = {
        f"{path.relative_to(PACKAGE)}: {node.name}": len(
            {arg.arg for arg in (*node.args.posonlyargs, *node.args.args)} - {"self", "cls"}
        )
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef) and "click.command()" not in map(ast.unparse, node.decorator_list)
    }
    assert len(functions) > 3000
    assert {name: count for name, count in functions.items() if count > MAX_PLACES} == {}


def test_no_file_is_long() -> None:
    """A module, a style sheet or a script is at most 400 lines long, so that it can be read in one go."""
    files = [path for path in code() if path.suffix in (".py", ".css", ".js")]
    modules = {str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert len(modules) > 400
    assert {name: lines for name, lines in modules.items() if lines > LONGEST_FILE} == {}


def test_no_package_is_crowded() -> None:
    """A folder holds about a dozen modules at most, so that the right one is found at a glance."""
    crowded = {
        str(folder.relative_to(PACKAGE))
        for folder in PACKAGE.rglob("*")
        if folder.is_dir() and sum(path.name != "__init__.py" for path in folder.glob("*.py")) > DOZEN
    }
    assert crowded <= LARGER.keys()


def test_each_module_of_the_commands_is_one() -> None:
    """The command ``tabletop NAME`` is the module ``cli/NAME.py``; what commands share is in a folder beside them."""
    assert {path.stem for path in (PACKAGE / "cli").glob("*.py")} - {"__init__"} == PROGRAM.keys()


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Iterate over all statements below some, including those in functions, but not those under TYPE_CHECKING."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from statements(ast.iter_child_nodes(node))


IMPORTABLE = ("tabletop", "bench", "doubles", "tools")
"""The folders whose modules import each other."""


def imports(*, late: bool) -> dict[str, set[str]]:
    """Return, for each module, those of ours that it imports; ``late``: including imports within its functions."""
    paths = [path for folder in IMPORTABLE for path in (ROOT / folder).rglob("*.py")]
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    modules = {name.removesuffix(".__init__"): path for name, path in files.items()}
    needed: dict[str, set[str]] = {}
    for name, path in modules.items():
        found = needed[name] = set()
        body = parsed(path).body
        for line in statements(body) if late else body:
            if isinstance(line, ast.Import):
                found |= {one.name for one in line.names}
            elif isinstance(line, ast.ImportFrom):
                inside = {f"{line.module}.{one.name}" for one in line.names}
                found |= inside & modules.keys() or {str(line.module)}
        found &= modules.keys() - {name}
    return needed


def test_imports_form_no_cycle() -> None:
    """Imports form no cycle, not even between two modules of one package or by an import within a function."""
    needed = imports(late=True)
    assert len(needed) > 300
    while free := {name for name, modules in needed.items() if not modules & needed.keys()}:
        needed = {name: modules for name, modules in needed.items() if name not in free}
    assert sorted(needed) == []


def test_only_tools_import_tools() -> None:
    """Nothing but the tools imports ``tools``, so that a benchmark needs none of the code for the docs' pictures."""
    needed = imports(late=True)
    assert {name for name, modules in needed.items() if not name.startswith("tools.")
            and any(module.startswith("tools.") for module in modules)} == set()  # fmt: skip


TESTS = re.compile(r"^\s*(?:from|import) tests\b", re.MULTILINE)


def test_only_tests_import_tests() -> None:
    """Only tests import ``tests``; what they share with benchmarks and tools is in ``doubles/``."""
    paths = [path for folder in IMPORTABLE for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 500
    assert [str(path) for path in paths if TESTS.search(path.read_text(encoding="utf-8"))] == []


def test_the_program_imports_no_doubles() -> None:
    """The program imports neither ``doubles`` nor ``bench``, which are not installed with it."""
    needed = imports(late=True)
    assert {name for name, modules in needed.items() if name.startswith("tabletop.")
            and any(module.partition(".")[0] in ("bench", "doubles") for module in modules)} == set()  # fmt: skip


def neighbours(package: str, needed: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return, for each sub-package of a package, those beside it that it imports."""
    prefix = f"{package}."
    inside = {name: name.removeprefix(prefix).split(".") for name in needed if name.startswith(prefix)}
    folders = {parts[0] for parts in inside.values() if len(parts) > 1}
    found: dict[str, set[str]] = {folder: set() for folder in folders}
    for name, (own, *_rest) in inside.items():
        if own in folders:
            found[own] |= {inside[other][0] for other in needed[name] if other in inside} & folders - {own}
    return found


def test_sub_packages_form_no_cycle() -> None:
    """The sub-packages of a package import each other in one direction only."""
    needed, circles = imports(late=False), {}
    packages = [PACKAGE, *(path for path in PACKAGE.rglob("*") if (path / "__init__.py").exists())]
    assert len(packages) > 40
    for path in packages:
        left = neighbours(".".join(path.relative_to(ROOT).parts), needed)
        while free := {name for name, others in left.items() if not others or name not in set().union(*left.values())}:
            left = {name: others - free for name, others in left.items() if name not in free}
        if left:
            circles[path.name] = set(left)
    assert circles == {}


def test_the_package_holds_packages_and_no_loose_modules() -> None:
    """The package holds packages, the configuration, and nothing else."""
    loose = {path.name for path in PACKAGE.iterdir() if path.is_file()}
    assert loose == {"__init__.py", "__main__.py", "config.py", "py.typed"}


def test_a_class_name_stands_for_one_thing() -> None:
    """No two classes share a name, except what each game defines in the same shape."""
    found: dict[str, list[str | None]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name.lstrip("_"), []).append(game_of(path))
    assert len(found) > 300
    twice = {
        name for name, games in found.items() if len(games) > 1 and (None in games or len(set(games)) < len(games))
    }
    assert twice == set()


def test_a_file_name_stands_for_one_thing() -> None:
    """No two files share a name, except commands, a package's errors, and what each game has in the same shape."""
    names = Counter(
        path.name
        for path in PACKAGE.rglob("*.py")
        if path.name not in ("__init__.py", "errors.py") and path.parent.name != "cli" and game_of(path) is None
    )
    assert [name for name, count in names.items() if count > 1] == []


NUMBERS = re.compile(r"^([A-Z][A-Z0-9_]*(?:, [A-Z][A-Z0-9_]*)*) = -?\d", re.MULTILINE)
"""Public constants of a module that are numbers, one or several in a line."""
ONE_WORD = {"BORDER", "HEIGHT", "MAGIC", "MARGIN", "NICENESS", "SCHEMA", "SIOCGIFADDR", "WIDTH"}
"""Terms of the field that need no second word."""
SUPERLATIVES = ("FARTHEST_", "FEWEST_", "LARGEST_", "LEAST_", "LONGEST_", "MOST_", "OLDEST_", "SHORTEST_", "SMALLEST_")
"""Prefixes that mean the same as ``MIN_`` and ``MAX_``."""


def test_a_number_says_what_it_counts() -> None:
    """A numeric constant's name says what it counts: ``count > MAX_ANSWERS``, not ``count > MOST``."""
    names = {
        f"{path.relative_to(PACKAGE)}: {name}": name
        for path in PACKAGE.rglob("*.py")
        for found in NUMBERS.finditer(path.read_text(encoding="utf-8"))
        for name in found[1].split(", ")
    }
    assert len(names) > 500
    vague = {place for place, name in names.items() if "_" not in name and name not in ONE_WORD}
    assert vague | {place for place, name in names.items() if name.startswith(SUPERLATIVES)} == set()


REFERENCE = re.compile(r":(?:class|func|mod|data|meth|attr|exc):`~?((?:tabletop|bench|doubles|tests)\.[\w.]+)`")
NAMED_FILE = re.compile(r"(?<![\w/-])(?:tabletop|tests|bench|doubles|tools)(?:/[\w-]+)+\.(?:py|md|html|css|js)\b")
SANDBOXES = ("tests/service/test_install.py",)
"""Tests that make trees of their own, in which files have other places."""


def is_there(name: str) -> bool:
    """Return whether a dotted name is a module of ours, or something that one defines."""
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:at])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path.exists():
            text = path.read_text(encoding="utf-8")
            return all(
                re.search(rf"^\s*(?:def |class |import .*|)\b{part}\b", text, re.MULTILINE) for part in parts[at:]
            )
    return False


def test_what_docstrings_and_comments_refer_to_exists() -> None:
    """Every name or file of ours in a docstring or comment exists, so that what moves is renamed there as well."""
    sources = [path for folder in (*IMPORTABLE, "tests") for path in (ROOT / folder).rglob("*.py")]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sources}
    named = {(place, name) for place, text in texts.items() for name in REFERENCE.findall(text)}
    files = {
        (place, name) for place, text in texts.items() if place not in SANDBOXES for name in NAMED_FILE.findall(text)
    }
    assert len(named) > 20
    assert len(files) > 10
    assert {reference for reference in named if not is_there(reference[1])} == set()
    assert {reference for reference in files if not (ROOT / reference[1]).exists()} == set()
