"""Templates of live pages read only facts declared for them, and shared ones only facts that everybody may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest
from jinja2 import Environment, meta, nodes

import tabletop.web
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules import registry
from tabletop.web.app import SiteFacts, VisitorFacts
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI, GameUI
from tabletop.web.games.generic_view import GenericBoard, GenericChoices, GenericHand
from tabletop.web.games.hint_lines import HintFacts
from tabletop.web.http.error_page import ErrorFacts
from tabletop.web.listening.page import ListenFacts
from tabletop.web.live.live_facts import AudienceFacts, CommonFacts, OwnFacts
from tabletop.web.live.region_templates import RegionTemplates
from tabletop.web.live.regions import HOST_PAGES, PAGES, SEAT_PAGES, STAGE_PAGES
from tabletop.web.pages.aim import LookFacts
from tabletop.web.pages.health import HealthFacts
from tabletop.web.pages.host import BecomeHostFacts
from tabletop.web.pages.listen import QuestionFacts
from tabletop.web.pages.pages import JoinFacts, RulesFacts
from tabletop.web.pages.past import AfterFacts, GamesFacts, KeptFacts, PeopleFacts, ReplayFacts
from tabletop.web.pages.safe_mode import HomeFacts, MaintenanceFacts
from tabletop.web.pages.session import LiveFacts
from tabletop.web.pages.setup import SetupFacts
from tabletop.web.views.host_view import HostFacts
from tabletop.web.views.photo_facts import CardsFacts, TakeFacts, UnderstoodFacts, WaitFacts
from tabletop.web.views.score_photo import PhotoOnlyFacts, ScoredPhotoFacts
from tabletop.web.views.stage import StageFacts
from tabletop.web.views.table_photo import TablePhotoFacts

TEMPLATES = Path(tabletop.web.__file__).parent / "templates"
NAMES_OF_TEMPLATES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))
GENERIC = "any other game"
GAMES = (*registry.BUILT_IN, GENERIC)


def names_of(*facts: Any) -> set[str]:
    """Return the names that typed dicts declare."""
    return {name for some in facts for name in get_type_hints(some)}


def result_of(method: Any) -> Any:
    """Return the typed dict that a method of a game's part returns."""
    return get_type_hints(method)["return"]


def board_names(game: str) -> set[str]:
    """Return the names that a game declares for its board."""
    return names_of(GenericBoard if game == GENERIC else result_of(type(ui_of(registry.game(game))).board))


def declared(game: str, page: str) -> set[str]:
    """Return every name that the regions of a page may read."""
    found = board_names(game) | names_of(CommonFacts, AudienceFacts) | {"shared"}
    if page in STAGE_PAGES:
        found |= names_of(StageFacts)
    if page in HOST_PAGES:
        found |= names_of(HostFacts)
    if page in SEAT_PAGES:
        found |= names_of(OwnFacts, HintFacts)
    if page == "seat":
        kind = GameUI if game == GENERIC else type(ui_of(registry.game(game)))
        own = [result_of(kind.hand), result_of(kind.hand_and_choices)]
        found |= names_of(GenericHand, GenericChoices) if game == GENERIC else names_of(*own)
    if page == "listen":
        found |= names_of(ListenFacts)
    return found


class Use(NamedTuple):
    """A template that a region uses; ``shared`` if it is rendered from facts that everybody may know."""

    name: str
    reads: set[str]
    shared: bool


class Reader:
    """Finds the templates that a region of a game's page uses, and what each of them reads."""

    def __init__(self, environment: Environment, game: str, draw: str) -> None:
        self._environment, self._game, self._draw = environment, game, draw

    def uses(self, name: str, bound: frozenset[str] = frozenset(), *, shared: bool = False) -> Iterator[Use]:
        """Iterate over a template and all that it uses; ``bound``: the names that the templates around it have set."""
        tree = self._tree(name)
        frames = [self._tree(frame) for node in tree.find_all(nodes.Extends) for frame in self._named_by(node.template)]
        bound = bound.union(bound_in(tree), *map(bound_in, frames))
        yield Use(name, meta.find_undeclared_variables(tree) - bound, shared)
        for node in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport)):
            assert isinstance(node, nodes.Include | nodes.Import | nodes.FromImport)
            for used in self._named_by(node.template):
                yield from self.uses(used, bound, shared=shared)
        for call in tree.find_all(nodes.Call):
            asked = call.node.node if isinstance(call.node, nodes.Getattr) else call.node
            if isinstance(asked, nodes.Name) and asked.name == "shared" and isinstance(call.args[0], nodes.Const):
                yield from self.uses(call.args[0].value, frozenset(), shared=True)
        if name == "parts/lines.html":  # which renders its lines one by one
            yield from self.uses("parts/line.html", frozenset({"line"}), shared=True)

    def _tree(self, name: str) -> nodes.Template:
        assert self._environment.loader is not None
        return self._environment.parse(self._environment.loader.get_source(self._environment, name)[0])

    def _named_by(self, wanted: nodes.Expr) -> list[str]:
        """Return the templates that an expression may name; of a list, the first that exists."""
        if isinstance(wanted, nodes.List):
            return next(filter(None, map(self._named_by, wanted.items)), [])
        if isinstance(wanted, nodes.Name):
            assert wanted.name == "draw"
            return [self._draw]
        parts = wanted.nodes if isinstance(wanted, nodes.Concat) else [wanted]
        pattern = "".join(part.value if isinstance(part, nodes.Const) else "*" for part in parts)
        found = [name for name in NAMES_OF_TEMPLATES if fnmatchcase(name, pattern)]
        return [name for name in found if not name.startswith("games/") or name.startswith(f"games/{self._game}/")]


