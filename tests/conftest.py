"""Shared by every test run: which tests run by default, and hypothesis without randomness or deadline."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and no deadline: the first example may have to compile.
settings.register_profile(
    "neche", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("neche")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--gpu", action="store_true", help="also run the tests marked gpu")
    parser.addoption("--kernels", action="store_true", help="also run the tests marked kernels")
    parser.addoption("--torch", action="store_true", help="also run the tests marked torch")
    parser.addoption("--cluster", action="store_true", help="also run the tests marked cluster")
    parser.addoption("--browser", action="store_true", help="also run the tests marked browser")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests not requested, so that no run shows skipped tests; browser tests come last."""
    marks = ("slow", "gpu", "kernels", "torch", "cluster", "browser")
    unwanted = [mark for mark in marks if not config.getoption(mark)]
    left_out = [item for item in items if any(item.get_closest_marker(mark) for mark in unwanted)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    # Playwright's event loop runs in this thread until the end: no test after it could have one of its own.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(autouse=True)
def _plug_ins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the plug-ins of a test and their folders: another may have a player or file of the same name."""
    from neche.players.function_player import PLUGGED

    monkeypatch.setattr(sys, "path", list(sys.path))
    known = dict(PLUGGED)
    yield
    PLUGGED.clear()
    PLUGGED.update(known)


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ship two champions of strands, of checkers (21 000 letters of DNA) and of Othello, and no other."""
    from neche.genome.fasta import Record, format_record
    from neche.network.topology import dense_topology
    from neche.players import source
    from tests.genome.drawn import random_strands

    folder = tmp_path / "shipped"
    folder.mkdir()
    monkeypatch.setattr(source, "SHIPPED", folder)
    for name, hidden, game in (("wide-1", 32, "checkers"), ("disc-1", 2, "othello")):
        topology = dense_topology(128, hidden)
        genome = random_strands(topology.strand_format, np.random.default_rng(hidden), sd=0.2)
        fields = {**source.identity_fields("mover", topology), "game": game}
        (folder / f"{name}.fasta").write_text(format_record(Record(name, genome, fields)))


@pytest.fixture(scope="session")
def browser():
    """Start one Chromium for all tests: a second one beside it would have no loop of its own."""
    # Not above: what this imports would ask for the cache before the worker has its own.
    from tools.pictures.browser import VARIABLE, chromium, chromium_path

    pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[browser]'")
    if chromium_path() is None:
        pytest.skip(f"no Chromium is installed here ({VARIABLE} may name one)")
    with chromium() as started:
        yield started
