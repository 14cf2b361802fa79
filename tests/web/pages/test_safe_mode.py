"""Health and setup as pages: only for the host, in words, and with all that the setup in the terminal can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from tabletop.config import load
from tabletop.hardware import diagnostics
from tabletop.hardware.cameras.present import PresentCamera
from tabletop.hardware.errors import CameraLost
from tabletop.messages import EMPTY, Message, said_by
from tabletop.rules import registry
from tabletop.runtime.health import diagnostics as runtime_diagnostics
from tabletop.vision.aim.assessment import Aim, Hint, ZoneAim
from tabletop.web.pages.health import CHECKS as CHECK_NAMES
from tabletop.web.pages.health import HealthActions, attach
from tests.web.pages.maintained import CHECKS, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_safe_mode_says_what_it_is_and_why(tmp_path: Path) -> None:
    told = Bench(tmp_path, "The pins <are> held.").guest.get("/").text
    assert "The table is in safe mode" in told
    assert "The pins &lt;are&gt; held." in told


def test_every_check_of_the_doctor_has_a_name_on_the_page() -> None:
    """Checks have names in the page's language; names of libraries are the same in all languages."""
    sources = [*Path(diagnostics.__file__).parent.glob("*.py"), Path(runtime_diagnostics.__file__)]
    named = {name for path in sources for name in re.findall(r'Check\(\s*"([a-z-]+)"', path.read_text("utf-8"))}
    assert len(named) > 15
    assert named <= CHECK_NAMES.keys()


def test_setup_is_not_called_safe_mode(bench: Bench) -> None:
    assert "safe mode" not in bench.guest.get("/").text


@pytest.mark.parametrize("path", ["/setup", "/health"])
def test_a_guest_is_asked_for_the_code(bench: Bench, path: str) -> None:
    told = bench.guest.get(path).text
    assert 'name="code"' in told
    assert f'data-next="{path}"' in told
    assert "camera" not in told


@pytest.mark.parametrize(
    "path",
    ["/setup/step", "/setup/picture.jpg", "/setup/sheets-a4.pdf", "/setup/pieces-a4.pdf", "/health/bug-report.zip"],
)
def test_a_guest_gets_nothing_else(bench: Bench, path: str) -> None:
    assert bench.guest.get(path).status_code == 403


@pytest.mark.parametrize("path", ["/setup/do", "/health/leave"])
def test_a_guest_can_do_nothing(bench: Bench, path: str) -> None:
    assert bench.guest.post(path, {"what": "save"}).status_code == 403
    assert bench.left == 0


def test_another_site_can_do_nothing_in_the_hosts_name(bench: Bench) -> None:
    assert bench.host.post("/health/leave", {}, Origin="http://evil.example").status_code == 403
    assert bench.left == 0


