"""Regions of a page that cannot be rendered: an error in one of them costs that region, never the page."""

from __future__ import annotations

import logging

from markupsafe import Markup

from tabletop.web.i18n import gettext as _

log = logging.getLogger(__name__)


MAX_LOGGED_ERRORS = 100
"""How many different errors are logged at most."""


class Broken:
    """Stands in for regions that cannot be rendered, and logs each error in a region once: pages are drawn often."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def instead(self, where: str, error: Exception) -> Markup:
        """Return what is shown in place of a region, in the language of the page."""
        known = where, repr(error)
        if known not in self._told and len(self._told) < MAX_LOGGED_ERRORS:
            self._told.add(known)
            log.error("%s cannot be rendered", where, exc_info=error)
        why = _("This part cannot be shown right now. Reload the page, or ask the host.")
        return Markup('<p class="prompt wrong"><b aria-hidden="true">✕</b><span>{}</span></p>').format(why)
