"""The charts of a run: which figures of the history belong together."""

from collections.abc import Iterator

from neche.evolution.refinement import refined_for
from neche.evolution.settings import Settings
from neche.report.run_page.chart import Chart, Mark, Series
from neche.report.run_page.scores import Point, elo_point, games_against, score_point
from neche.report.run_page.story import Entry, Story

_GROUPS = (
    (
        "diversity",
        "Diversity of the population",
        "share",
        (
            ("genomes", "distance", 2),
            ("wired genes", "wired_distance", 2),
            ("evaluations", "evaluation_distance", 2),
        ),
    ),
    (
        "size",
        "Size of the networks",
        "mean over the population",
        (
            ("synapses", "live_synapses", 1),
            ("squares", "squares_seen", 1),
            ("neurons", "hidden_neurons", 1),
        ),
    ),
)


def charts_of(story: Story) -> tuple[Chart, ...]:
    """Return the charts for which the history has figures."""
    return tuple(_charts(story))


def _charts(story: Story) -> Iterator[Chart]:
    marks = marks_of(story.entries, story.config.settings)
    ladder = ladder_series(story)
    if ladder:
        yield Chart("ladder", "Score of the champion", "points a game", ladder, marks, (0.0, 1.0))
        elo = tuple(Series(name, tuple(map(elo_point, points)), 0) for name, points, _ in ladder)
        yield Chart("elo", "The same in Elo", "Elo difference", elo, marks, _elo_span(elo))
    for name, title, unit, keys in _GROUPS:
        series = tuple(
            Series(label, points, digits)
            for label, key, digits in keys
            if (points := _points(story.entries, key))
        )
        if series:
            yield Chart(name, title, unit, series, marks)


def ladder_series(story: Story) -> tuple[Series, ...]:
    """Return the champion's scores against each player of the ladder, with their errors."""
    games = games_against(story.config.settings)
    usual = story.config.settings.ladder.ladder_games
    found: dict[str, list[Point]] = {}
    for entry in story.climbs:
        for name, score in (entry.ladder or {}).items():
            point = score_point(entry.generation, score, games.get(name, usual))
            found.setdefault(name, []).append(point)
    return tuple(Series(name, tuple(points)) for name, points in found.items())


def marks_of(entries: tuple[Entry, ...], settings: Settings) -> tuple[Mark, ...]:
    """Return when the search went deeper, and when the refinement of one genome began."""
    moves: dict[int, int] = {}
    for entry in entries:
        if entry.moved_up_at is not None:
            moves.setdefault(entry.moved_up_at, entry.depth)
    marks = [Mark(generation, f"depth {depth}") for generation, depth in sorted(moves.items())]
    for entry in entries:
        if refined_for(settings, entry.generation, entry.depth, entry.moved_up_at) is not None:
            return (*marks, Mark(entry.generation, "refinement"))
    return tuple(marks)


def _points(entries: tuple[Entry, ...], key: str) -> tuple[Point, ...]:
    found = ((entry.generation, getattr(entry, key)) for entry in entries)
    return tuple(Point(number, value, value, value) for number, value in found if value is not None)


def _elo_span(series: tuple[Series, ...]) -> tuple[float, float]:
    values = [abs(value) for line in series for point in line.points for value in (point.value, point.low)]
    reach = next(step for step in (100.0, 200.0, 400.0, 800.0) if step >= max(values) or step == 800.0)
    return -reach, reach
