"""Chromium for tests and pictures: an installed one, driven by Playwright; nothing is downloaded."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "NECHE_CHROMIUM"
"""Environment variable: path of a Chromium or Chrome that is not on the PATH."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium_path() -> str | None:
    """Return the program to start, None if there is none."""
    named = os.environ.get(VARIABLE)
    return named or next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a headless browser.

    Raises:
        RuntimeError: there is no Chromium.
    """
    from playwright.sync_api import sync_playwright

    path = chromium_path()
    if path is None:
        raise RuntimeError(f"no Chromium is installed here ({VARIABLE} may name one)")
    # As root, and in most containers, Chromium starts only without its sandbox.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[*arguments, "--disable-dev-shm-usage", "--hide-scrollbars"]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served(*words: str) -> Iterator[str]:
    """Run `neche serve` with these options on a free port; yield its address."""
    command = [sys.executable, "-m", "neche", "serve", "--port", "0", "--json", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
