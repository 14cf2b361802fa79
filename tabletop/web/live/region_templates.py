"""Finds the templates of regions, each only once: a game's own, else the generic one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from jinja2 import Environment, Template
from markupsafe import Markup


class RegionTemplates:
    """Finds the templates of an environment, and makes complete contexts for them."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._found: dict[str, Template] = {}

    def named(self, name: str) -> Template:
        """Return the template of that name.  Raises TemplateNotFound."""
        return self._environment.get_template(name)

    def of_region(self, game: str, page: str, region: str) -> Template:
        """Return the game's own template of a region, else the generic one.  Raises TemplatesNotFound."""
        key = f"{game}/{page}/{region}"
        if key not in self._found:
            choices = [f"games/{game}/{page}/{region}.html", f"parts/{page}/{region}.html", f"parts/{region}.html"]
            self._found[key] = self._environment.select_template(choices)
        return self._found[key]

    def complete(self, *facts: Mapping[str, object]) -> dict[str, object]:
        """Return a context with everything a template may ask for: the environment's globals and these facts."""
        context = dict(self._environment.globals)
        for some in facts:
            context.update(some)
        return context


def draw(template: Template, context: Mapping[str, object]) -> Markup:
    """Return a template rendered in a complete context, without copying it each time as Template.render does."""
    whole = cast(dict[str, object], context)
    return Markup("".join(template.root_render_func(template.new_context(whole, shared=True))))
