"""Addresses of static files that change with their content, so that browsers may keep them for ever."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Flask


class Assets:
    """Knows the fingerprint of every static file of the app."""

    def __init__(self, app: Flask) -> None:
        assert app.static_folder is not None
        self._folder = Path(app.static_folder)
        self._marks = {
            str(path.relative_to(self._folder)): hashlib.sha256(path.read_bytes()).hexdigest()[:10]
            for path in sorted(self._folder.rglob("*"))
            if path.is_file()
        }

    def address(self, name: str) -> str:
        """Return the address of a static file.  Raises KeyError where there is none."""
        return f"/static/{name}?v={self._marks[name]}"
