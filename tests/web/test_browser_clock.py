"""Clock, pondering and the numbers of squares, in a real Chromium."""

import re

import pytest

from tests.web.clicks import choose, click_move, forget, hold, overflow, played, settle, wait_for_moves

pytestmark = pytest.mark.browser

SHORT = {"minutes-0": "1", "increment-0": "1", "minutes-1": "0.1", "increment-1": "0"}


def begin_by_the_clock(page, name="checkers", opponent="material", **times):
    """Begin a game by the clock; times: by the ids of the fields, of those that are not usual."""
    page.click("#new-game")
    page.select_option("#game", name)
    page.locator("#start:enabled").wait_for()
    page.select_option("#opponent", opponent)
    page.select_option("#time", "other" if times else "180+2")
    for field, value in times.items():
        page.fill(f"#{field}", value)
    page.click("#start")
    page.locator("#settings").wait_for(state="hidden")
    page.locator("#clocks").wait_for()
    page.locator("#no-moves").wait_for()
    page.locator("body[data-turn=yours]").wait_for()


def times(page):
    return dict(text.split("\n") for text in page.locator(".side-clock").all_inner_texts())


def test_a_game_is_played_by_the_clock(open_page):
    page = open_page()
    assert page.locator("#clocks").is_hidden()
    begin_by_the_clock(page)
    assert "as its clock allows" in page.inner_text("#game-words")
    assert times(page) == {"White": "3:00", "Black": "3:00"}
    click_move(page, 0)
    wait_for_moves(page, 2)
    page.locator("#clock-1.running").wait_for()
    assert page.locator("#clock-0.running").count() == 0
    before = times(page)["Black"]
    page.wait_for_function(f"() => document.querySelector('#clock-1 b').textContent !== '{before}'")
    page.click("#undo")
    page.locator("#no-moves").wait_for()
    assert times(page) == {"White": "3:00", "Black": "3:00"}
    page.reload()
    page.locator("#clock-1").wait_for()
    settle(page)
    page.locator("#no-moves").wait_for()


def test_all_moves_of_a_game_by_the_clock_are_analysed_at_a_level(open_page):
    page = open_page()
    begin_by_the_clock(page)
    click_move(page, 0)
    wait_for_moves(page, 2)
    with page.expect_request("**/api/think") as asked:
        page.click("#judge")
    assert asked.value.post_data_json["player"] == "material:depth=4"
    page.locator("#judge:disabled").wait_for()
    page.locator("#stop:disabled").wait_for()
    assert page.locator("#graph svg").count() == 1


def test_a_time_that_is_not_asked_for_any_more_keeps_no_game_from_its_start(open_page):
    page = open_page()
    page.click("#new-game")
    page.select_option("#time", "other")
    page.fill("#minutes-0", "")
    page.select_option("#time", "")
    page.locator("#start:enabled").click()
    page.locator("#settings").wait_for(state="hidden", timeout=10_000)
    assert page.locator("#clocks").is_hidden()


def test_a_flag_falls(open_page):
    page = open_page()
    begin_by_the_clock(page, "othello", "random", **SHORT)
    click_move(page, 0)
    page.locator("#status", has_text="wins: Black's time is up.").wait_for()
    assert re.fullmatch(r"0:00\.0", times(page)["Black"])
    assert page.locator("body[data-turn=over]").count() == 1
    assert page.locator(".square.target").count() == 0


def test_a_game_that_the_server_forgot_has_no_more_time_than_before(open_page):
    page = open_page()
    begin_by_the_clock(
        page,
        opponent="random",
        **{"minutes-0": "1", "increment-0": "30", "minutes-1": "1", "increment-1": "30"},
    )
    for ply in (0, 2, 4):
        click_move(page, ply)
        wait_for_moves(page, ply + 2)
    # the time runs on in the page after the last answer of the server, and that counts too
    running = page.locator(".side-clock.running b")
    said = running.inner_text()
    running.filter(has_not_text=said).wait_for()
    page.wait_for_timeout(2_000)
    before, moves = times(page), played(page)
    forget(page)
    page.evaluate("document.getElementById('clock-1').title = 'before'")
    page.click("#analyse")
    page.locator("#clock-1:not([title])").wait_for()
    assert played(page) == moves
    for side, left in times(page).items():
        assert left <= before[side] < "3:00"


