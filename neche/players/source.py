"""Where a genome comes from: a run directory, a FASTA file, a shipped champion, or the DNA itself."""

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from os.path import realpath
from pathlib import Path

from neche.errors import InputError, near_path, near_run, suggestion
from neche.games.catalogue import GAMES
from neche.genome.dna import GENE_FORMAT, NUCLEOTIDES, encode
from neche.genome.fasta import LABELLER, Record, read_fasta
from neche.network.decode import Network, Perspective, check_perspective, decode
from neche.network.topology import ORIGINAL, Topology, parse_topology
from neche.parsing import naming_file, read_toml

CHAMPION_FILE = "champion.fasta"
CHAMPIONS_FILE = "champions.fasta"
HISTORY_FILE = "history.jsonl"
CONFIG_FILE = "config.toml"
SHIPPED = Path(__file__).parent / "shipped"
"""One FASTA file per shipped champion, named after it. Its header names the game (`game=othello`); without
that the game is checkers."""
ALIASES = {"champion": "memetic-7"}
"""Other names of shipped champions: `champion`, the one to play against, is defined only here."""
_GAME_FIELD = re.compile(rb"^>.* game=([!-<>-~]+)")
_LONGEST_HEADER = 10_000
# A line of the history ends in `, "check": "0123456789abcdef"}`, computed from the check before and the line.
_CHECK, _SAID = slice(-18, -2), slice(-30)
# In a player that is not a bare source; a comma belongs to a path unless KEY= follows.
_SOURCE_OPTIONS = re.compile(r"[:,](?:file|leaf)=(.*?)(?=,[A-Za-z_]+=|$)")


def shipped_names(game: str | None = None) -> list[str]:
    """Return the names of the shipped champions, of one game or all, aliases first, in order of number."""
    champions = {path.stem for path in SHIPPED.glob("*.fasta")}
    names = [alias for alias, name in ALIASES.items() if name in champions]
    names += sorted(champions, key=lambda name: (name.rstrip("0123456789"), len(name), name))
    return [name for name in names if game is None or shipped_game(name) == game]


def shipped_file(name: str) -> Path:
    """Return the file of a name in `shipped_names`."""
    return SHIPPED / f"{ALIASES.get(name, name)}.fasta"


def shipped_game(name: str) -> str:
    """Return the game for which the champion of this name in `shipped_names` was evolved."""
    return _game_in_header(shipped_file(name)) or GAMES[0]


def shipped_champions(game: str) -> list[str]:
    """Return the shipped champions of a game, each under its own name."""
    return [name for name in shipped_names(game) if name not in ALIASES]


def newest_champion(game: str) -> str | None:
    """Return the name of the newest shipped champion of a game, an alias if it has one; None without any."""
    names = shipped_names(game)
    return None if not names else names[0] if names[0] in ALIASES else names[-1]


def is_of_run(path: Path) -> bool:
    """Return whether a path is a run's own file, where nothing else may be written."""
    folder = Path(realpath(path)).parent
    if re.fullmatch(r"\d{6,}\.fasta", path.name):  # of the members of a generation, or of emigrants
        return (folder.parent / CONFIG_FILE).is_file()
    own = (CHAMPION_FILE, CHAMPIONS_FILE, HISTORY_FILE, CONFIG_FILE)
    return path.name in own and (folder / CONFIG_FILE).is_file()


def game_of_source(source: str) -> str | None:
    """Return the game of a run directory, FASTA file or shipped champion; None if it does not name one.

    A run names it in its settings. A file names it in the header of its first record, unless the game is
    checkers; otherwise the run in which the file lies decides.
    """
    if not is_path(source):
        return shipped_game(source) if source in shipped_names() else None
    path = Path(source).absolute()
    if path.is_dir():
        return _game_of_run(path)
    return _game_in_header(path) or _game_of_run(path.parent) or _game_of_run(path.parent.parent)


def game_of_players(specifications: Iterable[str]) -> str | None:
    """Return the game of the runs, files and champions named here; None if none, InputError if several."""
    found: dict[str, str] = {}
    for words in specifications:
        for source in _sources(words):
            if game := game_of_source(source):
                found.setdefault(game, source)
    if len(found) > 1:
        of_each = ", ".join(f"{source} of {game}" for game, source in found.items())
        raise InputError(f"champions of several games: {of_each}; name the game that they should play")
    return next(iter(found), None)


def _sources(words: str) -> Iterator[str]:
    """Yield possible sources in the specification of a player: a bare one, or those of its options."""
    # A path may contain colons.
    yield next(filter(is_path, (words, words.rpartition(":")[0])), words.partition(":")[0])
    yield from _SOURCE_OPTIONS.findall(words)


def _game_in_header(path: Path) -> str | None:
    # A pipe can be read only once, and its bytes are needed later.
    if not path.is_file():
        return None
    with naming_file(path, "read"), path.open("rb") as file:
        found = _GAME_FIELD.search(file.readline(_LONGEST_HEADER))
    return found[1].decode("ascii") if found else None


def _game_of_run(run: Path) -> str | None:
    # A damaged file is an error only for callers that need more of it.
    with suppress(OSError, ValueError, KeyError, TypeError):
        settings = read_toml((run / CONFIG_FILE).read_text(encoding="utf-8"), CONFIG_FILE)["settings"]
        return str(settings["games"]["game"])
    return None


def is_path(text: str) -> bool:
    """Return whether `text` is the path of something that exists."""
    try:
        return bool(os.stat(text))  # unlike exists, raises on every Python what its directory refuses
    except (OSError, ValueError) as fault:  # a genome is too long for a file name, a null byte not allowed
        return isinstance(fault, PermissionError) and "/" in text  # reading it reports the fault


