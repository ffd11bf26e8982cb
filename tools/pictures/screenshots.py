"""Take the pictures of the pages in docs/images, in a real Chromium.

Each has a function below that brings a page to the state to show. Needs Chromium, and
`pip install -e '.[browser,plot]'`.

Usage: python tools/pictures/screenshots.py [NAME …]
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

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.pictures.browser import ROOT, chromium, served

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
"""Largest size of a picture, bytes."""
REFERENCE = "runs/reference"
_PATIENCE_MS = 120_000


@dataclass(frozen=True)
class Shot:
    """A picture. lead: brings a page, open at `path`, to the state to show. part: a selector; empty: all."""

    path: str
    lead: Callable[[Any], None]
    width: int = 1280
    height: int = 900
    scheme: str = "light"
    part: str = ""


def _judged(page: Any, game: str, moves: str, side: str, player: tuple[str, str]) -> None:
    """Load some moves, choose a side, and let a player evaluate every position."""
    page.set_default_timeout(_PATIENCE_MS)
    page.wait_for_selector("body[data-ready]")
    _settled(page, "#start", game, "Both sides", player)
    page.wait_for_selector(f"[aria-label='Board of {game}']")
    page.wait_for_selector("body[data-turn=yours]")
    page.click("#files summary")
    page.fill("#paste", moves)
    page.click("#load")
    page.wait_for_selector("#moves button")
    page.click("#files summary")
    page.click("#judge")
    page.wait_for_function(
        "() => document.querySelector('#judge').disabled && document.querySelector('#stop').disabled"
    )
    _settled(page, "#apply", game, side, player)
    page.click("#analyse")
    page.wait_for_selector("#stop:not(:disabled)")
    page.wait_for_selector("#stop:disabled")


def _settled(page: Any, button: str, game: str, side: str, player: tuple[str, str]) -> None:
    """Choose in the dialog of a new game."""
    page.click("#new-game")
    if page.input_value("#game") != game:
        page.select_option("#game", game)
        page.wait_for_selector("#start:enabled")
    page.select_option("#side", label=side)
    page.select_option("#opponent", player[0])
    page.select_option("#level", player[1])
    page.click(button)
    page.wait_for_selector("#settings", state="hidden")


def _checkers(page: Any) -> None:
    _judged(page, "checkers", "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 25-22", "Black", ("run", "6"))


def _brazilian(page: Any) -> None:
    _judged(page, "brazilian", "1. c3-d4 d6-c5 2. b2-c3 f6-g5", "White", ("champion", "4"))
    page.locator(".square.can").first.click()


def _international(page: Any) -> None:
    moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 35-30 20-25"
    _judged(page, "international", moves, "White", ("uct", "10000"))


def _othello(page: Any) -> None:
    _judged(page, "othello", "f5d6c3d3c4f4f6g5e3f3", "Black", ("uct", "10000"))


def _new_game(page: Any) -> None:
    page.set_default_timeout(_PATIENCE_MS)
    page.wait_for_selector("body[data-ready]")
    page.click("#new-game")
    page.select_option("#opponent", "champion-1")


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
    "serve-new-game": Shot("", _new_game, width=900, height=640),
    "serve-phone": Shot("", _checkers, width=380, height=1040, scheme="dark"),
    "serve-watch": Shot("watch", _watch, height=1180),
}


@contextmanager
def _growing_run() -> Iterator[str]:
    """Yield the directory of a run that goes on meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "default"
        words = ["evolve", "--recipe", "tournament", "--run", str(run), "--seed", "0", "--jobs", "1"]
        with subprocess.Popen(
            [sys.executable, "-m", "neche", *words], cwd=ROOT, stderr=subprocess.PIPE
        ) as evolve:
            try:
                history = run / "history.jsonl"
                while not history.exists() or history.read_bytes().count(b"\n") < 130:
                    assert evolve.poll() is None, "the run has ended"
                    time.sleep(1)
                yield str(run)
            finally:
                evolve.terminate()


def _take(browser: Any, url: str, name: str) -> None:
    shot = SHOTS[name]
    size = {"width": shot.width, "height": shot.height}
    page = browser.new_page(viewport=size, color_scheme=shot.scheme, reduced_motion="reduce")
    page.goto(url + shot.path)
    shot.lead(page)
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(1, 1)
    content = page.locator(shot.part).screenshot() if shot.part else page.screenshot()
    page.close()
    small = _few_colours(content)
    assert len(small) < LARGEST, f"{name} has {len(small)} bytes"
    (IMAGES / f"{name}.png").write_bytes(small)
    print(f"{name}.png: {len(small) / 1000:.0f} kB")


def _few_colours(content: bytes) -> bytes:
    """Write a picture with 128 colours, enough for these pages and a third of the size."""
    from PIL import Image

    output = io.BytesIO()
    image = Image.open(io.BytesIO(content)).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(output, "PNG", optimize=True)
    return output.getvalue()


def main() -> int:
    """Take the named pictures, or all."""
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
