"""What ``tabletop read`` tells of one picture, as plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tabletop.vision import tags
from tabletop.vision.decode import Array, Codes, decode
from tabletop.vision.errors import PictureError
from tabletop.vision.pictures import Picture, open_picture

MIRRORED = "The picture is mirrored: its tags do not count; turn mirroring off in the camera's settings."

Ids = Mapping[tuple[str, str], str]


def read_file(path: str | Path, ids: Ids, clock: Callable[[], float] = time.perf_counter) -> dict[str, Any]:
    """Return the protocol's answer for one picture: what could not be opened has its sentence in ``error``.

    ``ids`` gives the id of each known piece (:func:`tabletop.vision.tags.ids`); what names no known piece is foreign.
    """
    start = clock()
    answer: dict[str, Any] = {"image": str(path), "size": None, "ms": 0.0, "tags": [], "foreign": [], "error": None}
    try:
        picture = open_picture(path)
    except PictureError as error:
        answer["error"] = str(error)
    else:
        answer |= _told(picture, decode(picture.grey, thorough=True), ids)
    answer["ms"] = round((clock() - start) * 1000, 1)
    return answer


def _told(picture: Picture, codes: Codes, ids: Ids) -> dict[str, Any]:
    seen, foreign = [], [{"text": code.text, "corners": _plain(code.corners)} for code in codes.foreign]
    for found in codes.tags:
        tag, corners = found.tag, _plain(found.corners)
        name = tag.piece if tag.game == tags.MARKER else ids.get((tag.game, tag.piece))
        if name is None:
            foreign.append({"text": tag.payload, "corners": corners})
        else:
            seen.append(
                {
                    "id": name,
                    "set": tag.set,
                    "payload": tag.payload,
                    "corners": corners,
                    "certainty": found.certainty,
                    "how": found.how,
                }
            )
    notes = [*codes.notes]
    if codes.mirrored:
        notes.append(MIRRORED)
    if codes.disputed:
        notes.append(f"At {len(codes.disputed) // 2} places the readers disagree: nothing is accepted there.")
    return {
        "size": list(picture.size),
        "tags": sorted(seen, key=lambda tag: str(tag["payload"])),
        "foreign": foreign,
        "notes": notes,
    }


def _plain(corners: Array) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in corners]
