"""The pages show what a player needs in every phase of every game, and afterwards."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import random
import re
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest
import segno

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages
from doubles.positions import NAMES, phases, well_played
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.lights import Pattern
from tabletop.messages import Message
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.messages import passed_on, say
from tabletop.rules.palazzo import GAME
from tabletop.rules.registry import game as find_game
from tabletop.web.games.piecepack.buying import DIE_VALUE
from tabletop.web.i18n import number
from tabletop.web.live.fact_collector import CAMERA_SENTENCES
from tabletop.web.seating.claims import CONFIRMED, GUARDED

FIRST_LOAD = 150 * 1024
"""The most bytes of a page with all its resources."""


@pytest.mark.parametrize("phase", phases())
def test_every_phase_has_its_pages(pages: Pages, phase: str) -> None:
    pages.mailbox.become(phases()[phase])
    for seat in range(3):
        assert pages.phone(seat).get("/seat").status_code == 200
    assert pages.phone().get("/").status_code == 200


@pytest.mark.parametrize("phase", ["action", "take", "choose", "bid", "claim", "place"])
def test_what_a_page_offers_the_rules_allow(pages: Pages, phase: str) -> None:
    """Every button that acts at once sends a legal action, below a heading that says what is decided."""
    position = phases()[phase]
    pages.mailbox.become(position)
    assert position.decider is not None
    text = pages.phone(position.decider).get("/seat").text
    region = re.search(r'<section id="do".*?</section>', text, re.DOTALL)
    assert region
    assert "<h2>" in region.group()
    offered = re.findall(r"data-act=(?:'(\{.*?\})'|\"(\{.*?\})\")", region.group())
    assert offered
    for single, double in offered:
        data = json.loads((single or double).replace("&#34;", '"').replace("&#39;", "'"))
        assert position.refusal(position.game.action(data)) is None


def test_the_page_of_a_seat_that_does_not_decide_offers_no_action(pages: Pages) -> None:
    position = phases()["choose"]
    pages.mailbox.become(position)
    assert position.decider is not None
    assert "data-act=" not in pages.phone((position.decider + 1) % 3).get("/seat").text


def test_a_page_with_all_its_resources_is_small(pages: Pages) -> None:
    phone = pages.phone(0)
    modules = ("page", "morph", "live", "send", "forms", "comfort", "covers", "help", "picked")
    files = ["style.css", "pieces.css", "icon.svg", *(f"{name}.js" for name in modules)]
    static = 0
    for name in files:
        answer = phone.get(f"/static/{name}")
        static += len(answer.data)
        answer.close()
    for position in phases().values():
        pages.mailbox.become(position)
        assert static + len(phone.get("/seat").data) < FIRST_LOAD
        assert static + len(phone.get("/").data) < FIRST_LOAD


def test_static_files_are_compressed_for_browsers_that_accept_it(pages: Pages) -> None:
    phone = pages.phone(0)
    plain = phone.get("/static/style.css")
    packed = phone.get("/static/style.css", **{"Accept-Encoding": "gzip, deflate"})
    refused = phone.get("/static/style.css", **{"Accept-Encoding": "gzip;q=0"})
    assert gzip.decompress(packed.data) == plain.data == refused.data
    assert len(packed.data) == int(packed.headers["Content-Length"]) < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    again = phone.get("/static/style.css", **{"If-None-Match": packed.headers["ETag"]})
    assert again.status_code == 304
    for answer in (plain, packed, refused, again):
        answer.close()


def test_a_page_with_a_seats_secrets_is_never_packed(pages: Pages) -> None:
    """A seat's page is not compressed, since its compressed size would reveal something about its secrets."""
    assert "Content-Encoding" not in pages.phone(0).get("/seat", **{"Accept-Encoding": "gzip"}).headers


@pytest.mark.parametrize("name", ["patrician", "piecepack"])
def test_a_game_is_played_by_its_buttons_and_shows_no_key_of_its_data(name: str) -> None:
    """Every game is shown in words and pictures, and can be played by the buttons of its pages."""
    game = find_game(name)
    mailbox = MemoryTable(game, NAMES, seed=1)
    pages = Pages(mailbox)
    phones = [pages.phone(seat) for seat in range(len(NAMES))]
    rng = random.Random(1)
    for _ in range(25):
        position = mailbox.snapshot.position
        if position.decider is None:
            break
        phone = phones[position.decider]
        text = phone.get("/seat").text
        assert "facts-list" not in text
        action = rng.choice(_offered(text))
        assert phone.act(action, mailbox.snapshot.number).status_code == 200
        assert pages.phone().get("/").status_code == 200
    assert mailbox.snapshot.number > 20
    pages.close()


