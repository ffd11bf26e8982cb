"""Games at depth 1 and 2 on a CUDA device: figures of their kernels, correctness and speed.

Usage: python tools/bench/gpu_games.py [--game NAME …] [--depth 2] [--members 10000] [--pairs 27]
            [--compared 2000] [--cc 9.0] [--multiprocessors N] [--ghz 1.98]

Without a GPU it prints registers, memory and instructions of the kernels, the number of instructions per game
(counted in C, see `kernel_in_c.py`) and the limit they set, for an H200 unless told otherwise; exit status 2.
With a GPU it compares outcomes, plies and nodes of games with those of the CPU, exit status 1 if they differ,
and measures games per second and their share of the limit.
"""

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np

from neche.arena.games_gpu import Games, kernel_of, play_games
from neche.arena.playing import Contestants, GameBatch, GameResults, Schedule, no_results, play_batch
from neche.compiled.cuda import is_simulated
from neche.evolution.population import first_members, networks_of
from neche.evolution.recipes import load_recipe, override
from neche.evolution.schedule import StreamName, schedule_pairs, training_rules
from neche.evolution.settings import resolve
from neche.games.catalogue import GAMES, game
from neche.games.draws import DrawRule
from tools.bench import kernel_code, kernel_in_c

_ISSUED = 128
"""Instructions per clock of one multiprocessor: four schedulers, a warp each."""
_COUNTED_PAIRS = 50


class Work(NamedTuple):
    """Figures of a kernel, and the work of a game.

    registers: per thread. stack, spills: bytes per thread. instructions: per game between first members of
    the recipe `tournament`, at depth 1 and at depth 2.
    """

    registers: int
    stack: int
    spills: int
    instructions: tuple[float, float]


# Output of this tool about the kernels, for machines without NVIDIA's assembler.
DOCUMENTED = {
    "checkers": Work(119, 7280, 0, (360e3, 756e3)),
    "brazilian": Work(142, 9840, 0, (315e3, 720e3)),
    "international": Work(148, 52592, 0, (737e3, 3513e3)),
    "othello": Work(128, 4928, 0, (468e3, 3718e3)),
}


class Field(NamedTuple):
    """Members, their games against each other, and the draw rule."""

    contestants: Contestants
    schedule: Schedule
    rule: DrawRule

    def first(self, count: int) -> "Field":
        """Return the field with its first games only."""
        return self._replace(schedule=Schedule._make(column[:count] for column in self.schedule))


def field_of(name: str, depth: int, members: int, pairs: int) -> Field:
    """Return first members of the recipe `tournament`; each plays a number of pairs of games."""
    settings = load_recipe("tournament")
    for change in (f"game={name}", f"population={members}"):
        settings = override(settings, change)
    settings = resolve(settings)
    networks = networks_of(settings.members, first_members(settings.members, 1))
    a, rng = np.repeat(np.arange(members), pairs), np.random.default_rng(1)
    b = (a + rng.integers(1, members, len(a))) % members
    openings, rule = training_rules(settings)
    pairings = schedule_pairs(a, b, openings, StreamName(1, 0, "games on a device"))
    return Field(Contestants.of(networks, depth, game=name), pairings, rule)


def given_to(field: Field) -> Games:
    """Return the arguments of a launch, in CPU memory."""
    count, packed = len(field.schedule.first), field.contestants.packed
    start, depths = game(field.contestants.game).start(), field.contestants.depths
    room = no_results(count), np.zeros(count, np.int8)
    return Games(start, packed, depths, field.schedule, field.rule, *room)


def ptx_of(name: str, compute_capability: tuple[int, int]) -> str:
    """Compile the kernel of a game to PTX."""
    from numba import cuda, typeof, types

    play = kernel_of(name)
    signature = (typeof(given_to(field_of(name, 1, 2, 1))), types.int64, types.int64)
    with kernel_code.pretended_device(compute_capability):
        text, _ = cuda.compile_ptx(play.py_func, signature, cc=compute_capability)
    return str(text)


def played_in_c(ptx: str, field: Field) -> tuple[GameResults, kernel_in_c.Run]:
    """Return the results of games that a kernel plays in C, and the instructions it executed."""
    given, count = given_to(field), len(field.schedule.first)
    return given.results, kernel_in_c.run(ptx, (given, 0, count), count)


