"""Runs by their settings: how scores spread over seeds, how groups differ, and a page that shows both.

A group contains the runs with equal settings. If runs are measured at different amounts of work, each run's
line is interpolated between its measurements. Differences are of final scores, each group against the first.

Symbols: R runs of a group, X places on the axis.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.players.options import short_name
from neche.report.chart import Chart, Point, Series, shown_chart
from neche.report.comparison import FITNESS, ComparedRun, best_fitness, names_of_groups, plugins_of, table_of
from neche.report.curves import MOST_FITNESS, with_fitness
from neche.report.page import render
from neche.report.summary import nearest_recipe
from neche.report.svg import numeral

Scores = NDArray[np.float64]
_RESAMPLES = 10_000
_MOST_SPLITS = 100_000
"""Most ways to divide runs into two groups that are enumerated."""
_PLACES = 40
_SCALES = ((1_000_000, "million"), (1000, "thousand"), (1, ""))
_FEWEST_ON_AXIS = 10
"""Fewest units on an axis: with fewer, whole numbers would be too coarse."""


class Group(NamedTuple):
    """Runs with equal settings. label: how these differ from the other groups, in words."""

    label: str
    runs: tuple[ComparedRun, ...]


class Spread(NamedTuple):
    """Final scores of a group against one player, 0 … 1. low, high: of the worst run and of the best.

    player: `FITNESS` if the values are those of a plugged-in fitness, which may be any.
    """

    player: str
    label: str
    num_runs: int
    median: float
    mean: float
    low: float
    high: float


class Difference(NamedTuple):
    """Mean final score of a group minus that of the first group, against one player (or of `FITNESS`).

    low, high: 95 % interval by bootstrap over runs. p_value: of the two-sided Mann–Whitney U test; None
    without SciPy. All three are None if a group has a single run.
    """

    player: str
    label: str
    value: float
    low: float | None
    high: float | None
    p_value: float | None


def groups_of(runs: Sequence[ComparedRun]) -> tuple[Group, ...]:
    """Return the groups, in order of their first runs; a single group is named by recipe and changes."""
    found: dict[str, list[ComparedRun]] = {}
    for run in runs:
        found.setdefault(run.label, []).append(run)
    if len(found) == 1:
        config = runs[0].story.config
        recipe = nearest_recipe(config.settings)
        label = ", ".join((f"recipe {recipe.name}", *recipe.changes, *plugins_of(config)))
        return (Group(label, tuple(runs)),)
    names = names_of_groups(runs)
    return tuple(Group(names[label], tuple(members)) for label, members in found.items())


def players_of(runs: Sequence[ComparedRun]) -> tuple[str, ...]:
    """Return the players that champions were measured against, in order of appearance."""
    return tuple(dict.fromkeys(player for run in runs for player in run.final_scores))


def spreads_of(groups: Sequence[Group], player: str) -> tuple[Spread, ...]:
    """Return the spread of final scores against a player for each group that has any."""
    found = ((group, _scores(group, player)) for group in groups)
    return tuple(
        Spread(
            player,
            group.label,
            len(scores),
            *(float(figure(scores)) for figure in (np.median, np.mean, np.min, np.max)),
        )
        for group, scores in found
        if len(scores)
    )


def differences_of(groups: Sequence[Group], player: str) -> tuple[Difference, ...]:
    """Compare every later group with the first one; empty if that has not met the player."""
    first, *others = (_scores(group, player) for group in groups)
    found = zip(groups[1:], others, strict=True) if len(first) else ()
    # the label of the runs, not a shorter name, determines the random draws
    return tuple(
        _difference(player, group.runs[0].label, first, scores)._replace(label=group.label)
        for group, scores in found
        if len(scores)
    )


def _scores(group: Group, player: str) -> Scores:
    found = ({**run.final_scores, **run.final_fitness}.get(player, math.inf) for run in group.runs)
    return np.array([score for score in found if abs(score) <= MOST_FITNESS], dtype=np.float64)


def _difference(player: str, label: str, first: Scores, second: Scores) -> Difference:
    value = float(second.mean() - first.mean())
    if min(len(first), len(second)) < 2:
        return Difference(player, label, value, None, None, None)
    # a fixed key, so that equal runs give equal pages
    rng = stream(0, 0, f"comparison: {player} {label}")
    drawn = [
        scores[rng.integers(len(scores), size=(_RESAMPLES, len(scores)))].mean(axis=1)
        for scores in (first, second)
    ]
    low, high = np.quantile(drawn[1] - drawn[0], (0.025, 0.975))
    return Difference(player, label, value, float(low), float(high), _p_value(first, second))


def _p_value(first: Scores, second: Scores) -> float | None:
    # SciPy is optional: 140 MB are too much to install for this alone
    try:
        from scipy.stats import mannwhitneyu, rankdata
    except ImportError:
        return None
    few, many = sorted((first, second), key=len)
    scores = np.concatenate([few, many])
    num_values = len(np.unique(scores))
    if num_values == 1:
        return 1.0  # newer SciPy returns nan here
    if num_values == len(scores) or math.comb(len(scores), len(few)) > _MOST_SPLITS:
        return float(mannwhitneyu(few, many).pvalue)
    # With ties SciPy has only the normal approximation, which goes below the smallest p that few runs can
    # have: 0.047 with three runs in each group.
    places = np.array([*itertools.combinations(range(len(scores)), len(few))])
    sums = rankdata(scores)[places].sum(axis=1)
    # the first split is the observed one
    tails = np.mean(sums <= sums[0]), np.mean(sums >= sums[0])
    return min(1.0, 2.0 * float(min(tails)))


def curve_rows(runs: Sequence[ComparedRun]) -> list[dict[str, Any]]:
    """Return one row per measurement of each run: work done so far, scores, and the fitness of a plug-in."""
    return [
        {
            "run": run.name,
            "settings": run.label,
            "seed": run.story.config.seed,
            "generation": generation,
            "games": games,
            "positions": positions,
            **{f"score {player}": score for player, score in scores.items()},
            **fitness,
        }
        for run in runs
        for (generation, games, positions), scores, fitness in _measured(run)
    ]


def _measured(run: ComparedRun) -> Iterator[tuple[tuple[int, int, int], dict[str, float], dict[str, float]]]:
    """Yield (generation, games so far, positions so far), scores and fitness for each measured generation."""
    entries = run.story.entries
    games = itertools.accumulate(entry.games for entry in entries)
    positions = itertools.accumulate(entry.nodes for entry in entries)
    for entry, played, searched in zip(entries, games, positions, strict=True):
        if entry.benchmarks or entry.fitness is not None:
            yield (entry.generation, played, searched), entry.benchmarks, best_fitness(entry)


def charts_over_seeds(groups: Sequence[Group], player: str) -> tuple[Chart, ...]:
    """Draw the scores against a player, or `FITNESS`: medians, and bands from the worst run to the best."""
    title = "Best fitness of a generation" if player == FITNESS else f"Score against {short_name(player)}"
    found = []
    works = [work for group in groups for run in group.runs for work, *_ in _measured(run)]
    for name, column in (("generation", 0), ("games", 1), ("positions", 2)):
        most = max((work[column] for work in works), default=0)
        fitting = (scale for scale in _SCALES if column and most >= _FEWEST_ON_AXIS * scale[0])
        scale, word = next(fitting, (1, ""))
        lines = [_line(group, player, column, scale) for group in groups]
        series = tuple(line for line in lines if line.points)
        # imported runs have no counts of games, and very old ones none of positions
        if series and most:
            axis = f"{word} {name}".strip()
            chart = Chart(f"{name}-{player}", title, "points a game", series, (), (0.0, 1.0), axis)
            found.append(with_fitness(chart) if player == FITNESS else chart)
    return tuple(found)


def _line(group: Group, player: str, column: int, scale: int) -> Series:
    """Return a group's median, worst and best run, over the range that all of its runs cover."""
    lines = [
        [
            (work[column] / scale, value)
            for work, scores, fitness in _measured(run)
            if abs(value := {**scores, **fitness}.get(player, math.inf)) <= MOST_FITNESS
        ]
        for run in group.runs
    ]
    lines = [line for line in lines if line]
    begin = max((line[0][0] for line in lines), default=1)
    end = min((line[-1][0] for line in lines), default=0)
    if begin > end:
        return Series(group.label, ())
    shared = {at for line in lines for at, _ in line if begin <= at <= end}
    if column:
        shared = set(np.linspace(begin, end, _PLACES).round())
    places = np.array(sorted(at for at in shared if begin <= at <= end) or [begin])
    read = np.array([np.interp(places, *np.array(line, dtype=np.float64).T) for line in lines])  # [R, X]
    figures = (np.median(read, axis=0), read.min(axis=0), read.max(axis=0))
    points = zip(places.tolist(), *(figure.tolist() for figure in figures), strict=True)
    return Series(group.label, tuple(Point(round(at), *values) for at, *values in points))