def _offered(text: str) -> list[dict[str, Any]]:
    """Return the actions that a page offers by one tap, or by two if a payment is picked first."""
    taps = [json.loads(html.unescape(found)) for found in re.findall(r'data-act="(\{.*?\})"', text)]
    picks = [html.unescape(found).split() for found in re.findall(r'data-pick="(.*?)"', text)]
    bought = [
        {
            "do": "purchase",
            "structure": fields[0],
            "pay": [one for one in fields if one[0] == "D"],
            "die": DIE_VALUE in fields,
        }
        for fields in picks
    ]
    return taps + bought


@pytest.fixture
def finished() -> Pages:
    """The pages of a table whose game was played to its end."""
    mailbox = MemoryTable(GAME, NAMES, seed=5)
    rng = random.Random(5)
    while not mailbox.snapshot.position.over:
        position = mailbox.snapshot.position
        choices = list(position.legal.thrifty())
        kinds = sorted({choice.do for choice in choices})
        kind = rng.choice(kinds)
        action = rng.choice([choice for choice in choices if choice.do == kind])
        mailbox.act(action, on=mailbox.snapshot.number, id=str(mailbox.snapshot.number), seat=position.decider)
    return Pages(mailbox)


def test_after_the_game_the_score_and_its_course_are_shown(finished: Pages) -> None:
    text = finished.phone().get("/after").text
    for score in finished.mailbox.snapshot.position.score():
        assert f">{number(score.points)}<" in text
    assert text.count("<polyline") == 3


def test_the_star_at_the_end_has_no_seats_colour(finished: Pages) -> None:
    """The winner's line has a neutral mark, not the colour of the seat that acted last."""
    for page in ("/", "/seat"):
        (disc,) = re.findall(r'<div class="status[^>]*>\s*<b class="([^"]*)"', finished.phone(0).get(page).text)
        assert disc == "disc over"


def test_the_record_can_be_downloaded_in_three_formats(finished: Pages) -> None:
    phone, position = finished.phone(), finished.mailbox.snapshot.position
    points = [score.points for score in position.score()]
    data = json.loads(phone.get("/record.json").text)
    assert [seat["points"] for seat in data["score"]] == points
    events = [(event["kind"], event["seat"], event["data"]) for event in data["events"]]
    assert events == [(event.kind, event.seat, event.data) for event in finished.mailbox.snapshot.events]
    rows = list(csv.reader(io.StringIO(phone.get("/record.csv").text)))
    assert rows[0] == ["event", *NAMES]
    assert [int(cell) for cell in rows[-1][1:]] == points
    text = phone.get("/record.txt").text
    assert text.count("\n") >= len(finished.mailbox.snapshot.events)


def test_the_link_for_bg_stats_contains_players_scores_and_winner(finished: Pages) -> None:
    address = html.unescape(re.findall(r'href="(https://app.bgstatsapp[^"]+)"', finished.phone().get("/after").text)[0])
    play = json.loads(unquote(address.split("data=", 1)[1]))
    scores = finished.mailbox.snapshot.position.score()
    assert [one["score"] for one in play["players"]] == [str(score.points) for score in scores]
    assert [one["winner"] for one in play["players"]] == [score.rank == 1 for score in scores]
    assert sum(one["startPlayer"] for one in play["players"]) == 1
    assert play["playDate"] == "1970-01-01 00:00:00"


def test_without_javascript_a_page_says_so_and_is_loaded_again_and_again(pages: Pages) -> None:
    for path in ("/", "/seat", "/demo"):
        text = pages.phone(0).get(path).text
        assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in text
        assert "this page is read-only" in text
    assert "http-equiv" not in pages.phone().get("/rules").text


def test_a_phone_reads_the_link_for_bg_stats_from_the_page(finished: Pages) -> None:
    """The code has at least 4 px per module at the size that a TV shows."""
    text = finished.phone().get("/after").text
    address = html.unescape(re.findall(r'href="(https://app.bgstatsapp[^"]+)"', text)[0])
    side = int(re.findall(r'<div class="qr"><svg[^>]* viewBox="0 0 (\d+) ', text)[0])
    assert side * 4 <= 33 * 16
    assert segno.make(address, error="l", micro=False).symbol_size(border=3)[0] == side