def work_of(name: str, ptx: str, compute_capability: tuple[int, int]) -> Work:
    """Read the figures of a kernel from its machine code, and count the instructions of a game."""
    code, found = kernel_code.assemble(ptx, compute_capability), []
    in_code = len(kernel_code.instructions_of(code.text)[0])
    for depth in (1, 2):
        field = field_of(name, depth, 2 * _COUNTED_PAIRS, 1).first(2 * _COUNTED_PAIRS)
        _, done = played_in_c(ptx, field)
        # Machine instructions per PTX instruction: assumed equal all over the kernel.
        found.append(done.executed / len(field.schedule.first) * in_code / done.written)
    return Work(code.registers, code.stack, code.spills, (found[0], found[1]))


def limit(work: Work, depth: int, multiprocessors: int, ghz: float) -> float:
    """Return the games per second if all schedulers always issue, for all threads of a warp."""
    return multiprocessors * ghz * 1e9 * _ISSUED / work.instructions[depth - 1]


def is_right(field: Field) -> bool:
    """Return whether games on the device equal those of the CPU: outcomes, plies and nodes."""
    return are_equal(play_games(*field), play_batch(GameBatch(*field)))


def are_equal(found: GameResults, expected: GameResults) -> bool:
    """Return whether results are the same, to the node."""
    pairs = zip(found, expected, strict=True)
    return all(np.array_equal(np.asarray(ours), np.asarray(theirs)) for ours, theirs in pairs)


def rate_on_a_core(field: Field) -> float:
    """Return games per second of CPU time."""
    play_batch(GameBatch(*field.first(1)))
    began = time.process_time()
    play_batch(GameBatch(*field))
    return len(field.schedule.first) / (time.process_time() - began)


def measure(name: str, work: Work, options: argparse.Namespace, absent: str) -> bool:
    """Print limits and rates of a game; return whether the device is right, if there is one."""
    bound = limit(work, options.depth, options.multiprocessors, options.ghz)
    few = field_of(name, options.depth, 100, 1 + options.compared // 200).first(options.compared)
    print(
        f"{name}, depth {options.depth}: {work.instructions[options.depth - 1] / 1e3:.0f} k instructions",
        end=" ",
    )
    print(f"a game; limit {bound / 1e6:.1f} M games/s, one thread of a warp at a time", end=" ")
    print(f"{bound / 32e6:.2f}; one core of the CPU {rate_on_a_core(few) / 1e6:.4f}")
    if absent:
        return True
    if not is_right(few):
        print("NOT EQUAL to the CPU: no speed was measured")
        return False
    field = field_of(name, options.depth, options.members, options.pairs)
    count, began = len(field.schedule.first), time.perf_counter()
    play_games(*field)
    taken = time.perf_counter() - began
    print(f"  {len(few.schedule.first)} games equal to the CPU; {count} games in {taken:.2f} s:", end=" ")
    print(f"{count / taken / 1e6:.3g} M games/s, {count / taken / bound:.2%} of the limit")
    return True


def main() -> int:
    """Print everything; return 1 if the device differs from the CPU, 2 if there is none."""
    parser = argparse.ArgumentParser(description="Games at depth 1 and 2 on a CUDA device.")
    parser.add_argument("--game", action="append", default=[], choices=GAMES, help="may be given again")
    parser.add_argument("--depth", type=int, default=2, choices=(1, 2))
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=27, help="of games that each member plays")
    parser.add_argument("--compared", type=int, default=2000, help="games compared with the CPU")
    kernel_code.add_device_options(parser)
    options = parser.parse_args()
    capability, absent = kernel_code.find_device(options)
    works = dict(DOCUMENTED)
    if kernel_code.missing() or is_simulated():
        print(f"{kernel_code.missing() or 'simulated'}; kernels as in docs/performance-gpu.md")
    else:
        for name in options.game or GAMES:
            works[name] = work_of(name, ptx_of(name, capability), capability)
            print(f"{name}: {works[name].registers} registers, memory {works[name].stack} bytes", end=", ")
            print(f"spills {works[name].spills}")
    for name in options.game or GAMES:
        if not measure(name, works[name], options, absent):
            return 1
    if absent:
        print(absent, file=sys.stderr)
    return 2 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
