"""The contents of a run directory: the names of its files, and config.toml.

    config.toml            settings, seed, plug-ins and versions, sealed by a fingerprint; never changes
    generations/config.toml    a copy, in case the other is damaged
    generations/000012.fasta   the whole population of a generation, best member first; above it, as a
                               comment, what plug-ins keep for the next generation
    history.jsonl          one line per generation: diagnostics, checksum of its population, check of the line
    emigrants/000010.fasta the members that emigrate to the next island, in runs with islands
    champions.fasta        every measured champion, once
    champion.fasta         the crowned champion of the last invocation that finished, with its generation and
                           benchmark scores; out of date once a newer generation is finished
    games/                 games in PDN, optional

All are plain text without times, host names or paths: equal settings and seed give equal bytes.
A generation exists once its line is in history.jsonl; all its other data is on disk before that.

A run is a function of its settings and its seed, so both are fixed when it begins. The fingerprint at the end
of config.toml is SHA-256 over the rest of its content in a canonical form, without comments and spacing.
"""

import hashlib
import json
import platform
import re
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import msgspec
import tomli_w

from neche.errors import InputError
from neche.evolution.settings import IslandSettings, RunSettings, Settings, parse_settings, to_toml_dict
from neche.games.catalogue import GAMES, rules_digest
from neche.parsing import read_toml
from neche.players.plugged import PluginIdentity
from neche.players.source import CHAMPION_FILE, CHAMPIONS_FILE, CONFIG_FILE, HISTORY_FILE
from neche.version import __version__

FORMAT_VERSION = 1
"""Increased whenever an older neche could no longer resume a new run."""
PLUGGED_FORMAT_VERSION = 2
"""Format of runs with plug-ins; an older neche would resume them without the plug-ins."""

_MOST_NAMED = 5
_GENERATION_NAME = re.compile(r"(\d{6,})\.fasta")
_HEADING = """\
# A run of neche: what it began with. Settings and seed stay as they are for the whole run; the fingerprint
# at the end notices a change. For other settings start another run: neche evolve --run DIR --set KEY=VALUE

"""


class RunLayout:
    """The paths of one run directory.

    generations: directory of the populations; lock: empty file that the process working on the run locks,
    meaningless without such a process; the others as listed above.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / CONFIG_FILE
        self.history = root / HISTORY_FILE
        self.champions = root / CHAMPIONS_FILE
        self.champion = root / CHAMPION_FILE
        self.generations = root / "generations"
        self.config_copy = self.generations / CONFIG_FILE
        self.emigrants = root / "emigrants"
        self.lock = root / ".lock"

    @property
    def lack(self) -> str:
        """That config.toml is missing, what restores it, and which runs are in the directory, in words."""
        said = f"{self.config.name} is missing"
        if self.config_copy.exists():
            return f"{said}; neche verify {quote(str(self.root))} --repair restores it"
        runs = sorted(str(config.parent) for config in self.root.glob(f"[!.]*/{CONFIG_FILE}"))
        more = ", …" if len(runs) > _MOST_NAMED else ""
        return f"{said}; in it are {', '.join(runs[:_MOST_NAMED])}{more}" if runs else said

    def population(self, number: int) -> Path:
        """Return the file of one generation's population."""
        return self.generations / f"{number:06d}.fasta"

    def emigrants_of(self, number: int) -> Path:
        """Return the file of one generation's emigrants."""
        return self.emigrants / f"{number:06d}.fasta"

    def population_numbers(self) -> list[int]:
        """List the generations whose population is on disk, oldest first."""
        if not self.generations.is_dir():
            return []
        names = (_GENERATION_NAME.fullmatch(path.name) for path in self.generations.iterdir())
        return sorted(int(name[1]) for name in names if name)


def is_kept(number: int, newest: int, run: RunSettings) -> bool:
    """Return whether the population of a generation stays on disk once generation `newest` is complete.

    >>> [number for number in range(13) if is_kept(number, 12, RunSettings(keep_every=5, keep_last=2))]
    [0, 5, 10, 11, 12]
    """
    return number % run.keep_every == 0 or number > newest - run.keep_last


