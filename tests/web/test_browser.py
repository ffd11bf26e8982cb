"""The pages in a real Chromium: played by clicks, drags and keys, on small and large screens."""

import numpy as np
import pytest

from neche.games.catalogue import GAMES, game
from neche.games.game import Move, geometry_of
from tests.web.clicks import (
    begin_with_a_move,
    choose,
    click_move,
    drag,
    overflow,
    paste,
    played,
    settle,
    wait_for_moves,
)

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["othello", pytest.param("checkers", marks=pytest.mark.slow)])
def test_a_whole_game_is_played_by_clicking(open_page, name):
    page = open_page()
    choose(page, name, "random")
    rules, number = game(name), 0
    while page.locator("body[data-turn=yours]").count():
        number = len(played(page))
        click_move(page, number)
    position = rules.start()
    for text in played(page):
        position = next(move.after for move in rules.legal_moves(position) if move.text == text)
    verdict = page.inner_text("#status")
    assert verdict.startswith("Draw") or (not rules.legal_moves(position) and "wins" in verdict)
    assert number > 20


def test_a_pass_beside_other_moves_has_its_button(open_page, monkeypatch):
    """As in Go, where who is to move may pass at any time."""
    rules = game("othello")
    usual = rules.legal_moves

    def legal_moves(position):
        after = position._replace(own=position.foe, foe=position.own, turn=np.uint32(position.turn ^ 1))
        return [*usual(position), Move("pass", after)]

    monkeypatch.setitem(vars(rules), "legal_moves", legal_moves)
    page = open_page()
    choose(page, "othello", "random")
    page.click("#pass")
    wait_for_moves(page, 2)
    assert played(page)[0] == "pass"
    page.click('[data-square="a1"]')
    page.locator("#note", has_text="No disc can be placed on a1.").wait_for()
    page.locator(".square.target").first.click()
    wait_for_moves(page, 4)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("width", [380, 1600])
