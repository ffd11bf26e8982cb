"""Damage every file that commands keep, and check that each reader reports it or is not affected.

Usage: python tools/fuzz/files.py [--cases 100] [--seed 0] [--kind run] [--keep FOLDER]

A case damages one to all files of a run, a dataset, results or solved endings (emptied, cut, a bit flipped,
zeros, doubled, random, removed, exchanged). For a run, `verify`, `watch` and `report` are called first, then
it is resumed, at once or after a repair; the others are continued by their own command. Every command must
end with exit code 0, 1 (verify) or 2 and at most a few lines of output, and must have reported whatever
differs from the undamaged files. Exit status 1 if any case fails; all failures are shown, and their files
kept in `--keep`.
"""

import argparse
import io
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.layout import parse_config
from neche.cli.main import main as neche
from neche.errors import InputError
from tools.checks.kill_and_resume import contents, differences
from tools.fuzz.cache import DAMAGES

MOST_LINES = 20
"""On standard error: a fault, or a notice for each of some files."""
_TINY = "population=6 genes=20 keep_every=3 keep_last=2 ladder_every=2 ladder_games=2 ladder_thinker_games=2"
_TINY += " champion_candidates=0 final_candidates=2 final_games=2 move_up_every=3 refine_after=0"
_EVOLVE = ["evolve", "--recipe", "tournament", "--seed", "3", "--run", "kept", "--generations", "7", "--json"]
_EVOLVE += [word for setting in _TINY.split() for word in ("--set", setting)]
_WITH_RESULTS = ["--results", "kept/results.jsonl", "--json", "--jobs", "1"]
MAKING = {
    "run": [*_EVOLVE, "--jobs", "1"],
    "dataset": ["dataset", "kept", "--games", "40", "--shard-games", "10", "--json", "--jobs", "1"],
    "results": ["round-robin", "random", "blind:depth=1", "material:depth=1", "--games", "6", *_WITH_RESULTS],
    "endings": ["solve", "--pieces", "2", "--distance", "--output", "kept", "--json", "--jobs", "1"],
}
"""The command that makes each kind of files in a directory named `kept`, and continues them."""
RESUME = ["evolve", "--resume", "--run", "kept", "--generations", "7", "--json", "--jobs", "1"]
READERS = {
    "watch": ["watch", "kept", "--once", "--json"],
    "report": ["report", "kept", "--games", "0", "--output", "page.html", "--json"],
}


class Answer(NamedTuple):
    """Output and exit code of a command; an exception is in `told`, with code −1."""

    code: int
    said: str
    told: str

    def fault(self, good: tuple[int, ...] = (0, 2)) -> str:
        """Return what is wrong with the form of the output, empty if nothing is."""
        lines = self.told.splitlines()
        if self.code not in good or len(lines) > MOST_LINES or "Traceback" in self.told:
            return f"exit code {self.code}, {len(lines)} lines: {self.told[-2000:]}"
        if self.code == 2 and not lines[-1:][0].startswith("neche: error:"):
            return f"exit code 2 without a fault: {self.told[-2000:]}"
        return ""


