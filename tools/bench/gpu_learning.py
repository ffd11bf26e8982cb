"""Learning by coevolution on a CUDA device: figures of its kernels, correctness and speed.

Usage: python tools/bench/gpu_learning.py [--recipe NAME …] [--seconds 5] [--cc 9.0] [--multiprocessors N]
            [--ghz 1.98]

Without a GPU it prints registers, instructions and limits as `kernel_code.py` does, for an H200 unless told
otherwise; exit status 2. With a GPU it compares the learned networks with those of the CPU, bit for bit, exit
status 1 if they differ, and measures individuals on a position per second and their share of the limit.
"""

import argparse
import re
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.cuda import is_simulated
from neche.evolution.recipes import load_recipe
from neche.evolution.settings import resolve
from neche.games.catalogue import game
from neche.network.topology import parse_topology
from neche.prediction import coevolution_gpu
from neche.prediction.adam import Step
from neche.prediction.coevolution import StrategyPlan, coevolve, largest_block
from neche.prediction.judging import Samples
from neche.prediction.neurons import Neurons, Wiring, random_neurons
from neche.prediction.samples import wiring_of
from tools.bench import kernel_code

RECIPES = ("default", "wide", "long")
KERNELS = ("sum_samples", "judge", "recombine")
# Results a clock of one multiprocessor, source as in `kernel_code`: four schedulers; roots, reciprocals 16.
RATES = {"issue": 128, "roots and reciprocals": 16}
_SAMPLES, _FEWEST_ON = 100_000, 6


class Work(NamedTuple):
    """Instructions of a thread: per pair and sample, per term of a sum, per pair of a weight.

    judged: by the number of views.
    """

    judged: dict[int, float]
    summed: float
    recombined: float


# Output of this tool about the kernels, for machines without NVIDIA's assembler.
DOCUMENTED = Work({1: 99.0, 2: 100.0}, 19.25, 12.25)


class Task(NamedTuple):
    """Members, samples and method of learning: samples are random boards with random targets."""

    wiring: Wiring
    samples: Samples
    neurons: list[Neurons]
    plan: StrategyPlan

    @property
    def judged(self) -> int:
        """Individuals times positions in a batch, of all networks."""
        return int(2 * self.plan.pairs * len(self.neurons) * len(self.neurons[0]) * self.plan.batch)


def task_of(recipe: str, count: int = _SAMPLES) -> Task:
    """Return members of a recipe that are about to learn from `count` samples."""
    settings = resolve(load_recipe(recipe))
    members, prediction = settings.members, settings.prediction
    topology, layout = parse_topology(members.topology), game(settings.games.game).sensors
    assert layout is not None
    rng = np.random.default_rng(1)
    wiring = wiring_of(topology, members.perspective, layout)
    squares, kinds = len(layout.squares), len(layout.kinds)
    # One piece per square, on at most three squares in four.
    most = 3 * squares // 4
    occupied = rng.permuted(np.tile(np.arange(squares), (count, 1)), axis=1)[:, :most]
    excited = occupied + squares * rng.integers(kinds, size=occupied.shape)
    counts = rng.integers(_FEWEST_ON, most + 1, count).astype(np.uint8)
    targets = rng.uniform(-0.9, 0.9, count).astype(np.float32)
    learners = [
        random_neurons(topology, members.genes, prediction.first_weights, rng)
        for _ in range(members.population - 1)
    ]
    block = largest_block(prediction.pairs)
    plan = StrategyPlan(
        40,
        prediction.batch,
        prediction.pairs,
        prediction.spread,
        prediction.rate,
        block,
        prediction.weight_decay,
    )
    return Task(wiring, Samples(excited.astype(np.uint8), counts, targets), learners, plan)


def ptx_of(name: str, compute_capability: tuple[int, int]) -> str:
    """Compile a kernel to PTX."""
    from numba import cuda as compiler, typeof, types

    words, bytes_ = types.uint64, types.uint8
    numbers = [types.float32[(slice(None),) * rank + (slice(None, None, 1),)] for rank in range(4)]
    whole = types.int64
    keys, samples = words[::1], (bytes_[:, ::1], bytes_[::1], numbers[0])
    room = (numbers[3], numbers[3], numbers[2])
    kind = typeof(coevolution_gpu.Mutations(np.float32(1), np.int64(1)))
    step = typeof(Step(*map(np.float32, (1,) * 6)))
    signatures: dict[str, tuple[Any, ...]] = {
        "sum_samples": (words[:, ::1], numbers[1], *samples, numbers[2], keys, whole, whole, kind, *room),
        "judge": (numbers[2], keys, whole, whole, whole, kind, *room, numbers[2]),
        "recombine": (numbers[0], numbers[1], numbers[2], keys, whole, kind, step),
    }
    function = getattr(coevolution_gpu, name).py_func
    with kernel_code.pretended_device(compute_capability):
        text, _ = compiler.compile_ptx(function, signatures[name], cc=compute_capability)
    return str(text)


