"""Faults at the board, in a real Chromium: they are shown in view, and the last choice counts."""

import re

import pytest

from tests.web.clicks import (
    begin_with_a_move,
    choose,
    click_move,
    forget,
    hold,
    open_files,
    paste,
    played,
    settle,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

OTHELLO_RULES = re.compile("/api/prepare/othello")


@pytest.mark.parametrize(("name", "square"), [("othello", "a1"), ("checkers", "18"), ("checkers", "11")])
def test_a_square_under_the_mouse_stays_a_square_of_the_board(open_page, name, square):
    page = open_page()
    choose(page, name, "random")
    page.hover(f'[data-square="{square}"]')
    ground = page.eval_on_selector(
        f'[data-square="{square}"]', "found => getComputedStyle(found).backgroundColor"
    )
    red, green, blue, *alpha = (float(part) for part in re.findall(r"[\d.]+", ground))
    assert (alpha or [1.0])[0] <= 0.2, f"{red} {green} {blue}"


def in_view(page, selector):
    box = page.locator(selector).bounding_box()
    height = page.viewport_size["height"]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_a_bad_position_is_refused_in_view_and_the_game_goes_on(open_page):
    page = open_page(width=380, height=800)
    choose(page, "checkers", "random")
    open_files(page)
    page.fill("#fen", "hello")
    page.click("#set-up")
    fault = page.get_by_role("alert").filter(has_text="hello")
    fault.wait_for()
    assert in_view(page, "[role=alert]:not(:empty)")
    assert "your turn" in page.inner_text("#status")
    click_move(page, 0)


@pytest.mark.parametrize("gap", [0, 300])
@pytest.mark.parametrize(("first", "last"), [("othello", "checkers"), ("othello", "brazilian")])
def test_of_two_quick_choices_of_a_game_the_last_counts(open_page, first, last, gap):
    page = open_page()
    choose(page, "international", "random")
    release = hold(page, re.compile(f"/api/prepare/{first}"))
    settle(page, game=first)
    page.wait_for_timeout(gap)
    settle(page, game=last)
    page.wait_for_timeout(300)
    release()
    page.wait_for_timeout(600)
    page.locator("body[data-turn=yours]").wait_for()
    page.locator(f"[aria-label='Board of {last}']").wait_for()
    page.wait_for_function(f"() => document.title.includes('{last}')")
    assert page.inner_text("#error") == ""
    click_move(page, 0)


def test_while_rules_are_compiled_the_page_says_so_and_no_old_move_can_be_made(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    release = hold(page, OTHELLO_RULES)
    settle(page, game="othello")
    page.locator("#status", has_text=re.compile(r"Compiling the rules of Othello")).wait_for()
    page.locator("#clock", has_text=re.compile(r"[1-9]\d* s")).wait_for()
    assert page.locator(".square.can").count() == 0
    assert page.locator("#board").get_attribute("aria-busy") == "true"
    page.locator("#board [data-square]").first.click()
    release()
    page.locator("body[data-turn=yours] [aria-label='Board of othello']").wait_for()
    assert page.inner_text("#clock") == ""
    assert page.locator("#board").get_attribute("aria-busy") == "false"
    click_move(page, 0)


def test_a_wrong_click_is_answered_where_one_looks(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    page.click('[data-square="1"]')
    page.locator("#note", has_text="Nothing can move from 1").wait_for()
    assert in_view(page, "#note")
    page.click('[data-square="11"]')
    assert page.locator("#note").is_hidden()


def test_a_click_while_an_earlier_position_is_shown_says_how_to_go_on(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    paste(page, "1. 11-15 22-18")
    wait_for_moves(page, 2)
    page.click('#moves [aria-label^="Move 1,"]')
    page.locator("#viewing").wait_for()
    page.click('[data-square="22"]')
    page.locator("#note", has_text="earlier position").wait_for()


def test_moves_of_othello_are_taken_over_while_checkers_is_on_the_board(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    paste(page, "f5d6c3")
    wait_for_moves(page, 3)
    assert played(page) == ["f5", "d6", "c3"]
    page.locator("[aria-label='Board of othello']").wait_for()


def test_a_side_that_must_pass_can_pass(open_page):
    page = open_page()
    choose(page, "othello", "random", side="both")
    open_files(page)
    page.fill("#fen", f"OX{'-' * 62} X")
    page.click("#set-up")
    page.locator("#pass:enabled").click()
    page.locator('[data-square="c1"].target').click()
    page.locator("#status", has_text="White wins").wait_for()


@pytest.mark.parametrize(
    ("fen", "move", "share"), [("B:W18:B15", ("15", "22"), "0"), ("W:W18:B15", ("18", "11"), "100")]
)
def test_the_bar_shows_the_result_when_the_game_is_over(open_page, fen, move, share):
    page = open_page()
    choose(page, "checkers", "random", side="both")
    open_files(page)
    page.fill("#fen", fen)
    page.click("#set-up")
    page.locator(f'[data-square="{move[0]}"].can').click()
    page.locator(f'[data-square="{move[1]}"]').click()
    page.locator("body[data-turn=over]").wait_for()
    winner = "White" if share == "100" else "Black"
    assert winner in page.locator("#meter").get_attribute("aria-label")
    assert winner in page.locator("#meter").get_attribute("title")
    assert page.locator("#meter.unknown").count() == 0
    assert page.eval_on_selector("#meter-fill", "fill => fill.style.width").startswith(share)


def test_a_server_that_is_gone_is_named(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    page.route("**/api/**", lambda route: route.abort())
    page.click("#analyse")
    page.locator("#error", has_text="neche serve").wait_for()


def test_the_board_is_set_out_while_its_rules_are_compiled(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    release = hold(page, OTHELLO_RULES)
    settle(page, game="othello", opponent="random")
    page.locator("#status", has_text="Compiling the rules of Othello").wait_for()
    page.wait_for_function("document.querySelectorAll('#board .man').length === 4")
    page.click('[data-square="d3"]')
    page.locator("#note", has_text="The rules of Othello are being compiled.").wait_for()
    release()
    page.locator("#status", has_text="Black to move").wait_for()
    assert page.locator("#board .man").count() == 4


BAR = """async side => {
    const { resultShare, showBar } = await import("/assets/thoughts.js");
    const rules = { sides: ["X", "O"], light: 0 };
    const state = { verdict: `${side} wins: it did.`, ply: 5, last: 5 };
    showBar(state, rules, resultShare(state, rules));
    return [document.getElementById("meter-fill").style.width, document.getElementById("number").textContent];
}"""


def test_the_bar_of_a_game_of_ones_own_names_the_side_with_the_light_pieces(open_page):
    page = open_page()
    assert page.evaluate(BAR, "X") == ["100%", "X 1–0"]
    assert page.evaluate(BAR, "O") == ["0%", "X 0–1"]


@pytest.mark.parametrize("button", ["#start", "#apply"])
def test_a_mistyped_specification_is_refused_in_the_dialog(open_page, button):
    page = open_page()
    begin_with_a_move(page, "checkers")
    before, words = played(page), page.inner_text("#game-words")
    page.click("#new-game")
    page.select_option("#opponent", "")
    page.fill("#other", "uct:playout=5")
    page.click(button)
    page.locator("#settings-error", has_text="did you mean playouts?").wait_for()
    assert played(page) == before
    assert page.inner_text("#game-words") == words
    page.fill("#other", "uct:playouts=5")
    page.click("#apply")
    page.locator("#game-words", has_text="uct:playouts=5").wait_for()
    assert page.locator("#settings").is_hidden()


def test_the_number_of_a_move_never_shows_beside_the_names_of_the_sides(open_page):
    page = open_page()
    begin_with_a_move(page, "checkers")
    heads = page.locator("#moves .side").evaluate_all("all => all.map(head => head.offsetHeight)")
    assert len(heads) == 3
    assert len(set(heads)) == 1


def test_a_network_that_is_still_read_is_announced(open_page):
    page = open_page()
    choose(page, "checkers", "random", side="both")
    release = hold(page, re.compile("/api/light"))
    page.click("#lit summary")
    page.locator("#lit-words", has_text="Reading the network").wait_for()
    release()
    page.locator("#lit-words", has_text="live synapses").wait_for()


def test_activations_are_asked_for_again_once_the_server_answers(open_page):
    page = open_page()
    choose(page, "checkers", "random", side="both")
    page.route("**/api/light", lambda route: route.abort())
    page.click("#lit summary")
    page.locator("#lit-words", has_text="neche serve").wait_for()
    page.unroute("**/api/light")
    page.click("#analyse")
    page.locator("#lit-picture svg").wait_for(timeout=60_000)
    page.select_option("#lit-player", "champion")
    page.locator("#lit-words", has_text=re.compile(r"\d,\d{3} live synapses")).wait_for()
    # who cannot hover taps
    page.locator("#lit-picture .neuron").last.dispatch_event("click")
    page.locator("#lit-picture text.on", has_text=re.compile(r"value: [+−]?\d")).wait_for()


NET = """async () => {
    const { networkPicture } = await import("/assets/network.js");
    const neuron = { kind: "sensor", square: "a1", value: 1 };
    const neurons = ["own", "enemy", "own king"].map((piece, id) => ({ ...neuron, id, piece }));
    const output = { id: 3, kind: "output", square: "", piece: "", value: 1 };
    const rules = { columns: 1, rows: 1, squares: [["a1", 0, 0, "a1"]] };
    const lit = { neurons: [...neurons, output], links: [], synapses: 1, value: 1, words: "+1", view: "X" };
    return [...networkPicture(lit, rules, false).querySelectorAll("title")].map(title => title.textContent);
}"""


def test_a_sensor_of_discs_is_named_by_what_it_sees(open_page):
    titles = ["own disc on a1: 1.00", "enemy disc on a1: 1.00", "own king on a1: 1.00", "value: 1.00"]
    assert open_page("watch").evaluate(NET) == titles


def test_a_page_that_waits_for_a_network_does_not_say_that_there_is_no_champion(open_page):
    page = open_page()
    release = hold(page, re.compile("/api/champion"))
    page.goto(page.url + "watch")
    page.locator("#tiles dd").first.wait_for()
    champion = page.locator("#tiles div", has_text="Champion").locator("dd").inner_text()
    assert page.inner_text("#champion-words") == f"Reading the network of {champion} …"
    release()
    page.locator("#champion-picture svg").wait_for()


def test_a_game_that_the_server_forgot_keeps_event_remarks_and_evaluations(open_page):
    page = open_page()
    choose(page, "checkers", "material", level="2")
    paste(page, '[Event "Club"]\n{first} 1. 11-15 {bold} 22-18 {dull} *')
    wait_for_moves(page, 2)
    page.click('#moves [aria-label^="Move 1,"]')
    page.click("#analyse")
    page.locator("#meter:not(.unknown)").wait_for()
    page.locator("#stop:disabled").wait_for()
    forget(page)
    page.click("#from-here")
    page.locator('#moves [aria-label^="Move 2,"]').wait_for(state="detached")
    assert page.locator("#meter.unknown").count() == 0
    forget(page)
    with page.expect_download() as saving:
        page.click("#save")
    text = saving.value.path().read_text()
    assert '[Event "Club"]' in text
    assert "{first} 1. 11-15 {bold}" in text


def test_an_action_on_a_game_that_the_server_forgot_is_done_once_it_is_back(open_page):
    page = open_page()
    choose(page, "checkers", "random")
    click_move(page, 0)
    wait_for_moves(page, 2)
    forget(page)
    click_move(page, 2)
    wait_for_moves(page, 4)
    before = played(page)
    forget(page)
    page.click('#moves [aria-label^="Move 2,"]')
    page.locator("#viewing-words", has_text="2 of 4").wait_for()
    forget(page)
    page.click("#from-here")
    page.locator('#moves [aria-label^="Move 3,"]').wait_for(state="detached")
    assert played(page) == before[:2]
    forget(page)
    paste(page, "1. 11-15 22-18 2. 15x22")
    page.click("#ask-yes")
    wait_for_moves(page, 3)
    assert page.inner_text("#files-error") == ""
