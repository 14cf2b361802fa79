"""Reading JSON that may be damaged, or written by anybody."""

from __future__ import annotations

import json
from typing import Any


def parse(text: str | bytes) -> Any:
    """Return the value of a JSON text.  Raises ValueError if it is not JSON, or nested too deeply to read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