def test_the_score_of_people_with_long_names_is_shown_without_a_code_that_cannot_hold_them(finished: Pages) -> None:
    """If names are too long for a code, the page keeps the link for BG Stats and leaves out the code."""
    long = dict(enumerate(f"{seat} {'😀' * 58}" for seat in range(3)))
    finished.room.seating = replace(finished.room.seating, names=long)
    answer = finished.phone().get("/after")
    assert answer.status_code == 200
    assert "https://app.bgstatsapp" in answer.text
    assert 'class="scan"' not in answer.text


@pytest.mark.parametrize("path", ["/", "/seat", "/join", "/rules", "/nowhere"])
def test_every_page_names_its_styles_before_it_begins(pages: Pages, path: str) -> None:
    """A header preloads the first styles, so that a slow phone shows the page a tenth of a second sooner."""
    answer = pages.phone(0).get(path)
    ahead = re.findall(r"<([^>]+)>; rel=preload; as=style", answer.headers["Link"])
    assert ahead == re.findall(r'<link rel="stylesheet" href="([^"]+)">', answer.text)[: len(ahead)]
    assert len(ahead) == 2


def test_the_table_page_shows_how_each_seats_light_shines(mailbox: MemoryTable, pages: Pages) -> None:
    mailbox.show(signals={"seat1": Pattern.STEADY, "seat2": Pattern.SLOW})
    light = r'class="light (\w+)" role="img" aria-label="Light of seat (\d): ([\w ]+)"'
    shown = re.findall(light, pages.phone().get("/").text)
    assert shown == [("off", "1", "off"), ("steady", "2", "on"), ("slow", "3", "blinks slowly")]
    bare = Pages(mailbox, press=None)
    assert "Light of seat" not in bare.phone().get("/").text, "there is no panel"
    bare.close()


@pytest.mark.parametrize(
    ("game", "buttons", "quarries"),
    [
        ("palazzo", ["MONEY", "BUILD", "REBUILD", "BUY", "AUCTION", "PASS", "OK", "UNDO"], 4),
        ("patrician", ["MONEY", "BUILD", "PASS", "OK", "UNDO"], 0),
        ("piecepack", ["MONEY", "PASS", "OK", "UNDO"], 0),
    ],
)
def test_the_demos_panel_has_the_buttons_and_lights_of_its_game(game: str, buttons: list[str], quarries: int) -> None:
    pages = Pages(MemoryTable(find_game(game), NAMES, seed=3))
    text = pages.phone().get("/demo").text
    assert re.findall(r'data-key="k(\w+)"', text) == buttons
    assert len(re.findall(r'aria-label="Quarry \d', text)) == quarries
    pages.close()


def test_the_demos_panel_says_what_each_button_means_now() -> None:
    """In Patrician the button “Money” stands for site A while a floor is placed, and for nothing while one plays."""
    made = well_played(find_game("patrician"), 1)
    meant = re.compile(r'data-key="k(\w+)".*?<small>(.*?)</small>', re.DOTALL)
    shown = {}
    for phase in ("play", "floor"):
        position = next(one for one in made if one.phase == phase)
        pages = Pages(MemoryTable(find_game("patrician"), NAMES, position=position))
        shown[phase] = dict(meant.findall(pages.phone().get("/demo").text))
        pages.close()
    assert set(shown["play"].values()) == {""}
    assert shown["floor"] == {"MONEY": "floor on site A", "BUILD": "floor on site B", "PASS": "", "OK": "", "UNDO": ""}


def test_no_code_with_a_loopback_address_is_shown(mailbox: MemoryTable, pages: Pages) -> None:
    """Instead of a code with a loopback address, the page says how phones can reach the table."""
    here = Pages(mailbox, addresses=["http://127.0.0.1:8080"])
    shown = {made.phone().get("/").text.count('class="qr"'): made.phone().get("/").text for made in (here, pages)}
    assert set(shown) == {0, 1}
    assert ["Phones can join once the table is opened to the network." in shown[count] for count in (0, 1)] == [
        True,
        False,
    ]
    here.close()


def test_a_name_is_text_everywhere(pages: Pages) -> None:
    """A name that looks like markup is escaped on every page."""
    pages.room.claim(0, "<b>&Zoe</b>")
    for path in ("/", "/join", "/demo"):
        text = pages.phone().get(path).text
        assert "&lt;b&gt;&amp;Zoe" in text
        assert "<b>&Zoe" not in text