def test_a_game_lost_on_time_that_the_server_forgot_is_still_lost(open_page):
    page = open_page()
    begin_by_the_clock(page, "othello", "random", **SHORT)
    click_move(page, 0)
    lost = page.locator("#status", has_text="wins: Black's time is up.")
    lost.wait_for()
    moves = played(page)
    forget(page)
    with page.expect_response("**/api/new") as answer:
        page.keyboard.press("Home")
    assert answer.value.json()["verdict"] == "White wins: Black's time is up."
    page.keyboard.press("End")
    lost.wait_for()
    assert played(page) == moves
    assert times(page)["Black"] == "0:00.0"


def test_a_game_of_the_longest_times_comes_back_too(open_page):
    page = open_page()
    longest = {"minutes-0": "1440", "increment-0": "3600", "minutes-1": "1440", "increment-1": "3600"}
    begin_by_the_clock(page, opponent="random", **longest)
    for ply in (0, 2):
        click_move(page, ply)
        wait_for_moves(page, ply + 2)
    forget(page)
    page.evaluate("document.getElementById('clock-1').title = 'before'")
    page.click("#analyse")
    page.locator("#clock-1:not([title])").wait_for(timeout=20_000)
    assert page.inner_text("#error") == ""
    assert len(played(page)) == 4


def test_a_flag_that_falls_while_another_game_begins_brings_no_game_back(open_page):
    page = open_page()
    begin_by_the_clock(page, "checkers", "random", **SHORT)
    click_move(page, 0)
    wait_for_moves(page, 2)
    release = hold(page, re.compile("/api/prepare/othello"))
    settle(page, game="othello", time="")
    forget(page)
    begun = []
    page.on("request", lambda asked: begun.append(asked.post_data_json) if "/new" in asked.url else None)
    page.locator("#clock-1 b", has_text="0:00.0").wait_for()
    page.wait_for_timeout(1_000)
    release()
    page.locator("body[data-turn=yours] [aria-label='Board of othello']").wait_for()
    assert [message["game"] for message in begun] == ["othello"]


def test_a_player_thinks_on_only_where_it_was_asked_to(open_page):
    page = open_page()
    page.click("#new-game")
    assert not page.is_checked("#ponders")
    page.check("#ponders")
    page.click("#cancel")
    choose(page, "checkers", "uct", level="50000")
    click_move(page, 0)
    wait_for_moves(page, 2)
    page.click("#turn")
    page.click("#new-game")
    page.uncheck("#ponders")
    page.click("#cancel")
    click_move(page, 2)
    wait_for_moves(page, 4)
    assert "pondering" not in page.inner_text("#status")


def test_squares_lose_their_numbers_and_get_them_back(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    ground = page.locator("#board > img")
    assert ground.get_attribute("src").endswith("/straight.svg") or "turned.svg" in ground.get_attribute(
        "src"
    )
    page.click("#new-game")
    page.uncheck("#numbers")
    page.click("#cancel")
    assert ground.get_attribute("src").endswith("-plain.svg")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert ground.get_attribute("src").endswith("-plain.svg")
    page.click("#new-game")
    page.check("#numbers")
    page.click("#cancel")
    assert "-plain" not in ground.get_attribute("src")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height", "least"), [(1920, 1080, 740), (1280, 900, 560), (380, 800, 340)])
def test_the_clocks_leave_room_for_the_board(open_page, width, height, least, scheme):
    page = open_page(width=width, height=height, color_scheme=scheme)
    begin_by_the_clock(page)
    click_move(page, 0)
    wait_for_moves(page, 2)
    box = page.locator("#board").bounding_box()
    assert box["width"] >= least
    assert box["y"] + box["height"] <= height
    assert overflow(page) == 0
    page.click("#new-game")
    page.select_option("#time", "other")
    assert overflow(page) == 0
    assert len(played(page)) == 2