def is_dna(text: str) -> bool:
    """Return whether `text` is meant as DNA: at least half a gene of nucleotides.

    A whole gene may have mistyped letters, so that the error names the letter and not a missing file.
    """
    share = sum(letter in NUCLEOTIDES for letter in text.upper()) / max(len(text), 1)
    is_gene = len(text) >= GENE_FORMAT.length
    return text.isalpha() and 2 * len(text) >= GENE_FORMAT.length and share >= (0.8 if is_gene else 1.0)


def read_source(source: str, identifier: str | None = None) -> Record:
    """Return one genome of `source`: the record named `identifier`, or the source's default record.

    The default is the champion of a run directory, the first (best) record of a population file, or the last
    of a file called champions.fasta, to which a run appends its champions. The champion of a run is the
    crowned one, or, if generations were finished since, the leader of the newest of them.

    For a run of a game other than checkers the record names the game, even if its file does not.
    """
    if is_path(source):
        path = Path(source)
        file = path if identifier is None or not path.is_dir() else _file_with(path, identifier)
        record = _champion(path) if file.is_dir() else _pick(file, identifier)
        return replace(record, fields={**record.fields, **_game_field(game_of_source(source))})
    if source in shipped_names():
        return _pick(shipped_file(source), identifier)
    if is_dna(source):
        if identifier is not None:
            raise InputError(f"a DNA string has no record {identifier!r}: leave the id out")
        return Record("dna", encode(source))
    is_file = "/" in source or source.endswith(".fasta")
    near = near_path(source) if is_file else near_run(source) or suggestion(source, shipped_names())
    raise InputError(f"no such run directory, FASTA file or shipped champion: {source}{near}")


def network_of(record: Record, *, perspective: str | None = None, topology: str | None = None) -> Network:
    """Decode a genome as its header says, or as given; InputError if perspective or topology is unfit."""
    shape = parse_topology(topology or record.fields.get("topology", ORIGINAL.words))
    usual = "mover" if shape.is_dense else "own"
    chosen = check_perspective(perspective or record.fields.get("perspective", usual))
    return decode(record.genome, perspective=chosen, topology=shape)


def identity_fields(perspective: Perspective, topology: Topology, game: str | None = None) -> dict[str, str]:
    """Return the fields of a FASTA header that describe a network besides its genome.

    They omit the original topology, and checkers.
    """
    shape = {} if topology == ORIGINAL else {"topology": topology.words}
    return {"perspective": perspective, **shape, **_game_field(game)}


def _game_field(game: str | None) -> dict[str, str]:
    return {} if game in (None, GAMES[0]) else {"game": str(game)}


def _pick(path: Path, identifier: str | None) -> Record:
    records = {record.id: record for record in read_fasta(path)}
    if identifier is None:
        return [*records.values()][-1 if path.name == CHAMPIONS_FILE else 0]
    if identifier not in records:
        raise InputError(f"{path}: no record {identifier!r}{suggestion(identifier, records)}")
    return records[identifier]


def _champion(run: Path) -> Record:
    """Return the crowned champion of a run, or, if it is older, the leader of the newest generation."""
    newest, leader = _newest_generation(run / HISTORY_FILE)
    crowned = run / CHAMPION_FILE
    if crowned.exists():
        record = _pick(crowned, None)
        crowned_at = record.fields.get("generation", "")
        if not crowned_at.isdecimal() or int(crowned_at) >= newest:
            return record
    try:
        return _pick(_main_file(run) if leader is None else _file_with(run, leader), leader)
    except InputError:
        # A run in progress may have deleted this generation, since a newer one is stored.
        if _newest_generation(run / HISTORY_FILE)[0] == newest:
            raise
    return _champion(run)


def _newest_generation(history: Path) -> tuple[int, str | None]:
    """Return number and leader of the newest finished generation; -1 if none, no leader for an import."""
    with naming_file(history, "read"):
        # Anything after the last line feed is still being written.
        lines = history.read_bytes().split(b"\n")[:-1] if history.exists() else []
    for before, line in reversed([*pairwise([b"", *lines])]):
        # skip a damaged line: an earlier one is the newest to trust; the first has none before it to check
        if before and line[_CHECK] != sha256(before[_CHECK] + line[_SAID]).hexdigest()[:16].encode():
            continue
        with suppress(ValueError, RecursionError):
            match json.loads(line):
                case {"generation": int(number), "champion_id": (str() | None) as leader}:
                    return number, leader
    return -1, None


def _file_with(run: Path, identifier: str) -> Path:
    """Return the newest file of a run directory that holds the id; if none, a file to name in the error."""
    header = re.compile(rf"^>{re.escape(identifier)} (.*)$", re.MULTILINE)
    as_labeller = None
    for path in [*_champion_files(run), *sorted((run / "generations").glob("*.fasta"), reverse=True)]:
        # A long run holds many generations: only the file with the id is parsed and checked.
        with naming_file(path, "read"):
            found = header.search(path.read_text(encoding="utf-8", errors="replace"))
        if found and f"{LABELLER}=" not in found[1]:
            return path
        if found:  # a file in which it was a member says more about it, if still kept
            as_labeller = as_labeller or path
    return as_labeller or _main_file(run)


def _main_file(run: Path) -> Path:
    files = _champion_files(run)
    if not files:
        raise InputError(f"{run}: no champion yet (neither {CHAMPION_FILE} nor {CHAMPIONS_FILE} is there)")
    return files[-1]


def _champion_files(run: Path) -> list[Path]:
    return [path for path in (run / CHAMPION_FILE, run / CHAMPIONS_FILE) if path.exists()]