def test_without_javascript_the_pages_can_be_read(pages: Pages) -> None:
    """The content of a page is in its HTML as sent."""
    pages.mailbox.become(phases()["bid"])
    assert "Highest bid" in pages.phone().get("/").text
    assert 'class="card' in pages.phone(0).get("/seat").text


def test_pieces_that_go_the_same_way_are_named_in_one_sentence(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, press=None)
    mailbox.become(phases()["bid"])
    mailbox.show(todo=(PieceMove("N7a", "", "bid0"), PieceMove("C3", "", "bid0"), PieceMove("N7a", "bid1", "discards")))
    own, others = pages.phone(0).get("/seat").text, pages.phone().get("/").text
    assert "Put brown 7a, start certificate (3) here: your bid." in own
    assert "Put brown 7a, start certificate (3) here: Anna’s bid." in others
    assert "Move brown 7a from Bruno’s bid to the discards." in own
    pages.close()


def test_a_palazzo_that_lies_in_two_columns_is_to_be_arranged(mailbox: MemoryTable) -> None:
    """It does not move from where it lies to where it lies; commas within the names divide no list."""
    pages = Pages(mailbox, press=None)
    mailbox.become(phases()["bid"])
    mailbox.show(todo=(PieceMove("M1.2", "seat1", "seat1"), PieceMove("B2.3", "seat1", "seat1")))
    pieces = "marble, floor 1, 2 windows; brick, floor 2, 3 windows"
    assert f"Arrange {pieces} as the pages show, here: Bruno’s palazzi." in pages.phone().get("/").text
    pages.close()


def test_at_a_simulated_table_nobody_is_asked_to_lay_pieces(pages: Pages) -> None:
    """While simulated hands lay pieces, waiting seats are told so, and the host's page names the pieces.

    The page of the seat on turn says nothing, so that nothing moves its buttons; nor do the table's and the demo's, on
    which the pieces are seen to move, until the referee asks for a piece.
    """
    pages.mailbox.become(phases()["bid"])
    waiting = passed_on("waiting", Message("Press OK."))
    pages.mailbox.show(todo=(PieceMove("N7a", "bid1", "discards"),), say=(waiting,))
    decider = pages.mailbox.snapshot.position.decider
    assert decider is not None
    assert "The simulated hands are laying the pieces" in pages.phone((decider + 1) % 3).get("/seat").text
    assert "hands are laying" not in pages.phone(decider).get("/seat").text
    asked = {"Move brown 7", "Press OK."}
    assert asked <= set(re.findall("|".join(asked), pages.phone(host=True).get("/host").text))
    assert not any(one in pages.phone().get(path).text for one in asked for path in ("/", "/demo"))
    pages.mailbox.show(signals={**pages.mailbox.snapshot.signals, "illegal": Pattern.FAST})
    assert all(one in pages.phone().get(path).text for one in asked for path in ("/", "/demo"))


def test_the_demo_page_alone_sends_who_pressed_a_button_to_the_page_of_the_seat(pages: Pages) -> None:
    """On the table page, which nobody can play on, the sentence would cover the board."""
    pages.mailbox.become(phases()["choose"])
    pages.mailbox.show(say=(passed_on("waiting", Message("Take the tiles you buy, then press OK.")),))
    sent = "choose on your page; the simulated hands lay the pieces."
    assert [sent in pages.phone().get(path).text for path in ("/demo", "/")] == [True, False]


def test_dealt_cards_are_not_named_when_the_deal_is_undone(pages: Pages) -> None:
    act = {"do": "deal", "seat": 1, "cards": ["R5a", "R6a", "G4a", "C2a"]}
    pages.mailbox.show(say=(say("undone", what="deal 1 R5a+R6a+G4a+C2a", act=act, seat=None),))
    assert "Bruno is dealt four cards" in pages.phone(0).get("/seat").text
    assert "R5a" not in pages.phone(0).get("/seat").text
    assert "red 6a" in pages.phone(1).get("/seat").text


def test_a_phone_with_a_seat_is_not_asked_for_the_code_again(pages: Pages) -> None:
    assert f'value="{CODE}"' in pages.phone(0).get("/join").text
    assert CODE not in pages.phone().get("/join").text


def test_a_lost_panel_is_reported_where_somebody_can_fix_it(mailbox: MemoryTable) -> None:
    """The table's and the host's page report the lost panel, and a player's page does not."""
    pages = Pages(mailbox, room={"admission": GUARDED}, press=None)
    mailbox.show(say=(say("panel-lost"),))
    german = {"Accept-Language": "de"}
    words = "ohne Tasten und Lichter weiter"
    assert words in pages.phone().get("/", **german).text
    assert words in pages.phone(host=True).get("/host", **german).text
    assert words not in pages.phone(0).get("/seat", **german).text
    pages.close()