class Config(NamedTuple):
    """What a run began with.

    versions: of neche, Python and the numerical libraries; `rules`: digest of the rules of a user's game.
    fingerprint: 64 hex digits, start of the chain of checks in history.jsonl.
    origin: 64 hex digits of the DNA that it began with, None if that was random.
    plugins: kind, name and source digest of each plug-in, see `evolution.plugins`.
    """

    settings: Settings
    seed: int
    versions: dict[str, str]
    fingerprint: str
    origin: str | None = None
    plugins: tuple[PluginIdentity, ...] = ()


def present_versions(game: str = "") -> dict[str, str]:
    """Return the current versions as config.toml records them. game: its rules count if it is a user's."""
    rules = "" if game in ("", *GAMES) else rules_digest(game)
    return {
        "neche": __version__,
        "python": platform.python_version(),
        # From the metadata, without importing them.
        **{library: metadata.version(library) for library in ("numba", "numpy")},
        **({"rules": rules} if rules else {}),
    }


def format_config(
    settings: Settings, seed: int, origin: str | None = None, plugins: Sequence[PluginIdentity] = ()
) -> bytes:
    """Format the text of config.toml."""
    tables = to_toml_dict(settings)
    if settings.islands == IslandSettings():
        # So that a run of a single population has the same bytes as before there were islands.
        del tables["islands"]
    document: dict[str, Any] = {
        "format": PLUGGED_FORMAT_VERSION if plugins else FORMAT_VERSION,
        "seed": seed,
        "versions": present_versions(settings.games.game),
        **({} if origin is None else {"origin": {"dna": origin}}),
        "settings": tables,
        **({"plugins": [dict(one) for one in plugins]} if plugins else {}),
    }
    sealed = {**document, "integrity": {"fingerprint": _fingerprint(document)}}
    return (_HEADING + tomli_w.dumps(sealed)).encode()


def parse_config(content: bytes, name: str) -> Config:
    """Parse config.toml; InputError beginning with `name` if it is damaged, changed or of another format."""
    try:
        document = read_toml(content.decode("utf-8"), f"{name}: cut off or damaged")
    except UnicodeDecodeError:
        raise InputError(f"{name}: damaged, not a text file") from None
    versions = _table(document, "versions")
    known = PLUGGED_FORMAT_VERSION if "plugins" in document else FORMAT_VERSION
    _check_format(document.get("format"), known, versions.get("neche", "unknown"), name)
    fingerprint = _table(document, "integrity").get("fingerprint")
    if not isinstance(fingerprint, str):
        raise InputError(f"{name}: cut off or damaged: the fingerprint at its end is missing")
    document.pop("integrity")
    if fingerprint != _fingerprint(document):
        raise InputError(
            f"{name}: damaged, or changed by hand since the run began (its fingerprint does not match); "
            "neche verify RUN --repair restores it; for other settings start another run"
        )
    settings = parse_settings(_table(document, "settings"), name)
    origin = _table(document, "origin").get("dna")
    dna = None if origin is None else str(origin)
    try:
        plugins = msgspec.convert(document.get("plugins", ()), tuple[PluginIdentity, ...])
    except msgspec.ValidationError:
        raise InputError(f"{name}: plugins: kind, name and digest of each are needed") from None
    return Config(settings, document["seed"], dict(versions), fingerprint, dna, plugins)


def _check_format(version: object, known: int, writer: object, name: str) -> None:
    if version is None:
        raise InputError(f"{name}: not the configuration of a run: no format version")
    if version != known or not isinstance(version, int):
        raise InputError(
            f"{name}: run directory of format {version}, written by neche {writer}; "
            f"neche {__version__} reads format {known}"
        )


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = document.get(key)
    return table if isinstance(table, Mapping) else {}


def _fingerprint(document: Mapping[str, Any]) -> str:
    # default=str: a hand edit may add a TOML date, which must be found as a change and not cause a crash.
    canonical = json.dumps(document, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
