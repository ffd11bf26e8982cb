"""The charts of a run: figures of the history in groups, and scores with their errors, also in Elo.

A score is the mean over games won (1), drawn (½) and lost (0). Its 95 % interval is Wilson's, which treats
every game as won or lost: with draws it is wider than necessary.
"""

import math
from collections.abc import Iterator

from neche.archive.generation_line import GenerationLine
from neche.arena.elo import elo_difference
from neche.errors import InputError
from neche.evolution.champion import benchmark_players
from neche.evolution.curriculum import Stage, strategy_age
from neche.evolution.settings import Settings
from neche.players.engine import interval
from neche.players.options import short_name
from neche.report.chart import Chart, Mark, Point, Series
from neche.report.story import Story
from neche.report.svg import numeral

MOST_ELO = 800.0
"""Larger differences are cut off: a hundred games would not show them."""
MOST_FITNESS = 1e15
"""Larger values are left out: they stand for a failure, and would flatten the curve of all others."""
# for each chart: name, title, unit and whether its scale may be logarithmic; then name, key in history.jsonl
# and decimals of each line
_GROUPS = {
    ("prediction", "Prediction error", "mean squared, on the samples of that generation", True): (
        ("centre", "prediction_error", 4),
        ("best member", "best_prediction_error", 4),
    ),
    ("diversity", "Diversity of the population", "share", False): (
        ("genomes", "distance", 2),
        ("wired genes", "wired_distance", 2),
        ("evaluations", "evaluation_distance", 2),
    ),
    ("size", "Size of the networks", "mean over the population", True): (
        ("synapses", "live_synapses", 1),
        ("squares", "squares_seen", 1),
        ("neurons", "hidden_neurons", 1),
    ),
}


def charts_of(story: Story) -> tuple[Chart, ...]:
    """Return the charts for which the history has figures."""
    charts = []
    marks = marks_of(story.entries, story.config.settings)
    if scores := benchmark_series(story):
        charts.append(Chart("ladder", "Score of the champion", "points a game", scores, marks, (0.0, 1.0)))
        elo = tuple(
            Series(name, tuple(Point(at, *map(elo_of, score)) for at, *score in points), 0)
            for name, points, _ in scores
        )
        charts.append(Chart("elo", "The same in Elo", "Elo difference", elo, marks, _elo_span(elo)))
    charts += _fitness_charts(story.entries, marks)
    for (name, title, unit, may_be_log), keys in _GROUPS.items():
        lines = ((label, _points(story.entries, key), digits) for label, key, digits in keys)
        if series := tuple(Series(*line) for line in lines if line[1]):
            charts.append(Chart(name, title, unit, series, marks, may_be_log=may_be_log))
    return tuple(charts)


def benchmark_series(story: Story) -> tuple[Series, ...]:
    """Return the champion's scores against each benchmark, with their errors."""
    games = games_against(story.config.settings)
    usual = story.config.settings.ladder.ladder_games
    found: dict[str, list[Point]] = {}
    for entry in story.measured:
        for name, score in entry.benchmarks.items():
            point = Point(entry.generation, score, *interval(score, games.get(name, usual)))
            found.setdefault(name, []).append(point)
    return tuple(Series(short_name(name), tuple(points)) for name, points in found.items())


def _fitness_charts(entries: tuple[GenerationLine, ...], marks: tuple[Mark, ...]) -> Iterator[Chart]:
    """Yield the chart of a plugged-in fitness, if there was one."""
    lines = [(entry.generation, entry.fitness) for entry in entries if entry.fitness is not None]
    values = {
        name: [(at, value) for at, one in lines if abs(value := getattr(one, name)) <= MOST_FITNESS]
        for name in ("best", "mean")
    }
    series = tuple(
        Series(name, tuple(Point(at, value, value, value) for at, value in points))
        for name, points in values.items()
        if points
    )
    if series:
        yield with_fitness(Chart("fitness", "Fitness", "", series, marks))


def with_fitness(chart: Chart) -> Chart:
    """Return a chart of fitness with its unit, scale and decimals: around the values, which may be any."""
    # Zero may be far from all of them; and never so narrow that ticks look alike.
    least, most = chart.extent
    margin = max(0.05 * (most - least), 1e-4 * max(-least, most), 1e-8)
    digits = max(0, 2 - math.floor(math.log10(margin)))
    series = tuple(line._replace(digits=digits) for line in chart.series)
    return chart._replace(
        unit="as the plug-in returns it", series=series, span=(least - margin, most + margin)
    )


def marks_of(entries: tuple[GenerationLine, ...], settings: Settings) -> tuple[Mark, ...]:
    """Return marks where the search became deeper, and where the refinement of one genome began."""
    moves: dict[int, int] = {}
    for entry in entries:
        if entry.moved_up_at is not None:
            moves.setdefault(entry.moved_up_at, entry.depth)
    marks = [Mark(generation, f"depth {depth}") for generation, depth in sorted(moves.items())]
    # with another fitness, members are built from means from the first generation on: no start to mark
    for entry in entries if settings.prediction.fitness == "tournament" else ():
        if strategy_age(settings, entry.generation, Stage(entry.depth, entry.moved_up_at)) is not None:
            return (*marks, Mark(entry.generation, "refinement"))
    return tuple(marks)


def _points(entries: tuple[GenerationLine, ...], key: str) -> tuple[Point, ...]:
    found = ((entry.generation, getattr(entry, key)) for entry in entries)
    return tuple(Point(number, value, value, value) for number, value in found if value is not None)


def _elo_span(series: tuple[Series, ...]) -> tuple[float, float]:
    values = [abs(value) for line in series for point in line.points for value in point[1:]]
    reach = next(step for step in (100.0, 200.0, 400.0, 800.0) if step >= max(values) or step == 800.0)
    return -reach, reach


def games_against(settings: Settings) -> dict[str, int]:
    """Return the number of games that a measurement plays against each benchmark, by name."""
    try:
        players = benchmark_players(settings)
    except InputError:
        # A player needs a file that is missing here: assume the usual number of games for all.
        return dict.fromkeys(settings.ladder.ladder, settings.ladder.ladder_games)
    ladder = settings.ladder
    return {
        player.name: ladder.ladder_thinker_games if player.batch_search is None else ladder.ladder_games
        for player in players
    }


def elo_of(score: float) -> float:
    """Return the Elo difference of a score, cut off at `MOST_ELO`.

    >>> round(elo_of(0.75)), elo_of(1.0), elo_of(0.0)
    (191, 800.0, -800.0)
    """
    if score <= 0.0 or score >= 1.0:
        return MOST_ELO if score > 0.5 else -MOST_ELO
    return max(-MOST_ELO, min(MOST_ELO, elo_difference(score)))


def elo_words(point: Point) -> str:
    """Write a score in Elo, or a bound if every game was won or every game lost.

    >>> elo_words(Point(3, 0.75, 0.6, 0.85)), elo_words(Point(3, 1.0, 0.75, 1.0))
    ('+191', '> +191')
    """
    if point.value in (0.0, 1.0):
        sign, bound = (">", point.low) if point.value else ("<", point.high)
        return f"{sign} {numeral(elo_of(bound), '+z.0f')}"
    return numeral(elo_of(point.value), "+z.0f")
