"""Static files: addresses that change with their content, so that browsers may keep them for ever, and less to send.

Pages themselves are sent as they are: what is secret must not be packed together with what a stranger can choose.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from flask import Flask, Response, request

EVERYWHERE = ("style.css", "pieces.css", "boards.css")
"""The styles that every page has."""
WORTH = 0.9
"""A file is sent packed where that takes less than this part of it."""


class Assets:
    """Knows the fingerprint of every static file of the app, and sends each compressed to clients that can read it."""

    def __init__(self, app: Flask) -> None:
        assert app.static_folder is not None
        folder = Path(app.static_folder)
        content = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        self._marks = {name: hashlib.sha256(data).hexdigest()[:10] for name, data in content.items()}
        self._ahead = ", ".join(f"<{self.address(name)}>; rel=preload; as=style" for name in EVERYWHERE)
        packed = {name: gzip.compress(data, mtime=0) for name, data in content.items()}
        self._packed = {name: data for name, data in packed.items() if len(data) < WORTH * len(content[name])}
        app.after_request(self._pack)
        app.after_request(self._announce)

    def address(self, name: str) -> str:
        """Return the address of a static file.  Raises KeyError if there is none."""
        return f"/static/{name}?v={self._marks[name]}"

    def style_of(self, game: str) -> str:
        """Return the address of the styles that only the pages of this game need, empty if it has none."""
        name = f"games/{game}.css"
        return self.address(name) if name in self._marks else ""

    def _announce(self, response: Response) -> Response:
        """Name the styles before the page that needs them: a browser asks for them while it receives the page."""
        if response.mimetype == "text/html":
            response.headers["Link"] = self._ahead
        return response

    def _pack(self, response: Response) -> Response:
        if request.endpoint != "static" or response.status_code != 200:
            return response
        packed = self._packed.get((request.view_args or {}).get("filename", ""))
        if packed is None:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") > 0:
            response.close()  # the file is not sent
            response.direct_passthrough = False
            response.set_data(packed)
            response.headers["Content-Encoding"] = "gzip"
            response.set_etag(response.get_etag()[0] or "", weak=True)  # the same words, not the same bytes
        return response
