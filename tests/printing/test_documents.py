"""Printed sheets show every tag at its true size with its name, on common paper sizes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner, Result
from PIL import Image

from tabletop.cli.tags import command
from tabletop.messages import Message
from tabletop.printing import proxy_pdf, tag_pdf
from tabletop.printing.paper import MARGIN_MM, PAPERS, Document, Page, Paper, Rect
from tabletop.printing.zone_cards import zone_pages
from tabletop.rules import registry
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.patrician.edition import synthetic_edition
from tabletop.rules.piecepack import GAME as PIECEPACK
from tabletop.rules.table import Size, Zone, ZoneShape
from tabletop.vision.kit import Kit
from tabletop.vision.tags import patterns, payloads

PALAZZO = registry.game("palazzo")
Drawn: TypeAlias = dict[str, tuple[Rect, Paper, int]]
"""Payload of a drawn tag → its box, the size of its page, and the page's number."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """A record of every tag that is drawn, filled while the test prints."""
    boxes: Drawn = {}
    real = Page.tag

    def watch(page: Page, box: Rect, payload: str) -> None:
        assert payload not in boxes, "a tag is printed twice"
        boxes[payload] = (box, page.size, page.pdf.getPageNumber())
        real(page, box, payload)

    monkeypatch.setattr(Page, "tag", watch)
    return boxes


@pytest.mark.parametrize(
    ("make", "paper", "letter", "size", "game"),
    [
        (tag_pdf, "a4", "B", 15.0, "palazzo"),
        (tag_pdf, "letter", "", 20.0, "palazzo"),
        (proxy_pdf, "a4", "", 20.0, "palazzo"),
        (proxy_pdf, "letter", "B", 15.0, "palazzo"),
        (proxy_pdf, "a4", "", 25.0, "patrician"),
        (proxy_pdf, "a4", "", 25.0, "piecepack"),
        (tag_pdf, "a4", "", 25.0, "piecepack"),
    ],
)
def test_every_tag_of_the_set_is_printed_once_at_its_size_inside_the_margins(
    drawn: Drawn, make: Callable[[Kit, str], bytes], paper: str, letter: str, size: float, game: str
) -> None:
    """Each tag is printed once at the size that the table expects, which a small piece limits."""
    kit = Kit(registry.game(game), letter=letter, scale=size / 20)
    assert make(kit, paper).startswith(b"%PDF")
    entries = kit.entries
    assert drawn.keys() == entries.keys()
    for payload, (box, page, _) in drawn.items():
        assert box.width == box.height == entries[payload].size_mm
        assert box.left >= MARGIN_MM
        assert box.right <= page.width - MARGIN_MM + 0.01
        assert box.top >= MARGIN_MM
        assert box.bottom <= page.height - MARGIN_MM


def test_pages_are_compressed_but_not_written_as_text() -> None:
    """Pages are stored as compressed bytes, which are a fifth smaller than as text."""
    made = tag_pdf(Kit(PIECEPACK))
    assert b"/FlateDecode" in made
    assert b"/ASCII85Decode" not in made


@pytest.mark.parametrize("make", [tag_pdf, proxy_pdf])
def test_no_two_tags_overlap(drawn: Drawn, make: Callable[[Kit], bytes]) -> None:
    make(Kit(PALAZZO))
    places = list(drawn.values())
    for number, (one, _, page) in enumerate(places):
        for other, _, another in places[number + 1 :]:
            apart = one.right <= other.left or other.right <= one.left
            apart = apart or one.bottom <= other.top or other.bottom <= one.top
            assert page != another or apart


def test_the_same_sheets_are_the_same_bytes() -> None:
    assert tag_pdf(Kit(PALAZZO)) == tag_pdf(Kit(PALAZZO))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_game_has_sheets_and_proxies(drawn: Drawn, name: str, paper: str) -> None:
    """The tags of every game are printed on every paper size, whatever its zone cards are cut into."""
    game = registry.game(name)
    proxy_pdf(Kit(game), paper)
    assert drawn.keys() == Kit(game).entries.keys()


