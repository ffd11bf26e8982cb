"""A run in words: its title, its result, its size, and the command that repeats it."""

import json
import shlex
from typing import Any, NamedTuple

from neche.archive.checkpoint import crowned_score, score_field
from neche.evolution.recipes import differing_values, load_recipe, override, recipe_names
from neche.evolution.settings import Settings, resolve
from neche.players.engine import interval
from neche.players.options import short_name
from neche.report.chart import Point
from neche.report.curves import elo_of, games_against
from neche.report.story import Story
from neche.report.svg import numeral


def title(story: Story) -> str:
    """Name the run by its content, so that equal runs have equal pages wherever they are."""
    game, seed = story.config.settings.games.game.capitalize(), story.config.seed
    if story.is_imported:
        return f"{game}, imported from the original program"
    recipe = nearest_recipe(story.config.settings)
    # the title already names the game
    is_changed = any(not change.startswith("game=") for change in recipe.changes)
    changed = " (changed)" if is_changed or story.config.origin or story.config.plugins else ""
    return f"{game}, recipe {recipe.name}{changed}, seed {seed}"


def latest_scores(story: Story) -> dict[str, tuple[Point, int]]:
    """Return the newest scores of the champion by player, and the number of games behind each.

    They are those of the crowned champion if it still is the champion, else those of the last benchmarks.
    """
    fields = story.champion.fields if story.champion else {}
    games = games_against(story.config.settings)
    usual = story.config.settings.ladder.ladder_games
    measured = story.measured[-1].benchmarks if story.measured else {}
    found: dict[str, tuple[Point, int]] = {}
    for name in measured or games:
        count = games.get(name, usual)
        crowned = crowned_score(fields, name)
        if crowned is not None:
            at = fields.get("generation", "0")
            found[name] = Point(int(at) if at.isdecimal() else 0, crowned, *interval(crowned, count)), count
        elif name in measured:
            score = measured[name]
            found[name] = Point(story.measured[-1].generation, score, *interval(score, count)), count
    return found


def scored_id(story: Story) -> str | None:
    """Return whose the newest scores are: in a continued or stopped run, another member may lead since."""
    newest, champion = story.measured[-1] if story.measured else None, story.champion
    fields = champion.fields if champion else {}
    is_crowned = newest is None or any(score_field(name) in fields for name in newest.benchmarks)
    return champion.id if champion and is_crowned else newest.champion_id if newest else None


def headline(story: Story) -> str:
    """Return the result of the run in a sentence or two."""
    if story.champion is None:
        begun = "No generation has played yet" if story.entries else "No generation is finished yet"
        return f"{begun}: there is no champion to show."
    scores = {short_name(name): score for name, score in latest_scores(story).items()}
    if not scores:
        return f"The champion is {story.champion.id}; it has not been measured against fixed players yet."
    # the last benchmark is the hardest, so the strength is given relative to it
    words = [f"{point.value:.2f} against {name}" for name, (point, _) in scores.items()]
    name, (point, count) = list(scores.items())[-1]
    first = words[0].replace(" ", " points a game ", 1)
    who, whose = story.champion.id, scored_id(story)
    if whose != who:
        who = f"{who} has not been measured yet; {whose}, of generation {point.generation},"
    measured = f"Champion {who} scores {_listed([first, *words[1:]])}."
    elo = round(elo_of(point.value))
    if point.value in (0.0, 1.0):
        strength = f"Against {name} it {'won' if point.value else 'lost'} every game"
    elif elo == 0:
        strength = f"That is even with {name}"
    else:
        strength = f"That is {abs(elo)} Elo {'above' if elo > 0 else 'below'} {name}"
    sure = f"{count} games; the score lies between {point.low:.2f} and {point.high:.2f} at 95 %"
    return f"{measured} {strength} ({sure})."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def course(story: Story) -> list[tuple[str, str]]:
    """Return the size of the run in figures."""
    entries, settings = story.entries, story.config.settings
    pairs = [("game", settings.games.game), ("seed", str(story.config.seed))]
    if entries:
        last = entries[-1]
        pairs.append(("generation", f"{last.generation} of {max(last.generation, settings.run.generations)}"))
        pairs.append(("training games", numeral(sum(entry.games for entry in entries), ",")))
        pairs.append(("search depth", " → ".join(map(str, dict.fromkeys(entry.depth for entry in entries)))))
    pairs.append(("population", str(settings.members.population)))
    if story.network is not None and story.champion is not None:
        pairs.append(("champion", story.champion.id))
        pairs.append(("live synapses", numeral(int(story.network.live.sum()), ",")))
    return pairs


class Recipe(NamedTuple):
    """A shipped recipe and the changes to it, `key=value` each."""

    name: str
    changes: tuple[str, ...]


def nearest_recipe(settings: Settings) -> Recipe:
    """Return the recipe that differs in the fewest settings, with the changes that make it equal."""
    recipes = (Recipe(name, _changes(load_recipe(name), settings)) for name in recipe_names())
    return min(recipes, key=lambda recipe: (len(recipe.changes), recipe.name))


def command(story: Story) -> str | None:
    """Return the command that reproduces a run; None for one imported from another program.

    FILE and RUN stand for plug-ins and initial members, of which a run keeps only digests. The command runs
    all islands: one alone would wait for the others.
    """
    if story.is_imported:
        return None
    recipe = nearest_recipe(story.config.settings)
    words = ["neche", "evolve", "--recipe", recipe.name, "--seed", str(story.config.seed)]
    # a run that stopped early is repeated up to its last generation
    newest = story.entries[-1].generation if story.entries else 0
    if story.entries and newest != story.config.settings.run.generations:
        words += ["--generations", str(newest)]
    for change in recipe.changes:
        words += [] if change.startswith("island=") else ["--set", change]
    if story.config.plugins:
        words += ["--plugin", "FILE"]
    if story.config.origin is not None:
        words += ["--from", "RUN"]
    return shlex.join([*words, "--run", "runs/again"])


def _changes(recipe: Settings, settings: Settings) -> tuple[str, ...]:
    wanted, changed = resolve(settings), recipe
    differing = differing_values((recipe, wanted)).items()
    changes = [f"{key}={_toml(value)}" for key, (_, value) in differing if key != "topology"]
    for change in changes:
        changed = override(changed, change)
    # The topology follows from the board unless another one was set.
    if resolve(changed) != wanted:
        changes.append(f"topology={wanted.members.topology}")
    return tuple(changes)


def _toml(value: Any) -> str:
    """Write a value as `--set` reads it: plain words unquoted, everything else as TOML."""
    is_word = isinstance(value, str) and value.replace("-", "").isalpha()
    return str(value) if is_word else json.dumps(value, ensure_ascii=False)