def bound_in(tree: nodes.Template) -> set[str]:
    """Return the names that a template itself sets anywhere."""
    found = {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
    found |= {node.target for node in tree.find_all(nodes.Import)} | {node.name for node in tree.find_all(nodes.Macro)}
    pairs = [name for node in tree.find_all(nodes.FromImport) for name in node.names]
    return found | {name if isinstance(name, str) else name[1] for name in pairs}


def a_table(game: str) -> tuple[Pages, Environment, str]:
    """Return a table's pages, the environment of their templates, and the template that draws the game's pieces."""
    rules = registry.game(registry.BUILT_IN[0] if game == GENERIC else game)
    pages = Pages(MemoryTable(rules, NAMES, seed=3))
    ui = AnyUI(game) if game == GENERIC else ui_of(rules)
    return pages, pages.app.jinja_env, ui.board(pages.mailbox.snapshot.position, NAMES, over=False)["draw"]


@pytest.mark.parametrize("game", GAMES)
def test_every_template_of_a_live_page_reads_declared_names_only(game: str) -> None:
    pages, environment, draw = a_table(game)
    reader, always = Reader(environment, game, draw), {*environment.globals}
    common, anywhere = names_of(CommonFacts) | board_names(game) | {"shared", "number"}, declared(game, "seat")
    undeclared: set[tuple[str, str, str]] = set()
    for page, regions in PAGES.items():
        known = declared(game, page)
        for region in (*regions, *(["halted"] if "do" in regions else [])):
            template = RegionTemplates(environment).of_region(game, page, region).name
            assert template is not None
            for use in reader.uses(template):
                # The file that draws pieces also has the macro of a hand, which only a seat's page calls.
                may = anywhere if use.name == draw else common if use.shared else known
                undeclared |= {(page, use.name, name) for name in use.reads - may - always}
    assert not undeclared
    pages.close()


@pytest.mark.parametrize("game", GAMES)
def test_no_game_uses_a_name_that_the_stage_has_for_something_else(game: str) -> None:
    assert not names_of(StageFacts) & board_names(game)


STATIC_PAGES: Mapping[str, Sequence[Any]] = {
    "after.html": (AfterFacts,),
    "aim/list.html": (LookFacts,),
    "aim/page.html": (),
    "become_host.html": (BecomeHostFacts,),
    "demo.html": (LiveFacts,),
    "error.html": (ErrorFacts,),
    "games.html": (GamesFacts,),
    "history.html": (LiveFacts,),
    "host.html": (LiveFacts,),
    "join.html": (JoinFacts,),
    "listen.html": (LiveFacts, QuestionFacts),
    "maintenance/health.html": (HealthFacts, MaintenanceFacts),
    "maintenance/home.html": (HomeFacts, MaintenanceFacts),
    "maintenance/setup.html": (SetupFacts, MaintenanceFacts),
    "maintenance/step.html": (SetupFacts, MaintenanceFacts),
    "people.html": (PeopleFacts,),
    "photo/cards.html": (UnderstoodFacts, CardsFacts),
    "photo/kept.html": (KeptFacts, PhotoOnlyFacts),
    "photo/score.html": (UnderstoodFacts, ScoredPhotoFacts),
    "photo/table.html": (UnderstoodFacts, TablePhotoFacts),
    "photo/take.html": (TakeFacts,),
    "photo/wait.html": (WaitFacts,),
    "replay.html": (ReplayFacts,),
    "rules.html": (RulesFacts,),
    "seat.html": (LiveFacts,),
    "table.html": (LiveFacts,),
}
"""Page rendered by a request → the facts that it is given in addition to those of every page."""
WITH_BOARD = ("after.html", "photo/cards.html", "photo/table.html", "replay.html")
"""The pages on which a game draws its board."""
FRAMES: Mapping[str, Sequence[Any]] = {
    "base.html": (LiveFacts, ErrorFacts, MaintenanceFacts),
    "photo/frame.html": (UnderstoodFacts,),
}
"""Frame template → the facts that it uses if its page has them."""


@pytest.mark.parametrize("game", GAMES)
def test_every_page_that_a_request_renders_reads_declared_names_only(game: str) -> None:
    pages, environment, draw = a_table(game)
    reader, always = Reader(environment, game, draw), {*environment.globals} | names_of(SiteFacts, VisitorFacts)
    undeclared: set[tuple[str, str]] = set()
    for page, facts in {**STATIC_PAGES, **FRAMES}.items():
        known = names_of(*facts) | (declared(game, "seat") if page in WITH_BOARD else set())
        undeclared |= {(use.name, name) for use in reader.uses(page) for name in use.reads - known - always}
    assert not undeclared
    pages.close()


def test_every_template_that_extends_a_frame_is_checked_against_the_declarations() -> None:
    framed = {name for name in NAMES_OF_TEMPLATES if "{% extends" in (TEMPLATES / name).read_text(encoding="utf-8")}
    assert framed - {*FRAMES} <= {*STATIC_PAGES}
