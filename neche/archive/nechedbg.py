"""Import the folder of the original program, `nechedbg`, as a run directory.

`N_nets.txt` holds the genomes of generation N, one per line, written before their games; `best_networks.txt`
holds the strongest of each generation, one per line.

Symbols: P members.
"""

import re
from pathlib import Path
from typing import NamedTuple

from neche.archive.beginning import unplayed_generation, write_begun_run
from neche.errors import InputError
from neche.evolution.recipes import load_recipe
from neche.evolution.settings import parse_settings, to_toml_dict
from neche.genome.dna import GENE_FORMAT, Digits, encode
from neche.genome.fasta import Record
from neche.storage import read_file

BEST_NETWORKS = "best_networks.txt"
PERSPECTIVE = "own"
"""The perspective of that program's networks."""

_POPULATION_NAME = re.compile(r"(\d{1,15})_nets\.txt")


class Imported(NamedTuple):
    """What was imported: the number of the newest generation, and how many members and champions."""

    generation: int
    num_members: int
    num_champions: int


def import_nechedbg(folder: Path | str, run: Path | str, *, seed: int = 0) -> Imported:
    """Write the newest population and the champions of `folder` as a run of the recipe `original`.

    The members, in the order of the file, have not played: no scores, no games. They play first when the run
    is resumed. InputError if the folder has no population, a line is not a genome (the message names it), or
    the run directory is taken or cannot be written.
    """
    number, path = _newest_population(Path(folder))
    genomes = _read_genomes(path)
    best = Path(folder) / BEST_NETWORKS
    best_genomes = _read_genomes(best) if best.exists() else []
    size = genomes[0].size
    if best_genomes and best_genomes[0].size != size:
        raise InputError(f"{best}: {best_genomes[0].size} nucleotides a genome, {path.name} has {size}")
    tables = to_toml_dict(load_recipe("original"))
    shape = {"population": len(genomes), "genes": size // GENE_FORMAT.length}
    tables["members"] |= {**shape, "perspective": PERSPECTIVE}
    settings = parse_settings(tables, str(path))
    generation = unplayed_generation(number, genomes, settings, is_imported=True)
    # Named by their lines: the original program, if interrupted, may repeat a generation.
    same = {"source": BEST_NETWORKS, "perspective": PERSPECTIVE}
    champions = [
        Record(f"best-{line:04d}", genome, {"generation": str(min(line, number)), **same})
        for line, genome in enumerate(best_genomes)
    ]
    write_begun_run(Path(run), settings, seed, generation, champions)
    return Imported(number, len(genomes), len(best_genomes))


def _newest_population(folder: Path) -> tuple[int, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    names = ((_POPULATION_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    populations = [(int(name[1]), path) for name, path in names if name]
    if not populations:
        raise InputError(f"{folder}: not a nechedbg folder, no N_nets.txt is in it")
    return max(populations)


def _read_genomes(path: Path) -> list[Digits]:
    """Read one genome per line, all of one length; skip empty lines."""
    genomes: list[Digits] = []
    for line, text in enumerate(read_file(path).decode("latin-1").split("\n"), 1):
        if not text.strip():
            continue
        here = f"{path}: line {line}"
        try:
            genome = encode(text.strip())
        except InputError as fault:
            raise InputError(f"{here}: {fault}") from None
        if genome.size % GENE_FORMAT.length:
            raise InputError(f"{here}: {genome.size} nucleotides are not whole genes of {GENE_FORMAT.length}")
        if genomes and genome.size != genomes[0].size:
            raise InputError(f"{here}: {genome.size} nucleotides, those before have {genomes[0].size}")
        genomes.append(genome)
    if not genomes:
        raise InputError(f"{path}: no genome in it")
    return genomes
