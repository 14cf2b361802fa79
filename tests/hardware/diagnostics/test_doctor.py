"""The doctor's list: each probe distinguishes good, doubtful and broken, and says what to do."""

from __future__ import annotations

import errno
import json
import os
import pwd
import socket
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tabletop.cli.doctor import command
from tabletop.config import NO_CAMERA, CameraConfig, Config, PagesConfig, PanelConfig, PiecesConfig, VoiceConfig
from tabletop.hardware import voice
from tabletop.hardware.diagnostics import doctor, probes, probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, ProbedMachine
from tabletop.hardware.panel import chips
from tabletop.hardware.panel.chips import Chip
from tabletop.hardware.panel.gpio import mock_factory
from tabletop.messages import Message
from tabletop.vision.aim import assess
from tabletop.vision.aim.assessment import Aim, Hint

PI = "Raspberry Pi 5 Model B Rev 1.0"


@pytest.fixture
def machine(tmp_path: Path) -> ProbedMachine:
    """A Pi on which nothing is wrong and nothing is wired."""
    files = {"proc/device-tree/model": PI + "\0", "etc/os-release": 'PRETTY_NAME="Debian 13"\n'}
    files |= {"run/systemd/timesync/synchronized": ""}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    config = Config(games=tmp_path / "games", panel=PanelConfig(pins="mock"), camera=CameraConfig("simulated"))
    return ProbedMachine(config, lambda: 7.0, lambda: 1.9e9, tmp_path, lambda _: "throttled=0x0", 1000, {})


def one(checks: Iterable[Check]) -> Check:
    (check,) = checks
    return check


def test_a_pi_is_recognised_by_its_model(machine: ProbedMachine) -> None:
    assert one(probes.board(machine)) == Check("board", CheckState.OK, Message(PI))


def test_another_machine_is_a_warning_that_says_what_works_on_it(machine: ProbedMachine, tmp_path: Path) -> None:
    check = one(probes.board(replace(machine, root=tmp_path / "none")))
    assert (check.state, "tabletop demo" in check.fix) == (CheckState.WARNING, True)


def test_the_system_is_named(machine: ProbedMachine) -> None:
    assert "Debian 13" in one(probes.system(machine)).fact


@pytest.mark.parametrize(
    ("bits", "state", "words"),
    [
        ("0x0", CheckState.OK, "no undervoltage"),
        ("0x50000", CheckState.WARNING, "Fine now; since the start there was: undervoltage, throttled"),
        ("0x50005", CheckState.FAULT, "At this moment: undervoltage, throttled"),
        ("0x8", CheckState.FAULT, "temperature"),
    ],
)
def test_throttling_now_and_since_the_start_are_told_apart(
    machine: ProbedMachine, bits: str, state: CheckState, words: str
) -> None:
    check = one(probes.power(replace(machine, run=lambda _: f"throttled={bits}")))
    assert check.state is state
    assert words in check.fact


def test_a_pi_that_does_not_report_its_power_is_a_warning(machine: ProbedMachine) -> None:
    assert one(probes.power(replace(machine, run=lambda _: None))).state is CheckState.WARNING


@pytest.mark.parametrize(("now", "state"), [(0.0, CheckState.WARNING), (1.9e9, CheckState.OK)])
def test_a_clock_that_was_never_set_is_reported(machine: ProbedMachine, now: float, state: CheckState) -> None:
    assert one(probes.clock(replace(machine, now=lambda: now))).state is state


def test_a_clock_that_no_network_confirmed_is_reported(machine: ProbedMachine, tmp_path: Path) -> None:
    (tmp_path / "run/systemd/timesync/synchronized").unlink()
    assert one(probes.clock(machine)).state is CheckState.WARNING


@pytest.mark.parametrize(
    ("total", "contiguous", "size", "state", "words"),
    [
        (426, 256, None, CheckState.FAULT, "426 MB of memory: a table needs a board with 1 GB."),
        (906, 64, None, CheckState.WARNING, "64 MB of contiguous memory, and the camera needs about 94."),
        (906, 64, (2304, 1296), CheckState.OK, "906 MB"),
        (3800, 320, None, CheckState.OK, "3800 MB"),
        (8000, 0, None, CheckState.OK, "8000 MB"),
    ],
)
def test_memory_is_compared_with_the_size_of_the_pictures(
    machine: ProbedMachine, tmp_path: Path, total: int, contiguous: int, size: tuple[int, int] | None,
    state: CheckState, words: str,
) -> None:  # fmt: skip
    """512 MB are reported as too few, and a Pi's camera also needs enough contiguous memory for its buffers."""
    (tmp_path / "proc").mkdir(exist_ok=True)
    text = f"MemTotal:       {total * 1024} kB\nCmaTotal:       {contiguous * 1024} kB\n"
    (tmp_path / "proc/meminfo").write_text(text)
    config = replace(machine.config, camera=CameraConfig("picamera2", size=size))
    check = one(probes.memory(replace(machine, config=config)))
    assert (check.state, str(check.fact)) == (state, words)
    assert bool(check.fix) is (state is not CheckState.OK)


