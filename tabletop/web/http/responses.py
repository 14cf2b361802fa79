"""Responses that are files: pictures and downloads."""

from __future__ import annotations

from flask import Response


def jpeg_response(jpeg: bytes | None) -> Response:
    """Return a picture; 204 (no content) if there is none."""
    return Response(status=204) if jpeg is None else Response(jpeg, mimetype="image/jpeg")


def attachment_response(content: bytes | str, name: str, mimetype: str) -> Response:
    """Return a file that the browser saves under that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=mimetype, headers=headers)
