"""The pages in a real Chromium: played by clicks, drags and keys, on small and large screens."""

import itertools
import re
import shutil
import threading

import numpy as np
import pytest

from neche.archive.run import RunDirectory
from neche.games.catalogue import GAMES, game
from neche.games.game import Move, geometry_of
from neche.web import ServerConfiguration
from neche.web.server import listen, serve, url_of
from tests.archive.builders import begun_run
from tests.web.clicks import (
    PATIENCE_MS,
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


def watched(run, *more):
    """Serve runs to be watched; return the address."""
    sock, ready = listen("127.0.0.1", 0), threading.Event()
    given = sock, ServerConfiguration(run=run, more_runs=more)
    threading.Thread(target=serve, args=given, kwargs={"started": ready.set}, daemon=True).start()
    assert ready.wait(30)
    return url_of(sock)


def test_several_runs_are_watched_together(browser, tmp_path):
    for seed in (1, 2, 3):
        begun_run(tmp_path / f"seed-{seed}", 4 + seed, seed=seed)
    address = watched(tmp_path / "seed-1", tmp_path)
    for width, scheme in ((380, "light"), (1280, "dark"), (1920, "light")):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}watch")
        page.locator("#runs tbody tr").nth(2).wait_for()
        assert page.inner_text("#title") == "3 runs"
        # three seeds of equal settings: a mean and a band
        page.locator("#charts svg .band").first.wait_for()
        assert "mean of 3 seeds" in page.locator("#charts .legend").first.inner_text()
        page.locator("#runs input").first.uncheck()
        page.locator("#charts .legend li").nth(1).wait_for()
        assert page.locator("#charts svg .band").count() == 0
        legend = page.locator("#charts .legend").first.inner_text()
        assert "seed-2" in legend
        assert "seed-1" not in legend
        # the values of a generation under the pointer
        page.locator("#charts svg").first.hover()
        assert re.search(r"generation \d", page.locator("#charts h2").first.inner_text())
        assert overflow(page) == 0
        page.get_by_role("link", name="seed-3").click()
        page.locator("#champion-picture svg").wait_for()
        assert page.inner_text("#title") == "Run seed-3"
        page.get_by_role("link", name="All runs").click()
        page.locator("#runs tbody tr").nth(2).wait_for()
        page.close()


def test_a_damaged_run_names_no_game_beside_the_others(browser, tmp_path):
    for seed in (1, 2):
        begun_run(tmp_path / f"seed-{seed}", 2, seed=seed)
    begun_run(tmp_path / "seed-3", 1, seed=3)
    (tmp_path / "seed-3" / "config.toml").write_text("seed = \n")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{watched(tmp_path / 'seed-1', tmp_path)}watch")
    page.locator("#runs tbody tr").nth(2).wait_for()
    assert "config.toml" in page.inner_text("#runs")
    assert "checkers" not in page.inner_text("#runs")
    page.close()


@pytest.mark.parametrize("generations", [3, 9])
def test_curves_of_a_run_begun_anew_begin_anew(browser, tmp_path, generations):
    first, pages = begun_run(tmp_path / "first", 6), [browser.new_page(), browser.new_page()]
    begun_run(tmp_path / "second", 2)
    for page, more in zip(pages, ((), (tmp_path,)), strict=True):
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{watched(first, *more)}watch")
        page.locator("#charts svg path").first.wait_for()
    shutil.rmtree(first)
    begun_run(first, generations, "game=brazilian", seed=2)
    pages[0].locator("#tiles dd").first.filter(has_text=f"{generations - 1} of").wait_for()
    pages[1].locator("#runs tr").nth(1).filter(has_text=f"{generations - 1} of").wait_for()
    for page in pages:
        # an error, if one was shown, is gone when all is drawn
        page.wait_for_function("document.getElementById('error').textContent === ''")
        curve = page.locator("#charts svg path").first
        shown = curve.get_attribute("d")
        page.reload()
        assert shown == curve.get_attribute("d")
        assert shown.count("L") == generations - 1
        page.close()


def test_a_run_is_watched_while_it_grows(open_page, growing):
    _, grow = growing
    page = open_page("watch", width=380)
    page.locator("#champion-picture svg").wait_for()
    assert page.locator("#charts svg").count() == 4
    path = page.locator("#charts svg").first.locator("path").first
    before = path.get_attribute("d")
    generation = grow()
    page.locator("#tiles dd").first.filter(has_text=f"{generation.number} of").wait_for()
    after = path.get_attribute("d")
    assert after.count("L") == before.count("L") + 1
    assert f"Generation {generation.number} is finished" in page.inner_text("#say")
    while generation.depth == 1 or generation.number < 5:
        generation = grow()
    page.locator("#tiles dd").first.filter(has_text=f"{generation.number} of 900").wait_for()
    assert page.locator("#charts svg").first.locator(".mark").count() == 1
    assert "depth 2 from generation 4" in page.locator("#charts svg").first.get_attribute("aria-label")
    assert "after" in page.inner_text("#champion-words")
    assert overflow(page) == 0


