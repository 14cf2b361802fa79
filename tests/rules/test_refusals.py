"""The page of all refusals is generated from the tables that the rules use, and the tables are complete.

``python -m tests.rules.test_refusals`` rewrites the page.
"""

from __future__ import annotations

import ast
import importlib
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

from tabletop.messages import Message, said_by
from tabletop.rules import registry
from tabletop.rules.refusals import Reason, refuse, table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "refusals.md"
GAMES = list(registry.BUILT_IN)
HEAD = """# Why not: every refusal by its code

Programs rely on the codes; people read the sentences. The words in braces stand for the facts of the case. Every
refusal also carries them as data (`error.facts`), together with the clause of the rules (`error.rule`) and, if there is
one, a similar action that would have been legal (`error.nearest`). For `bad-position` and `bad-request` the message
describes what is wrong with the data.
"""


def reasons(name: str) -> ModuleType:
    return importlib.import_module(f"tabletop.rules.{name}.phases.reasons")


def page() -> str:
    """Return the page as it should be."""
    sections = (table(registry.game(name).title, reasons(name).MEANINGS, reasons(name).REASONS) for name in GAMES)
    return "\n".join([HEAD, *sections])


def test_the_page_of_refusals_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "rewrite it: python -m tests.rules.test_refusals"


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_has_a_code_that_is_explained(name: str) -> None:
    module = reasons(name)
    assert {reason.code for reason in module.REASONS.values()} <= set(module.MEANINGS)
    assert all(meaning.endswith(".") for meaning in module.MEANINGS.values())


def folder_of(name: str) -> Path:
    """Return the folder of a game's rules."""
    file = reasons(name).__file__
    assert file is not None
    return Path(file).parents[1]


@pytest.mark.parametrize("name", GAMES)
def test_every_code_is_used_somewhere_in_the_rules(name: str) -> None:
    folder = folder_of(name)
    spoken = "".join(path.read_text(encoding="utf-8") for path in folder.parent.rglob("*.py"))
    for code in reasons(name).MEANINGS:
        assert len(re.findall(f'"{code}"', spoken)) > 1, code


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_is_used(name: str) -> None:
    module = reasons(name)
    folder = folder_of(name)
    files = [path for path in folder.rglob("*.py") if path.name != "reasons.py"]
    files += [folder.parent / "phase.py", folder.parent / "chance_actions.py"]
    spoken = "".join(path.read_text(encoding="utf-8") for path in files)
    assert not [key for key in module.REASONS if f'"{key}"' not in spoken]


def whys(name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the calls of ``why`` in a game's rules: the key, and the names of the facts."""
    folder = folder_of(name)
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "why":
                key, facts = node.args[0], {keyword.arg for keyword in node.keywords}
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and None not in facts:
                    yield key.value, {fact for fact in facts if fact is not None}


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_has_the_facts_that_its_sentence_names(name: str) -> None:
    """Each place that gives a reason passes every fact that its sentence names."""
    fields = {
        key: {field for _, field, _, _ in Formatter().parse(reason.template) if field}
        for key, reason in reasons(name).REASONS.items()
    }
    assert fields.keys() >= {key for key, _ in whys(name)} > set()
    assert [(key, facts) for key, facts in whys(name) if not fields[key] <= facts] == []


def test_a_sentence_is_filled_in_when_it_is_read() -> None:
    """A refusal's sentence is filled in when it is read, raised or sent, and not when legality is asked."""
    reason = Reason("too-dark", "{lantern} is not higher than {last}.", Message("A turn"))
    assert refuse(reason).code == "too-dark"
    refusal = refuse(reason, lantern="L1", last="L2")
    sentence = Message("{lantern} is not higher than {last}.", lantern="L1", last="L2")
    assert refusal.message == str(refusal) == refusal.to_json()["message"] == sentence
    assert said_by(refusal).template == said_by(pickle.loads(pickle.dumps(refusal))).template == reason.template


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
