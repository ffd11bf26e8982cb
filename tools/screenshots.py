"""Take the pictures of the pages in docs/images, in a real Chromium.

Each is a function below that leads a page to what is to be seen. Needs Chromium, and
`pip install -e '.[browser,plot]'`.

Usage: python tools/screenshots.py [NAME …]
"""

import argparse
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.browser import ROOT, chromium, served

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture."""
REFERENCE = "runs/reference"
_PATIENCE_MS = 120_000


@dataclass(frozen=True)
class Shot:
    """A picture. lead: brings a page, open at `path`, to what is shown. part: a selector; empty: all."""

    path: str
    lead: Callable[[Any], None]
    width: int = 1280
    height: int = 900
    scheme: str = "light"
    part: str = ""


def _wait_for_turn(page: Any) -> None:
    page.locator("#status", has_text="your turn").wait_for(timeout=_PATIENCE_MS)


def _new_game(page: Any, game: str, opponent: str, level: str) -> None:
    page.wait_for_selector("body[data-ready]", timeout=_PATIENCE_MS)
    if page.input_value("#game") != game:
        page.select_option("#game", game)
        _wait_for_turn(page)
    page.select_option("#opponent", opponent)
    page.select_option("#level", level)


def _move(page: Any, *squares: str) -> None:
    for square in squares:
        page.click(f'[data-square="{square}"]')
    page.wait_for_timeout(300)
    _wait_for_turn(page)


def _checkers(page: Any) -> None:
    _new_game(page, "checkers", "run", "4")
    for squares in (("11", "15"), ("9", "14"), ("8", "11")):
        _move(page, *squares)
    page.wait_for_timeout(400)


def _brazilian(page: Any) -> None:
    _new_game(page, "brazilian", "champion", "4")
    first = page.locator(".square.can").first.get_attribute("data-square")
    page.click(f'[data-square="{first}"]')
    page.locator(".square.target").first.click()
    page.wait_for_timeout(300)
    _wait_for_turn(page)
    page.locator(".square.can").nth(1).click()


def _international(page: Any) -> None:
    _new_game(page, "international", "uct", "10000")
    _move(page, "32", "28")
    page.click('[data-square="31"]')


def _othello(page: Any) -> None:
    _new_game(page, "othello", "uct", "10000")
    _move(page, "d3")
    page.locator(".square.target").nth(1).click()
    page.wait_for_timeout(300)
    _wait_for_turn(page)


def _network(page: Any) -> None:
    _checkers(page)
    page.click("#lit summary")
    page.wait_for_selector("#lit svg")


def _watch(page: Any) -> None:
    page.wait_for_selector("#champion-picture svg", timeout=_PATIENCE_MS)
    page.wait_for_timeout(3000)


SHOTS = {
    "serve-checkers": Shot("", _checkers),
    "serve-brazilian": Shot("", _brazilian, scheme="dark"),
    "serve-international": Shot("", _international, width=1600, height=1000, scheme="dark"),
    "serve-othello": Shot("", _othello),
    "serve-network": Shot("", _network, part="#lit"),
    "serve-phone": Shot("", _checkers, width=380, height=1040, scheme="dark"),
    "serve-watch": Shot("watch", _watch, height=1180),
}


@contextmanager
def _growing_run() -> Iterator[str]:
    """Give the directory of a run that goes on meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "default"
        words = ["evolve", "--run", str(run), "--seed", "0", "--jobs", "1"]
        with subprocess.Popen(
            [sys.executable, "-m", "neche", *words], cwd=ROOT, stderr=subprocess.PIPE
        ) as evolve:
            try:
                while not (run / "history.jsonl").exists() or _lines(run) < 130:
                    assert evolve.poll() is None, "the run has ended"
                    time.sleep(1)
                yield str(run)
            finally:
                evolve.terminate()


def _lines(run: Path) -> int:
    return len((run / "history.jsonl").read_bytes().splitlines())


def _take(browser: Any, url: str, name: str) -> None:
    shot = SHOTS[name]
    size = {"width": shot.width, "height": shot.height}
    page = browser.new_page(viewport=size, color_scheme=shot.scheme, reduced_motion="reduce")
    page.goto(url + shot.path)
    shot.lead(page)
    page.mouse.move(1, 1)
    content = page.locator(shot.part).screenshot() if shot.part else page.screenshot()
    page.close()
    small = _few_colours(content)
    assert len(small) < LARGEST, f"{name} has {len(small)} bytes"
    (IMAGES / f"{name}.png").write_bytes(small)
    print(f"{name}.png: {len(small) / 1000:.0f} kB")


def _few_colours(content: bytes) -> bytes:
    """Write a picture with 128 colours, which these pages do not need, a third as long."""
    from PIL import Image

    output = io.BytesIO()
    image = Image.open(io.BytesIO(content)).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(output, "PNG", optimize=True)
    return output.getvalue()


def main() -> int:
    """Take the pictures named, or all."""
    parser = argparse.ArgumentParser(description="Take the pictures of the pages in docs/images.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SHOTS))
    names = parser.parse_args().names or list(SHOTS)
    with chromium() as browser:
        still = [name for name in names if name != "serve-watch"]
        if still:
            with served("--run", REFERENCE) as url:
                for name in still:
                    _take(browser, url, name)
        if "serve-watch" in names:
            with _growing_run() as run, served("--run", run) as url:
                _take(browser, url, "serve-watch")
    return 0


if __name__ == "__main__":
    sys.exit(main())
