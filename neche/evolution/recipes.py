"""Recipes: settings by name or from a TOML file, and replacement of single keys.

A recipe has the tables and keys of `settings.py`; keys it omits have their default values. The shipped ones
are in `recipes/`: `quick`, `default`, `wide`, `long`, `memetic` and its two variants learn by prediction;
`tournament` and its two variants rank by games alone; `original` is the scheme of the original program.
"""

import re
import tomllib
from collections.abc import Sequence
from os.path import exists
from pathlib import Path
from typing import Any

import msgspec

from neche.errors import InputError, check_type, suggestion
from neche.evolution.settings import KEYS, Settings, convert, parse_settings
from neche.parsing import check_text, read_toml

DEFAULT_RECIPE = "default"
"""The recipe of an evolution that names none."""
_RECIPES = Path(__file__).parent / "recipes"
# TOML requires a digit before the decimal point; people omit it.
_WITHOUT_ZERO = re.compile(r"[+-]?\.[0-9]+")


def recipe_names() -> tuple[str, ...]:
    """Return the names of the shipped recipes."""
    return tuple(sorted(path.stem for path in _RECIPES.glob("*.toml")))


def load_recipe(name_or_path: str | Path) -> Settings:
    """Return the settings of a shipped recipe, or of a TOML file (a name with a slash or ending in `.toml`).

    The config.toml of a run is accepted too: its settings are the recipe. InputError if there is no such
    recipe or file, or it is invalid; the message names the key.
    """
    check_type(name_or_path, (str, Path), "the name of a recipe or its file")
    name = check_text(str(name_or_path), "the name of a recipe")
    if _is_file(name_or_path):
        try:
            text = Path(name).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else "not a text file"
            raise InputError(f"{name}: cannot read the recipe: {reason}") from None
        return _parse_recipe(text, name)
    if name not in recipe_names():
        known = ", ".join(recipe_names())
        if exists(name):
            raise InputError(
                f"{name}: the name of a recipe file must end in .toml (shipped recipes: {known})"
            )
        near = suggestion(name, recipe_names())
        shipped = "" if known in near else f" (shipped: {known})"
        raise InputError(f"unknown recipe {name!r}{near}{shipped}")
    return _parse_recipe((_RECIPES / f"{name}.toml").read_text(encoding="utf-8"), f"recipe {name}")


def _is_file(name_or_path: str | Path) -> bool:
    return isinstance(name_or_path, Path) or "/" in name_or_path or name_or_path.endswith(".toml")


def keys_of_file(name_or_path: str | Path | None) -> list[str]:
    """Return the keys to which a recipe file gives other values than the default; none for a shipped recipe.

    A shipped recipe's ladder, which config.toml repeats, is not the user's choice and is omitted too.
    """
    if name_or_path is None or not _is_file(name_or_path):
        return []
    settings, shipped = load_recipe(name_or_path), map(load_recipe, recipe_names())
    is_chosen = settings.ladder.ladder not in [one.ladder.ladder for one in shipped]
    return [key for key in differing_values((Settings(), settings)) if key != "ladder" or is_chosen]


def _parse_recipe(text: str, name: str) -> Settings:
    tables = read_toml(text, name)
    if "format" in tables and isinstance(settings := tables.get("settings"), dict):
        tables = settings
    return parse_settings(tables, name)


def override(settings: Settings, assignment: str, *, option: str = "--set ") -> Settings:
    """Return settings with one `key=value` replaced; the value is read as TOML, a bare word as a string.

    Contradictions between keys are left to `check_settings`, so that several can be replaced in any order.
    option: the text before the assignment in messages.

    >>> override(Settings(), "elites=3").selection.elites
    3
    >>> override(Settings(), "refine_sd=.5").refinement.refine_sd
    0.5
    """
    key, equals, text = (part.strip() for part in assignment.partition("="))
    given = f"{option}{assignment}"
    if not equals or not key:
        raise InputError(f"{given}: expected KEY=VALUE")
    if key not in KEYS:
        hint = ": see --seed, in Python seed and seeds" if key == "seed" else suggestion(key, KEYS)
        raise InputError(f"{given}: unknown setting {key!r}{hint}")
    check_text(text, f"{option}{key}")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except RecursionError:
        raise InputError(f"{option}{key}: nested too deeply") from None
    except tomllib.TOMLDecodeError:
        value = float(text) if _WITHOUT_ZERO.fullmatch(text) else text
    table = KEYS[key]
    group = msgspec.structs.replace(getattr(settings, table), **{key: convert(key, value, given)})
    return msgspec.structs.replace(settings, **{table: group})


def differing_values(several: Sequence[Settings]) -> dict[str, list[Any]]:
    """Return the keys in which several settings differ, in order, each with its value in each of them.

    >>> differing_values([Settings(), override(Settings(), "elites=3")])
    {'elites': [5, 3]}
    """
    values = {
        key: [getattr(getattr(settings, table), key) for settings in several] for key, table in KEYS.items()
    }
    return {key: found for key, found in values.items() if any(value != found[0] for value in found)}


def first_difference(there: Settings, wanted: Settings) -> str:
    """Return, in words, the first key in which two settings differ."""
    key, (value, other) = next(iter(differing_values((there, wanted)).items()))
    return f"{key} = {value}, not {other}"
