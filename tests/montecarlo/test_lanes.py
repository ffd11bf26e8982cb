"""Playouts in lanes: they are stored and loaded unchanged, and compiled to vector instructions."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from numba.core.codegen import get_host_cpu_features

from neche.compiled.jit import jit
from neche.games import playouts
from neche.games.catalogue import game
from neche.games.playouts import LANES, QuietRule
from neche.montecarlo.playouts_cpu import new_lanes

CHECKERS = game("checkers")
RULE = QuietRule(np.int32(80))


@jit
def _put(position, words, lane):
    playout = playouts.playout_init(position, np.int32(7), RULE)
    playouts.playout_store(playout, words, lane)


@jit
def _take(position, words, lane):
    return playouts.playout_load(position, words, lane)


def test_a_playout_is_loaded_from_its_lane_as_it_was_stored():
    words = new_lanes(CHECKERS.start()).words
    children = [move.after for move in CHECKERS.legal_moves(CHECKERS.start())]
    for lane, position in enumerate(children):
        _put(position, words, lane)
    for lane, position in enumerate(children):
        playout = _take(position, words, lane)
        assert (playout.own, playout.foe, playout.kings) == (position.own, position.foe, position.kings)
        assert (playout.quiet, playout.plies, playout.upward) == (0, 7, playout.home)
    used = np.flatnonzero(words.reshape(-1, LANES).any(axis=0))
    assert used.tolist() == list(range(len(children)))


PROGRAM = """
import re
import numpy as np
from neche.games.catalogue import game
from neche.montecarlo import playouts_cpu
from neche.montecarlo.playouts_cpu import count_playouts
checkers = game("checkers")
print(*(int(count[0]) for count in count_playouts(checkers, [checkers.start()], [300], [5])))
(signature,) = playouts_cpu._step_all.signatures
code = playouts_cpu._step_all.inspect_llvm(signature)
print(*sorted(set(re.findall(r"<(\\d+) x i32> @llvm.ctpop", code)), key=int))
"""


NEEDS_AVX_512 = pytest.mark.skipif(
    "+avx512f" not in get_host_cpu_features().split(","), reason="runs the code of a newer processor"
)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names processors of one kind")
@pytest.mark.parametrize(
    ("cpu", "features", "lanes"),
    [
        ("haswell", "+avx2,+bmi,+bmi2,+popcnt", 8),
        ("nehalem", "+sse4.2", 4),
        # one of the processors for which LLVM prefers vectors of 256 bits
        pytest.param("cascadelake", None, 16, marks=NEEDS_AVX_512),
    ],
)
def test_the_loop_over_the_lanes_becomes_vector_instructions(cpu, features, lanes, tmp_path):
    here = os.environ | {"NUMBA_CPU_NAME": cpu, "NECHE_CACHE_DIR": str(tmp_path)}
    if features is not None:
        here["NUMBA_CPU_FEATURES"] = features
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=here, capture_output=True, text=True, check=True
    )
    counts, widths = found.stdout.splitlines()
    assert sum(map(int, counts.split()[:3])) == 300
    assert widths == str(lanes)