@pytest.mark.parametrize("proxies", [False, True])
def test_a_printed_page_is_read_by_an_ordinary_decoder_at_true_size(tmp_path: Path, proxies: bool) -> None:
    if shutil.which("pdftoppm") is None:
        pytest.fail("pdftoppm is not here: the printed pages were NOT read back (sudo apt-get install poppler-utils).")
    (tmp_path / "a.pdf").write_bytes((proxy_pdf if proxies else tag_pdf)(Kit(PALAZZO)))
    dpi = 150
    args = ["pdftoppm", "-r", str(dpi), "-gray", "-f", "1", "-l", "1", "-png", "a.pdf", "a"]
    subprocess.run(args, cwd=tmp_path, check=True)
    with Image.open(next(tmp_path.glob("a-*.png"))) as page:
        found = zxingcpp.read_barcodes(np.asarray(page), formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    assert len(found) == (28 if proxies else 56)
    for code in found:
        assert payloads.parse(code.text) is not None
        wide = code.position.top_right.x - code.position.top_left.x
        assert wide == pytest.approx(20 * patterns.CODE_MODULES / patterns.TAG_MODULES * dpi / 25.4, abs=2)


def test_floors_lie_edge_to_edge_for_straight_cuts(drawn: Drawn) -> None:
    """Every floor on a page is 28 mm from the next one across and 22 mm below the one above, with nothing between."""
    proxy_pdf(Kit(PATRICIAN), seats=3)
    floors = [(box, page) for payload, (box, _, page) in drawn.items() if PATRICIAN.pieces.get(payload[3:]) and
              PATRICIAN.pieces[payload[3:]].kind == "floor"]  # fmt: skip
    assert len(floors) == 87
    assert len({page for _, page in floors}) == 2
    box, page = floors[0]
    for other, _ in [one for one in floors if one[1] == page]:
        across, down = (other.left - box.left) / 28, (other.top - box.top) / 22
        assert abs(across - round(across)) + abs(down - round(down)) < 1e-6


def test_any_number_of_seats_get_what_they_need_and_no_more(drawn: Drawn) -> None:
    """The proxies for three seats are those of three-seat games: floors in three colours, cards and piles."""
    proxy_pdf(Kit(PATRICIAN), seats=3)
    ids = {payload for payload in drawn if payload.startswith("PA")}
    assert {payload[3] for payload in ids if PATRICIAN.pieces[payload[3:]].kind == "floor"} == set("KWR")
    assert "PA:K29" in ids and "PA:K30" not in ids  # noqa: PT018
    assert "TT:PILE3" in drawn and not {"TT:PILE4", "TT:PIS", "PA:PIS1"} & drawn.keys()  # noqa: PT018


def test_zones_that_name_one_marker_share_one_card(drawn: Drawn) -> None:
    """Each marker is printed once, whole and on the sheet of its card, however many areas the card has."""
    tag_pdf(Kit(PATRICIAN))
    markers = {zone.marker for zone in PATRICIAN.table.zones(5)}
    assert markers <= drawn.keys()
    for payload in markers:
        box, page, _ = drawn[payload]
        assert box.width == 40
        assert box.left >= MARGIN_MM and box.right <= page.width - MARGIN_MM  # noqa: PT018
        assert box.top >= MARGIN_MM and box.bottom <= page.height - MARGIN_MM  # noqa: PT018


@pytest.mark.parametrize("paper", PAPERS)
def test_every_area_of_a_card_that_is_broader_than_the_paper_is_on_one_of_its_sheets(
    monkeypatch: pytest.MonkeyPatch, paper: str
) -> None:
    """A wide card of several areas continues on a second sheet that says where it is placed."""
    zones = [
        Zone("palazzo", "TT:Q1", Message("Palazzo"), (24, -264, 384, -28), ZoneShape.GRID),
        Zone("reserve", "TT:Q1", Message("Reserve"), (24, -24, 240, 84), ZoneShape.SPREAD),
        Zone("pay", "TT:Q1", Message("Payment"), (244, -24, 384, 36), ZoneShape.SPREAD),
    ]
    words = []
    monkeypatch.setattr(Page, "text", lambda _page, _x, _y, said, *_more: words.append(said))
    document = Document(PAPERS[paper], "cards")
    zone_pages(document, zones, "", "cards", lambda _zone: "")
    assert {"Palazzo", "Reserve", "Payment"} <= set(words)
    assert "Lay this sheet to the right of the one with “Palazzo”, edge to edge, so that the triangles meet." in words


def test_every_area_of_a_card_that_is_higher_and_broader_than_the_paper_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cut area is open on the cut side, with an arrow; an area that would be left out has its own sheet."""
    zones = [
        Zone(f"field{x}{y}", "TT:BOARD", Message(f"Field {x}{y}"), (x, y, x + 90, y + 70), ZoneShape.SPREAD)
        for x in (30, 140, 250, 360, 470, 580)
        for y in (-20, 100, 220)
    ]
    words: list[str] = []
    arrows: list[tuple[float, ...]] = []
    monkeypatch.setattr(Page, "text", lambda _page, _x, _y, said, *_more: words.append(said))
    monkeypatch.setattr(Page, "arrow", lambda _page, *ends: arrows.append(ends))
    zone_pages(Document(PAPERS["a4"], "cards"), zones, "", "cards", lambda _zone: "")
    assert {str(zone.title) for zone in zones} <= set(words)
    assert words.count("on to 70 mm") == sum(end > start for _, start, _, end in arrows) > 0
    far = "580 mm to the right of the middle of the marker and 20 mm above it."
    assert f"Lay the upper left corner of this area {far}" in words


def test_made_up_faces_say_so_on_each_page_and_an_edition_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page with invented faces says so, and a page drawn from an edition names that instead."""
    hints = []
    begin = Document.page

    def page(self: Document, title: str, hint: str, wide: bool = False) -> Page:
        hints.append(hint)
        return begin(self, title, hint, wide)

    monkeypatch.setattr(Document, "page", page)
    proxy_pdf(Kit(PATRICIAN), seats=2)
    assert sum("made up" in hint for hint in hints) == 4
    hints.clear()
    proxy_pdf(Kit(PATRICIAN), seats=2, edition=synthetic_edition().to_json())
    assert not any("made up" in hint for hint in hints)
    assert any("your edition" in hint for hint in hints)


def test_the_line_below_the_title_ends_before_the_edge_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line below the title is shortened to fit the paper, however long the edition's name is."""
    ends: list[float] = []
    real = Page.text

    def watch(page: Page, x: float, y: float, words: str, size: float, *more: Any, **named: Any) -> None:
        if "Print on card" in words:
            ends.append(page.size.width - x - page.width(words, size))
        real(page, x, y, words, size, *more, **named)

    monkeypatch.setattr(Page, "text", watch)
    proxy_pdf(Kit(PATRICIAN))
    assert min(ends) >= MARGIN_MM - 0.01


def test_what_is_round_at_the_table_is_printed_as_a_disc(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that a game declares round is printed as a disc, even without sheets of the game's own."""
    frames: list[tuple[Rect, float]] = []
    monkeypatch.setattr(
        Page, "frame", lambda _page, box, _ink=None, _thick=0.0, radius=0.0: frames.append((box, radius))
    )
    monkeypatch.setitem(PATRICIAN.table.makes, "printed", {**PATRICIAN.table.sizes, "card": Size(30, 30, round=True)})
    proxy_pdf(Kit(PATRICIAN))
    assert {radius for box, radius in frames if box.width == box.height == 30} == {15.0}


def test_a_make_without_tags_on_a_kind_prints_none_of_it(drawn: Drawn) -> None:
    """A make whose floors are bare wood prints no stickers for floors, but one for the mason."""
    tag_pdf(Kit(PATRICIAN, "box"))
    assert "PA:MASON" in drawn
    assert "PA:K01" not in drawn


def run(*args: str) -> Result:
    return CliRunner().invoke(command, args)


def test_the_list_names_every_tag_with_payload_kind_size_and_quiet_zone() -> None:
    rows = json.loads(run("--list", "--json", "--set", "b", "--size", "15").stdout)
    assert len(rows) == len(Kit(PALAZZO).entries)
    assert rows[0] == {"id": "B1.1", "payload": "PZB:B1.1", "kind": "tile", "size_mm": 15.0, "quiet_modules": 2}
    assert rows[-1]["kind"] == "marker"


def test_each_picture_is_named_after_its_piece_and_reads_as_it(tmp_path: Path) -> None:
    assert run("--png", str(tmp_path / "tags")).exit_code == 0
    with Image.open(tmp_path / "tags" / "R5a.png") as picture:
        assert picture.size == (250, 250)
        assert picture.info["dpi"] == pytest.approx((317.5, 317.5), abs=0.1)
        code = zxingcpp.read_barcode(np.asarray(picture))
    assert code is not None
    tag = payloads.parse(code.text)
    assert tag is not None
    assert tag.payload == "PZ:R5A"
    assert {path.stem for path in (tmp_path / "tags").iterdir()} == {
        entry.id for entry in Kit(PALAZZO).entries.values()
    }


def test_sheets_are_written_where_asked(tmp_path: Path) -> None:
    done = run("--out", str(tmp_path / "my.pdf"), "--paper", "letter", "--proxies")
    assert (tmp_path / "my.pdf").read_bytes().startswith(b"%PDF")
    assert (done.exit_code, done.stdout) == (0, "")


def test_pieces_without_room_for_such_large_tags_are_named(tmp_path: Path) -> None:
    """If pieces are too small for the requested tag size, the command names them and the sizes of their tags."""
    out, told = ("--out", str(tmp_path / "my.pdf")), "smaller: tile 27 mm, end 27 mm, architect 23 mm."
    assert told in run("--proxies", "--size", "30", *out).stderr
    assert told in run("--size", "30", *out).stderr
    assert "smaller" not in run("--proxies", *out).stderr


@pytest.mark.parametrize("size", [20.0, 25.0, 100.0])
def test_no_corner_of_a_code_is_cut_off_with_what_is_left_of_a_disc(drawn: Drawn, size: float) -> None:
    """However large a tag is requested, its code fits within the round coin that is cut out."""
    kit = Kit(PIECEPACK, scale=size / 20)
    proxy_pdf(kit)
    for entry in kit.pieces:
        if kit.sizes[entry.kind].round:
            code = drawn[entry.payload][0].width * patterns.CODE_MODULES / patterns.TAG_MODULES
            assert np.hypot(code, code) <= kit.sizes[entry.kind].width


@pytest.mark.parametrize(
    ("args", "sentence", "status"),
    [
        (["--game", "chess"], "'chess' is not one of", 2),
        (["--set", "1"], "one letter A to Z", 2),
        (["--size", "2"], "not in the range", 2),
        (["--make", "wood"], "Palazzo has no make “wood”: choose printed or box.", 2),
        (["--seats", "9"], "Palazzo is for 2 to 4 seats", 2),
        (["--seats", "3", "--list"], "--seats is about the printed sheets", 2),
        (["--edition", "none.toml"], "--edition works only with --proxies", 2),
        (["--proxies", "--edition", "none.toml"], "show the same in every box", 2),
        (["--game", "patrician", "--proxies", "--edition", "/none.toml"], "/none.toml: ", 2),
        (["--json"], "--json works only with --list", 2),
        (["--out", "/proc/none/a.pdf"], "cannot be written", 1),
        (["--png", "/proc/none"], "The folder /proc/none cannot be made", 1),
    ],
)
def test_bad_input_gets_one_sentence(args: Sequence[str], sentence: str, status: int) -> None:
    done = run(*args)
    assert sentence in done.stderr
    assert done.exit_code == status
