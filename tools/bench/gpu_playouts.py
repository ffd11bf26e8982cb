"""Check and measure playouts on a CUDA device with one command: correctness first, then speed.

Usage: python tools/bench/gpu_playouts.py FOLDER [--game NAME] [--seconds 20] [--positions 200] [--most N]

Needs a GPU and `pip install 'neche[cuda]'`. Writes FOLDER/gpu-playouts.md for people and gpu-playouts.json.
Takes about three minutes on a large GPU. If the counts of the device differ from those of the CPU, it says
so, measures no speed and exits with status 1.
"""

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from neche.compiled.cuda import Device, cuda, device, is_simulated, require_device
from neche.compiled.streams import stream, stream_keys
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.games.playouts import PlayoutRule, QuietRule, avoids_cycles
from neche.montecarlo import playouts_cpu, playouts_gpu
from neche.montecarlo.counting import RULE, PlayoutCounts
from tools.bench import kernel_code

# Output of `tools/bench/kernel_code.py` about the kernels, for machines without NVIDIA's assembler.
DOCUMENTED_WORK = {
    "checkers": {"ALU": 8080.0, "multiply": 2267.0, "count bits": 812.0, "issue": 11529.0},
    "brazilian": {"ALU": 25162.0, "multiply": 4500.0, "count bits": 1006.0, "issue": 31419.0},
    "international": {"ALU": 74506.0, "multiply": 15821.0, "count bits": 2840.0, "issue": 95154.0},
    "othello": {"ALU": 23088.0, "multiply": 4524.0, "count bits": 663.0, "issue": 28587.0},
}
THREADS = (128, 256, 512, 1024, 1536, 2048)
RULES = {
    "as usual": RULE,
    "never drawn": PlayoutRule(quiet_plies=0),
    "by count at ply 60": PlayoutRule(max_plies=60, by_count=1),
    "all options": PlayoutRule(quiet_plies=10, max_plies=80, by_count=1, avoid_cycles=1),
}
Report = dict[str, Any]


def positions_of(rules: Game, count: int, seed: int) -> list[Any]:
    """Return positions of random games, 0 to 80 plies from the start, or the last of a shorter game."""
    found = []
    for index in range(count):
        random = stream(seed, 0, "gpu positions", index)
        position = rules.start()
        for _ in range(int(random.integers(81))):
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = moves[int(random.integers(len(moves)))].after
        found.append(position)
    return found


def known(rule: PlayoutRule, positions: Sequence[Any]) -> PlayoutRule:
    """Return the rule without the parts that do not exist in playouts of these positions."""
    return rule if avoids_cycles(positions[0]) else rule._replace(avoid_cycles=0)


def keys_of(seed: int, count: int) -> list[int]:
    """Return stream keys."""
    return [int(key) for key in stream_keys(seed, 0, "gpu playouts", count)]


