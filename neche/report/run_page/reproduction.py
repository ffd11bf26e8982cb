"""The command that repeats a run: the recipe that is nearest, and every setting that differs from it."""

import json
import shlex
from typing import Any, NamedTuple

from neche.evolution.settings import KEYS, Settings, load_recipe, override, recipe_names, to_toml_dict
from neche.evolution.vision import resolve
from neche.report.run_page.story import Story


class Recipe(NamedTuple):
    """A shipped recipe and what must be set besides, `key=value` each."""

    name: str
    changes: tuple[str, ...]


def nearest_recipe(settings: Settings) -> Recipe:
    """Return the recipe from which the fewest settings differ; the changes make it equal."""
    recipes = (Recipe(name, _changes(load_recipe(name), settings)) for name in recipe_names())
    return min(recipes, key=lambda recipe: (len(recipe.changes), recipe.name))


def command(story: Story) -> str | None:
    """Return the command line that makes the same run; None for one that began as another program's."""
    if story.is_imported:
        return None
    recipe = nearest_recipe(story.config.settings)
    words = ["neche", "evolve", "--recipe", recipe.name, "--seed", str(story.config.seed)]
    newest = story.entries[-1].generation if story.entries else 0
    if story.entries and newest != story.config.settings.run.generations:
        words += ["--generations", str(newest)]
    for change in recipe.changes:
        words += ["--set", change]
    return shlex.join([*words, "--run", "runs/again"])


def _flat(settings: Settings) -> dict[str, Any]:
    return {key: to_toml_dict(settings)[table][key] for key, table in KEYS.items()}


def _changes(recipe: Settings, settings: Settings) -> tuple[str, ...]:
    wanted, given = _flat(resolve(settings)), _flat(recipe)
    changes = [
        f"{key}={_toml(value)}" for key, value in wanted.items() if value != given[key] and key != "topology"
    ]
    changed = recipe
    for change in changes:
        changed = override(changed, change)
    # The topology follows from the board unless another was asked for.
    if resolve(changed) != resolve(settings):
        changes.append(f"topology={wanted['topology']}")
    return tuple(changes)


def _toml(value: Any) -> str:
    """Write a value as `--set` reads it: a plain word bare, all else as TOML."""
    if isinstance(value, str) and value.replace("-", "").isalpha():
        return value
    if isinstance(value, list | tuple):
        return f"[{', '.join(json.dumps(entry, ensure_ascii=False) for entry in value)}]"
    return json.dumps(value, ensure_ascii=False)