def work_of(codes: dict[str, kernel_code.Code]) -> Work:
    """Read the instruction counts from the loops of the kernels."""

    def loops(name: str, mark: str) -> list[tuple[float, list[str]]]:
        """Return the loops that contain a mark, with the instructions per mark."""
        ways = kernel_code.ways_round(codes[name].text)
        marks = [sum(bool(re.search(mark, line)) for line in way) for way in ways]
        return [(len(way) / times, way) for times, way in zip(marks, ways, strict=True) if times]

    # A pair takes two roots on a sample, and with both views more sums to a root.
    ways = loops("judge", "RSQ")
    one, both = sorted(
        ways, key=lambda loop: sum("FADD" in line for line in loop[1]) * loop[0] / len(loop[1])
    )
    sums = [each for each, way in loops("sum_samples", "FADD") if any("LDS" in line for line in way)]
    # The longest loop, which is unrolled less than the others.
    weight = max(each for each, way in loops("recombine", "FADD") if len(way) > 2 * each)
    return Work({1: 2 * one[0], 2: 2 * both[0]}, sum(sums) / len(sums), weight)


def limits(task: Task, work: Work, multiprocessors: int, ghz: float) -> dict[str, float]:
    """Return the individuals on a position per second at which each unit is always busy."""
    views, species, pairs = int(task.wiring.views), len(task.neurons[0]), task.plan.pairs
    places = 1 + float(task.samples.counts.mean())
    issued = species * pairs * work.judged[views] + views * (species + pairs) * places * work.summed
    issued += task.neurons[0].size * pairs * work.recombined / task.plan.batch
    taken = {"issue": issued, "roots and reciprocals": species * pairs * 4.0}
    clocks = multiprocessors * ghz * 1e9
    return {unit: clocks * RATES[unit] * 2 * species * pairs / taken[unit] for unit in RATES}


def print_code(compute_capability: tuple[int, int]) -> Work:
    """Print the figures of the kernels' machine code; return their work, the documented one without tools."""
    if kernel_code.missing():
        print(f"{kernel_code.missing()}; instructions as in docs/performance-gpu.md")
        return DOCUMENTED
    codes = {
        name: kernel_code.assemble(ptx_of(name, compute_capability), compute_capability) for name in KERNELS
    }
    for name, code in codes.items():
        print(f"{name}: {code.registers} registers, stack {code.stack} bytes, spills {code.spills}")
    work = work_of(codes)
    print(f"instructions: a pair on a sample {work.judged[1]:g} (both views {work.judged[2]:g}),", end=" ")
    print(f"a term of a sum {work.summed:g}, a pair of a weight {work.recombined:g}")
    return work


def is_right(task: Task) -> bool:
    """Return whether the learned networks are the same on device and CPU, bit for bit."""
    keys = range(len(task.neurons))
    found = coevolution_gpu.coevolve_all(task.wiring, task.samples, task.neurons, task.plan, keys)
    expected = [one.copy() for one in task.neurons]
    for key, one in zip(keys, expected, strict=True):
        coevolve(task.wiring, task.samples, one, task.plan, np.uint64(key))
    return all(ours.tobytes() == theirs.tobytes() for ours, theirs in zip(found, expected, strict=True))


def rate_on_a_core(task: Task) -> float:
    """Return individuals on a position per second of CPU time, of one network: the best of some calls."""
    taken = []
    for _ in range(6):
        neurons, began = task.neurons[0].copy(), time.process_time()
        coevolve(task.wiring, task.samples, neurons, task.plan, np.uint64(1))
        taken.append(time.process_time() - began)
    return float(task.judged * task.plan.batches / len(task.neurons) / min(taken))


def rate_of(task: Task, seconds: float) -> float:
    """Return individuals on a position per second, in a call of about that length, already compiled."""
    batches, taken = task.plan.batches, 0.0
    while taken < seconds:
        # Start and end of a call count, as a generation is one call.
        batches = int(batches * min(8.0, max(1.2, 1.2 * seconds / max(taken, 1e-6))))
        began = time.perf_counter()
        plan = task.plan._replace(batches=batches)
        keys = range(len(task.neurons))
        coevolution_gpu.coevolve_all(task.wiring, task.samples, task.neurons, plan, keys)
        taken = time.perf_counter() - began
    return float(task.judged * batches / taken)


def main() -> int:
    """Print everything; return 1 if the device differs from the CPU, 2 if there is none."""
    parser = argparse.ArgumentParser(description="Learning by coevolution on a CUDA device.")
    parser.add_argument("--recipe", action="append", default=[], help="may be given again")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each rate")
    parser.add_argument("--samples", type=int, default=_SAMPLES)
    kernel_code.add_device_options(parser)
    options = parser.parse_args()
    capability, absent = kernel_code.find_device(options)
    work = DOCUMENTED if is_simulated() else print_code(capability)
    for recipe in options.recipe or RECIPES:
        task = task_of(recipe, options.samples)
        bounds = limits(task, work, options.multiprocessors, options.ghz)
        said = ", ".join(f"{unit} {bound / 1e9:.0f}" for unit, bound in bounds.items())
        print(
            f"{recipe}: {len(task.neurons)} networks of {len(task.neurons[0]) - 1} hidden neurons,", end=" "
        )
        print(f"{task.plan.pairs} pairs; limit {said} G individuals on a position/s;", end=" ")
        print(f"one core of the CPU {rate_on_a_core(task) / 1e9:.2f}")
        if absent:
            continue
        if not is_right(task):
            print("NOT EQUAL to the CPU: no speed was measured")
            return 1
        rate = rate_of(task, options.seconds)
        share = rate / min(bounds.values())
        print(f"  equal to the CPU to the bit; {rate / 1e9:.3g} G/s, {share:.1%} of the limit")
    if absent:
        print(absent, file=sys.stderr)
    return 2 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
