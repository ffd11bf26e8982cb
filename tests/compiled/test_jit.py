"""Compiled functions are ordinary Python when compilation is switched off, and say what they are."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np

import neche
from neche.compiled.cache import cache_directory
from neche.compiled.jit import jit, record_of
from neche.games.draughts.board_8x8 import Checkers
from neche.games.draughts.checkers import GAME
from neche.search.evaluator import NetworkEvaluator

RULES = """
import numpy as np
from neche.compiled import bits, randomness
from neche.games.catalogue import game

checkers = game("checkers")
assert not hasattr(bits.lowest_bit64, "py_func")
assert [checkers.perft(checkers.start(), depth) for depth in (1, 2, 3, 4)] == [7, 49, 302, 1469]
circle = checkers.parse_fen("W:WK31:B26,27,18,19")
print(*(move.text for move in checkers.legal_moves(circle)))

from neche.network.decode import material_network
from neche.players.alpha_beta import search_position
print(*search_position(checkers, checkers.parse_fen("W:W18:B14"), material_network(), depth=3).pv)
"""


def test_rules_and_search_are_the_same_with_compilation_switched_off():
    command = [sys.executable, "-W", "error::SyntaxWarning", "-c", RULES]
    root = Path(neche.__file__).parent.parent
    variables = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["31x31", "18x9"]


def test_a_position_is_recognised_whatever_the_types_of_its_fields():
    assert record_of(numba.typeof(GAME.start())) is Checkers
    assert record_of(numba.typeof(GAME.start()._replace(turn=np.int64(1)))) is Checkers
    assert record_of(numba.typeof(GAME.start())) is not NetworkEvaluator
    assert record_of(numba.typeof(tuple(GAME.start()))) is None


def test_decorating_a_function_leaves_the_cache_of_other_packages_alone():
    directory_before = numba.config.CACHE_DIR

    def double(number):
        return 2 * number

    compiled: Any = jit(double)
    assert compiled(21) == 42
    assert compiled.stats.cache_path.startswith(str(cache_directory()))
    assert str(numba.config.CACHE_DIR) == directory_before