def compose_comparison(runs: Sequence[ComparedRun]) -> str:
    """Write the page that compares runs; equal runs give equal text."""
    groups = groups_of(runs)
    players = [(short_name(player), *_section(groups, player)) for player in players_of(runs)]
    table = table_of(runs)
    columns = list(dict.fromkeys(key for row in table for key in row))
    lines = [[_cell(key, row.get(key)) for key in columns] for row in table]
    count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
    kinds = f"{len(groups)} kinds of settings: {'; '.join(group.label for group in groups)}."
    return render(
        "comparison.html",
        title=f"{count} compared",
        kind="Runs of neche",
        headline=kinds if len(groups) > 1 else f"All of {groups[0].label}, with different seeds.",
        first=groups[0].label,
        players=players,
        fitness=_section(groups, FITNESS),
        heads=[" ".join(map(short_name, column.split(" ", 1))) for column in columns],
        rows=lines,
    )


def _section(groups: Sequence[Group], player: str) -> tuple[list[Any], ...]:
    """Return charts, rows of spreads and rows of differences, all empty if there is nothing to show."""
    return (
        [*map(shown_chart, charts_over_seeds(groups, player))],
        [(one.label, one.num_runs, *spread_words(one)) for one in spreads_of(groups, player)],
        [(one.label, *difference_words(one)) for one in differences_of(groups, player)],
    )


def spread_words(one: Spread) -> list[str]:
    """Write median, mean, worst and best: a score with three decimals, a fitness with six digits."""
    return [numeral(value, ".6g" if one.player == FITNESS else ".3f") for value in one[3:]]


def _cell(key: str, value: Any) -> str:
    forms = {"games": ",", "positions": ",", FITNESS: ".6g"}
    form = forms.get(key, ".3f" if isinstance(value, float) else "")
    return "" if value is None else numeral(value, form) if form else str(value)


def difference_words(one: Difference) -> tuple[str, str, str]:
    """Write a difference, its interval and its p-value; missing ones are empty."""
    form = "+z.6g" if one.player == FITNESS else "+z.3f"
    value = numeral(one.value, form)
    if one.low is None or one.high is None:
        return value, "", ""
    p_value = "needs neche[statistics]" if one.p_value is None else f"{one.p_value:.3g}"
    return value, f"{numeral(one.low, form)} to {numeral(one.high, form)}", p_value
