"""Counts playouts in the CUDA simulator, in a separate process, as numba selects the simulator on import.

Reads cases as JSON from stdin: arguments of `playouts_gpu.count_playouts` with positions as FENs, and the
name of the game if it is not checkers. Prints the counts of each, and the sizes of its launches.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neche.compiled import cuda
from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule
from neche.montecarlo.counting import count_playouts_on
from neche.montecarlo.playouts_gpu import Shape


def answers_of_the_simulator(cases: list[dict[str, Any]]) -> Any:
    """Run all cases in one simulator, which is slow to start; skip the test where numba has none."""
    if cuda.cuda is None:
        pytest.skip("numba has no CUDA here, not even simulated")
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.montecarlo.simulated"],
        input=json.dumps(cases),
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def main() -> None:
    count_playouts = count_playouts_on("cuda")
    answers = []
    for case in json.load(sys.stdin):
        launches: list[int] = []
        rules = game(case.pop("game", "checkers"))
        positions = [rules.parse_fen(fen) for fen in case.pop("fens")]
        shape, rule = Shape(*case.pop("shape")), PlayoutRule(*case.pop("rule"))
        counts = count_playouts(rules, positions, rule=rule, shape=shape, notify=launches.append, **case)
        answers.append([[column.tolist() for column in counts], launches])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
