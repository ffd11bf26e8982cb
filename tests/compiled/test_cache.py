"""Compiled code is found again by the next process, and never after a source has changed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

import neche
from neche.compiled import cache
from neche.endings.files import usual_directory

PACKAGE = Path(neche.__file__).parent
DIGEST = "from neche.compiled.cache import source_digest; print(source_digest())"
DIRECTORY = "from neche.compiled.cache import cache_directory; print(cache_directory())"
# Small functions from three folders.
CALLS = """
from neche.arena.draw_counters import new_draw_counters
from neche.compiled.bits import high_half
from neche.search.transposition import _shifted

print(new_draw_counters(3), high_half(2**40), _shifted(1, 2))
"""
PLAY = """
import gc, json
import numpy as np
from numba.core.dispatcher import Dispatcher
from neche.arena.playing import Contestants, paired, play_games
from neche.games.draws import TOURNAMENT_DRAWS
from neche.compiled.streams import stream_keys
from neche.games.catalogue import game
from neche.network.decode import blind_network, material_network
from neche.players.alpha_beta import search_position

checkers = game("checkers")
found = search_position(checkers, checkers.start(), material_network(), depth=3)
field = Contestants.of([material_network(), blind_network()], [2, 0])
games = paired(np.zeros(2, int), np.ones(2, int), stream_keys(1, 0, "o", 2), 3, stream_keys(1, 0, "g", 4))
results = play_games(field, games, TOURNAMENT_DRAWS)
dispatchers = [thing for thing in gc.get_objects() if isinstance(thing, Dispatcher)]
print(json.dumps({
    "values": [found.value, found.nodes, *results.outcome.tolist(), *results.plies.tolist()],
    "hits": sorted(d.py_func.__name__ for d in dispatchers if d.stats.cache_hits),
    "misses": sorted(d.py_func.__name__ for d in dispatchers if d.stats.cache_misses),
}))
"""


def run(code, root=PACKAGE.parent, **environment):
    command = [sys.executable, "-W", "error", "-c", code]
    variables = os.environ | environment
    done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def copied(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "neche", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit(path):
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def test_the_digest_does_not_depend_on_where_the_package_lies(copied):
    assert run(DIGEST, copied) == run(DIGEST)


@pytest.mark.parametrize(
    "source",
    [
        "compiled/bits.py",
        "games/draughts/captures.py",
        "network/forward.py",
        "search/negamax.py",
        "arena/game_loop.py",
        # compiled code takes their records, and counts on the order of the fields
        "arena/playing.py",
        "endings/files.py",
        "endings/slices.py",
    ],
)
def test_the_digest_changes_with_every_kind_of_compiled_source(copied, source):
    before = run(DIGEST, copied)
    edit(copied / "neche" / source)
    assert run(DIGEST, copied) != before


def test_the_digest_changes_with_the_name_of_a_compiled_source(copied):
    before = run(DIGEST, copied)
    (copied / "neche/search/transposition.py").rename(copied / "neche/search/renamed.py")
    assert run(DIGEST, copied) != before


@pytest.mark.parametrize("source", ["cli/main.py", "evolution/evolve.py", "genome/fasta.py"])
def test_sources_that_nothing_is_compiled_from_leave_the_digest_alone(copied, source):
    before = run(DIGEST, copied)
    edit(copied / "neche" / source)
    assert run(DIGEST, copied) == before


def test_what_an_editor_keeps_beside_a_source_is_none(copied):
    """Emacs marks a file that is being edited by a link to nowhere."""
    before = run(DIGEST, copied)
    (copied / "neche/games/.#game.py").symlink_to("user@host.1234")
    assert run(DIGEST, copied) == before


def test_bounds_checking_has_a_digest_of_its_own():
    assert run(DIGEST, NUMBA_BOUNDSCHECK="1") != run(DIGEST, NUMBA_BOUNDSCHECK="")


def test_every_source_with_compiled_functions_is_in_the_digest(copied):
    compiled = [
        path
        for path in sorted((copied / "neche").rglob("*.py"))
        if "compiled.jit import" in path.read_text(encoding="utf-8")
    ]
    assert len(compiled) > 10
    seen = {run(DIGEST, copied)}
    for count, path in enumerate(compiled, start=2):
        edit(path)
        seen.add(run(DIGEST, copied))
        assert len(seen) == count, path


def test_old_digests_are_dropped_but_not_the_newest(tmp_path):
    old = [f"{age:016x}" for age in range(10)]
    for age, name in enumerate(old):
        (tmp_path / "compiled" / name).mkdir(parents=True)
        os.utime(tmp_path / "compiled" / name, (1_000_000 - age, 1_000_000 - age))
    used = Path(run(DIRECTORY, NECHE_CACHE_DIR=str(tmp_path)))
    left = {path.name for path in (tmp_path / "compiled").iterdir()}
    assert used.name in left
    assert left - {used.name} == set(old[:3])


def test_folders_of_others_are_left_alone(tmp_path):
    others = {f"thesis-{number}" for number in range(10)}
    for name in others:
        (tmp_path / "compiled" / name).mkdir(parents=True)
    run(DIRECTORY, NECHE_CACHE_DIR=str(tmp_path))
    assert others <= {path.name for path in (tmp_path / "compiled").iterdir()}


def test_an_unusable_cache_directory_costs_nothing_but_time(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    assert run("import neche.games.catalogue; print('there')", NECHE_CACHE_DIR=str(blocked)) == "there"
    assert blocked.read_text(encoding="utf-8") == "in the way"


def no_home(name):
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("usual", [no_home, lambda name: f"~nobody-at-all/.cache/{name}"])
def test_a_user_without_a_home_keeps_no_code_and_solves_where_told(usual, tmp_path, monkeypatch):
    monkeypatch.delenv("NECHE_CACHE_DIR", raising=False)
    monkeypatch.delenv("NECHE_ENDINGS", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_dir", usual)
    monkeypatch.chdir(tmp_path)
    assert not cache.cache_directory.__wrapped__().exists()
    with pytest.raises(OSError, match="endings"):
        usual_directory().mkdir(parents=True)
    assert list(tmp_path.iterdir()) == []


def test_an_unusable_cache_directory_is_told_in_one_line(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    variables = os.environ | {"NECHE_CACHE_DIR": str(blocked)}
    done = subprocess.run([sys.executable, "-c", CALLS], env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("to use another place") == 1, done.stderr


def test_a_second_process_compiles_nothing_to_search_and_to_play():
    first, second = (json.loads(run(PLAY)) for _ in range(2))
    assert second["misses"] == []
    assert {"play_all", "search_moves", "fold_networks"} <= set(second["hits"])
    assert second["values"] == first["values"]


@pytest.mark.slow
def test_an_empty_cache_is_filled_by_the_first_process_and_used_by_the_second(tmp_path):
    first, second = (json.loads(run(PLAY, NECHE_CACHE_DIR=str(tmp_path))) for _ in range(2))
    assert {"play_all", "search_moves", "fold_networks"} <= set(first["misses"])
    assert second["misses"] == []
    assert second["values"] == first["values"]


def test_what_has_been_compiled_is_known_to_be_warm():
    run(PLAY)
    warm = "from neche.compiled.cache import is_warm; print(is_warm('play_all'), is_warm('play_nothing'))"
    assert run(warm) == "True False"
