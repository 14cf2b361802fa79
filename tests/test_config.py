"""A table's configuration: everything has a default, and every mistake is reported in one sentence with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabletop
from tabletop.config import (
    NO_CAMERA,
    CameraConfig,
    Config,
    ConfigError,
    PagesConfig,
    PanelConfig,
    PiecesConfig,
    VoiceConfig,
    load,
)


def write(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text)
    return path


def test_the_shipped_file_holds_exactly_the_defaults() -> None:
    """The shipped file contains every key with its default, so that copying it changes nothing."""
    shipped = Path(tabletop.__file__).parent / "setup/table.toml"
    config = load(shipped)
    assert config.games == shipped.parent / "games"
    assert (config.game, config.seats, config.language, config.options) == ("palazzo", Config().seats, "en", {})
    assert (config.camera, config.panel, config.pages) == (CameraConfig(), PanelConfig(), PagesConfig())
    written = shipped.read_text()
    for part in (Config, CameraConfig, PanelConfig, PagesConfig, VoiceConfig):
        assert all(f"\n{name} " in written or f"\n[{name}]" in written for name in part.__dataclass_fields__)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    config = load(write(tmp_path, ""))
    assert config.seats == load().seats
    assert config.camera == load().camera


def test_every_value_of_a_file_is_read(tmp_path: Path) -> None:
    text = """
game = "patrician"
seats = ["Ada", "Ben"]
bots = ["", "strong"]
language = "de"
games = "/var/lib/tabletop"
edition = "our-box.toml"
[camera]
source = "opencv:/dev/video2"
size = "2304x1296"
mains = 60
rate = 2
work = 25
[panel]
pins = "mock"
file = "my-panel.toml"
chip = 4
sound = false
[pages]
bind = "127.0.0.1"
port = 80
hosts = ["table.lan"]
connections = 100
[options]
stacks = "unknown"
[pieces]
make = "box"
set = "b"
scale = 1.25
[voice]
on = true
"""
    assert load(write(tmp_path, text)) == Config(
        "patrician", ("Ada", "Ben"), "de", Path("/var/lib/tabletop"), tmp_path / "our-box.toml", {"stacks": "unknown"},
        CameraConfig("opencv:/dev/video2", 60, 2, 25, (2304, 1296)),
        PanelConfig("mock", tmp_path / "my-panel.toml", 4, False),
        PagesConfig("127.0.0.1", 80, ("table.lan",), 100), PiecesConfig("box", "B", 1.25), VoiceConfig(True),
        ("", "strong"),
    )  # fmt: skip


def test_a_table_can_be_set_up_without_a_camera(tmp_path: Path) -> None:
    """With the camera source ``none``, a table works with buttons and pages alone."""
    assert load(write(tmp_path, '[camera]\nsource = "none"')).camera.source == NO_CAMERA


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\ncolour = 'red'", 2, "the file has no key “colour”; it has game, seats"),
        ("[pages]\nprot = 80", 2, "[pages] has no key “prot”; it has bind, port, hosts, connections, acts"),
        ("[pages]\nport = 0", 2, "from 1 to 65535, not 0"),
        ("[pages]\nport = '80'", 2, "has to be a whole number"),
        ("[pages]\nconnections = 0", 2, "from 8 to 400, not 0"),
        ("[pages]\nacts = 1", 2, "from 10 to 1000000, not 1"),
        ("[pages]\nport = true", 2, "has to be a whole number"),
        ("pages.hosts = 'x'", 1, "list of texts"),
        ("[camera]\nsource = 'webcam'", 2, "no camera “webcam”; choose picamera2"),
        ("[camera]\nsource = 'opencv:'", 2, "no camera"),
        ("[pieces]\nset = 'BB'", 2, "one letter A to Z, or empty, not “BB”"),
        ("[pieces]\nscale = '25 mm'", 2, "a number from 0.5 to 5, not '25 mm'"),
        ("[pieces]\nscale = 0", 2, "a number from 0.5 to 5, not 0"),
        ("[pieces]\nmake = 3", 2, "a text in quotes"),
        ("[pieces]\nsize = 25", 2, "[pieces] has no key “size”; it has make, set, scale"),
        ("[camera]\nsize = '4K'", 2, "“size” has to be like “2304x1296”, not “4K”"),
        ("[camera]\nsize = '0x0'", 2, "has to be like"),
        ("[camera]\nsize = 2304", 2, "a text in quotes"),
        ("[camera]\nwork = 0", 2, "from 5 to 100, not 0"),
        ("[camera]\nmains = 55", 2, "“mains” has to be 50 or 60, not 55"),
        ("[panel]\npins = 'usb'", 2, "“pins” has to be “gpio” or “mock”"),
        ("[voice]\non = 1", 2, "“on” has to be true or false, not 1"),
        ("[panel]\nsound = 1", 2, "“sound” has to be true or false, not 1"),
        ("game = 7", 1, "text in quotes"),
        ("seats = ['A', 'A']", 1, "no two alike"),
        ("seats = []", 1, "a name for each seat"),
        ('seats = ["A", "B\\u001b"]', 1, "contains U+001B"),
        ("bots = 'strong'", 1, "list of texts"),
        ("seats = ['A', 'B']\nbots = ['', '', 'sound']", 2, "more levels than there are seats"),
        ("camera = 'x'", 1, "has to be a table"),
        ("game = ", 1, "not TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_in_one_sentence_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'table.toml'}, line {line}: ")
    assert words in message
    assert "\n" not in message


def test_deep_nesting_and_endless_numbers_are_refused_in_a_sentence(tmp_path: Path) -> None:
    """A file nested too deeply, or with a number too long for Python, is refused in a sentence, not a traceback."""
    with pytest.raises(ConfigError, match="nested too deeply"):
        load(write(tmp_path, "seats = " + "[" * 5000))
    with pytest.raises(ConfigError, match="a number is too long"):
        load(write(tmp_path, "game = 1" + "0" * 5000))


def test_a_byte_order_mark_and_any_line_ends_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbfgame = 'patrician'\r\nlanguage = 'de'\r\n")
    assert (load(path).game, load(path).language) == ("patrician", "de")


def test_a_file_that_is_far_too_large_is_not_read_to_its_end() -> None:
    with pytest.raises(ConfigError, match=r"/dev/zero cannot be read: File too large"):
        load(Path("/dev/zero"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml cannot be read: No such file"):
        load(tmp_path / "none.toml")