def test_a_run_is_shown_though_its_champion_fails_and_that_is_asked_for_again(open_page):
    page = open_page("")
    failing = re.compile("/api/champion")
    page.route(failing, lambda request: request.fulfill(status=422, json={"error": "no network now"}))
    page.goto(page.url + "watch")
    page.locator("#champion-words", has_text="no network now").wait_for()
    assert page.inner_text("#title") == "Run small"
    assert page.locator("#tiles dd").count() > 2
    assert page.inner_text("#error") == ""
    page.unroute(failing)
    page.locator("#champion-picture svg").wait_for()
    assert "live synapses" in page.inner_text("#champion-words")


def test_a_damaged_line_of_a_history_is_told(browser, tmp_path):
    run = begun_run(tmp_path / "damaged", 4)
    history = run / "history.jsonl"
    history.write_bytes(history.read_bytes().replace(b'"generation": 1,', b'"generation": 7,'))
    page = browser.new_page()
    page.goto(f"{watched(run)}watch")
    page.locator("#error", has_text="line 2 is damaged").wait_for(timeout=20_000)
    page.close()


def test_a_champion_that_is_crowned_after_the_last_generation_is_shown(browser, tmp_path):
    path = begun_run(tmp_path / "crowned", 4)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{watched(path)}watch")
    page.locator("#champion-picture svg").wait_for()
    with RunDirectory.open(path) as run:
        last = run.last_generation()
        assert last is not None
        run.crown(last.members[3], generation=last.number, scores={"blind:depth=4": 0.75})
    page.locator("#champion-words", has_text=f"{last.members[3].id}:").wait_for(timeout=20_000)
    page.close()


TICKS = """async most => {
    const { chart } = await import("/assets/charts.js");
    const made = chart("", [["line", [[0, 0], [1, most]]]]);
    const ticks = [...made.querySelectorAll(".grid")];
    return [ticks.map(line => [line.getAttribute("y1"), line.nextSibling.textContent]),
      made.querySelector(".legend").textContent];
}"""


@pytest.mark.parametrize("most", [0.004, 0.0189, 0.21, 1.3, 1463, 1900, 26_500, 181_560])
def test_numbers_beside_a_chart_are_those_of_its_lines(open_page, most):
    ticks, legend = open_page("watch").evaluate(TICKS, most)
    heights = [float(height) for height, _ in ticks]
    values = [number_in(words) for _, words in ticks]
    assert len({words for _, words in ticks}) == len(ticks)
    for height, value in zip(heights, values, strict=True):
        share = (heights[0] - height) / (heights[0] - heights[-1])
        assert value == pytest.approx(share * values[-1])
    assert number_in(legend.removeprefix("line ")) == pytest.approx(most, rel=0.02)


POWERS = """async values => {
    const { chart } = await import("/assets/charts.js");
    const made = chart("", [["line", values.map((value, at) => [at, value])]], { mayBeLog: true });
    const ticks = [...made.querySelectorAll(".grid")];
    return [ticks.map(line => [line.getAttribute("y1"), line.nextSibling.textContent]),
      made.querySelector("path").getAttribute("d")];
}"""


def test_errors_that_fall_far_stand_a_decade_from_each_other_at_equal_distances(open_page):
    page = open_page("watch")
    ticks, way = page.evaluate(POWERS, [1, 0.1, 0.01, 0.001])
    assert [words for _, words in ticks] == ["0.001", "0.01", "0.1", "1"]
    heights = [float(place.split(" ")[1]) for place in way[1:].split("L")]
    assert heights == pytest.approx([float(height) for height, _ in ticks[::-1]], abs=0.1)
    steps = [below - above for above, below in itertools.pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)
    # no logarithm of zero, and none where it would help nobody
    for values in ([1, 0.001, 0], [3, 2]):
        ticks, _ = page.evaluate(POWERS, values)
        assert ticks[0][1] == "0"


def number_in(words):
    """Return a number as charts write it, with k for thousands."""
    return float(words.removesuffix("k")) * (1000 if words.endswith("k") else 1)