def test_a_phone_that_waits_for_two_seats_has_one_place_that_its_script_watches(mailbox: MemoryTable) -> None:
    """The join page of such a phone has a single element with the id that its script watches."""
    pages = Pages(mailbox, room={"admission": CONFIRMED}, press=None)
    phone = pages.phone()
    phone.post("/join", {"code": CODE, "seat": 0})
    phone.post("/join", {"code": CODE, "seat": 1, "also": True})
    told = phone.get("/join").text
    assert (told.count("Almost there"), told.count('id="waiting"'), told.count('data-waits="2"')) == (2, 1, 1)
    pages.close()


def test_a_phone_that_waits_for_a_held_seat_without_a_panel_is_told_to_ask_the_host(mailbox: MemoryTable) -> None:
    """Without a panel the page does not tell the phone's owner to hold OK."""
    pages = Pages(mailbox, room={"admission": GUARDED}, press=None)
    pages.phone(0)
    other = pages.phone()
    answer = other.post("/join", {"code": CODE, "seat": 0})
    assert answer.get_json() == {"ok": True, "waits": True}
    told = other.get("/join").text
    assert "it has to agree, or the host" in told
    assert "OK" not in told.split('id="waiting"')[1].split("</div>")[0]
    assert other.post("/join", {"code": CODE, "seat": 1}).get_json() == {"ok": True, "waits": False}
    pages.close()


@pytest.mark.parametrize("phase", ["action", "bid", "take", "claim", "reveal"])
def test_one_mark_says_who_acts_now(pages: Pages, phase: str) -> None:
    """On every page the seat on turn is the only one marked, with the mark of the status line."""
    position = phases()[phase]
    for seat in range(3):
        pages.room.claim(seat)
    pages.mailbox.become(position)
    acts = position.active if position.decider is None else position.decider
    for text in (pages.phone().get("/").text, pages.phone((acts + 1) % 3).get("/seat").text):
        marked = re.findall(r'<li class="seat-(\d)[^"]* decides', text)
        assert marked == [str(acts)]
        assert f'<b class="disc seat-{acts}"' in text


def test_points_that_may_grow_by_what_is_hidden_say_so() -> None:
    """Points of seats with played heads end in “+ heads?” for everybody else, until the game is over."""
    game = find_game("patrician")
    mailbox = MemoryTable(game, NAMES, seed=1)
    pages = Pages(mailbox)
    assert "+ heads?" not in pages.phone().get("/").text
    position = game.new(list(NAMES))
    rng, seen = random.Random(2), 0
    while not position.over:
        chance = position.decider is None
        position = position.after(game.draw(position, rng) if chance else next(iter(position.legal)))
        if all(position.to_json()["seats"][seat]["played"] for seat in range(3)) and not position.over and not seen:
            mailbox.become(position)
            assert pages.phone().get("/").text.count("+ heads?") == 3
            assert pages.phone(0).get("/seat").text.count("+ heads?") == 2
            seen += 1
    assert seen
    mailbox.become(position)
    assert "+ heads?" not in pages.phone().get("/").text
    pages.close()


def test_the_last_card_of_the_rules_lists_the_agreed_options(pages: Pages) -> None:
    assert "A tile in the warehouse can be free." in pages.phone().get("/rules").text


def test_what_was_turned_up_is_asked_for_without_codes() -> None:
    """In the list of pieces a tile is named by what is printed on it, not by its id."""
    mailbox = MemoryTable(GAME, NAMES, seed=None)
    pages = Pages(mailbox, press=None)
    for phase in ("setup", "reveal"):
        mailbox.become(phases()[phase])
        options = re.findall(r"<option[^>]*>([^<]*)", pages.phone(phases()[phase].active).get("/seat").text)
        assert len(options) > 10
        assert not [text for text in options if re.search(r"\b[A-Z]\d", text)]
    pages.close()


@pytest.mark.parametrize("state", CameraState)
def test_the_demo_and_the_host_say_the_same_of_the_camera(mailbox: MemoryTable, state: CameraState) -> None:
    pages = Pages(mailbox)
    mailbox.show(camera=state)
    said = CAMERA_SENTENCES[state]
    assert said in pages.phone().get("/demo").text
    assert said in pages.phone(host=True).get("/host").text
    pages.close()
