"""The texts of the pages and their catalogues.

``python -m tests.web.catalogue`` brings the catalogues up to date: new texts are added, texts that are gone are
dropped, and the compiled files are written beside them.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import tabletop.web
from tabletop.referee.words import SENTENCES
from tabletop.rules.palazzo import table, zones
from tabletop.rules.palazzo.reasons import REASONS

WEB = Path(tabletop.web.__file__).parent
LANGUAGES = ("de", "it")
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
OPTIONS = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
KEYWORDS = {"_": None, "gettext": None, "N_": None, "ngettext": (1, 2)}


def texts() -> Iterator[str | tuple[str, str]]:
    """Iterate over every text that a page may show: its own, the referee's, Palazzo's refusals and questions."""
    for _file, _line, text, _comments, _context in extract_from_dir(WEB, METHODS, OPTIONS, KEYWORDS):
        yield (text[0], text[1]) if isinstance(text, tuple) else text
    yield from SENTENCES.values()
    for reason in REASONS.values():
        yield reason.template
        yield reason.rule
    yield from _sentences(Path(table.__file__).read_text("utf-8"))
    yield from zones.REASONS.values()


def _sentences(source: str) -> Iterator[str]:
    """Iterate over the whole sentences in a module, its docstrings and those with gaps left out."""
    tree = ast.parse(source)
    aside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    aside |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in aside and str(node.value).endswith("."):
            yield str(node.value)


def po(language: str) -> Path:
    return WEB / "translations" / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """Return a language's catalogue as it is on disk; an empty one where there is none."""
    path = po(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalogue: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def update(language: str) -> None:
    """Bring a language's catalogue up to date and compile it."""
    old = read(language)
    new = Catalog(locale=language, project="tabletop", charset="utf-8", creation_date=old.creation_date)
    for text in texts():
        found = old.get(text[0] if isinstance(text, tuple) else text)
        new.add(text, found.string if found else "")
    path = po(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, sort_output=True, no_location=True, omit_header=False, width=120)
    path.with_suffix(".mo").write_bytes(compiled(read(language)))


if __name__ == "__main__":
    for language in LANGUAGES:
        update(language)