def timed(work: Callable[[], Any]) -> float:
    """Return the wall time of a call, seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def same_games(positions: Sequence[Any], options: argparse.Namespace) -> Report:
    """Compare counts from the same streams, which must be equal for all rules and shapes."""
    rules, count = game(options.game), len(positions)
    odd = [1 + 37 * index % (2 * options.games) for index in range(count)]
    keys = keys_of(options.seed, count)
    shapes = {
        "whole device": None,
        "1000 threads": playouts_gpu.Shape(1000, 32),
        "7 threads": playouts_gpu.Shape(7, 1),
    }
    cases: Report = {f"rule {name}": (known(rule, positions), None, odd) for name, rule in RULES.items()}
    cases |= {
        f"shape {name}": (RULE, shape, [min(games, 40) for games in odd]) for name, shape in shapes.items()
    }
    report: Report = {}
    for name, (rule, shape, playouts) in cases.items():
        first = [10**9 * index for index in range(count)]
        here = playouts_gpu.count_playouts(
            rules, positions, playouts, keys, first=first, rule=rule, shape=shape
        )
        there = playouts_cpu.count_playouts(rules, positions, playouts, keys, first=first, rule=rule)
        report[name] = all(np.array_equal(ours, theirs) for ours, theirs in zip(here, there, strict=True))
    return report


def alike(positions: Sequence[Any], options: argparse.Namespace) -> Report:
    """Compare win counts from different streams: |difference| in standard errors, for each position."""
    rules, playouts = game(options.game), [20 * options.games] * len(positions)
    here = playouts_gpu.count_playouts(rules, positions, playouts, keys_of(options.seed + 1, len(positions)))
    there = playouts_cpu.count_playouts(rules, positions, playouts, keys_of(options.seed + 2, len(positions)))
    share = (here.wins + there.wins) / (2 * playouts[0])
    error = np.sqrt(np.maximum(share * (1 - share), 1 / playouts[0]) * 2 / playouts[0])
    deviations = np.abs(here.wins - there.wins) / playouts[0] / error
    return {
        "positions": len(positions),
        "playouts": playouts[0],
        "largest": float(deviations.max()),
        "mean_square": float((deviations**2).mean()),
    }


@contextmanager
def sampled() -> Iterator[list[list[float]]]:
    """Sample clock (MHz), power (W) and temperature every second, if `nvidia-smi` is installed."""
    samples: list[list[float]] = []
    query = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw,temperature.gpu", "-i", "0", "-l", "1"]
    if shutil.which("nvidia-smi") is None:
        yield samples
        return
    watching = subprocess.Popen(
        [*query, "--format=csv,noheader,nounits"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield samples
    finally:
        watching.terminate()
        for line in (watching.communicate()[0] or "").splitlines():
            words = [word.strip() for word in line.split(",")]
            if all(word.replace(".", "", 1).isdigit() for word in words):
                samples.append([float(word) for word in words])


def sustained(options: argparse.Namespace) -> Report:
    """Play from the start position for some seconds, in calls of a second or two."""
    rules, totals = game(options.game), np.zeros(4)
    number, size = 0, min(2**22, options.most)
    with sampled() as samples:
        began = time.perf_counter()
        while (start := time.perf_counter()) < began + options.seconds:
            counts = playouts_gpu.count_playouts(
                rules, [rules.start()], [size], [options.seed], first=[number]
            )
            totals += [column[0] for column in counts]
            number += size
            size = max(1, int(size * min(4, 2 / (time.perf_counter() - start))))
        seconds = time.perf_counter() - began
    report: Report = {"games": number, "seconds": seconds, "games_per_second": number / seconds}
    report |= dict(zip(PlayoutCounts._fields, (totals / number).tolist(), strict=True))
    for index, name in enumerate(("clock_mhz", "power_w", "celsius")):
        report[name] = statistics.median(sample[index] for sample in samples) if samples else None
    return report


def rate_of(
    positions: Sequence[Any], playouts: int, options: argparse.Namespace, repeats: int, shape: Any = None
) -> float:
    """Return games/s of the best of some calls."""
    rules, keys = game(options.game), keys_of(options.seed, len(positions))
    each = [playouts] * len(positions)
    best = min(
        timed(lambda: playouts_gpu.count_playouts(rules, positions, each, keys, shape=shape))
        for _ in range(repeats)
    )
    return playouts * len(positions) / best


def by_threads(found: Device, options: argparse.Namespace) -> list[Report]:
    """Play a medium and a large number of games with more and fewer threads in flight."""
    rows = []
    for threads, block in [*((threads, 128) for threads in THREADS), (1024, 64), (1024, 256)]:
        row: Report = {"threads": threads, "block": block}
        for games in (10**6, 10**8):
            size = min(games, options.most)
            shape = playouts_gpu.Shape(threads * found.multiprocessors, block, size)
            row[f"rate_{games:.0e}"] = rate_of([game(options.game).start()], size, options, 3, shape)
        rows.append(row)
    return rows


def by_playouts(options: argparse.Namespace) -> list[Report]:
    """Play out the children of the start position, 32 times each and more."""
    rules = game(options.game)
    children = [move.after for move in rules.legal_moves(rules.start())]
    rows: list[Report] = []
    for playouts in (32, 100, 320, 1000, 3200, 10**4, 10**5, 10**6, 10**7, 10**8, 10**9):
        if playouts > options.most or (rows and rows[-1]["seconds"] > options.seconds):
            break
        rate = rate_of(children, playouts, options, 1 if playouts > 10**7 else 5)
        seconds = playouts * len(children) / rate
        rows.append({"playouts": playouts, "seconds": seconds, "games_per_second": rate})
    return rows


def by_positions(positions: Sequence[Any], options: argparse.Namespace) -> list[Report]:
    """Play out many positions a few times each, as a tree search does with its leaves."""
    rows = []
    for count, playouts in ((1, 64), (16, 1), (64, 1), (64, 16), (256, 16), (1024, 16), (4096, 16)):
        here = [positions[index % len(positions)] for index in range(min(count, options.most))]
        rate = rate_of(here, playouts, options, 5)
        seconds = playouts * len(here) / rate
        rows.append(
            {"positions": len(here), "playouts": playouts, "seconds": seconds, "games_per_second": rate}
        )
    return rows


def registers() -> int | None:
    """Return the registers per thread of the kernel on this device."""
    if is_simulated():
        return None
    return int(max(playouts_gpu.play_positions.get_regs_per_thread().values()))


def work_of(found: Device, name: str) -> tuple[dict[str, float], str]:
    """Return the instructions per game by unit, and their source."""
    if kernel_code.missing() or found.compute_capability < (8, 0):
        return DOCUMENTED_WORK[name], "docs/performance-gpu.md"
    capability = found.compute_capability
    code = kernel_code.assemble(kernel_code.ptx_of(QuietRule(np.int32(80)), capability, name), capability)
    loop = kernel_code.loop_of(code.text)
    return kernel_code.work_a_game(loop, kernel_code.steps_a_game(name=name)), "this machine's assembler"


def limits_of(found: Device, achieved: Report, name: str) -> Report:
    """Return the limits that the device's units set, at its highest clock and at the sampled one."""
    work, source = work_of(found, name)
    highest = getattr(cuda.get_current_device(), "CLOCK_RATE", 0) / 1e6 if not is_simulated() else 0.0
    measured = (achieved["clock_mhz"] or 0) / 1e3
    report: Report = {"source": source, "work": work, "highest_ghz": highest, "measured_ghz": measured}
    for name, ghz in (("at_highest", highest), ("at_measured", measured)):
        if ghz:
            bounds = kernel_code.limits(work, found.multiprocessors, ghz)
            report[name] = bounds | {"achieved": achieved["games_per_second"] / min(bounds.values())}
    return report