def test_pictures_that_could_be_smaller_are_reported(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The doctor repeats the advice of tabletop aim that smaller pictures would do."""
    cv2.imwrite(str(tmp_path / "table.png"), np.tile(np.arange(3840) % 250, (2160, 1)).astype(np.uint8))
    told = Hint("smaller", Message("Smaller pictures would do."))
    monkeypatch.setattr(assess, "look", lambda *_: Aim((), advice=(told,)))
    config = replace(machine.config, camera=CameraConfig(f"images:{tmp_path}"))
    checks = list(probes_table.camera(replace(machine, config=config)))
    assert ("size", CheckState.OK, told.message) in [check[:3] for check in checks]


def test_a_writable_disk_with_space_is_ok_and_unchanged(machine: ProbedMachine, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert one(probes.disk(machine)).state is CheckState.OK
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("mounts", "state"),
    [
        (("overlayroot / overlay rw,upperdir=/media/root-rw/overlay", "tmpfs-root /media/root-rw tmpfs rw"), "warning"),
        (("overlay / overlay rw,upperdir=/media/root-rw/overlay", "/dev/mmcblk0p5 /media/root-rw ext4 rw"), "ok"),
        (("/dev/mmcblk0p2 / ext4 rw", "tmpfs {folder} tmpfs rw"), "warning"),
        (("tmpfs / tmpfs rw", "/dev/sda1 {folder} ext4 rw"), "ok"),
    ],
)
def test_games_that_are_kept_in_memory_are_reported(
    machine: ProbedMachine, tmp_path: Path, mounts: tuple[str, ...], state: str
) -> None:
    """Games on a disk kept in memory, as with Raspberry Pi OS's overlay, are reported, since they would be lost."""
    lines = [line.format(folder=tmp_path) + " 0 0\n" for line in mounts]
    (tmp_path / "proc/mounts").write_text("".join(lines))
    assert one(probes.disk(machine)).state.value == state


def test_a_slow_disk_is_reported(machine: ProbedMachine) -> None:
    ticks = iter(range(10))
    assert one(probes.disk(replace(machine, clock=lambda: float(next(ticks))))).fact.endswith("after 1000 ms: slow.")


def test_a_folder_that_cannot_be_written_is_a_fault(machine: ProbedMachine) -> None:
    config = replace(machine.config, games=Path("/proc/games"))
    check = one(probes.disk(replace(machine, config=config)))
    assert check.state is CheckState.FAULT
    assert "/proc cannot be written" in check.fact


def test_another_user_is_told_who_owns_the_folder_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who may not write the folder of games is told its owner and the sudo command, unless that is root."""
    owner = 1

    class Folder:
        def stat(self) -> os.stat_result:
            return os.stat_result((0, 0, 0, 0, owner, 0, 0, 0, 0, 0))

    monkeypatch.setattr(probes, "existing_folder", lambda _: Folder())
    name = pwd.getpwuid(owner).pw_name
    assert probes.folder_advice(Path("games"), 1000).endswith(
        f"belongs to {name}: run the command with sudo -u {name}."
    )
    other = "Choose another folder as “games”."
    assert probes.folder_advice(Path("games"), owner) == other
    owner = 0
    assert probes.folder_advice(Path("games"), 1000) == other


def test_of_a_closed_folder_the_closest_visible_one_is_reported(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a folder inside somebody's closed home, the closest folder above it that can be seen is reported."""
    stat = os.stat

    def guarded(path: Any, **how: Any) -> os.stat_result:
        if str(path).startswith(f"{tmp_path}/home/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat(path, **how)

    (tmp_path / "home").mkdir()
    monkeypatch.setattr(os, "stat", guarded)
    assert probes.existing_folder(tmp_path / "home/games") == tmp_path / "home"


def test_a_port_in_use_is_reported_with_its_number(machine: ProbedMachine) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        number = busy.getsockname()[1]
        config = replace(machine.config, pages=PagesConfig("127.0.0.1", number))
        check = one(probes.port(replace(machine, config=config)))
    assert check.fact == f"Port {number} is in use."
    assert check.state is CheckState.WARNING


@pytest.mark.parametrize("bind", ["", "a\0b", "ä..ö", "x" * 70 + ".lan"])
def test_a_bind_that_is_not_an_address_is_a_fault_of_the_settings(machine: ProbedMachine, bind: str) -> None:
    """A “bind” in table.toml that is not a machine's address is a fault, and the fix names the setting."""
    config = replace(machine.config, pages=PagesConfig(bind, 8080))
    check = one(probes.port(replace(machine, config=config)))
    assert check.state is CheckState.FAULT
    assert check.fix == "Change [pages] bind."


def test_a_read_only_disk_is_a_single_fault(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert one(probes.disk(machine)).fact.endswith("cannot be written to: Read-only file system.")


def test_an_ipv6_address_is_tried_too(machine: ProbedMachine) -> None:
    config = replace(machine.config, pages=PagesConfig("2001:db8::7", 8080))
    assert one(probes.port(replace(machine, config=config))).state is CheckState.FAULT


def test_an_address_that_is_not_ours_is_a_fault(machine: ProbedMachine) -> None:
    config = replace(machine.config, pages=PagesConfig("203.0.113.7", 8080))
    assert one(probes.port(replace(machine, config=config))).state is CheckState.FAULT


def test_each_reader_reads_the_test_card(machine: ProbedMachine) -> None:
    first, second = probes_table.readers(machine)
    assert (first.name, first.state) == ("zxing-cpp", CheckState.OK)
    assert second.name == "libzbar"


def test_a_bus_on_a_pin_of_the_panel_is_a_fault(machine: ProbedMachine, tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/i2c-1").touch()
    check = one(probes_table.panel(machine))
    assert check.state is CheckState.FAULT
    assert "is used by I2C" in check.fact


def test_mock_pins_are_a_warning(machine: ProbedMachine) -> None:
    wired, pins = probes_table.panel(machine)
    assert (wired.state, pins.state) == (CheckState.OK, CheckState.WARNING)


def gpio(machine: ProbedMachine, work: Path) -> ProbedMachine:
    return replace(machine, config=replace(machine.config, panel=PanelConfig("gpio")), environment={"LG_WD": str(work)})


def test_real_pins_without_their_library_are_a_fault(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    _, pins = probes_table.panel(gpio(machine, tmp_path))
    assert (pins.state, pins.fact) == (CheckState.FAULT, "The pin library lgpio is missing.")


def test_a_folder_the_pin_library_cannot_write_is_a_fault(machine: ProbedMachine, tmp_path: Path) -> None:
    _, pins = probes_table.panel(gpio(machine, tmp_path / "none"))
    assert "cannot write its pipe" in pins.fact


def seen(machine: ProbedMachine, folder: Path) -> list[Check]:
    config = replace(machine.config, camera=CameraConfig(f"images:{folder}"))
    return list(probes_table.camera(replace(machine, config=config)))


def test_a_camera_is_ok_once_it_gave_a_picture(machine: ProbedMachine, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.random.default_rng(1).integers(0, 255, (40, 60), np.uint8))
    (check,) = seen(machine, tmp_path)
    assert check.state is CheckState.OK
    assert "60 × 40 px" in check.fact


def test_a_black_picture_is_reported(machine: ProbedMachine, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((40, 60), np.uint8))
    assert [check.name for check in seen(machine, tmp_path)] == ["camera", "picture"]


def test_a_missing_camera_is_a_fault_with_its_fix(machine: ProbedMachine, tmp_path: Path) -> None:
    (check,) = seen(machine, tmp_path / "none")
    assert check.state is CheckState.FAULT
    assert check.fix


def test_a_failing_probe_becomes_a_line_and_the_others_continue(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: ProbedMachine) -> Iterable[Check]:
        raise RuntimeError("what")

    monkeypatch.setattr(probes, "ALL", {"broken": broken, "board": probes.board})
    monkeypatch.setattr(probes_table, "ALL", {})
    first, second = doctor.examine(machine)
    assert (first.name, first.state, second.name) == ("broken", CheckState.FAULT, "board")


def test_the_command_prints_the_list_as_json_and_ends_with_1_on_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"[camera]\nsource = 'images:{tmp_path / 'none'}'\n[panel]\npins = 'mock'\n")
    done = CliRunner().invoke(command, ["--config", str(path), "--json"])
    states = {check["check"]: check["state"] for check in json.loads(done.stdout)}
    assert (states["camera"], states["zxing-cpp"], done.exit_code) == ("fault", "ok", 1)


def test_a_wrong_configuration_ends_with_2_and_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("colour = 1\n")
    done = CliRunner().invoke(command, ["--config", str(path)])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "line 1" in done.stderr


def test_root_needs_no_groups(machine: ProbedMachine) -> None:
    assert one(probes.groups(replace(machine, user=0))).state is CheckState.OK


def test_a_user_outside_a_group_is_advised_to_join_it(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user outside a group whose devices exist is told the usermod command, even if the chip's number is not 0."""
    monkeypatch.setattr(os, "getgroups", list)
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip11").touch()
    assert one(probes.groups(machine)).fix == "sudo usermod -aG gpio $USER, then log in again."


def test_a_lasting_name_is_advised_for_a_usb_camera(machine: ProbedMachine, tmp_path: Path) -> None:
    """For a USB camera given by a number, udev's lasting name is advised; for one given by that name, nothing."""
    link = tmp_path / "dev/v4l/by-id/usb-Acme_Webcam-video-index0"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../video0")

    def told(source: str) -> list[str]:
        config = replace(machine.config, camera=CameraConfig(source))
        return [check.fix for check in probes_table.names(replace(machine, config=config))]

    kept = "opencv:/dev/v4l/by-id/usb-Acme_Webcam-video-index0"
    assert told("opencv:0") == told("opencv:/dev/video0") == [f'[camera] source = "{kept}"']
    assert told(kept) == told("opencv:2") == told("picamera2") == []


PI_CAMERA = """Available cameras
-----------------
0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
"""
USB_CAMERA = """ioctl: VIDIOC_ENUM_FMT
	[0]: 'MJPG' (Motion-JPEG, compressed)
		Size: Discrete 1920x1080
			Interval: Discrete 0.033s (30.000 fps)
		Size: Discrete 3840x2160
Camera Controls
     focus_automatic_continuous 0x009a090c (bool)   : default=1 value=%d
"""


def told_by(machine: ProbedMachine, source: str, answer: str | None) -> list[Check]:
    config = replace(machine.config, camera=CameraConfig(source))
    return list(probes_table.modes(replace(machine, config=config, run=lambda _: answer)))


def test_the_modes_of_a_pis_camera_are_listed(machine: ProbedMachine) -> None:
    fact = "1536x864 (120 a second), 2304x1296 (56 a second), 4608x2592 (14 a second)"
    assert told_by(machine, "picamera2", PI_CAMERA) == [Check("modes", CheckState.OK, Message(fact))]


def test_a_usb_cameras_modes_and_its_restless_focus_are_reported(machine: ProbedMachine) -> None:
    (sizes,) = told_by(machine, "opencv:0", USB_CAMERA % 0)
    assert sizes == Check("modes", CheckState.OK, Message("3840x2160, 1920x1080"))
    _, focus = told_by(machine, "opencv:/dev/video2", USB_CAMERA % 1)
    assert focus.state is CheckState.WARNING
    assert "--device /dev/video2" in focus.fix


@pytest.mark.parametrize("source", ["picamera2", "opencv:0", "images:x", "simulated"])
def test_missing_tools_are_not_reported(machine: ProbedMachine, source: str) -> None:
    assert told_by(machine, source, None) == []


def test_a_camera_without_autofocus_is_advised_to_turn_its_ring() -> None:
    """A camera with a fixed focus is advised to be focused by its ring; PiCamera.about says which it is."""
    (check,) = probes_table.focus_checks("imx477 (fixed focus)")
    assert (check.state, "ring" in check.fix) == (CheckState.WARNING, True)
    assert [check.state for check in probes_table.focus_checks("imx708 (autofocus)")] == [CheckState.OK]
    assert not list(probes_table.focus_checks("a folder (pictures: 3)"))


class LGPIOFactory:
    """Has the name of the real factory, which is not installed here."""

    chip = 4


@pytest.mark.parametrize(
    ("factory", "state", "words"),
    [
        (LGPIOFactory(), CheckState.OK, "lgpio on /dev/gpiochip4, its pipe in /run/tabletop"),
        (mock_factory(), CheckState.WARNING, "Mock pins are in use"),
        (object(), CheckState.FAULT, "object holds the pins"),
    ],
)
def test_the_library_that_really_holds_the_pins_is_named(
    machine: ProbedMachine, factory: object, state: CheckState, words: str
) -> None:
    check = probes_table.factory_in_use(factory, replace(machine, environment={"LG_WD": "/run/tabletop"}))
    assert check.state is state
    assert words in check.fact


def test_the_label_of_the_chip_in_use_is_reported(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chip in use is reported with its label, since kernels change its number."""
    monkeypatch.setattr(chips, "present_chips", lambda dev: [Chip(4, "pinctrl-rp1", 54)])
    assert "lgpio on /dev/gpiochip4 (pinctrl-rp1)" in probes_table.factory_in_use(LGPIOFactory(), machine).fact


def test_a_probe_can_be_replaced_while_a_table_holds_the_device(machine: ProbedMachine) -> None:
    mine = Check("port", CheckState.OK, Message("served there"))
    found = doctor.examine(machine, {"port": lambda _: [mine]})
    assert [check for check in found if check.name == "port"] == [mine]


def test_an_unknown_probe_cannot_be_replaced(machine: ProbedMachine) -> None:
    with pytest.raises(ValueError, match="no such probes: prot"):
        doctor.examine(machine, {"prot": lambda _: []})


@pytest.mark.parametrize(
    ("pieces", "state", "words"),
    [
        (PiecesConfig(), CheckState.OK, "Palazzo, make printed, set –, tags of 20 mm"),
        (PiecesConfig("box", "B", 1.25), CheckState.OK, "Palazzo, make box, set B, tags of 25 mm"),
        (PiecesConfig("wood"), CheckState.FAULT, "Palazzo has no make “wood”; choose printed, box."),
    ],
)
def test_the_pieces_of_the_settings_are_named_and_an_unknown_make_is_a_fault(
    machine: ProbedMachine, pieces: PiecesConfig, state: CheckState, words: str
) -> None:
    """The doctor names the make, set and size of tags; a make that the game lacks is a fault that lists its makes."""
    [check] = probes_table.pieces(replace(machine, config=replace(machine.config, pieces=pieces)))
    assert (check.state, str(check.fact)) == (state, words)


def test_a_table_without_a_camera_has_no_fault(machine: ProbedMachine) -> None:
    """A table that is configured without a camera has no fault."""
    config = replace(machine.config, camera=CameraConfig(NO_CAMERA))
    [check] = probes_table.camera(replace(machine, config=config))
    assert check.state is CheckState.OK


@pytest.mark.parametrize(
    ("on", "found", "state", "said"),
    [
        (False, None, CheckState.OK, "off"),
        (True, "/usr/bin/espeak-ng", CheckState.OK, "speaks de"),
        (True, None, CheckState.WARNING, "not installed"),
    ],
)
def test_a_speaking_table_needs_its_speech_program(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch, on: bool, found: str | None, state: CheckState, said: str
) -> None:
    monkeypatch.setattr(voice, "speech_program_path", lambda: found)
    sound(machine.root).touch()
    config = replace(machine.config, voice=VoiceConfig(on), language="de")
    check = one(probes_table.speech(replace(machine, config=config)))
    assert check.state is state
    assert said in check.fact
    assert ("apt-get install espeak-ng" in check.fix) is (state is CheckState.WARNING)


def sound(root: Path) -> Path:
    """Return the path of a machine's loudspeaker device."""
    (root / "dev/snd").mkdir(parents=True)
    return root / "dev/snd/pcmC0D0p"


def test_a_speaking_table_needs_permission_for_a_loudspeaker(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice, "speech_program_path", lambda: "/usr/bin/espeak-ng")
    speaking = replace(machine, config=replace(machine.config, voice=VoiceConfig(True)))
    check = one(probes_table.speech(speaking))
    assert (check.state, str(check.fact)) == (CheckState.WARNING, "There is no sound output here.")
    sound(machine.root).mkdir()  # a folder cannot be opened for writing, not even by root
    check = one(probes_table.speech(speaking))
    assert (check.state, "cannot be opened" in check.fact) == (CheckState.WARNING, True)
    assert "audio" in check.fix


def test_a_loudspeaker_in_use_is_not_a_fault(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    device, opened = sound(machine.root), os.open
    device.touch()

    def busy(path: Any, *more: Any, **named: Any) -> int:
        if path == device:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return opened(path, *more, **named)

    monkeypatch.setattr(voice, "speech_program_path", lambda: "/usr/bin/espeak-ng")
    monkeypatch.setattr(os, "open", busy)
    check = one(probes_table.speech(replace(machine, config=replace(machine.config, voice=VoiceConfig(True)))))
    assert check.state is CheckState.OK
