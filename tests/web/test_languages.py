"""Every text of the pages exists in every language, with the same gaps to fill."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.errors import CameraLost, PinsError
from tabletop.match.errors import JournalError
from tabletop.messages import Message, PieceRef, SeatRef, foreign, listed, said_by
from tabletop.referee.messages import passed_on, unreadable, waiting
from tabletop.referee.messages import say as say_so
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.rules.refusals import refused as refused_with
from tabletop.vision.errors import PictureError
from tabletop.vision.scene import Cause, Notice
from tabletop.web import i18n
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI
from tabletop.web.games.help import topic_of
from tabletop.web.i18n import FOLDER, in_language, say
from tabletop.web.message_text import LANGUAGES

ROOT = Path(__file__).parent.parent.parent
TRANSLATED = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
GAP = re.compile(r"%\(\w+\)s|\{\w+\}")
FIGURES_SET_APART_BY_A_COMMA = re.compile(r"\{(needed|value|highest)\}, \{(short|add|needed)\}")
GAP_NAME = re.compile(r"\{(\w+)\}")
UNSEEN = "{pieces} cannot be seen: build it, or press OK to discard it to the box."
UNSEEN_MANY = "{pieces} cannot be seen: build them, or press OK to discard them to the box."


def po(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


def test_the_catalogues_are_those_of_the_languages_offered() -> None:
    """Exactly the languages that the pages offer, except English, have a catalogue."""
    assert {"en", *TRANSLATED} == set(LANGUAGES)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Return every text of the package, as the command for translators collects them."""
    template = tmp_path_factory.mktemp("texts") / "messages.pot"
    subprocess.run([sys.executable, ROOT / "tools/texts.py", "--template", template], check=True)
    return read(template)


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def texts_of(said: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return a text of a catalogue, or all its plural forms."""
    return (said,) if isinstance(said, str) else tuple(said or ())


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_untranslated_and_none_is_left_over(language: str, wanted: Catalog) -> None:
    """A catalogue holds every text, translated and not fuzzy, with the same gaps; if not: ``./play texts``."""
    known = read(po(language))
    assert {message.id for message in known if message.id} == {message.id for message in wanted if message.id}
    for message in known:
        strings = texts_of(message.string)
        assert all(strings), message.id
        assert not message.fuzzy, message.id
        if message.id:
            ids = texts_of(message.id)
            for text in strings:
                assert set(GAP.findall(text)) <= set().union(*(GAP.findall(one) for one in ids)), message.id


OF_THE_TERMINAL = re.compile(r"--\w|\bsudo\b|\bapt-get\b|\.toml\b|/dev/|\btabletop [a-z]+\b")
"""Words of a terminal: options, commands, devices, settings files."""
FOR_THE_MACHINES_OWNER = {
    "health, where the fix is a command or a setting": {
        "Change game, seats or options in table.toml.",
        'Fine without a panel: set pins = "none" under [panel] in table.toml. To try things out: tabletop demo.',
        "Is another program using it? Only one may, and a second tabletop counts as one.",
        'Is it a Raspberry Pi? If not, set pins = "none" under [panel] in table.toml.',
        'On a Pi: sudo apt-get install python3-lgpio. Elsewhere, set pins = "none" under [panel] in table.toml.',
        "Add this user to the group gpio (sudo usermod -aG gpio $USER), then log in again.",
        "Remove chip from [panel] in table.toml: the chip is then found automatically.",
        "Set the right one as chip under [panel] in table.toml.",
        "The pin library cannot open /dev/gpiochip{number} ({error}; there are {chips}).",
        "There is no /dev/gpiochip{number}, which table.toml asks for (there are {chips}).",
        "This machine has no GPIO chip (/dev/gpiochipN).",
        "Turn off the Overlay File System (sudo raspi-config), or choose another folder as “games”.",
        "Turn the lens ring until tabletop setup reads the most tags, then fix it in place.",
    },
    "health and the pages on which a camera is set up": {
        "Check its cable, and source under [camera] in table.toml.",
        "Its driver was loaded after the table started: restart the table (sudo systemctl restart tabletop).",
        "On a Pi: sudo apt-get install python3-picamera2; then delete .venv if it was made before.",
        "Pictures of {width} × {height} px would be enough, and easier for a slow machine: a module then has "
        "{modules} px. Set size under [camera] in table.toml.",
        "Set scale = {scale} under [pieces] in table.toml, or {tag_mm} mm in the setup.",
        "Set size = {size} under [camera] in table.toml, or {line} in {file}.",
        "Check the cable, or set source = {source} under [camera] in table.toml: that camera is there.",
    },
    "setup, which writes the file": {"This is written to table.toml; the previous file is kept beside it."},
    "safe mode and the terminal: why the table did not start": {
        "Close the other tabletop first, or start a separate game with --new.",
        "Port {port} is in use. If a table is running there, stop it first (sudo systemctl stop tabletop); "
        "otherwise choose another with --port.",
        "Port {port} on {host} cannot be used ({error}); choose another with --port.",
        "See “bots” in table.toml.",
        "See tabletop edition check {file}.",
        "The folder belongs to {user}: run the command with sudo -u {user}.",
        "This machine cannot be reached as {host} ({error}); choose another address with --bind.",
    },
}
"""Where the machine's owner reads texts with such words → the texts."""


def test_no_page_of_a_game_speaks_of_a_terminal(wanted: Catalog) -> None:
    """Options, commands and files are named only on pages for the person who set the machine up."""
    texts = {text for one in wanted if one.id for text in texts_of(one.id)}
    assert {text for text in texts if OF_THE_TERMINAL.search(text)} == set().union(*FOR_THE_MACHINES_OWNER.values())


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_one_that_can_be_read(language: str) -> None:
    """The compiled file is what the readable one compiles to; if not: ``./play texts``."""
    out = io.BytesIO()
    write_mo(out, read(po(language)))
    assert po(language).with_suffix(".mo").read_bytes() == out.getvalue()


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_figures_look_like_one_with_a_decimal_comma(language: str) -> None:
    """No text separates two figures by a comma, since "0, 8 zu wenig" would be read as eight tenths."""
    texts = [text for one in read(po(language)) for text in texts_of(one.string)]
    assert [text for text in texts if FIGURES_SET_APART_BY_A_COMMA.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", phases())
def test_every_phase_is_shown_in_every_language(pages: Pages, phase: str, language: str) -> None:
    position = phases()[phase]
    pages.mailbox.become(position)
    phone = pages.phone(position.decider or 0)
    for path in ("/", "/seat", "/seat/listen"):
        answer = phone.get(path, **{"Accept-Language": f"{language}-XX,{language};q=0.9"})
        assert f'<html lang="{language}"' in answer.text


def test_a_refusal_is_in_the_language_of_the_page(pages: Pages) -> None:
    position = phases()["bid"]
    pages.mailbox.become(position)
    assert position.decider is not None
    phone = pages.phone(position.decider)
    data = {"action": {"do": "bid", "cards": []}, "on": pages.mailbox.snapshot.number, "id": "12345678"}
    answer = phone.post("/seat/act", data, **{"Accept-Language": "de"})
    assert answer.json["text"] == "Ein Gebot braucht mindestens eine Karte; oder passe."
    assert answer.json["rule"] == "Versteigerung"


def test_a_chosen_language_wins_over_the_browsers(pages: Pages) -> None:
    phone = pages.phone()
    phone.client.set_cookie("language", "it", domain="192.168.1.20")
    assert "Magazzino" in phone.get("/", **{"Accept-Language": "de"}).text
    phone.client.set_cookie("language", "xx", domain="192.168.1.20")
    assert "Materiallager" in phone.get("/", **{"Accept-Language": "de"}).text


def test_a_seat_in_such_a_sentence_has_the_name_that_its_person_gave(pages: Pages) -> None:
    """A page names a seat by its person's present name, not by the one that the match began with."""
    pages.room.claim(0, "Zoe")
    text = Message(
        "{name}: show your four money cards to the camera in your bid zone ({seen} of 4 seen).",
        name=SeatRef(0, "Anna"), seen=3,
    )  # fmt: skip
    pages.mailbox.show(say=(passed_on("waiting", text),))
    shown = pages.phone(host=True).get("/host", **{"Accept-Language": "it"}).text
    assert "Zoe: mostra alla telecamera le tue quattro carte denaro" in shown


def test_what_the_table_waits_for_names_the_seat_that_decides_to_all_others(mailbox: MemoryTable) -> None:
    """That seat's own page speaks to it without its name; on all other pages “your” would be the reader's."""
    text = Message("Put the cards you add in your bid zone and press OK, or press PASS.")
    position, pages = phases()["bid"], Pages(mailbox, press=None)
    mailbox.become(position, say=(waiting(position, text),))
    own = position.decider
    assert own is not None
    others = [(pages.phone((own + 1) % len(NAMES)), "/seat"), (pages.phone(), "/")]
    to_it, *to_others = (
        phone.get(path, **{"Accept-Language": "it"}).text for phone, path in [(pages.phone(own), "/seat"), *others]
    )
    asked = "Metti nella tua zona offerte"
    assert (asked in to_it, f"{NAMES[own]}: {asked}" in to_it) == (True, False)
    assert all(f"{NAMES[own]}: {asked}" in shown for shown in to_others)
    pages.close()


def test_what_is_wrong_with_data_is_said_in_the_language() -> None:
    """Errors in a position, an action or a new game are messages that can be translated, not finished sentences."""
    game = registry.game(registry.DEFAULT)
    data = game.new(["Ada", "Ben"]).to_json()
    data["seats"][1]["hand"] = {}
    with in_language("de"):
        told = [
            say(refused(call, given)) for call, given in ((game.load, data), (game.parse, "dance"), (game.new, [7]))
        ]
    assert told[0] == "Diese Stellung kann es nicht geben: hand von Platz 2 muss eine Liste sein, nicht ein Objekt."
    assert told[1].startswith("'dance' ist keine Aktion; eine Aktion beginnt mit: reveal, deal")
    assert told[2] == "Ein Name ist ein Text von höchstens 200 Zeichen."


def refused(call: Callable[[Any], object], given: Any) -> str:
    with pytest.raises(Illegal) as refusal:
        call(given)
    return refusal.value.message


UIS = {name: ui_of(registry.game(name)) for name in registry.BUILT_IN}


@pytest.mark.parametrize("ui", UIS.values(), ids=UIS)
def test_every_clause_that_a_refusal_names_is_explained(ui: AnyUI) -> None:
    assert [reason.rule for reason in ui.reasons.values() if not topic_of(ui.topics, reason.rule)] == []


def test_the_pieces_in_a_refusal_are_called_as_people_call_them() -> None:
    """A sentence names a piece by what is printed on it, not by its id."""
    with in_language("de"):
        pieces = listed([PieceRef("R5a"), PieceRef("G4b")])
        assert say(pieces, UIS["palazzo"].shown()) == "rot 5a und grün 4b"


@pytest.mark.parametrize("name", UIS)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_refusal_of_any_game_is_in_english_on_a_translated_page(name: str, language: str) -> None:
    """Every refusal that a page may show, and the rule that it names, is translated."""
    ui = UIS[name]
    with in_language(language):
        for key, reason in ui.reasons.items():
            illegal = refused_with(reason, dict.fromkeys(GAP_NAME.findall(reason.template), "7"))
            assert ui.explain(illegal) != illegal.message, key


TILES = (PieceRef("B1.1"), PieceRef("S2.2"))
SAID: Mapping[str, tuple[Message, str]] = {
    "zone": (Message("Quarry {number}", number=3), "Steinbruch 3"),
    "setup": (Message("Two seats have the same name."), "Zwei Plätze haben denselben Namen."),
    "table": (
        Message("Only one tile goes to {place} now.", place=Message("quarry {number}", number=3)),
        "Jetzt kommt nur ein Plättchen hierhin: Steinbruch 3.",
    ),
    "one": (
        Message.plural(UNSEEN, UNSEEN_MANY, 1, pieces=listed(TILES[:1])),
        "B1.1 ist nicht zu sehen: Baue es an, oder drücke OK, um es in die Schachtel abzuwerfen.",
    ),
    "many": (
        Message.plural(UNSEEN, UNSEEN_MANY, 2, pieces=listed(TILES)),
        "B1.1 und S2.2 sind nicht zu sehen: Baue sie an, oder drücke OK, um sie in die Schachtel abzuwerfen.",
    ),
    "referee": (
        say_so("camera-lost").text,
        "Die Kamera liefert kein Bild. Gib solange auf den Seiten ein, was du am Tisch tust.",
    ),
    "nested": (
        unreadable(Cause.GLARE, None).text,
        "Tisch: Etwas dort ist nicht zu lesen (etwas spiegelt sich darauf). Schiebe es aus der Spiegelung, oder drehe "
        "die Lampe weg.",
    ),
    "camera": (
        said_by(CameraLost("opencv:/dev/video0", "The camera {camera} was unplugged.")),
        "Die Kamera opencv:/dev/video0 wurde ausgesteckt.",
    ),
    "pins": (
        said_by(
            PinsError(
                Message("The pin library lgpio is missing."),
                Message(
                    "On a Pi: sudo apt-get install python3-lgpio. "
                    'Elsewhere, set pins = "none" under [panel] in table.toml.'
                ),
            )
        ),
        "Die Pin-Bibliothek lgpio fehlt. "
        'Auf einem Pi: sudo apt-get install python3-lgpio. Anderswo setze pins = "none" unter [panel] in table.toml.',
    ),
    "journal": (
        said_by(
            JournalError(
                "/x/a.tabletop",
                "The record of the game could not be written: {error}.",
                Message("Free some space or check the disk; nothing was lost."),
                error="disk full",
            )
        ),
        "Die Aufzeichnung ließ sich nicht schreiben: disk full. Schaffe Platz oder prüfe den "
        "Datenträger; nichts ging verloren.",
    ),
    "backup": (Message("This is not a table backup."), "Das ist keine Sicherung eines Tisches."),
    "picture": (said_by(PictureError("a.jpg", Message("the file is empty."))), "a.jpg: die Datei ist leer."),
    "vision": (Notice.NO_MARKER.value, "Keine Zonenkarte ist zu sehen."),
    "doctor": (
        Message("Pressed at this moment: {buttons}.", buttons=("OK", "UNDO")),
        "In diesem Augenblick gedrückt: OK, UNDO."),
    "elsewhere": (foreign("What nobody ever wrote."), "What nobody ever wrote."),
}  # fmt: skip
"""Package → one of its sentences, and its German translation."""


@pytest.mark.parametrize("speaker", SAID)
def test_every_speaker_is_understood_in_german(speaker: str) -> None:
    """A page translates sentences of any package, and shows them unchanged in English."""
    message, german = SAID[speaker]
    with in_language("de"):
        assert say(message) == german
    with in_language("en"):
        assert say(message) == message


SPEAKERS = ("hardware", "match", "referee", "rules", "service", "setup", "vision", "web")


def test_no_finished_sentence_is_looked_up() -> None:
    """Only marked templates are given to gettext, never the English text of an error or a message."""
    looked_up = re.compile(
        r"""(?<![\w.])(?:_|gettext|ngettext|marked)\((?:str\(|f["']|[\w.]*(?:message|\.text)\b(?!\w))"""
    )
    files = [path for name in SPEAKERS for path in (ROOT / "tabletop" / name).rglob("*.*")]
    bad = [
        f"{path.name}: {line.strip()}"
        for path in files
        if path.suffix in (".py", ".html")
        for line in path.read_text("utf-8").splitlines()
        if looked_up.search(line) and "topic.text" not in line
    ]
    assert bad == []


@pytest.fixture
def volcano(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install another package's game that brings German texts in its package."""
    folder = tmp_path / "volcano/translations/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "volcano/__init__.py").touch()
    brought = Catalog(locale="de")
    brought.add("The volcano erupts.", "Der Vulkan bricht aus.")
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, brought)
    monkeypatch.syspath_prepend(tmp_path)
    installed = EntryPoints([EntryPoint("volcano", "volcano:GAME", "tabletop.games")])
    monkeypatch.setattr(i18n, "entry_points", installed.select)
    i18n.catalogue.cache_clear()
    yield
    i18n.catalogue.cache_clear()


@pytest.mark.usefixtures("volcano")
def test_a_game_brings_its_own_catalogue() -> None:
    """Texts of an installed game are found in its own package, all others in the catalogue of the pages."""
    with in_language("de"):
        assert say(Message("The volcano erupts.")) == "Der Vulkan bricht aus."
        assert say(Message("Quarry {number}", number=3)) == "Steinbruch 3"
