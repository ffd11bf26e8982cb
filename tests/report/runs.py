"""Run directories made without playing, of any game, and the same with other contents under valid checks."""

import json
import shutil
from pathlib import Path

import numpy as np

from neche.archive.checkpoint import format_line
from neche.archive.layout import parse_config
from neche.archive.run import RunDirectory
from neche.evolution.population import Generation, Member, member_id
from neche.evolution.recipes import override
from neche.evolution.settings import parse_settings, resolve
from neche.network.topology import parse_topology
from tests.genome.drawn import random_strands

POPULATION, GENES = 6, 120
LADDER = ("blind:depth=1", "material:depth=1")


def settings_for(game="checkers", **changes):
    tables = {
        "members": {"population": POPULATION, "genes": GENES},
        "games": {"game": game},
        "selection": {"elites": 1},
        "ladder": {"ladder": list(LADDER), "ladder_every": 2, "ladder_games": 10},
        "run": {"generations": 5, "keep_every": 100, "keep_last": 3},
    }
    settings = parse_settings(tables, "made")
    for key, value in changes.items():
        settings = override(settings, f"{key}={value}")
    return resolve(settings)


def generation(settings, number, last):
    """Return a generation of random genomes; two parents each, from the generation before."""
    rng = np.random.default_rng([number, 7])
    topology = parse_topology(settings.members.topology)
    if topology.is_dense:
        genomes = random_strands(topology.strand_format, rng, sd=0.2, count=POPULATION)
    else:
        length = settings.members.genes * topology.gene_format.length
        genomes = rng.integers(4, size=(POPULATION, length), dtype=np.uint8)
    parents = () if last is None else (last.members[0].id, last.members[1].id)
    members = tuple(Member(member_id(number, at), parents, genome) for at, genome in enumerate(genomes))
    depth, moved_up_at = (1, None) if number < 2 else (2, 2)
    ladder = {name: round(float(rng.random()), 4) for name in LADDER} if number % 2 == 0 else None
    record = {
        "generation": number,
        "champion_id": members[0].id,
        "games": 60,
        "live_synapses": 10.0 + number,
        "hidden_neurons": 2.0,
        "squares_seen": 8.5,
        "distance": 0.75 - number / 20,
        "wired_distance": 0.7,
        "evaluation_distance": 0.4,
        "warnings": [],
        **({"ladder": ladder} if ladder else {}),
    }
    shape = POPULATION
    return Generation(
        number=number,
        members=members,
        scores=np.full(shape, 0.5),
        strengths=np.zeros(shape),
        games=np.full(shape, 10, dtype=np.int64),
        depth=depth,
        moved_up_at=moved_up_at,
        record=record,
    )


def made_run(
    path, game="checkers", *, generations=5, is_crowned=True, seed=3, plugins=(), origin=None, **changes
):
    """Write a run of `generations` generations; returns its path."""
    settings = settings_for(game, **changes)
    with RunDirectory.create(path, settings, seed, origin, plugins) as run:
        last = None
        for number in range(generations):
            last = generation(settings, number, last)
            run.save(last)
        if last is not None and is_crowned:
            run.crown(last.members[0], generation=last.number, scores=dict.fromkeys(LADDER, 0.625))
    return Path(path)


def sealed_history(run, change):
    """Rewrite the history after `change(values)` on every line, with correct checks."""
    fingerprint = parse_config((run / "config.toml").read_bytes(), "config").fingerprint
    lines, check = [], fingerprint
    for text in (run / "history.jsonl").read_text().splitlines():
        values = json.loads(text)
        del values["check"]
        line, check = format_line(change(values), check)
        lines.append(line)
    (run / "history.jsonl").write_bytes(b"".join(lines))


def copied(run, to):
    shutil.copytree(run, to, ignore=shutil.ignore_patterns(".lock"))
    return to