def test_the_code_makes_a_host(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.room.hosts.code = "FRESH234"
    assert bench.guest.post("/host", {"code": "fresh 234"}).get_json() == {"ok": True}
    assert "Health of the table" in bench.guest.get("/health").text


def test_the_list_says_in_words_how_each_thing_is(bench: Bench) -> None:
    """A state is never told by colour alone, and a fault comes with its fix."""
    told = bench.host.get("/health").text
    assert "good</b>" in told
    assert "fault</b>" in told
    assert "It is &lt;not&gt; there." in told
    assert "Reseat the cable." in told
    assert "has to be fixed" in told


@pytest.mark.parametrize(
    ("language", "words"), [("de", ("Strom", "gedrosselt", "Port 80 ist frei")), ("it", ("rallentato", "porta 80"))]
)
def test_the_health_checks_are_in_the_language_of_the_page(bench: Bench, language: str, words: list[str]) -> None:
    told = bench.host.get("/health", **{"Accept-Language": language}).text
    assert [word for word in words if word not in told] == []


def test_a_devices_own_error_is_in_the_language_of_the_page(bench: Bench) -> None:
    """The page translates the error, whose gaps were filled when it was raised."""
    bench.checks = [
        {
            "check": "pins",
            "state": "fault",
            "fact": Message(
                "None of the GPIO chips that can be opened has a Raspberry Pi’s header ({chips}).",
                chips="gpiochip0: x × 8",
            ),
            "fix": EMPTY,
        }
    ]
    told = bench.host.get("/health", **{"Accept-Language": "de"}).text
    assert "hat die Stiftleiste eines Raspberry Pi (gpiochip0: x × 8)." in told


def test_a_picture_is_in_the_report_only_where_it_was_asked_for(bench: Bench) -> None:
    answer = bench.host.get("/health/bug-report.zip")
    assert (answer.mimetype, answer.data) == ("application/zip", b"PK report")
    bench.host.get("/health/bug-report.zip?pictures=on")
    assert bench.wanted == [False, True]


def test_the_table_is_started_from_here_once_the_person_who_asked_was_answered(bench: Bench, tmp_path: Path) -> None:
    with bench.host.post("/health/leave", {}) as answer:
        assert answer.get_json() == {"ok": True}
        assert bench.left == 0
    assert bench.left == 1


def test_a_process_that_nothing_would_restart_is_not_ended(tmp_path: Path) -> None:
    bench = Bench(tmp_path, leaves=False)
    assert "data-leave" not in bench.host.get("/health").text
    assert bench.host.post("/health/leave", {}).status_code == 404


def test_the_whole_setup_can_be_done_on_the_page(bench: Bench, tmp_path: Path) -> None:
    assert "Who sits where" in bench.step()
    assert bench.do("choose", game="palazzo", seats=["Ada", "Ben", ""]).status_code == 200
    assert "Press the button that is lit: Money" in bench.step()
    assert "header pin 29, the button itself on header pin 11" in bench.step()
    bench.press(what="answer", how="wrong")
    for _ in range(17):
        bench.press(what="answer", how="skipped")
    assert "Everything has been tried." in bench.step()
    bench.press(what="onward")
    assert "Waiting for the first picture" in bench.step()
    bench.wizard.see(
        bench.wizard.draft.source,
        Aim(
            (ZoneAim("row", Message("Money row"), 3.25, 1.0), ZoneAim("wh", Message("Warehouse"))),
            (Hint("no-marker", Message("No zone card can be read.")),),
        ),
    )
    told = bench.step()
    assert "zone cards 1 / 2" in told
    assert "Money row 3.25 px per module" in told
    assert "Warehouse not seen" in told
    assert "No zone card can be read." in told
    bench.do("aimed")
    assert "Warehouse" in bench.step()
    bench.press(what="onward")
    assert "not aimed yet" in bench.step()
    bench.do("save")
    assert "has been saved" in bench.step()
    assert load(tmp_path / "table.toml").seats == ("Ada", "Ben")


def test_a_table_without_a_panel_is_set_up_on_the_page(bench: Bench) -> None:
    """One press skips the panel's eighteen, the last step says that there is none, and one added later can be tried."""
    bench.do("go", step="panel")
    assert "There is no panel: play on the pages" in bench.host.get("/setup/step").text
    bench.do("no-panel")
    assert bench.wizard.draft.step == "camera"
    bench.do("go", step="panel")
    told = bench.host.get("/setup/step").text
    assert "There is no panel: the game is played on the pages." in told
    assert "Press the button" not in told
    bench.do("go", step="save")
    assert "<dd>none</dd>" in bench.host.get("/setup/step").text
    bench.do("panel")
    bench.do("go", step="panel")
    assert "Press the button" in bench.host.get("/setup/step").text


def test_a_refusal_is_one_sentence(bench: Bench) -> None:
    answer = bench.do("choose", game="palazzo", seats=["Ada"])
    assert (answer.status_code, answer.get_json()["text"]) == (422, "Palazzo is for 2 to 4 seats, not 1.")


@pytest.mark.parametrize(
    "data",
    [{}, {"what": "fly"}, {"what": ["go"]}, {"what": "choose", "seats": 7}, {"what": "go", "step": 3},
     {"what": "answer"}, {"what": "camera", "source": {}}],
)  # fmt: skip
def test_nonsense_is_refused_or_does_nothing(bench: Bench, data: dict[str, Any]) -> None:
    before = bench.wizard.draft.step
    assert bench.host.post("/setup/do", data).status_code in (200, 400, 422)
    assert bench.wizard.draft.step == before


def test_the_printed_sheets_can_be_downloaded_here(bench: Bench) -> None:
    pieces = bench.host.get("/setup/pieces-a4.pdf")
    assert pieces.data.startswith(b"%PDF")
    assert pieces.headers["Content-Disposition"].endswith('-pieces-a4.pdf"')
    answer = bench.host.get("/setup/sheets-a4.pdf")
    assert len(answer.data) != len(pieces.data)
    assert answer.data.startswith(b"%PDF")
    assert bench.host.get("/setup/sheets-a9.pdf").status_code == 404


def test_a_camera_that_is_plugged_in_is_chosen_with_one_tap(bench: Bench) -> None:
    """The page offers exactly the cameras that are plugged in, by their names."""
    bench.wizard.go("camera")
    assert "These cameras are there" not in bench.step()
    bench.wizard.cameras = lambda: [PresentCamera("opencv:/dev/v4l/by-id/x", Message("Webcam"))]
    bench.press(what="camera", source="opencv:/dev/v4l/by-id/x")
    assert bench.wizard.draft.source == "opencv:/dev/v4l/by-id/x"
    assert "These cameras are there: ✓ Webcam" in bench.step()
    assert "/dev/video0" not in bench.host.get("/setup/step").text


def test_the_picture_is_that_of_the_camera(bench: Bench) -> None:
    assert bench.host.get("/setup/picture.jpg").status_code == 204
    bench.picture = b"\xff\xd8jpeg"
    assert bench.host.get("/setup/picture.jpg").data == b"\xff\xd8jpeg"


@pytest.mark.parametrize("language", ["de", "it"])
def test_the_pages_speak_other_languages(bench: Bench, language: str) -> None:
    for path in ("/", "/setup", "/health"):
        assert f'<html lang="{language}"' in bench.host.get(path, **{"Accept-Language": language}).text


def test_the_wizard_speaks_german_where_the_page_does(bench: Bench) -> None:
    """Zone cards, panel labels, checks and numbers are in the page's language."""
    bench.do("choose", game="palazzo", seats=["Ada", "Ben"])
    bench.press(what="answer", how="wrong")
    german = {"Accept-Language": "de"}
    text = bench.host.get("/setup/step", **german).text
    assert "Prüfe MONEY (GPIO 17" in text
    assert "Steinbruch 4" in text
    bench.wizard.go("camera")
    bench.wizard.see(
        bench.wizard.draft.source,
        Aim((ZoneAim("row", Message("Money row"), 3.25, 1.0), ZoneAim("q1", Message("Quarry {number}", number=1)))),
    )
    text = bench.host.get("/setup/step", **german).text
    assert "Geldauslage" in text
    assert "3,25" in text
    bench.wizard.see(
        bench.wizard.draft.source, None, said_by(CameraLost("opencv:0", "The camera {camera} was unplugged."))
    )
    assert "Die Kamera opencv:0 wurde ausgesteckt." in bench.host.get("/setup/step", **german).text


def test_a_game_of_pages_alone_asks_for_no_camera(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(registry.game("patrician")), "table", None)
    bench.do("choose", game="patrician", seats=["Ada", "Ben"])
    bench.wizard.go("camera")
    assert "without a camera" in bench.step()
    assert "zone cards" not in bench.step()
    bench.press(what="onward")
    assert bench.wizard.draft.step == "sheets"


@pytest.fixture
def table(mailbox: MemoryTable) -> Iterator[Pages]:
    """The pages of a running table, with its health page."""
    made = Pages(mailbox)
    attach(made.app, HealthActions(lambda: CHECKS, lambda pictures: b"PK"))
    yield made
    made.close()


def test_the_hosts_page_leads_there_where_there_is_one(table: Pages, mailbox: MemoryTable) -> None:
    """The host's page has two links to the health page, and none if the table has no health page."""
    assert table.phone(host=True).get("/host").text.count('href="/health"') == 2
    without = Pages(mailbox)
    assert 'href="/health"' not in without.phone(host=True).get("/host").text
    without.close()


def test_a_table_that_is_served_has_the_same_list(table: Pages) -> None:
    """The health list of a running table is for the host; others are asked for the code."""
    assert "Reseat the cable." in table.phone(host=True).get("/health").text
    assert "Reseat the cable." not in table.phone(0).get("/health").text
    assert "data-leave" not in table.phone().get("/health").text