def measure(options: argparse.Namespace) -> Report:
    """Check and measure everything; measure no speed of a device whose counts are wrong.

    The report is written after every part, so that no result is lost.
    """
    found, positions = device(), positions_of(game(options.game), options.positions, options.seed)
    report: Report = {
        "device": found._asdict(),
        "game": options.game,
        "versions": versions(),
        "seed": options.seed,
    }
    one = positions[:1], [1], [options.seed]
    parts: dict[str, Callable[[], Any]] = {
        "first_call_seconds": lambda: timed(lambda: playouts_gpu.count_playouts(game(options.game), *one)),
        "registers": registers,
        "same": lambda: same_games(positions, options),
        "alike": lambda: alike(positions, options),
        "correct": lambda: all(report["same"].values()) and report["alike"]["largest"] <= 4,
        "sustained": lambda: sustained(options),
        "limits": lambda: limits_of(found, report["sustained"], options.game),
        "children": lambda: by_playouts(options),
        "leaves": lambda: by_positions(positions, options),
        "threads": lambda: by_threads(found, options),
    }
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, part in parts.items():
        print(f"{name} …", file=sys.stderr)
        report[name] = part()
        text = json.dumps(report, indent=1) + "\n"
        (options.folder / "gpu-playouts.json").write_text(text, encoding="utf-8")
        if name == "correct" and not report[name]:
            break
    return report


def versions() -> dict[str, str]:
    """Return the versions of the software that compiles and runs the kernel."""
    packages = ("numba", "numba-cuda", "numpy", "nvidia-nvvm")
    found = {name: version(name) for name in packages if kernel_code.is_installed(name)}
    return found | {"python": platform.python_version()}


