"""Charts of many lines, or of a single measurement."""

import itertools
import re

import pytest

from neche.report.chart import WIDTH, Chart, Point, Series, draw_chart, shown_chart
from neche.report.plots import _figure, _plot_chart


def chart_of(*names):
    rising = Point(0, 0.1, 0.1, 0.1), Point(10, 0.9, 0.9, 0.9)
    return Chart("c", "C", "points a game", tuple(Series(name, rising) for name in names), (), (0.0, 1.0))


@pytest.mark.parametrize("count", [1, 6, 12, 24])
def test_lines_rise_below_a_legend_of_any_length(count):
    svg = draw_chart(chart_of(*(f"mutation_rate=0.{at:02}, crossover=0.5" for at in range(count))))
    (height,) = map(float, re.findall(rf'viewBox="0 0 {WIDTH} ([\d.]+)"', svg))
    names = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>mutation', svg)]
    lines = [(float(begin), float(end)) for begin, end in re.findall(r'd="M50 ([\d.]+)L424 ([\d.]+)"', svg)]
    assert len(names) == len(lines) == count
    assert all(max(names) < end < begin - 60 and begin < height for begin, end in lines)


def test_no_two_of_many_lines_look_alike():
    svg = draw_chart(chart_of(*map(str, range(12))))
    looks = re.findall(r'<path d="[^"]*h22"([^>]*)>', svg)
    assert len(looks) == len({*looks}) == 12


def test_a_long_name_of_a_line_is_written_inside_the_picture():
    svg = draw_chart(chart_of("x" * 80))
    (size,) = map(float, re.findall(r'font-size="([\d.]+)"[^>]*>xxx', svg))
    assert 77 + 80 * 8 / 15 * size <= WIDTH + 1


def test_values_far_apart_stand_a_decade_from_each_other_at_equal_distances():
    falling = tuple(Point(at, value, value, value) for at, value in enumerate((10.0, 1.0, 0.1, 0.01)))
    chart = Chart("c", "C", "error", (Series("a", falling),), may_be_log=True)
    svg = draw_chart(chart)
    (way,) = re.findall(r'd="M([\d. L]+)" class="s0"', svg.replace("h22", ""))[-1:]
    heights = [float(place.split()[1]) for place in way.split("L")]
    steps = [below - above for above, below in itertools.pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.02)
    assert all(f">{label}</text>" in svg for label in ("10", "1", "0.1", "0.01", "logarithmic scale"))
    pytest.importorskip("matplotlib")
    assert _plot_chart(_figure(6.4, 4.2), chart).axes[0].get_yscale() == "log"


@pytest.mark.parametrize("values", [(1.0, 0.0), (-1.0, 50.0), (2.0, 50.0)])
def test_zero_and_values_near_each_other_stand_on_an_even_scale(values):
    points = tuple(Point(at, value, value, value) for at, value in enumerate(values))
    assert not Chart("c", "C", "error", (Series("a", points),), may_be_log=True).is_log


def test_no_number_has_a_hyphen_for_a_minus_sign():
    falling = Series("a", (Point(0, -1.5, -2.0, -1.0), Point(1, -3.0, -3.0, -3.0)))
    chart = Chart("c", "C", "Elo difference", (falling,), (), (-4.0, 4.0))
    svg = draw_chart(chart)
    assert "a, generation 0: −1.50 (−2.00 to −1.00)" in svg
    assert "a: −1.50 in generation 0, −3.00 in generation 1." in svg
    assert shown_chart(chart)["rows"] == [("0", "−1.50 (−2.00 to −1.00)"), ("1", "−3.00")]


def test_large_numbers_of_an_axis_have_room():
    points = Point(0, 31_000, 31_000, 31_000), Point(9, 29_000, 29_000, 29_000)
    labels = re.findall(
        r'text-anchor="end"[^>]*>([^<]+)<', draw_chart(Chart("c", "C", "u", (Series("a", points),)))
    )
    assert "40k" in labels
    assert max(map(len, labels)) <= 4


@pytest.mark.parametrize("values", [(-0.012, -0.004), (-52_000.0, -12_500.0), (-1234.0, -1233.5)])
def test_numbers_of_an_axis_begin_inside_the_picture(values):
    points = tuple(Point(at, value, value, value) for at, value in enumerate(values))
    svg = draw_chart(Chart("c", "C", "u", (Series("a", points),), (), (min(values), max(values))))
    labels = re.findall(r'x="(\d+)"[^>]*text-anchor="end" font-size="([\d.]+)"[^>]*>([^<]+)<', svg)
    assert len(labels) > 2
    # in a wide font a minus sign is 0.84 of its size wide, a point 0.32, and any other letter 0.64
    widths = {"−": 0.84, ".": 0.32}
    for end, size, words in labels:
        assert float(size) * sum(widths.get(letter, 0.64) for letter in words) <= int(end) + 1


def test_a_single_measurement_has_its_error_as_png_too():
    pytest.importorskip("matplotlib")
    chart = Chart("c", "C", "unit", (Series("a", (Point(3, 0.5, 0.2, 0.8),)),), (), (0.0, 1.0))
    (band,) = _plot_chart(_figure(6.4, 4.2), chart).axes[0].collections
    assert (band.get_linewidth()[0], band.get_alpha()) == (1.5, 1)
