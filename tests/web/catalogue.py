"""The texts of the pages and their catalogues.

``python -m tests.web.catalogue`` brings the catalogues up to date: new texts are added, texts that are gone are
dropped, and the compiled files are written beside them.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import tabletop.web
from tabletop.hardware.cameras import camera, folder, picamera, v4l2
from tabletop.hardware.diagnostics import doctor, probes, probes_table
from tabletop.hardware.panel import chips, pins, wiring
from tabletop.match import backup, journal
from tabletop.referee import referee, scene_state
from tabletop.referee.messages import SENTENCES
from tabletop.rules import palazzo, patrician, piecepack
from tabletop.rules.palazzo.phases.reasons import REASONS as PALAZZO
from tabletop.rules.palazzo.position import WORDS as PALAZZO_PHASES
from tabletop.rules.palazzo.table import zones
from tabletop.rules.patrician.phases.reasons import REASONS as PATRICIAN
from tabletop.rules.patrician.rules import PHASES as PATRICIAN_PHASES
from tabletop.rules.piecepack.phases.reasons import REASONS as PIECEPACK
from tabletop.runtime import aiming, diagnostics, maintenance, service_main
from tabletop.service import starts
from tabletop.setup import trials, walk
from tabletop.vision.aim import assess
from tabletop.vision.detect import notices
from tabletop.vision.image import load
from tabletop.vision.photo import doubts, read_photo
from tabletop.vision.report import phone_photo
from tabletop.vision.score import contradictions, score, seat_assignment
from tabletop.vision.score import palazzo as palazzo_tally
from tabletop.vision.score import patrician as patrician_tally
from tabletop.vision.score import piecepack as piecepack_tally

WEB = Path(tabletop.web.__file__).parent
ROOMS = [Path(game.__file__).parent for game in (palazzo, patrician, piecepack)]
SPEAKING = [path for room in ROOMS for path in (room / "table/reader.py", room / "table/zones.py") if path.exists()]
SPEAKING += [Path(module.__file__) for module in (scene_state, referee, notices, journal, backup)]
"""Modules whose sentences are shown to people as they are made there."""
TALLIES = (palazzo_tally, patrician_tally, piecepack_tally)
SEEING = [
    Path(str(module.__file__))
    for module in (load, phone_photo, read_photo, doubts, seat_assignment, contradictions, score, *TALLIES)
]
"""Modules that say what of a photograph cannot be read or does not count."""
LARGE = "{1} × {2} px; {3}"
"""How a sentence begins that says how large a picture is; what follows is a sentence of its own."""

CAMERAS = (camera, v4l2, folder, picamera)
SETTING = (*CAMERAS, walk, trials, chips, pins, assess, aiming, maintenance, service_main, starts)
"""Modules that say why a device cannot be used, and what the first-run walk has to say."""

PROBES = (doctor, probes, probes_table, diagnostics)
"""Modules whose sentences are marked by ``said``; pages tell them by their words."""

LANGUAGES = ("de", "it")
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
OPTIONS = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
KEYWORDS = {"_": None, "gettext": None, "N_": None, "ngettext": (1, 2)}


def texts() -> Iterator[str | tuple[str, str]]:
    """Iterate over every text that a page may show: its own, the referee's, the games' refusals and questions."""
    for _file, _line, text, _comments, _context in extract_from_dir(WEB, METHODS, OPTIONS, KEYWORDS):
        yield (text[0], text[1]) if isinstance(text, tuple) else text
    yield from SENTENCES.values()
    for reason in (*PALAZZO.values(), *PATRICIAN.values(), *PIECEPACK.values()):
        yield reason.template
        yield reason.rule
    yield from (*PALAZZO_PHASES.values(), *(phase.waits for phase in PATRICIAN_PHASES.values() if phase.waits))
    yield from zones.REASONS.values()
    yield LARGE
    for path in (*SPEAKING, *SEEING):
        yield from _sentences(path.read_text("utf-8"))
        yield from _told_of_journals(path.read_text("utf-8"))
    for module in SETTING:
        yield from _told_in_setup(Path(str(module.__file__)).read_text("utf-8"), module in CAMERAS)
    for room in ROOMS:
        yield from _zone_titles(
            (room / "table/zones.py").read_text("utf-8") if (room / "table/zones.py").exists() else ""
        )
    panel = wiring.load()
    for wire in (*panel.buttons, *panel.outputs):
        yield re.sub(r"\d+", "{1}", wire.label)
    for module in PROBES:
        source = io.BytesIO(Path(str(module.__file__)).read_bytes())
        yield from (text for _line, text, _comments, _context in extract("python", source, {"said": None}))
    yield from probes.THROTTLED.values()


def _told_in_setup(source: str, of_a_camera: bool) -> Iterator[str]:
    """Iterate over what a module says of devices; what happened to a camera, as its error puts it together."""
    facts = [
        node.args[1]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CameraLost"
    ]
    faults = [_with_gaps(fact) if isinstance(fact, ast.JoinedStr) else getattr(fact, "value", "") for fact in facts]
    for text in _sentences(source, ends=(".", ").", "?")):
        if text[0].isupper() or text[0] == "{":
            yield text
        elif of_a_camera and text[0].isalpha():
            faults.append(text)
    for fault in filter(None, dict.fromkeys(faults)):
        yield "The camera {1} " + re.sub(r"\{(\d)\}", lambda gap: f"{{{int(gap[1]) + 1}}}", fault)


def _told_of_journals(source: str) -> Iterator[str]:
    """Iterate over what happened to journals, as their error puts it together."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "JournalError":
            what = node.args[1]
            text = _with_gaps(what) if isinstance(what, ast.JoinedStr) else str(ast.literal_eval(what))
            yield f"{text} ({{{text.count('{') + 1}}})."


def _zone_titles(source: str) -> Iterator[str]:
    """Iterate over the titles of a game's zones, gaps numbered."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Zone":
            title = node.args[2]
            yield _with_gaps(title) if isinstance(title, ast.JoinedStr) else str(ast.literal_eval(title))


def _sentences(source: str, ends: tuple[str, ...] = (".", ").")) -> Iterator[str]:
    """Iterate over the whole sentences in a module, gaps numbered; docstrings are left out."""
    tree = ast.parse(source)
    aside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            aside |= {id(part) for part in node.values}
            text = _with_gaps(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in aside:
            text = node.value
        else:
            continue
        if text.endswith(ends) and " " in text:
            yield text


def _with_gaps(node: ast.JoinedStr) -> str:
    """Return a text with gaps as the catalogues know it: “Lay {1} more money cards in the row.”"""
    numbers = itertools.count(1)
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{next(numbers)}}}" for part in node.values
    )


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