def table(rows: Sequence[Report], heads: Sequence[str]) -> list[str]:
    """Write rows of a report as a table."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for row in rows:
        words = [f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" for value in row.values()]
        lines.append(f"| {' | '.join(words)} |")
    return [*lines, ""]


def correctness_in_words(report: Report) -> list[str]:
    """Write the head of a report, and whether the counts of device and CPU agree."""
    found, others = report["device"], report["alike"]
    numbers = ", ".join(f"{name} {number}" for name, number in report["versions"].items())
    verdict = {True: "equal to the CPU", False: "**NOT EQUAL** to the CPU"}
    lines = [
        f"# Playouts of {report['game']} on {found['name']}",
        "",
        f"Compute capability {found['compute_capability']}, {found['multiprocessors']} multiprocessors, "
        f"{report['registers']} registers a thread; {numbers}; seed {report['seed']}. First call, with "
        f"compiling: {report['first_call_seconds']:.1f} s.",
        "",
        "## Correctness",
        "",
        *(f"- {name}: {verdict[same]}" for name, same in report["same"].items()),
        f"- other streams, {others['positions']} positions of {others['playouts']} playouts: wins differ by "
        f"{others['largest']:.2f} standard errors at most, mean square {others['mean_square']:.2f}",
        "",
    ]
    if report["correct"]:
        return lines
    return [*lines, "**The device does not count what the CPU counts: no speed was measured.**"]


def speed_in_words(report: Report) -> list[str]:
    """Write rates, tables and limits of a report."""
    steady, bounds = report["sustained"], report["limits"]
    clocks = [name for name in ("at_highest", "at_measured") if name in bounds]
    rows = []
    for name in clocks:
        row: Report = {"clock": f"{name[3:]}, {bounds[name[3:] + '_ghz']:.2f} GHz"}
        row |= {unit: bounds[name][unit] / 1e9 for unit in kernel_code.RATES}
        rows.append(row | {"achieved": bounds[name]["achieved"]})
    return [
        "## Rate",
        "",
        f"Start position, {steady['seconds']:.1f} s: **{steady['games_per_second'] / 1e9:.3f} G games/s** "
        f"({steady['games']:,} games). Wins {steady['wins']:.5f}, draws {steady['draws']:.5f}, losses "
        f"{steady['losses']:.5f}, {steady['plies']:.2f} plies. Clock {steady['clock_mhz']} MHz, power "
        f"{steady['power_w']} W, {steady['celsius']} °C (medians; None: not told).",
        "",
        f"Limits, G games/s, of instructions from {bounds['source']}:",
        "",
        *table(rows, ["clock", *kernel_code.RATES, "achieved / lowest"]),
        "## Playouts per child of the start position",
        "",
        *table(report["children"], ["playouts", "seconds", "games/s"]),
        "## Many positions",
        "",
        *table(report["leaves"], ["positions", "playouts", "seconds", "games/s"]),
        "## Threads of a multiprocessor",
        "",
        *table(report["threads"], ["threads", "block", "games/s of 1 M", "games/s of 100 M"]),
    ]


def main() -> int:
    """Measure and write; return 1 if the device counts wrongly, 2 if there is none."""
    parser = argparse.ArgumentParser(description="Check and measure playouts on a CUDA device.")
    parser.add_argument("folder", type=Path, help="where the report is written")
    parser.add_argument("--game", default="checkers", choices=GAMES)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the sustained rate")
    parser.add_argument("--positions", type=int, default=200, help="compared with the CPU")
    parser.add_argument("--games", type=int, default=1000, help="compared a position, about")
    parser.add_argument("--most", type=int, default=10**9, help="playouts a child, at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        require_device()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    report = measure(options)
    lines = correctness_in_words(report) + (speed_in_words(report) if report["correct"] else [])
    text = "\n".join(lines).rstrip() + "\n"
    (options.folder / "gpu-playouts.md").write_text(text, encoding="utf-8")
    print(text)
    return 0 if report["correct"] else 1


if __name__ == "__main__":
    sys.exit(main())
