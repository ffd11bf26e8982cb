"""Features that players know from other boards on the web, in a real Chromium: numbers, arrows, addresses."""

import re

import pytest

from tests.web.clicks import (
    begin_with_a_move,
    choose,
    click_move,
    overflow,
    paste,
    played,
    settle,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

TWO_GAMES = """[Event "Match"]
[Black "Wyllie"]
[White "Barker"]
[Date "1847.??.??"]
1. 11-15 22-18 2. 15x22 25x18 *

[Event "Return match"]
[Black "Barker"]
[White "Wyllie"]
1. 9-14 22-18 *
"""


def finished(page):
    page.locator("#stop:disabled").wait_for()


def test_a_game_under_way_is_not_lost_unasked(open_page):
    page = open_page()
    begin_with_a_move(page, "checkers")
    before = played(page)
    page.click("#new-game")
    page.select_option("#game", "othello")
    page.click("#start")
    page.locator("#ask", has_text="2 moves").wait_for()
    # one more press of Enter loses nothing
    page.keyboard.press("Enter")
    page.locator("#ask").wait_for(state="hidden")
    page.click("#cancel")
    assert played(page) == before
    assert page.locator("[aria-label='Board of checkers']").count() == 1
    settle(page, game="othello")
    page.locator("[aria-label='Board of othello']").wait_for()


def test_a_game_goes_on_with_another_player_and_side(open_page):
    page = open_page()
    begin_with_a_move(page, "checkers")
    settle(page, button="#apply", side="both", opponent="material")
    assert "both sides" in page.inner_text("#game-words")
    assert "Material" in page.inner_text("#game-words")
    assert len(played(page)) == 2


def test_a_level_says_how_strong_it_is_where_that_was_measured(open_page):
    page = open_page()
    page.click("#new-game")
    page.select_option("#opponent", "champion-1")
    levels = page.locator("#level option").all_inner_texts()
    assert "Depth 4: medium, Elo 0" in levels
    assert levels[0] == "Depth 1"
    assert "with champion-1:depth=4 at 0" in page.inner_text("#elo-words")
    assert "very easy" in page.locator("#opponent option[value=random]").inner_text()


def test_an_evaluation_is_a_number_of_men_and_its_line_is_drawn(open_page):
    page = open_page()
    choose(page, "checkers", "material", side="both")
    paste(page, "W:W32,31:B1")
    page.locator("[aria-label='1, b8, Black man']").wait_for()
    settle(page, button="#apply", opponent="material", level="1") if page.locator(
        "#apply"
    ).is_visible() else None
    page.click("#analyse")
    page.locator("#number", has_text=re.compile(r"White \+1\.0")).wait_for()
    finished(page)
    assert page.locator(".arrow").count() >= 1
    box, board = (page.locator(part).bounding_box() for part in (".arrow-0 .tip", "#board"))
    assert board["x"] < box["x"] < board["x"] + board["width"]
    page.locator(".square.can").first.click()
    page.locator(".square.target").first.click()
    wait_for_moves(page, 1)
    assert page.locator(".arrow").count() == 0


def test_moves_stand_in_two_columns_and_are_stepped_through_by_keys(open_page):
    page = open_page()
    paste(page, "1. 11-15 22-18 2. 15x22 25x18")
    wait_for_moves(page, 4)
    boxes = [page.locator(f'#moves [aria-label^="Move {number},"]').bounding_box() for number in (1, 2, 3, 4)]
    assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"] == boxes[3]["y"]
    assert boxes[0]["x"] == boxes[2]["x"] < boxes[1]["x"] == boxes[3]["x"]
    page.locator("#moves-title").click()
    # with another key they belong to the browser, on the board, too
    page.keyboard.press("Control+ArrowLeft")
    page.locator('[data-square="22"]').focus()
    page.keyboard.press("Control+ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.square") == "22"
    page.locator("#moves-title").click()
    page.keyboard.press("ArrowLeft")
    page.locator("#viewing-words", has_text="3 of 4").wait_for()
    page.keyboard.press("Home")
    page.locator("#viewing-words", has_text="0 of 4").wait_for()
    page.locator('#moves [aria-label^="Move 2,"]').press("Enter")
    page.locator("#viewing-words", has_text="2 of 4").wait_for()
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Move 2,")
    page.click("#to-end")
    page.locator("#viewing").wait_for(state="hidden")


def test_all_moves_are_analysed_and_drawn_as_a_graph(open_page):
    page = open_page()
    choose(page, "checkers", "material", level="1", side="both")
    paste(page, "1. 11-15 22-18 2. 15x22 25x18")
    wait_for_moves(page, 4)
    page.click("#judge")
    page.locator("#judge:disabled").wait_for()
    page.locator("#graph svg").wait_for()
    finished(page)
    page.wait_for_function(
        "() => (document.querySelector('#graph .curve').getAttribute('d').match(/[ML]/g) || []).length === 5"
    )
    page.locator("#graph svg").click(position={"x": 1, "y": 10})
    page.locator("#viewing-words", has_text="0 of 4").wait_for()
    page.locator("#analyse:enabled").click()
    finished(page)
    assert "0 of 4" in page.inner_text("#viewing-words")


GRAPH = """async () => {
    const { showGraph } = await import("/assets/moves.js");
    showGraph({ last: 4, ply: 0 }, { sides: ["White", "Black"], light: 0 }, [null, 0.5, 0.8, null, null]);
    return ["dark", "light"].map(tone => document.querySelector(`#graph .${tone}`).getAttribute("d"));
}"""


def test_a_graph_is_neither_light_nor_dark_where_no_position_was_evaluated(open_page):
    dark, light = open_page().evaluate(GRAPH)
    assert dark == "M75.0 35.0L150.0 14.0V0H75.0Z"
    assert light == "M75.0 35.0L150.0 14.0V70H75.0Z"


def test_of_several_games_one_is_chosen(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    paste(page, TWO_GAMES)
    page.locator("#games button").nth(1).wait_for()
    titles = page.locator("#games button").all_inner_texts()
    assert titles == [
        "1. Wyllie – Barker, Match, 1847, *, 4 moves",
        "2. Barker – Wyllie, Return match, *, 2 moves",
    ]
    page.locator("#games button").nth(1).click()
    wait_for_moves(page, 2)
    assert played(page) == ["9-14", "22-18"]


def test_an_address_leads_another_visitor_to_the_position(open_page):
    page = open_page()
    begin_with_a_move(page, "othello")
    address, fen = page.input_value("#address"), page.input_value("#fen")
    other = open_page(address[address.index("/?") + 1 :])
    other.wait_for_selector("body[data-ready]")
    assert other.input_value("#fen") == fen
    assert other.locator("[aria-label='Board of othello']").count() == 1
    assert "?" not in other.url


def test_an_address_opened_over_a_game_asks_before_the_game_is_lost(open_page, url):
    page = open_page()
    begin_with_a_move(page, "checkers")
    page.goto(url + "?game=othello")
    page.locator("#ask", has_text="2 moves").wait_for()
    page.click("#ask-no")
    wait_for_moves(page, 2)
    page.goto(url + "?game=othello")
    page.click("#ask-yes")
    page.locator("[aria-label='Board of othello']").wait_for()
    page.locator("#no-moves").wait_for()


def test_an_address_that_asks_for_nonsense_is_refused_and_a_game_begins(open_page):
    page = open_page("?game=chess&fen=x")
    page.wait_for_selector("body[data-ready]")
    assert "chess" in page.inner_text("#error")
    page.locator("body[data-turn=yours]").wait_for()


_COUNT_TONES = """() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) { window.tones += 1; return start.call(this, at); };
}"""


def test_moves_are_silent_until_sounds_are_asked_for(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    page.evaluate(_COUNT_TONES)
    click_move(page, 0)
    wait_for_moves(page, 2)
    assert page.evaluate("window.tones") == 0
    page.click("#new-game")
    page.check("#sounds")
    page.click("#cancel")
    click_move(page, 2)
    wait_for_moves(page, 4)
    assert page.evaluate("window.tones") >= 1


@pytest.mark.parametrize(
    ("width", "height", "least"), [(1920, 1080, 800), (1280, 900, 600), (900, 800, 420), (380, 800, 340)]
)
def test_the_board_takes_the_room_there_is(open_page, width, height, least):
    page = open_page(width=width, height=height)
    box = page.locator("#board").bounding_box()
    assert box["width"] >= least
    assert box["y"] + box["height"] <= height
    assert overflow(page) == 0


def test_moves_and_thoughts_come_first(open_page):
    page = open_page()
    tops = [page.locator(part).bounding_box()["y"] for part in ("#analysis-title", "#moves-title", "#files")]
    assert tops == sorted(tops)
    assert tops[1] < 450
    assert page.locator("#settings").is_hidden()
