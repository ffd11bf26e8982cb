"""A visitor of the pages, without a network, and pages in a real Chromium."""

import threading

import pytest

from neche.archive.run import RunDirectory
from neche.evolution.population import Generation
from neche.web import ServerConfiguration
from neche.web.server import listen, serve, url_of
from tests.archive.builders import next_generation, small_settings
from tests.web.clicks import PATIENCE_MS
from tools.fuzz.pages import Visitor


@pytest.fixture
def visitor():
    found = Visitor()
    yield found
    found.close()


@pytest.fixture(scope="session")
def growing(tmp_path_factory):
    """A run that grows when asked to; its games are never played."""
    with RunDirectory.create(tmp_path_factory.mktemp("runs") / "small", small_settings(), 1) as run:
        generations: list[Generation] = []

        def grow():
            generations.append(next_generation(generations[-1] if generations else None, 1))
            run.save(generations[-1])
            return generations[-1]

        for _ in range(3):
            grow()
        yield run.path, grow


@pytest.fixture(scope="session")
def url(growing):
    """A server in this process."""
    path, _ = growing
    sock, ready = listen("127.0.0.1", 0), threading.Event()
    settings = ServerConfiguration(run=path)
    threading.Thread(target=serve, args=(sock, settings), kwargs={"started": ready.set}, daemon=True).start()
    assert ready.wait(30)
    return url_of(sock)


def is_complaint(said):
    """Chromium also notes every refused request on the console, which is no fault of the page."""
    return said.type == "error" and not said.text.startswith("Failed to load resource")


@pytest.fixture
def open_page(browser, url):
    """Open pages as a new visitor sees them; at the end, none may have errors on its console."""
    complaints, pages = [], []

    def opened(path="", width=1280, height=900, **options):
        page = browser.new_page(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            accept_downloads=True,
            **options,
        )
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.goto(url + path)
        if not path:
            page.wait_for_selector("body[data-ready]")
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []
