"""Machine code of the playout kernel: registers, instructions of its loop, and the limit they set.

Usage: python tools/bench/kernel_code.py [--game NAME] [--cc 9.0] [--multiprocessors N] [--ghz 1.98]
            [--listing]

No GPU is needed: NVIDIA's compiler, assembler and disassembler come with the extra `kernels` on Linux. The
default is an H200 (132 multiprocessors, 1.98 GHz).
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.cuda import cuda, device, has_extra, is_numpy_too_new, is_simulated, require_device
from neche.compiled.jit import jit
from neche.compiled.randomness import advance, draw
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.playouts import (
    PlayoutRule,
    QuietRule,
    playout_draws,
    playout_init,
    playout_is_over,
    playout_step,
    playout_steps,
)

WARP = 32
# Results per clock of one multiprocessor. Source: CUDA C++ Programming Guide, throughput of native arithmetic
# instructions, compute capabilities 8.0 and 9.0: 32-bit integers 64, bit counts 16; four schedulers.
RATES = {"ALU": 64, "multiply": 64, "count bits": 16, "issue": 128}
_PIPES = {"IMAD": "multiply", "POPC": "count bits"}
_ALU = {"LOP3", "SEL", "ISETP", "SHF", "IADD3", "VIADD", "PLOP3", "LEA", "MOV", "PRMT", "VIMNMX", "IMNMX"}
_PACKAGES = ("numba-cuda", "nvidia-nvvm", "nvidia-cuda-nvrtc", "nvidia-cuda-nvcc", "nvidia-cuda-nvdisasm")


class Code(NamedTuple):
    """A kernel in machine code. registers: per thread. stack, spills: bytes. text: disassembly."""

    registers: int
    stack: int
    spills: int
    text: str


class Loop(NamedTuple):
    """Instructions of the loop. step: of every step. restart: those in addition between two games."""

    step: list[str]
    restart: list[str]


def missing() -> str:
    """Return one line that names the missing packages; empty if none is missing."""
    absent = [package for package in _PACKAGES if not is_installed(package)]
    if absent:
        return f"not installed: {', '.join(absent)} (the extra `kernels` brings them, on Linux only)"
    if not has_extra():
        return "numba-cuda is installed, but numba does not use it: its hook in site-packages has not run"
    return "NumPy 2.5 or newer is installed: no kernel compiles beside it" if is_numpy_too_new() else ""


def is_installed(package: str) -> bool:
    """Return whether a package is installed."""
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def _program(name: str) -> Path:
    """Find a program in NVIDIA's packages."""
    spec = find_spec("nvidia")
    assert spec is not None
    return next(
        path
        for folder in spec.submodule_search_locations or ()
        for path in Path(folder).glob(f"*/bin/{name}")
    )


@contextmanager
def pretended_device(compute_capability: tuple[int, int]) -> Iterator[None]:
    """Pretend a device to numba-cuda, so that it knows what to compile for.

    `compile_ptx` takes an argument for it, but functions that a kernel calls ask the driver. Uses private
    names of numba-cuda 0.30, only here.
    """
    from numba.cuda import dispatcher

    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=compute_capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


def add_device_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the device of the limits; the default is an H200."""
    parser.add_argument("--cc", default="9.0", help="compute capability")
    parser.add_argument("--multiprocessors", type=int, default=132)
    parser.add_argument("--ghz", type=float, default=1.98)


def find_device(options: argparse.Namespace) -> tuple[tuple[int, int], str]:
    """Return the compute capability of the present device or the requested one, and why none is present.

    Multiprocessors and clock of a present device are put into the options.
    """
    major, minor = map(int, options.cc.split("."))
    try:
        require_device()
    except InputError as error:
        return (major, minor), str(error)
    found = device()
    print(f"{found.name}, compute capability {found.compute_capability}")
    if is_simulated():
        return (major, minor), ""
    options.multiprocessors = found.multiprocessors
    options.ghz = getattr(cuda.get_current_device(), "CLOCK_RATE", 1e6 * options.ghz) / 1e6
    return found.compute_capability, ""


def ptx_of(rule: PlayoutRule | QuietRule, compute_capability: tuple[int, int], name: str = "checkers") -> str:
    """Compile the kernel for a game and a rule to PTX."""
    from numba import cuda, typeof, types

    from neche.montecarlo.playouts_gpu import play_positions

    signature = (typeof(game(name).start()), types.uint64[:, ::1], types.int64, typeof(rule))
    with pretended_device(compute_capability):
        text, _ = cuda.compile_ptx(play_positions.py_func, signature, cc=compute_capability)
    return str(text)


def assemble(ptx: str, compute_capability: tuple[int, int]) -> Code:
    """Turn PTX into machine code and that into text."""
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx)
        architecture = "sm_{}{}".format(*compute_capability)
        report = _run(_program("ptxas"), "-v", f"-arch={architecture}", source, "-o", code)
        text = _run(_program("nvdisasm"), "-c", code)
    stack, stores, loads = map(
        int, re.findall(r"(\d+) bytes (?:stack frame|spill stores|spill loads)", report)
    )
    (registers,) = re.findall(r"Used (\d+) registers", report)
    return Code(int(registers), stack, stores + loads, text)


def _run(*command: str | Path) -> str:
    """Run a command; return its whole output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return done.stdout


def instructions_of(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the instructions of a kernel, and its jumps as pairs of instructions."""
    lines: list[str] = []
    places: dict[str, int] = {}
    for line in text.splitlines():
        if label := re.match(r"\s*(\.L_x_\d+):", line):
            places[label[1]] = len(lines)
        elif instruction := re.match(r"\s*/\*[0-9a-f]+\*/\s+(.*?) *;", line):
            lines.append(instruction[1])
    jumps = [
        (place, places[target[1]])
        for place, line in enumerate(lines)
        if (target := re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", line))
    ]
    return lines, jumps


def loop_of(text: str) -> Loop:
    """Find the loop over steps, the longest branch back; its longest branch forward skips the restart."""
    lines, jumps = instructions_of(text)
    end, begin = max(jumps, key=lambda jump: jump[0] - jump[1])
    inside = [jump for jump in jumps if begin <= jump[0] < jump[1] <= end]
    skip, after = max(inside, key=lambda jump: jump[1] - jump[0])
    return Loop(lines[begin : skip + 1] + lines[after : end + 1], lines[skip + 1 : after])


def ways_round(text: str) -> list[list[str]]:
    """Return the longest path through each innermost loop without calls, as called code is rare."""
    lines, jumps = instructions_of(text)
    loops = [(after, place) for place, after in jumps if after < place]
    ways = []
    for begin, end in loops:
        if any(begin <= first and last <= end and (first, last) != (begin, end) for first, last in loops):
            continue
        # From each instruction to the end of the loop.
        best = {end: [lines[end]]}
        for place in reversed(range(begin, end)):
            after = [target for origin, target in jumps if origin == place and target > place]
            if not lines[place].startswith(("BRA", "EXIT", "RET")):
                after.append(place + 1)
            found = [best[target] for target in after if target in best]
            if found and "CALL" not in lines[place]:
                best[place] = [lines[place], *max(found, key=len)]
        if begin in best:
            ways.append(best[begin])
    return ways


def pipes(lines: list[str]) -> Counter[str]:
    """Count instructions by the unit that executes them; every one is issued."""
    used = Counter({"issue": len(lines)})
    for line in lines:
        name = re.sub(r"^@!?U?P\d+ ", "", line).split()[0].split(".")[0]
        used[_PIPES.get(name, "ALU" if name in _ALU else "other")] += 1
    return used


@jit
def _count_steps(position: Any, games: Any, rule: Any) -> Any:
    steps_done = np.int64(0)
    for number in range(games):
        state = draw(np.uint64(1), np.uint64(number))
        playout = playout_init(position, np.int32(0), rule)
        while True:
            steps_done += 1
            steps = playout_steps(playout, rule)
            if playout_is_over(playout, steps, rule):
                break
            state = advance(state) if playout_draws(playout) else state
            playout = playout_step(playout, steps, state)
    return steps_done


def steps_a_game(games: int = 50_000, name: str = "checkers") -> float:
    """Measure passes through the loop per game from the start position, including the one that ends it."""
    return int(_count_steps(game(name).start(), games, QuietRule(np.int32(80)))) / games


def work_a_game(loop: Loop, steps: float) -> dict[str, float]:
    """Return the warp instructions of each unit per game of a thread.

    A warp passes through the restart whenever one of its 32 threads does.
    """
    share = 1 - (1 - 1 / steps) ** WARP
    step, restart = pipes(loop.step), pipes(loop.restart)
    return {pipe: steps * (step[pipe] + share * restart[pipe]) for pipe in RATES}


def limits(work: dict[str, float], multiprocessors: int, ghz: float) -> dict[str, float]:
    """Return the games/s at which each unit is always busy."""
    return {pipe: multiprocessors * ghz * 1e9 * RATES[pipe] / work[pipe] for pipe in RATES}


def main() -> int:
    """Print the figures; return 1 if the tools are missing."""
    parser = argparse.ArgumentParser(description="Machine code of the playout kernel.")
    parser.add_argument("--game", default="checkers", choices=GAMES)
    add_device_options(parser)
    parser.add_argument("--listing", action="store_true", help="print the instructions of the loop")
    options = parser.parse_args()
    if missing():
        print(missing(), file=sys.stderr)
        return 1
    major, minor = map(int, options.cc.split("."))
    steps = steps_a_game(name=options.game)
    for rule in (QuietRule(np.int32(80)), PlayoutRule()):
        code = assemble(ptx_of(rule, (major, minor), options.game), (major, minor))
        loop = loop_of(code.text)
        print(
            f"{type(rule).__name__}, cc {options.cc}: {code.registers} registers, stack {code.stack} bytes",
            end="",
        )
        print(
            f", spills {code.spills}; a step {len(loop.step)} instructions, {len(loop.restart)} between games"
        )
        work = work_a_game(loop, steps)
        bounds = limits(work, options.multiprocessors, options.ghz)
        for pipe in RATES:
            print(
                f"  {pipe:10}  step {pipes(loop.step)[pipe]:3}  between {pipes(loop.restart)[pipe]:2}", end=""
            )
            print(f"  a game {work[pipe]:6.0f}  limit {bounds[pipe] / 1e9:.2f} G games/s")
        if options.listing:
            print("\n".join(loop.step), "\n-- between games", *loop.restart, sep="\n")
    print(f"{steps:.1f} passes through the loop a game")
    return 0


if __name__ == "__main__":
    sys.exit(main())
