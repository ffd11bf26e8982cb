"""Compile functions in random order in processes that are killed, and compare their results with Python's.

Usage: python tools/fuzz/compiled.py [--cases 100] [--seed 0]

A case is two modules of functions that call each other, return numbers or arrays, print and raise, and some
rounds of processes that share a cache, one or two at a time: each calls a few of the functions in its own
order, and some are killed on the way. In between a function may be edited. Answers are compared with those of
the same source without compilation. The first process that answers differently, warns or dies by itself ends
the tool with exit status 1, and its case is shown.
"""

import argparse
import contextlib
import io
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HEADER = "import numpy as np\nfrom neche.compiled.jit import jit, jit_allocating, jit_inlined, overload\n"
PLAIN = "import numpy as np\njit = jit_allocating = jit_inlined = lambda function: function\n"
MODULES = ("lower", "upper")
CHANCE_OF = {"kill": 0.3, "edit": 0.2, "two at once": 0.3}
LATEST_KILL = 3.0
"""Seconds. A process takes half a second to import numba, and a tenth to compile a function."""


class Function(NamedTuple):
    """A function of one number. kind: "number", "inlined", "array", "overload". called: earlier functions."""

    name: str
    kind: str
    called: tuple["Function", ...]
    constant: int
    prints: bool
    raises: bool

    def source(self, *, compiled: bool) -> str:
        """Return its definition."""
        terms = [f"{one.name}(number + {at})" for at, one in enumerate(self.called)]
        terms = [f"{t}[0].sum()" if f.kind == "array" else t for t, f in zip(terms, self.called, strict=True)]
        total = " + ".join([str(self.constant), "number", *terms])
        lines = [f'print("{self.name}", number)'] if self.prints else []
        lines += [f'if number % 3 == 0:\n        raise ValueError("{self.name}")'] if self.raises else []
        lines += [
            f"return np.arange(number) * {self.constant}, {total}"
            if self.kind == "array"
            else f"return {total}"
        ]
        body = "\n    ".join(["(number):", *lines]) + "\n\n\n"
        if self.kind == "overload":
            # A stub is called only from compiled code, so another function replaces it in Python.
            chosen = f"@overload({self.name}_stub)\ndef choose(number):\n    return {self.name}_chosen\n\n\n"
            way = f"@jit\ndef {self.name}(number):\n    return {self.name}_stub(number)\n\n\n"
            stub = f"def {self.name}_stub(number):\n    pass\n\n\n"
            return (
                f"{stub}def {self.name}_chosen{body}{chosen}{way}" if compiled else f"def {self.name}{body}"
            )
        decorator = {"number": "jit", "inlined": "jit_inlined", "array": "jit_allocating"}[self.kind]
        return f"@{decorator}\ndef {self.name}{body}"


def functions_of(rng: random.Random) -> list[Function]:
    """Return random functions, each calling some of those before it."""
    functions: list[Function] = []
    for number in range(rng.randint(3, 7)):
        kind = rng.choice(["number", "number", "inlined", "array", "array", "overload"])
        # Functions without reference counting may not call one that makes arrays; array functions may.
        callable_here = functions if kind == "array" else [one for one in functions if not _makes_arrays(one)]
        called = rng.sample(callable_here, min(len(callable_here), rng.randint(0, 3)))
        prints, raises = rng.random() < 0.2, rng.random() < 0.2
        functions.append(Function(f"f{number}", kind, tuple(called), rng.randint(1, 9), prints, raises))
    return functions


def _makes_arrays(function: Function) -> bool:
    return function.kind == "array" or any(map(_makes_arrays, function.called))


def edited(functions: list[Function], rng: random.Random) -> list[Function]:
    """Return the functions with one constant changed, and the callers calling the changed one."""
    which, new = rng.randrange(len(functions)), dict[str, Function]()
    for at, one in enumerate(functions):
        constant = one.constant + (at == which)
        new[one.name] = one._replace(constant=constant, called=tuple(new[other.name] for other in one.called))
    return list(new.values())


def sources_of(functions: list[Function]) -> dict[str, str]:
    """Return the sources of the modules; the later half of the functions imports the earlier one."""
    half = len(functions) // 2
    lower, upper = (
        "".join(one.source(compiled=True) for one in part) for part in (functions[:half], functions[half:])
    )
    names = ", ".join(one.name for one in functions[:half])
    return {"lower": f"{HEADER}\n\n{lower}", "upper": f"{HEADER}from lower import {names}\n\n\n{upper}"}


def program_of(functions: list[Function], rng: random.Random) -> str:
    """Return a program that calls some of the functions and prints the result of each."""
    half = len(functions) // 2
    lines = ["import lower, upper"]
    for one in rng.sample(functions, rng.randint(1, len(functions))):
        module = MODULES[functions.index(one) >= half]
        for number in rng.sample(range(1, 8), 2):
            call = f"{module}.{one.name}({number})"
            shown = f"[{call}[0].tolist(), int({call}[1])]" if one.kind == "array" else call
            lines.append(f"try:\n    print({shown})\nexcept ValueError as error:\n    print(error)")
    return "\n".join(lines) + "\n"


def expected(functions: list[Function], program: str) -> str:
    """Return what the program prints without compilation."""
    space: dict[str, Any] = {}
    exec(PLAIN + "".join(one.source(compiled=False) for one in functions), space)
    both = SimpleNamespace(**{one.name: space[one.name] for one in functions})
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program.partition("\n")[2], dict.fromkeys(MODULES, both))
    return said.getvalue()


def fault_in(folder: Path, rng: random.Random) -> str:
    """Run one case in a folder; return what was wrong, empty if nothing was."""
    functions = functions_of(rng)
    variables = {**os.environ, "NECHE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    for _ in range(rng.randint(2, 5)):
        if rng.random() < CHANCE_OF["edit"]:
            functions = edited(functions, rng)
        for module, source in sources_of(functions).items():
            (folder / f"{module}.py").write_text(source, encoding="utf-8")
        programs = [program_of(functions, rng) for _ in range(1 + (rng.random() < CHANCE_OF["two at once"]))]
        processes = [
            subprocess.Popen(
                [sys.executable, "-B", "-c", program],
                cwd=folder,
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for program in programs
        ]
        killed = rng.uniform(0, LATEST_KILL) if rng.random() < CHANCE_OF["kill"] else None
        if killed is not None:
            time.sleep(killed)
            processes[0].kill()
        for number, (process, program) in enumerate(zip(processes, programs, strict=True)):
            said, complaint = process.communicate()
            found = process.returncode, said, complaint
            if (number, killed is None) != (0, False) and found != (0, expected(functions, program), ""):
                texts = "\n".join(sources_of(functions).values())
                right = expected(functions, program)
                return f"{texts}\n{program}\nexit code {found[0]}\n{said}\n{complaint[-2000:]}\nnot\n{right}"
    return ""


def main() -> int:
    """Run the cases; return 1 at the first fault."""
    parser = argparse.ArgumentParser(description="Compile random functions in random order.")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.perf_counter()
    for number in range(options.cases):
        with tempfile.TemporaryDirectory() as folder:
            fault = fault_in(Path(folder), random.Random(f"{options.seed} {number}"))
        if fault:
            print(f"seed {options.seed}, case {number}:\n{fault}")
            return 1
    print(
        f"{options.cases} programs in several processes, all as Python, {time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
