"""Static files, compressed, under addresses that change with their content, so that browsers may keep them for ever.

A style sheet is sent together with those that it imports, so that one request brings them all.

Pages themselves are sent uncompressed: secrets must not be compressed together with text that a stranger can choose.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from pathlib import Path

from flask import Flask, Response, abort, request, send_file

COMMON_STYLES = ("style.css", "pieces.css")
"""The style sheets of every page."""
MAX_COMPRESSED_SHARE = 0.9
"""A file is sent compressed if that takes less than this share of its size."""
IMPORT = re.compile(r'^@import "(.+)";\n', re.MULTILINE)

Brought = Callable[[str], Path | None]
"""Returns the file ``games/GAME/…`` that a game from another package brings, None if it brings none."""


class StaticFile:
    """A file and the fingerprint of its content; read when first asked for, since a table needs few of all files."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def content(self) -> bytes:
        """The bytes to send; those of a style sheet include the sheets that it imports."""
        return self._read()

    @cached_property
    def mark(self) -> str:
        """The fingerprint of the content."""
        return hashlib.sha256(self.content).hexdigest()[:10]

    def _read(self) -> bytes:
        """Return the content; each ``@import`` of a style sheet is replaced by the sheet that it names."""
        if self.path.suffix != ".css":
            return self.path.read_bytes()
        sheet = self.path.read_text(encoding="utf-8")
        return IMPORT.sub(lambda found: (self.path.parent / found[1]).read_text(encoding="utf-8"), sheet).encode()

    @cached_property
    def packed(self) -> bytes | None:
        """The content compressed, None if that saves little.  Compressed when first asked for: it takes a while."""
        packed = gzip.compress(self.content, mtime=0)
        return packed if len(packed) < MAX_COMPRESSED_SHARE * len(self.content) else None


class Assets:
    """Knows the fingerprint of every static file of the app, and sends each compressed to clients that can read it."""

    def __init__(self, app: Flask, brought: Brought = lambda _name: None) -> None:
        assert app.static_folder is not None
        folder = Path(app.static_folder)
        own = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        self._files = {path.relative_to(folder).as_posix(): StaticFile(path) for path in own}
        self._brought = brought
        self._styles: dict[str, str] = {}
        self._ahead = ", ".join(f"<{self.address(name)}>; rel=preload; as=style" for name in COMMON_STYLES)
        app.view_functions["static"] = self._send
        app.after_request(self._pack)
        app.after_request(self._announce)

    def address(self, name: str) -> str:
        """Return the address of a static file.  Raises KeyError if there is none."""
        file = self._file(name)
        if file is None:
            raise KeyError(name)
        return f"/static/{name}?v={file.mark}"

    def style_of(self, game: str) -> str:
        """Return the address of the styles that only the pages of this game need, empty if it has none.

        They are ``games/GAME.css``; a game from another package brings ``style.css``.
        """
        if game not in self._styles:
            names = (f"games/{game}.css", f"games/{game}/style.css")
            self._styles[game] = next((self.address(name) for name in names if self._file(name)), "")
        return self._styles[game]

    def _file(self, name: str) -> StaticFile | None:
        if name not in self._files and (path := self._brought(name)):
            self._files[name] = StaticFile(path)
        return self._files.get(name)

    def _send(self, filename: str) -> Response:
        file = self._file(filename)
        if file is None:
            abort(404)
        return send_file(BytesIO(file.content), download_name=file.path.name, etag=file.mark)

    def _announce(self, response: Response) -> Response:
        """Name the style sheets in a page's headers: a browser asks for them while it still receives the page."""
        if response.mimetype == "text/html":
            response.headers["Link"] = self._ahead
        return response

    def _pack(self, response: Response) -> Response:
        if request.endpoint != "static" or response.status_code != 200:
            return response
        file = self._files.get((request.view_args or {}).get("filename", ""))
        if file is None or file.packed is None:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") > 0:
            response.close()  # the file is not sent
            response.direct_passthrough = False
            response.set_data(file.packed)
            response.headers["Content-Encoding"] = "gzip"
            response.set_etag(response.get_etag()[0] or "", weak=True)  # the same content in other bytes
        return response
