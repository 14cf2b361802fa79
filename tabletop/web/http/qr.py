"""QR codes on pages."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=8)  # every page shows the way in
def qr(text: str, error: str = "m") -> Markup:
    """Return a QR code as inline SVG, one unit per module; ``error`` is its error correction level.

    Empty if the text is too long for any QR code.
    """
    out = io.BytesIO()
    try:
        code = segno.make(text, error=error, micro=False)
    except segno.DataOverflowError:
        return Markup("")
    code.save(out, kind="svg", xmldecl=False, svgns=True, nl=False, border=3, omitsize=True, light="#fff", dark="#000")
    return Markup(out.getvalue().decode())
