"""Whatever keeps the real table from being served is reported in one sentence that says what to do."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import NoReturn

import pytest

from tabletop.config import NO_CAMERA, NO_PANEL, CameraConfig, Config, PagesConfig, PanelConfig
from tabletop.messages import Message
from tabletop.runtime import network, serve


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EACCES])
def test_a_folder_that_cannot_be_locked_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A folder that cannot be locked, for lack of permission or of locks on its disk, is reported in one sentence."""

    def refuse(*_: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    config = Config(
        games=tmp_path,
        camera=CameraConfig(NO_CAMERA),
        panel=PanelConfig(NO_PANEL),
        pages=PagesConfig("127.0.0.1", network.free_port("127.0.0.1")),
    )
    refused = f"{tmp_path} for the games cannot be used: {os.strerror(number)}. Choose another folder"
    with pytest.raises(serve.ServeError, match=refused):
        serve.run(config, lambda _: None)
    monkeypatch.setattr(serve, "folder_advice", lambda _: Message("Run it as somebody else."))
    with pytest.raises(serve.ServeError, match=re.escape(f"{os.strerror(number)}. Run it as somebody else.")):
        serve.run(config, lambda _: None)
    assert not [*tmp_path.iterdir()]
