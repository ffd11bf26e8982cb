"""The pages of runs in a real Chromium: curves, champions, several runs together."""

import itertools
import os
import re
import shutil
import threading

import pytest

from neche.archive.run import RunDirectory
from neche.web import ServerConfiguration
from neche.web.server import listen, serve, url_of
from tests.archive.builders import begun_run
from tests.report.runs import sealed_history
from tests.web.clicks import PATIENCE_MS, overflow

pytestmark = pytest.mark.browser


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
        # keys go on from the same place when the table is drawn anew
        page.locator("#runs input").nth(1).focus()
        page.evaluate("document.querySelector('#runs tbody').title = 'before'")
        page.locator("#runs tbody:not([title])").wait_for()
        assert page.evaluate("document.activeElement.ariaLabel") == "Show the curves of seed-2"
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
    assert page.inner_text("#summary").startswith("Checkers, ")
    assert page.locator("#tiles dd").count() > 2
    assert page.inner_text("#error") == ""
    page.unroute(failing)
    page.locator("#champion-picture svg").wait_for()
    assert "live synapses" in page.inner_text("#champion-words")


def test_a_page_without_a_run_does_not_say_that_one_comes_in_a_moment(open_page):
    page = open_page()
    fault = {"error": "no run is watched"}
    page.route(re.compile(r"/api/run\?"), lambda request: request.fulfill(status=422, json=fault))
    page.goto(page.url + "watch")
    page.locator("#error", has_text="no run is watched").wait_for()
    assert page.inner_text("#summary") == ""


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
        last = run.last
        assert last is not None
        run.crown(last.members[3], generation=last.number, scores={"blind:depth=4": 0.75})
    page.locator("#champion-words", has_text=f"{last.members[3].id}:").wait_for(timeout=20_000)
    page.locator("#tiles dd", has_text=last.members[3].id).wait_for()
    page.locator("#tiles dd", has_text="ended early").wait_for()
    page.close()


def test_a_run_whose_process_was_killed_is_not_called_slow(browser, tmp_path):
    path = begun_run(tmp_path / "killed", 4)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    with RunDirectory.open(path):
        for number, population in enumerate(sorted((path / "generations").glob("0*"))):
            os.utime(population, (number, number))
        os.utime(path / ".lock", (9, 9))
        page.goto(f"{watched(path)}watch")
        page.locator("#tiles dd", has_text="stopped, or very slow").wait_for()
    (path / ".lock").touch()
    os.utime(path / ".lock", (9, 9))
    page.locator("#tiles dd", has_text="ended early").wait_for()
    page.close()


@pytest.mark.parametrize(
    "best", [[-9.5, -4.0, -1.0], [0.3, 0.3, 0.1 + 0.2], [1e15, 1e15, 1e15], [-1e300, 1.0, 2.0]]
)
def test_the_fitness_of_a_plug_in_is_a_curve_within_its_frame(browser, tmp_path, best):
    run = begun_run(tmp_path / "plugged", 3)
    worth = [{"fitness": {"best": value, "mean": value}} for value in best]
    sealed_history(run, lambda values: values | worth[values["generation"]])
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{watched(run)}watch")
    card = page.locator("#charts section", has_text="Fitness, as the plug-in returns it")
    card.wait_for()
    for at in range(2):
        way = card.locator("path").nth(at).get_attribute("d")
        heights = [float(place.split(" ")[1]) for place in re.split("[ML]", way)[1:]]
        assert len(heights) == (2 if -1e300 in best else 3)
        assert heights == sorted(heights, reverse=True)
        assert all(12 <= height <= 210 for height in heights)
    ticks = card.locator(".grid + text").all_text_contents()
    assert len({*ticks}) == len(ticks) > 1
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
      made.querySelector("path").getAttribute("d"), made.textContent.includes("logarithmic scale")];
}"""


def test_errors_that_fall_far_stand_a_decade_from_each_other_at_equal_distances(open_page):
    page = open_page("watch")
    ticks, way, is_named = page.evaluate(POWERS, [1, 0.1, 0.01, 0.001])
    assert is_named
    assert [words for _, words in ticks] == ["0.001", "0.01", "0.1", "1"]
    heights = [float(place.split(" ")[1]) for place in way[1:].split("L")]
    assert heights == pytest.approx([float(height) for height, _ in ticks[::-1]], abs=0.1)
    steps = [below - above for above, below in itertools.pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)
    # no logarithm of zero, and none where it would help nobody
    for values in ([1, 0.001, 0], [3, 2]):
        ticks, _, is_named = page.evaluate(POWERS, values)
        assert (ticks[0][1], is_named) == ("0", False)


def number_in(words):
    """Return a number as charts write it, with k for thousands."""
    return float(words.removesuffix("k")) * (1000 if words.endswith("k") else 1)
