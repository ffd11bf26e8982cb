"""Feed damaged network files to players: each must be read, or refused in one line.

Kinds: FASTA files of genomes, with and without a topology; files of convolutional networks; DNA and
topologies in a player specification. A network that is read must evaluate a position. Inputs that show a bug
are kept in `--keep`.

Usage: python tools/fuzz/networks.py [--cases 10000] [--seed 0] [--kind fasta] [--keep FOLDER]
"""

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.genome.dna import random_genome
from neche.genome.fasta import Record, format_record
from neche.network.convolution import save_convolution, untrained_convolution
from neche.network.topology import topology_for
from neche.players.engine import choose_move
from neche.players.spec import parse_player
from tools.fuzz.records import damaged

_CHECK = re.compile(" check=[0-9a-f]+")
_WORDS = (
    "topology=",
    "perspective=",
    "64-28-109-54-1",
    "1-1-1-1-1",
    "9999-9999-9999-9999-1",
    "-",
    "own",
    "ACGT",
)


def fasta_samples() -> list[bytes]:
    """Return files of genomes: of a small board, a large one, both, and both without checksums."""
    rng = np.random.default_rng(1)
    small = Record("g1-0001", random_genome(60, rng), {"perspective": "antisymmetric", "rank": "1"})
    shape = topology_for(64)
    wide_genome = random_genome(60, rng, gene_length=shape.gene_format.length)
    wide = Record("g2-0001", wide_genome, {"perspective": "own", "topology": shape.words})
    texts = [format_record(small), format_record(wide)]
    texts += ["".join(texts), _CHECK.sub("", "".join(texts))]
    return [text.encode() for text in texts]


def convolution_samples() -> list[bytes]:
    """Return one file of a convolutional network."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "n.npz"
        save_convolution(untrained_convolution(), path)
        return [path.read_bytes()]


def _judge(spec: str, name: str) -> None:
    """Let a player choose a move, as every command does."""
    player = parse_player(spec, name)
    rules = game(name)
    player.require_board(rules)
    assert choose_move(player, rules, rules.start(), np.random.default_rng(0)).move.text


def _file_case(samples: list[bytes], ending: str, kind: str) -> Callable[[random.Random, Path], bytes]:
    def case(draw: random.Random, folder: Path) -> bytes:
        content = damaged(draw.choice(samples), draw)
        path = folder / f"case{ending}"
        path.write_bytes(content)
        _judge(f"{kind}:file={path},depth=1", draw.choice(GAMES))
        return content

    return case


def _word_case(draw: random.Random, folder: Path) -> bytes:
    dna = "".join(
        draw.choices("ACGTacgtNX", (9, 9, 9, 9, 1, 1, 1, 1, 0.02, 0.02), k=draw.choice((16, 18, 32, 36, 50)))
    )
    options = [draw.choice(_WORDS) + draw.choice(_WORDS) for _ in range(draw.randrange(3))]
    spec = ",".join([f"network:file={dna}", *options, "depth=1"])
    _judge(spec, draw.choice(GAMES))
    return spec.encode()


def main() -> None:
    """Damage and read repeatedly."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=("fasta", "cnn", "words"), help="default: all")
    parser.add_argument("--keep", type=Path, default=Path("fuzz"), help="where inputs of bugs go")
    options = parser.parse_args()
    cases: dict[str, Callable[[random.Random, Path], bytes]] = {
        "fasta": _file_case(fasta_samples(), ".fasta", "network"),
        "cnn": _file_case(convolution_samples(), ".npz", "cnn"),
        "words": _word_case,
    }
    bugs = sum(
        run(kind, case, options.cases, options.seed, options.keep)
        for kind, case in cases.items()
        if options.kind in (None, kind)
    )
    sys.exit(1 if bugs else 0)


def run(kind: str, case: Callable[[random.Random, Path], bytes], cases: int, seed: int, keep: Path) -> int:
    """Make the cases; print how many ended how, return the number of bugs."""
    counts, begin = Counter[str](), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(cases):
            try:
                case(random.Random(f"{seed} {kind} {number}"), Path(folder))
                counts["read"] += 1
            except InputError as fault:
                is_one_line = "\n" not in str(fault) and len(str(fault)) < 1000
                counts["refused" if is_one_line else "bugs"] += 1
            except Exception:
                counts["bugs"] += 1
                keep.mkdir(exist_ok=True)
                (keep / f"{kind}-{seed}-{number}.txt").write_text(traceback.format_exc(), encoding="utf-8")
    print(f"{kind}: {cases} cases, {dict(counts)}, {time.perf_counter() - begin:.0f} s", flush=True)
    return counts["bugs"]


if __name__ == "__main__":
    main()
