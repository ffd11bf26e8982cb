"""Where a genome comes from: a run directory, a FASTA file, or the DNA itself."""

from pathlib import Path

from neche.errors import InputError, suggestion
from neche.genome.dna import NUCLEOTIDES, encode
from neche.genome.fasta import Record, read_fasta
from neche.genome.gene import GENE_FORMAT

CHAMPION_FILE = "champion.fasta"
CHAMPIONS_FILE = "champions.fasta"


def is_path(text: str) -> bool:
    """Tell whether `text` is the path of something that exists."""
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # a whole genome is too long a name for the system, a null byte is none
        return False


def is_dna(text: str) -> bool:
    """Tell whether `text` is meant as DNA: a gene's length or more of letters, most of them nucleotides.

    A mistyped letter still counts, so that the error names the letter and not a missing file.
    """
    hits = sum(letter in NUCLEOTIDES for letter in text.upper())
    return text.isalpha() and len(text) >= GENE_FORMAT.length and hits >= 0.8 * len(text)


def read_source(source: str, identifier: str | None = None) -> Record:
    """Return one genome of `source`: the record named `identifier`, or the one that stands for the source.

    That is the champion of a run directory, the first (best) record of a population file, the last of a file
    called champions.fasta, to which a run adds its champions one after the other.
    """
    if is_path(source):
        path = Path(source)
        return _pick(_champion_file(path, identifier) if path.is_dir() else path, identifier)
    if is_dna(source):
        if identifier is not None:
            raise InputError(f"a DNA string has no record {identifier!r}: leave the id out")
        return Record("dna", encode(source))
    raise InputError(f"no such run directory or FASTA file: {source}")


def _pick(path: Path, identifier: str | None) -> Record:
    records = read_fasta(path)
    if identifier is None:
        return records[-1] if path.name == CHAMPIONS_FILE else records[0]
    for record in records:
        if record.id == identifier:
            return record
    known = [record.id for record in records]
    raise InputError(f"{path}: no record {identifier!r}{suggestion(identifier, known)}")


def _champion_file(run: Path, identifier: str | None) -> Path:
    """Return the file of a run directory to read: its champions, or the newest one that holds the id."""
    champions = [path for path in (run / CHAMPION_FILE, run / CHAMPIONS_FILE) if path.exists()]
    if identifier is not None:
        generations = sorted((run / "generations").glob("*.fasta"), reverse=True)
        for path in [*champions, *generations]:
            # A long run holds many generations: only the file with the id is parsed and checked.
            if f">{identifier} " in path.read_text(encoding="utf-8", errors="replace"):
                return path
    if not champions:
        raise InputError(f"{run}: no champion yet (neither {CHAMPION_FILE} nor {CHAMPIONS_FILE} is there)")
    return champions[0] if identifier is None else champions[-1]
