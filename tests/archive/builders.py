"""Runs made without playing: each generation follows from the one before it by a few digits of arithmetic."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from neche.archive.run import RunDirectory
from neche.evolution.evolve import evolve
from neche.evolution.plugins import Plugins
from neche.evolution.population import Generation, Member, member_id
from neche.evolution.recipes import override
from neche.evolution.settings import Settings, parse_settings, resolve
from tests.evolution.builders import tiny_settings

POPULATION = 4
GENES = 2


def small_settings(keep_every: int = 3, keep_last: int = 2, generations: int = 900) -> Settings:
    tables = {
        "run": {"keep_every": keep_every, "keep_last": keep_last, "generations": generations},
        "members": {"population": POPULATION, "genes": GENES, "perspective": "own"},
        "selection": {"elites": 1},
    }
    return resolve(parse_settings(tables, "small"))


def next_generation(last: Generation | None, seed: int) -> Generation:
    """Return a generation that follows from `last` alone; sometimes the first member survives as an elite."""
    number = 0 if last is None else last.number + 1
    inherited = [] if last is None else [int(genome.sum()) for genome in (m.genome for m in last.members)]
    rng = np.random.default_rng(
        [seed, number, *inherited, 0 if last is None else int(last.scores.sum() * 64)]
    )
    members = [
        Member(
            member_id(number, index),
            () if last is None else (last.members[0].id, last.members[index].id),
            rng.integers(4, size=16 * GENES, dtype=np.uint8),
        )
        for index in range(POPULATION)
    ]
    if last is not None and number % 3:
        members[0] = last.members[0]
    depth, moved_up_at = (1, None) if number < 4 else (2, 4)
    return Generation(
        number=number,
        members=tuple(members),
        scores=rng.random(POPULATION),
        strengths=rng.normal(size=POPULATION) / 3,
        games=rng.integers(100, size=POPULATION),
        depth=depth,
        moved_up_at=moved_up_at,
        record={
            "generation": number,
            "depth": depth,
            "moved_up_at": moved_up_at,
            "champion_id": members[0].id,
            "ladder": {"blind:depth=4": float(rng.random())},
        },
    )


def straight_generations(count: int, seed: int = 5) -> Iterator[Generation]:
    last = None
    for _ in range(count):
        last = next_generation(last, seed)
        yield last


def continue_run(run: RunDirectory, total: int) -> None:
    """Compute and save the missing generations up to `total`, then crown a champion."""
    last = run.last
    while last is None or last.number + 1 < total:
        last = next_generation(last, run.seed)
        run.save(last)
    run.crown(last.members[0], generation=last.number, scores={"blind:depth=4": 0.75})


def write_run(path: Path, total: int = 8, seed: int = 5, settings: Settings | None = None) -> Path:
    with RunDirectory.create(path, settings or small_settings(), seed) as run:
        continue_run(run, total)
    return path


PLUGGED = (
    *("population=6", "genes=20", "refine_after=0", "ladder_games=0", "champion_candidates=0"),
    *("next_depths=[]", "keep_every=3", "keep_last=2"),
)
"""Settings of a small run that plug-ins can steer."""


def begin_plugged(path: Path, plugins: Plugins) -> Path:
    """Begin a run with plug-ins, without a generation."""
    RunDirectory.create(path, tiny_settings(*PLUGGED), 5, plugins=plugins.identity()).close()
    return path


def go_on_plugged(path: Path, last: int, plugins: Plugins) -> Path:
    """Continue a run with plug-ins up to generation `last`."""
    with RunDirectory.open(path) as run:
        given: dict[str, Any] = {"generations": last, "resume_from": run.last, "plugins": plugins}
        for generation in evolve(run.settings, run.seed, **given):
            run.save(generation)
    return path


def contents(path: Path) -> dict[str, bytes]:
    """Return every file below a directory by name."""
    return {
        str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()
    }


def assert_same_generation(a: Generation | None, b: Generation | None) -> None:
    assert a is not None
    assert b is not None
    assert [(m.id, m.parents, m.genome.tolist()) for m in a.members] == [
        (m.id, m.parents, m.genome.tolist()) for m in b.members
    ]
    for name in ("scores", "strengths", "games"):
        x, y = getattr(a, name), getattr(b, name)
        assert x.dtype == y.dtype
        assert x.tobytes() == y.tobytes()
    assert (a.number, a.depth, a.moved_up_at, a.record) == (b.number, b.depth, b.moved_up_at, b.record)


def begun_run(directory: Path, generations: int, *changes: str, seed: int = 1) -> Path:
    """Write a run whose games are never played."""
    settings = small_settings()
    for assignment in changes:
        settings = override(settings, assignment)
    with RunDirectory.create(directory, settings, seed) as begun:
        generation = None
        for _ in range(generations):
            generation = next_generation(generation, seed)
            begun.save(generation)
    return directory