def ask(words: list[str]) -> Answer:
    """Run a command in this process."""
    said, told = io.StringIO(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(told):
        try:
            code = neche(words)
        except BaseException:
            return Answer(-1, said.getvalue(), told.getvalue() + traceback.format_exc(limit=-4))
    return Answer(code, said.getvalue(), told.getvalue())


def damage(directory: Path, draw: random.Random) -> str:
    """Damage a random number of the files in a directory; return what was done to which."""
    files = sorted(path for path in directory.rglob("*") if path.is_file() and path.name != ".lock")
    chosen = draw.sample(files, min(len(files), draw.choice([1, 1, 1, 2, len(files)])))
    kind = draw.choice([*DAMAGES, "removed", "exchanged"])
    for path in chosen:
        if kind == "removed":
            path.unlink()
        elif kind == "exchanged":
            other = draw.choice(files)
            path.write_bytes(other.read_bytes() if other.exists() else b"")
        elif content := path.read_bytes():
            path.write_bytes(DAMAGES[kind](content, draw))
    return f"{kind}: {', '.join(str(path.relative_to(directory)) for path in chosen)}"


class Whole(NamedTuple):
    """The undamaged files. files: their digests. answers: what the readers of a run say about them."""

    directory: Path
    files: dict[str, str]
    answers: dict[str, str]


def make(kind: str) -> Whole:
    """Make the files in the current directory.

    Raises:
        RuntimeError: a command fails without any damage.
    """
    if kind == "results":
        Path("kept").mkdir()
    for words in [MAKING[kind], *(READERS.values() if kind == "run" else ())]:
        if (answer := ask(words)).code:
            raise RuntimeError(f"{words}: {answer.told}")
    answers = {name: _seen(name, ask(words)) for name, words in READERS.items()} if kind == "run" else {}
    return Whole(Path("kept").rename("whole"), contents(Path("whole")), answers)


def _seen(name: str, answer: Answer) -> str:
    """Return everything a reader outputs: what it prints and what it writes."""
    return answer.said + (Path("page.html").read_text(encoding="utf-8") if name == "report" else "")


def changed_files(whole: Whole) -> list[str]:
    """Name the files that differ from the undamaged ones."""
    found = differences(whole.files, contents(Path("kept")))
    names = [line.rpartition(": ")[0] for line in found]
    return [name for name in names if not (name.endswith("config.toml") and _reads_alike(whole, name))]


def _reads_alike(whole: Whole, name: str) -> bool:
    """Return whether only a comment of a configuration is damaged."""
    try:
        first, second = (
            parse_config(Path(root, name).read_bytes(), "") for root in (whole.directory, "kept")
        )
    except (InputError, FileNotFoundError):
        return False
    return first == second


def _is_being_saved(whole: Whole, changed: set[str]) -> bool:
    """Return whether a run looks as while its last generation is being saved, which a reader may meet."""
    # Readers do not need the copy of the configuration while the other is whole.
    is_alone = changed - {"generations/config.toml"} == {"history.jsonl"}
    if not is_alone or not Path("kept/history.jsonl").exists():
        return False
    lines, now = (Path(root, "history.jsonl").read_bytes() for root in (whole.directory, "kept"))
    return lines.startswith(now) and now.count(b"\n") == lines.count(b"\n") - 1


def _unsaid(whole: Whole, told: str) -> list[str]:
    # What was lost for good may have affected everything after it.
    if "no longer kept: what follows may differ" in told:
        return []
    return [f"{name} differs, and nothing is said of it" for name in changed_files(whole) if name not in told]


def run_faults(whole: Whole, draw: random.Random) -> Iterator[str]:
    """Run readers on a damaged run, resume it, and yield what is wrong with the answers."""
    before, changed = contents(Path("kept")), set(changed_files(whole))
    if not before:
        # Where no run is left, a resume begins one, and says so.
        return
    # A run that was stopped, or begun by an older neche, lacks these files, so nothing is lost.
    spare = {name for name in ("champion.fasta", "generations/config.toml") if name not in before}
    verified = ask(["verify", "kept"])
    yield verified.fault((0, 1, 2))
    if verified.code == 0 and changed - spare:
        yield f"verify finds nothing in {', '.join(sorted(changed))}"
    for name, words in READERS.items():
        if name == "report" and draw.random() < 0.7:
            continue
        answer = ask(words)
        yield answer.fault()
        is_same = _seen(name, answer) == whole.answers[name] or spare or _is_being_saved(whole, changed)
        if answer == (0, answer.said, "") and not is_same:
            yield f"{name} says something else, and nothing of a damage"
    if contents(Path("kept")) != before:
        yield "a reader has written"
    told, is_mended = "", False
    if draw.random() < 0.5:
        repaired = ask(["verify", "kept", "--repair"])
        yield repaired.fault((0, 1, 2))
        again = ask(["verify", "kept"])
        if (repaired.code == 0) != (again.code == 0):
            yield f"repaired with exit code {repaired.code}, and then {again.said}"
        told, is_mended = again.said + again.told, repaired.code == 0
    resumed = ask(RESUME)
    yield resumed.fault()
    if resumed.code == 0 and is_mended:
        # If a repair finds nothing wrong, the run is as it was, or as it was some generations ago.
        yield from (f"{name} differs after a repair" for name in changed_files(whole))
    elif resumed.code == 0:
        yield from _unsaid(whole, told + resumed.told)


def other_faults(kind: str, whole: Whole) -> Iterator[str]:
    """Continue damaged files by their own command, without those it names, and yield what is wrong."""
    for _ in range(len(whole.files) + 1):
        answer = ask(MAKING[kind])
        yield answer.fault()
        if answer.code == 0:
            yield from (f"{name} differs in the end" for name in changed_files(whole))
            return
        named = [name for name in whole.files if f"kept/{name}" in answer.told]
        if not named:
            yield f"no file is named: {answer.told}"
            return
        Path("kept", named[0]).unlink(missing_ok=True)
    yield "goes on refusing"


def _faults(kind: str, whole: Whole, draw: random.Random) -> list[str]:
    found = run_faults(whole, draw) if kind == "run" else other_faults(kind, whole)
    return [fault for fault in found if fault]


def fuzz(kind: str, cases: int, seed: int, keep: Path | None) -> int:
    """Make and damage files of a kind; show the faults, and return how many cases have one."""
    num_faulty = 0
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        whole = make(kind)
        for number in range(cases):
            draw = random.Random(f"{seed} {kind} {number}")
            shutil.copytree(whole.directory, "kept")
            did = damage(Path("kept"), draw)
            if keep:
                shutil.copytree("kept", "damaged")
            if faults := _faults(kind, whole, draw):
                num_faulty += 1
                print(f"{kind}, seed {seed}, case {number}, {did}:", *faults, sep="\n  ", flush=True)
                if keep:
                    shutil.copytree("damaged", keep / f"{kind}-{seed}-{number}", dirs_exist_ok=True)
            shutil.rmtree("damaged", ignore_errors=True)
            shutil.rmtree("kept")
    return num_faulty


def main() -> int:
    """Damage files of every kind; return 1 if any was handled wrongly."""
    parser = argparse.ArgumentParser(description="Damage the files that commands keep.")
    parser.add_argument("--cases", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=tuple(MAKING), nargs="+", default=list(MAKING))
    parser.add_argument("--keep", type=Path, help="where the files of faulty cases go")
    options = parser.parse_args()
    keep = options.keep and options.keep.resolve()
    faulty = 0
    for kind in options.kind:
        began = time.perf_counter()
        num_faulty = fuzz(kind, options.cases, options.seed, keep)
        spent = time.perf_counter() - began
        print(
            f"{kind}: {options.cases} damaged, {num_faulty} of them taken wrongly, {spent:.0f} s", flush=True
        )
        faulty += num_faulty
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
