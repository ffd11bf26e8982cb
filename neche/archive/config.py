"""config.toml: the settings, seed and versions a run began with, sealed against later edits.

A run is a function of its settings and its seed, so both are fixed when it begins. The fingerprint at the end
of the file is SHA-256 over everything else in it, comments and spacing apart, in a canonical form.
"""

import hashlib
import json
import platform
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

import tomli_w

from neche import __version__
from neche.archive.layout import FORMAT_VERSION
from neche.errors import InputError
from neche.evolution.settings import Settings, parse_settings, to_toml_dict

_HEADING = """\
# A run of neche: what it began with. Settings and seed stay as they are for the whole run; the fingerprint
# at the end notices a change. For other settings start another run: neche evolve --run DIR --set KEY=VALUE

"""


class Config(NamedTuple):
    """What a run began with.

    versions: of neche, Python and the libraries that compute.
    fingerprint: 64 hex digits, opens the chain of checks in history.jsonl.
    """

    settings: Settings
    seed: int
    versions: dict[str, str]
    fingerprint: str


def present_versions() -> dict[str, str]:
    """Return the versions at work now, as config.toml records them."""
    return {
        "neche": __version__,
        "python": platform.python_version(),
        "numba": _installed_version("numba"),
        "numpy": _installed_version("numpy"),
    }


@cache
def _installed_version(library: str) -> str:
    """Return a version without importing the library."""
    return metadata.version(library)


def format_config(settings: Settings, seed: int) -> bytes:
    """Write the text of config.toml."""
    document: dict[str, Any] = {
        "format": FORMAT_VERSION,
        "seed": seed,
        "versions": present_versions(),
        "settings": to_toml_dict(settings),
    }
    sealed = {**document, "integrity": {"fingerprint": _fingerprint(document)}}
    return (_HEADING + tomli_w.dumps(sealed)).encode()


def parse_config(content: bytes, name: str) -> Config:
    """Read the text of config.toml; `name` opens every message.

    Raises:
        InputError: it is cut off, of another format version, or was changed after the run began.
    """
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"{name}: damaged, not a text file") from None
    except tomllib.TOMLDecodeError as fault:
        raise InputError(f"{name}: cut off or damaged: {fault}") from None
    versions = _table(document, "versions")
    _check_format(document.get("format"), versions.get("neche", "unknown"), name)
    fingerprint = _table(document, "integrity").get("fingerprint")
    if not isinstance(fingerprint, str):
        raise InputError(f"{name}: cut off or damaged: the fingerprint at its end is missing")
    document.pop("integrity")
    if fingerprint != _fingerprint(document):
        raise InputError(
            f"{name}: changed by hand since the run began (its fingerprint does not match); "
            "restore the file, or start another run with --run DIR and --set KEY=VALUE"
        )
    settings = parse_settings(_table(document, "settings"), name)
    return Config(settings, document["seed"], dict(versions), fingerprint)


def _check_format(version: object, writer: object, name: str) -> None:
    if version is None:
        raise InputError(f"{name}: not the configuration of a run: no format version")
    if version != FORMAT_VERSION or not isinstance(version, int):
        raise InputError(
            f"{name}: run directory of format {version}, written by neche {writer}; "
            f"neche {__version__} reads format {FORMAT_VERSION}"
        )


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = document.get(key)
    return table if isinstance(table, Mapping) else {}


def _fingerprint(document: Mapping[str, Any]) -> str:
    # default=str: a hand edit may bring in a TOML date, which must come out as a change and not as a crash
    canonical = json.dumps(document, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
