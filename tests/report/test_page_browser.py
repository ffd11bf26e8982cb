"""The page of a run in real headless Chromium: nothing is cut off, keys step through games and network."""

import pytest

from neche.report.page import compose
from neche.report.sample_games import play_samples
from neche.report.story import read_story
from tests.report.runs import made_run

pytestmark = pytest.mark.browser
CUT_OFF = """() => [...document.querySelectorAll("body *")].filter(part => !part.closest(".scroll, svg")
  && part.getBoundingClientRect().right > document.documentElement.clientWidth + 1).length"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    story = read_story(made_run(folder / "made"))
    page = folder / "page.html"
    page.write_text(compose(story, play_samples(story, 2, 1)).html, encoding="utf-8")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1600])
def test_nothing_is_cut_off_and_nothing_complains(browser, written, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    faults, requests = [], []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(written.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_OFF) == 0
    assert faults == []
    assert requests == [written.as_uri()]
    page.close()


def test_a_game_and_the_network_answer_to_the_keyboard(browser, written):
    page = browser.new_page()
    page.goto(written.as_uri())
    page.locator("figure.game").first.focus()
    output = page.locator("figure.game output").first
    page.keyboard.press("Home")
    assert output.inner_text().startswith("ply 0 of ")
    assert page.locator("figure.game .pieces").first.locator("use").count() == 24
    page.keyboard.press("ArrowRight")
    assert output.inner_text().startswith("ply 1 of ")
    page.locator(".square").first.focus()
    page.keyboard.press("ArrowRight")
    said = page.locator(".readout").inner_text()
    assert said.startswith("Square ")
    assert said == page.locator(".square").nth(1).get_attribute("data-said")
    page.keyboard.press("Enter")
    assert page.locator("figure.network.chosen").count() == 1
    page.close()


@pytest.mark.parametrize("topology", ["patterns-9-1", "auto-9-1"])
def test_a_square_leads_to_all_synapses_of_its_sensors(browser, tmp_path, topology):
    run = made_run(tmp_path / "made", topology=topology, perspective="mover")
    (tmp_path / "page.html").write_text(compose(read_story(run), []).html, encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    words = page.locator(".synapse").evaluate_all("all => all.map(one => one.dataset.said)")
    for square in page.locator(".square").all()[:9]:
        name = square.locator("text").text_content()
        square.dispatch_event("click")
        lit = page.locator(".synapse.lit").evaluate_all("all => all.map(one => one.dataset.said)")
        leaving = [one for one in words if name in one.split(" → ")[0].split()]
        assert set(leaving) <= set(lit)
        # what else is lit goes on from a neuron
        assert all(one.startswith("neuron") for one in set(lit) - set(leaving))
        assert leaving
    page.close()


def test_the_page_says_everything_without_scripts(browser, written):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(written.as_uri())
    assert page.locator("figure.game .pieces").first.locator("use").count() > 0
    assert page.locator(".buttons").first.is_hidden()
    assert page.locator(".readout").is_hidden()
    context.close()
