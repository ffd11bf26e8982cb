"""Settings read from recipes, overridden by single keys, checked, and written back.

A recipe is a TOML file with the tables and keys of `parameters.py`; what it leaves out has the default value.
"""

import itertools
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from neche.errors import InputError, suggestion
from neche.evolution.parameters import Settings
from neche.games.catalogue import GAMES, is_known
from neche.network.topology import AUTO, parse_topology

TABLES: dict[str, type[msgspec.Struct]] = get_type_hints(Settings)
KEYS: dict[str, str] = {key: table for table, struct in TABLES.items() for key in struct.__struct_fields__}
_EVEN = (
    ("ranking", "games_per_member"),
    ("champion", "champion_games"),
    ("champion", "final_games"),
    ("ladder", "ladder_games"),
    ("ladder", "ladder_thinker_games"),
)

__all__ = [
    "KEYS",
    "TABLES",
    "Settings",
    "check_settings",
    "load_recipe",
    "override",
    "parse_settings",
    "recipe_names",
    "to_toml_dict",
]


def recipe_names() -> tuple[str, ...]:
    """Return the names of the shipped recipes."""
    folder = resources.files("neche.evolution").joinpath("recipes")
    return tuple(
        sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    )


def load_recipe(name_or_path: str | Path) -> Settings:
    """Return the settings of a shipped recipe, or of a TOML file (a name with a slash or ending in `.toml`).

    Raises InputError naming the recipe or file, and the key at fault.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in name or name.endswith(".toml"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else "not a text file"
            raise InputError(f"{name}: cannot read the recipe: {reason}") from None
        return _parse_recipe(text, name)
    if name not in recipe_names():
        known = ", ".join(recipe_names())
        raise InputError(f"unknown recipe {name!r}{suggestion(name, recipe_names())} (shipped: {known})")
    file = resources.files("neche.evolution").joinpath("recipes", f"{name}.toml")
    return _parse_recipe(file.read_text(encoding="utf-8"), f"recipe {name}")


def _parse_recipe(text: str, name: str) -> Settings:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InputError(f"{name}: not valid TOML: {fault}") from None
    return parse_settings(tables, name)


def parse_settings(tables: Mapping[str, Any], name: str) -> Settings:
    """Return settings from nested tables; `name` (a file, a recipe) opens every message.

    Raises InputError naming the unknown table or key and the nearest known one, or the key, value and range.
    """
    groups: dict[str, Any] = {}
    for table, entries in tables.items():
        if table not in TABLES:
            near = suggestion(table, TABLES)
            where = f" (key {table!r} belongs under [{KEYS[table]}])" if table in KEYS else near
            raise InputError(f"{name}: unknown table [{table}]{where}")
        if not isinstance(entries, Mapping):
            raise InputError(f"{name}: [{table}] must be a table")
        for key in entries:
            if KEYS.get(key) != table:
                hint = f" (it belongs under [{KEYS[key]}])" if key in KEYS else suggestion(key, KEYS)
                raise InputError(f"{name}: unknown setting {key!r} in [{table}]{hint}")
        groups[table] = TABLES[table](**{key: _convert(key, value, name) for key, value in entries.items()})
    settings = Settings(**groups)
    check_settings(settings, name)
    return settings


def override(settings: Settings, assignment: str) -> Settings:
    """Return settings with one `key=value` replaced; the value is read as TOML, a bare word as a string.

    Whether keys contradict each other is left to `check_settings`, so that several can be replaced in any
    order.

    >>> override(Settings(), "elites=3").selection.elites
    3
    """
    key, equals, text = (part.strip() for part in assignment.partition("="))
    if not equals or not key:
        raise InputError(f"--set {assignment}: expected KEY=VALUE")
    if key not in KEYS:
        raise InputError(f"--set {assignment}: unknown setting {key!r}{suggestion(key, KEYS)}")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    table = KEYS[key]
    group = msgspec.structs.replace(
        getattr(settings, table), **{key: _convert(key, value, f"--set {assignment}")}
    )
    replaced: Settings = msgspec.structs.replace(settings, **{table: group})
    return replaced


def to_toml_dict(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return nested tables of plain values, every key present; `parse_settings` reads them back."""
    tables: dict[str, dict[str, Any]] = msgspec.to_builtins(settings)
    return tables


def check_settings(settings: Settings, name: str) -> None:
    """Raise InputError when settings contradict each other, naming both."""
    name_of_game = settings.games.game
    if not is_known(name_of_game):
        raise InputError(f"{name}: unknown game {name_of_game!r}{suggestion(name_of_game, GAMES)}")
    if settings.members.topology != AUTO:
        parse_topology(settings.members.topology)
    fewest, most = settings.games.opening_plies
    population = settings.members.population
    rises = settings.curriculum.next_depths
    faults = [
        (fewest > most, f"opening_plies = [{fewest}, {most}]: the first must not exceed the second"),
        (
            any(low >= high for low, high in itertools.pairwise(rises)),
            f"next_depths = {list(rises)}: must rise",
        ),
        (
            settings.selection.elites >= population,
            f"elites = {settings.selection.elites}: must be fewer than population = {population}",
        ),
    ]
    for group, key in _EVEN:
        number = getattr(getattr(settings, group), key)
        faults.append(
            (number % 2 == 1, f"{key} = {number}: must be even, games come in colour-swapped pairs")
        )
    for broken, message in faults:
        if broken:
            raise InputError(f"{name}: {message}")


def _convert(key: str, value: Any, name: str) -> Any:
    kind = get_type_hints(TABLES[KEYS[key]], include_extras=True)[key]
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise InputError(
            f"{name}: {key} = {_shown(value)}: must be {_describe(msgspec.json.schema(kind))}"
        ) from None


def _shown(value: Any) -> str:
    return (
        repr(value)
        if isinstance(value, str)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


def _describe(schema: Mapping[str, Any]) -> str:
    """Put a JSON schema of one key into words."""
    if "enum" in schema:
        return "one of " + ", ".join(sorted(schema["enum"]))
    if schema["type"] == "string":
        return "a text"
    if schema["type"] == "array":
        if "prefixItems" in schema:
            return f"a list of {schema['minItems']}, each {_describe(schema['prefixItems'][0])}"
        return f"a list, each {_describe(schema['items'])}"
    noun = "a whole number" if schema["type"] == "integer" else "a number"
    low = (
        f"above {schema['exclusiveMinimum']}" if "exclusiveMinimum" in schema else f"from {schema['minimum']}"
    )
    return f"{noun} {low} to {schema['maximum']}"
