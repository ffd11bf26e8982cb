"""The curve of a plugged-in fitness on the page of a run: in its frame, whatever its values are."""

import re
import sys

import pytest

from neche.report.chart import draw_chart
from neche.report.curves import charts_of
from neche.report.page import compose
from neche.report.story import read_story
from tests.report.pages import read
from tests.report.runs import made_run, sealed_history

LARGEST = sys.float_info.max


@pytest.fixture
def story_with(tmp_path):
    run = made_run(tmp_path / "run")

    def story(best, below=0.5):
        """Return a run of five generations whose best members had these values; None: the line has none."""

        def plugged(values):
            value = best[values["generation"]]
            return values if value is None else {**values, "fitness": {"best": value, "mean": value - below}}

        sealed_history(run, plugged)
        return read_story(run)

    return story


def fitness_of(story):
    return next((chart for chart in charts_of(story) if chart.name == "fitness"), None)


def heights(chart):
    """Return the heights of the points of each line, from the top down."""
    drawn = re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', draw_chart(chart))
    half = len(drawn) // 2
    return [float(y) for y in drawn[:half]], [float(y) for y in drawn[half:]]


@pytest.mark.parametrize(
    "best",
    [
        [1, 2, 3, 4, 5],
        [-50.5, -20, -3, -2, -1],
        [1500.0, 1502.0, 1503.0, 1504.0, 1505.0],
        [-1e12, 0.0, 1e9, 2e11, 3e12],
    ],
)
def test_a_fitness_that_rises_is_drawn_rising_within_its_frame(story_with, best):
    story = story_with(best)
    chart = fitness_of(story)
    assert chart is not None
    assert [[point.value for point in line.points] for line in chart.series] == [
        best,
        [b - 0.5 for b in best],
    ]
    for line in heights(chart):
        assert len({*line}) == 5
        assert line == sorted(line, reverse=True)
    floor = max(map(float, re.findall(r"M50 ([0-9.]+)H424", draw_chart(chart))))
    assert max(map(max, heights(chart))) < floor
    page = compose(story, []).html
    read(page)
    assert "Fitness. What the plugged-in fitness returned" in page


@pytest.mark.parametrize("best", [[0.0] * 5, [7.25] * 5, [-3e14] * 5, [5e-324, 0, 0, 0, 0], [1e-12] * 5])
def test_a_fitness_that_stays_is_a_line_with_ticks_that_differ(story_with, best):
    chart = fitness_of(story_with(best, below=0.0))
    ticks = re.findall(r'text-anchor="end"[^>]*>([^<]*)<', draw_chart(chart))
    assert len({*ticks}) == len(ticks) > 1
    assert len({*heights(chart)[0]}) == 1


def test_values_that_stand_for_a_failure_are_left_out_of_the_curve_and_not_of_the_run(story_with):
    best = [-LARGEST, 1.0, 2.0, LARGEST, 3.0]
    story = story_with(best, below=0.0)
    assert [entry.fitness.best for entry in story.entries] == best
    chart = fitness_of(story)
    assert [point.value for point in chart.series[0].points] == [1.0, 2.0, 3.0]
    assert fitness_of(story_with([LARGEST] * 5, below=0.0)) is None
    read(compose(story, []).html)


def test_generations_from_before_a_fitness_was_kept_have_no_point(story_with):
    assert fitness_of(story_with([None] * 5)) is None
    chart = fitness_of(story_with([None, None, None, 1.5, 2.5]))
    assert [point.generation for point in chart.series[0].points] == [3, 4]
    assert [line.name for line in chart.series] == ["best", "mean"]
