"""Runs coevolution in the CUDA simulator, in a separate process, as numba selects the simulator on import.

Reads cases as JSON from stdin, the fields of each. Prints the networks after learning, as hex digits.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from neche.compiled import cuda
from neche.evolution.recipes import override
from neche.evolution.settings import resolve
from neche.games.catalogue import game
from neche.network.topology import parse_topology
from neche.prediction.coevolution import StrategyPlan, coevolve, largest_block
from neche.prediction.coevolution_gpu import coevolve_all
from neche.prediction.judging import Samples
from neche.prediction.neurons import random_neurons
from neche.prediction.samples import wiring_of
from tests.evolution.builders import GENES, STRANDS, screened_settings
from tests.prediction.builders import Task

ROOT = Path(__file__).resolve().parents[2]
SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}


class Case(NamedTuple):
    """Networks of a game, of strands or of genes, and their plan; the last two divide the work."""

    game: str = "checkers"
    of_genes: bool = False
    hidden: int = 2
    networks: int = 1
    pairs: int = 3
    batches: int = 1
    batch: int = 5
    block: int = 8
    room_bytes: int = 2**20


def tasks_of(case: Case, count: int = 90) -> list[Task]:
    """Return the networks and their common samples of random boards."""
    genes = case.hidden * 66 + 70
    ways = GENES if case.of_genes else STRANDS
    settings = screened_settings(f"game={case.game}", *ways)
    changes = (f"genes={genes}",) if case.of_genes else (f"topology=auto-{case.hidden}-1",)
    for change in changes:
        settings = override(settings, change)
    members, layout = resolve(settings).members, game(case.game).sensors
    assert layout is not None
    topology, rng = parse_topology(members.topology), np.random.default_rng(3)
    sensors = len(layout.squares) * len(layout.kinds)
    excited = np.stack([rng.permutation(sensors)[:24] for _ in range(count)]).astype(np.uint8)
    counts = rng.integers(0, 25, count).astype(np.uint8)
    samples = Samples(excited, counts, rng.uniform(-0.9, 0.9, count).astype(np.float32))
    wiring = wiring_of(topology, members.perspective, layout)
    drawn = [random_neurons(topology, members.genes, 0.4, rng) for _ in range(case.networks)]
    return [Task(wiring, samples, neurons) for neurons in drawn]


def plan_of(case: Case) -> StrategyPlan:
    return StrategyPlan(case.batches, case.batch, case.pairs, 0.02, 0.01, largest_block(case.pairs), 0.5)


def keys_of(case: Case) -> list[int]:
    return [2**64 - 1 - 2**40 * index for index in range(case.networks)]


def grown_on_the_cpu(case: Case) -> list[str]:
    tasks = tasks_of(case)
    for task, key in zip(tasks, keys_of(case), strict=True):
        coevolve(task.wiring, task.samples, task.neurons, plan_of(case), np.uint64(key))
    return [task.neurons.tobytes().hex() for task in tasks]


def grown_on_the_device(case: Case) -> list[str]:
    tasks, keys = tasks_of(case), keys_of(case)
    found = coevolve_all(
        tasks[0].wiring,
        tasks[0].samples,
        [task.neurons for task in tasks],
        plan_of(case),
        keys,
        block=case.block,
        room_bytes=case.room_bytes,
    )
    return [neurons.tobytes().hex() for neurons in found]


def in_the_simulator(*words: str, text: str = "") -> str:
    """Run Python in the simulator; return what it prints. Without numba's CUDA the test is skipped."""
    if cuda.cuda is None:
        pytest.skip("numba has no CUDA here, not even simulated")
    command = [sys.executable, "-W", "error", *words]
    answer = subprocess.run(command, input=text, cwd=ROOT, env=SIMULATED, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def main() -> None:
    json.dump([grown_on_the_device(Case(*fields)) for fields in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
