"""Workers, and one-time compilation: for which game, and its message."""

import io
import signal
from argparse import Namespace
from pathlib import Path

import joblib
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from rich.console import Console

from neche.cli import workers
from neche.cli.bench import WORKLOADS
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override


@pytest.fixture
def used(monkeypatch, tmp_path):
    """The games that a part of the code was used for; nothing is compiled at first."""
    games: list[str] = []
    monkeypatch.setattr(workers, "PARTS", {"odd part": ("nothing", 7, games.append)})
    monkeypatch.setattr(workers, "cache_directory", lambda: tmp_path, raising=False)
    monkeypatch.setattr(workers, "is_warm", lambda entry_point: bool(games))
    return games


def test_every_game_is_compiled_once_and_named(used, capsys):
    for game in ("checkers", "checkers", "othello", "checkers", "othello"):
        workers.prepare("odd part", game)
    assert used == ["checkers", "checkers", "othello", "checkers", "othello"]
    assert capsys.readouterr().err.splitlines() == [
        "compiling the odd part of checkers, once: about 7 s on a free core",
        "compiling the odd part of othello, once: about 7 s on a free core",
    ]


def test_a_cache_that_cannot_be_looked_at_is_no_fault(used, monkeypatch):
    too_long = Path("x" * 300)
    monkeypatch.setattr(workers, "cache_directory", lambda: too_long, raising=False)
    workers.prepare("odd part")
    assert used == ["checkers"]


def test_a_terminal_shows_a_clock_while_it_compiles(used, monkeypatch):
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100)
    monkeypatch.setattr(workers, "Console", lambda **_: console)
    workers.prepare("odd part", "othello")
    assert "compiling the odd part of othello" in out.getvalue()
    assert "0:00:00" in out.getvalue()


def test_dxp_tells_which_options_are_for_the_other_way_to_meet(monkeypatch, terminal):
    monkeypatch.setattr("neche.cli.engines._lead", lambda *words: None)
    monkeypatch.setattr("neche.cli.engines._follow", lambda *words: None)
    options = ("--port", 1, "--host", "::1", "--minutes", 3, "--moves", 60)
    said = "neche: --{} changes nothing {} --connect\n"
    terminal.text("dxp", "--player", "random", *options)
    assert terminal.notes == said.format("minutes", "without") + said.format("moves", "without")
    terminal.text("dxp", "--player", "random", "--connect", "127.0.0.1:1", *options)
    assert terminal.notes == said.format("host", "with") + said.format("port", "with")


def test_dxp_tells_what_it_compiles_before_it_waits_or_connects(used, monkeypatch, terminal):
    monkeypatch.setattr(workers, "PARTS", {"selective search": ("nothing", 7, used.append)})
    assert "127.0.0.1:1" in terminal.fault("dxp", "--connect", "127.0.0.1:1")
    assert used == ["international"]


@pytest.mark.parametrize(("workload", "part"), WORKLOADS.items())
def test_a_workload_compiles_what_it_needs(workload, part, monkeypatch, terminal):
    prepared: list[str] = []
    monkeypatch.setattr("neche.cli.bench.prepare", prepared.append)
    monkeypatch.setattr("neche.cli.bench._measure", lambda *_: {"nodes": 1, "seconds": 1.0})
    terminal.json("bench", workload)
    assert prepared == [part]


def test_the_code_of_an_evolution_is_that_of_its_game_alone(terminal, tmp_path, monkeypatch):
    prepared: list[tuple[str, str]] = []
    monkeypatch.setattr(workers, "prepare", lambda part, game="checkers": prepared.append((part, game)))
    small = ("--set", "population=3", "--set", "ladder=[]", "--set", "elites=1", "--set", "game=othello")
    terminal.json("evolve", "--recipe", "tournament", *small, "--generations", 0, "--run", tmp_path / "run")
    assert {game for _, game in prepared} == {"othello"}


def test_workers_that_are_killed_whatever_is_done_are_one_line():
    options = Namespace(backend="loky", jobs=2)
    with pytest.raises(InputError, match=r"^workers were killed repeatedly"), workers.workers(options):
        raise TerminatedWorkerError("killed\nby the system")


def test_ctrl_c_reaches_no_worker_process():
    with workers.workers(Namespace(backend="loky", jobs=2)):
        call = joblib.delayed(signal.pthread_sigmask)(signal.SIG_BLOCK, [])
        blocked = joblib.Parallel()([call] * 4)
    assert all(signal.SIGINT in one for one in blocked)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.parametrize(("game", "is_said"), [("othello", True), ("brazilian", False)])
def test_a_recipe_for_the_game_is_pointed_to(capsys, game, is_said):
    options = Namespace(recipe="memetic", set=[f"game={game}"], plugin=[])
    workers.tell_notices(options, [(override(load_recipe("memetic"), f"game={game}"), 200)] * 2)
    said = "neche: the recipe memetic-othello is memetic with settings chosen for othello\n"
    assert capsys.readouterr().err.count(said) == is_said
