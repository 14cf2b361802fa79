"""Reads the signatures of picamera2's classes from its source, because it cannot be imported off the Pi.

``cd tests/hardware/cameras; python signatures.py PICAMERA2_SOURCE > picamera2_signatures.json``
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

USED = {
    "picamera2/picamera2.py": ("Picamera2", {
        "__init__", "global_camera_info", "camera_controls", "create_video_configuration", "configure", "start",
        "close", "set_controls", "stream_configuration", "captured_request", "cancel_all_and_flush",
    }),
    "picamera2/request.py": ("CompletedRequest", {"make_array", "get_metadata", "release"}),
}  # fmt: skip


def signatures(source: Path) -> dict[str, list[str]]:
    """Return class.method → its parameters, the optional ones marked by ``=``."""
    found = {}
    for file, (name, methods) in USED.items():
        tree = ast.parse((source / file).read_text())
        (cls,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
        for node in cls.body:
            overload = isinstance(node, ast.FunctionDef) and any(
                ast.unparse(d) == "overload" for d in node.decorator_list
            )
            if isinstance(node, ast.FunctionDef) and node.name in methods and not overload:
                parameters = [argument.arg for argument in node.args.args]
                optional = len(node.args.defaults)
                marked = [p + "=" * (i >= len(parameters) - optional) for i, p in enumerate(parameters)]
                found[f"{name}.{node.name}"] = marked
    return dict(sorted(found.items()))


if __name__ == "__main__":
    print(json.dumps(signatures(Path(sys.argv[1])), indent=1))