def test_every_game_fits_small_and_large_screens(open_page, name, width):
    page = open_page(width=width, color_scheme="dark" if width == 380 else "light")
    choose(page, name, "random")
    page.click("#lit summary")
    page.click("#files summary")
    page.wait_for_selector("#lit svg")
    sees, net = page.locator("#lit text", has_text="sees"), page.locator("#lit svg")
    assert sees.bounding_box()["x"] >= net.bounding_box()["x"]
    assert page.locator("[data-square]").count() == len(geometry_of(game(name)).places)
    assert overflow(page) == 0
    box = page.locator("#board").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_a_move_is_made_by_keys_and_announced(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    page.focus('[data-square="11"]')
    page.keyboard.press("Enter")
    assert "It can go to 16, 15" in page.inner_text("#say")
    page.keyboard.press("Escape")
    assert page.locator(".square.target").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    landed = page.evaluate("document.activeElement.dataset.square")
    assert landed in ("15", "16")
    assert "you can move here" in page.locator(f'[data-square="{landed}"]').get_attribute("aria-label")
    page.keyboard.press("Space")
    wait_for_moves(page, 2)
    assert played(page)[0] == f"11-{landed}"
    assert "White plays" in page.inner_text("#say")


def test_a_piece_is_dragged_and_one_that_is_dropped_elsewhere_stays(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    drag(page, "11", "7")
    drag(page, "11", "18")
    assert played(page) == []
    drag(page, "11", "15")
    wait_for_moves(page, 2)
    assert played(page)[0] == "11-15"


def test_undo_takes_back_the_move_and_the_answer(open_page):
    page = open_page()
    begin_with_a_move(page, "checkers")
    page.click("#undo")
    page.locator("#no-moves").wait_for()
    assert page.locator("#undo").is_disabled()
    assert page.input_value("#fen").startswith("B:W21,22,23")


def test_the_other_side_is_played_and_the_board_turned(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    assert page.locator("[data-square]").first.get_attribute("data-square") == "32"
    settle(page, side="0")
    wait_for_moves(page, 1)
    assert page.locator("[data-square]").first.get_attribute("data-square") == "1"


def test_a_game_of_two_programs_is_paused_and_goes_on(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    assert page.locator("#pause").is_hidden()
    settle(page, opponent="uct", level="500", side="none")
    page.locator('#moves [aria-label^="Move 1,"]').wait_for()
    page.keyboard.press("p")
    page.locator("#status", has_text="paused").wait_for()
    assert page.inner_text("#pause") == "Go on"
    count = len(played(page))
    page.click("#analyse")
    page.locator("#analysis-table tbody tr").first.wait_for()
    page.locator("#stop:disabled").wait_for()
    assert len(played(page)) == count
    page.click("#pause")
    page.locator(f'#moves [aria-label^="Move {count + 1},"]').wait_for()
    assert page.inner_text("#pause") == "Pause"


def test_a_pause_waits_for_the_search_requested_before_it(open_page):
    page, held, seen = open_page(), [], []
    choose(page, "checkers", "random")
    page.route("**/api/think", lambda route: held.append(route))
    page.on("response", lambda response: seen.append(response.url.rpartition("/")[2]))
    page.on("request", lambda request: seen.append(f"asked: {request.url.rpartition('/')[2]}"))
    settle(page, opponent="uct", level="500", side="none")
    while not held:
        page.wait_for_timeout(20)
    page.keyboard.press("p")
    page.wait_for_timeout(300)
    assert "asked: halt" not in seen
    held.pop().continue_()
    page.locator("#status", has_text="paused").wait_for()
    assert seen.index("think") < seen.index("asked: halt")


def test_a_champion_is_asked_and_its_advice_framed(open_page):
    page = open_page()
    choose(page, "checkers", "run", level="1")
    page.click("#analyse")
    page.locator("#analysis-table tbody tr").first.wait_for()
    page.locator("#stop:disabled").wait_for()
    assert page.locator("#analysis-table tbody tr").count() == 7
    assert page.locator(".square.hinted").count() == 2
    assert "would play" in page.inner_text("#say")
    assert played(page) == []


def test_uct_shows_its_table(open_page):
    page = open_page()
    choose(page, "othello", "uct", level="500")
    click_move(page, 0)
    wait_for_moves(page, 2)
    visits = page.locator("#analysis-table tbody tr td:nth-child(3)").all_inner_texts()
    assert sum(int(number.replace(",", "")) for number in visits) >= 490


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_game_is_saved_and_taken_over_again(open_page, encoding):
    page = open_page()
    choose(page, "checkers", "random")
    paste(page, "1. 11-15 22-18 2. 15x22 25x18 8-11")
    wait_for_moves(page, 5)
    with page.expect_download() as saving:
        page.click("#save")
    text = saving.value.path().read_text()
    assert saving.value.suggested_filename == "checkers.pdn"
    assert "15x22" in text
    settle(page)
    page.locator("#no-moves").wait_for()
    written = text.replace("11-15", "11–15").encode(encoding)
    page.set_input_files("#file", {"name": "a.pdn", "mimeType": "text/plain", "buffer": written})
    wait_for_moves(page, 5)
    page.fill("#fen", "W:WK1:B25")
    page.click("#set-up")
    page.locator("#no-moves").wait_for()
    page.locator('[aria-label="1, b8, White king"]').wait_for()


def test_an_earlier_move_is_looked_at_and_gone_on_from(open_page):
    page = open_page()
    paste(page, "1. 11-15 22-18 2. 15x22 25x18")
    wait_for_moves(page, 4)
    page.click('#moves [aria-label^="Move 2,"]')
    page.locator("#viewing-words", has_text="2 of 4").wait_for()
    assert page.locator(".square.can").count() == 0
    page.click("#from-here")
    page.locator("#viewing").wait_for(state="hidden")
    assert played(page) == ["11-15", "22-18"]


def test_a_game_outlives_a_reload(open_page):
    page = open_page()
    begin_with_a_move(page, "othello")
    before = played(page)
    page.reload()
    wait_for_moves(page, 2)
    assert played(page) == before
    page.locator("[aria-label='Board of othello']").wait_for()


def test_a_loaded_game_waits_for_the_person_after_a_reload_too(open_page):
    page = open_page()
    paste(page, "1. 11-15 22-18 2. 15x22")
    for _ in range(2):
        wait_for_moves(page, 3)
        assert "you play both sides" in page.inner_text("#game-words")
        page.reload()
        page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(500)
    assert len(played(page)) == 3
    settle(page, "#apply", side="1")
    wait_for_moves(page, 4)
    page.reload()
    wait_for_moves(page, 4)
    assert "you play Black" in page.inner_text("#game-words")
