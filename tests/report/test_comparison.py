"""Comparison of runs: their groups, figures checked by hand, and the page that shows them."""

import csv
import os
import re
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.archive.layout import RunLayout
from neche.archive.run import RunDirectory
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.genome.fasta import read_fasta
from neche.report.chart import draw_chart
from neche.report.comparison import FITNESS, find_runs, read_runs, table_of, write_csv
from neche.report.gallery import compose_gallery, run_exhibit
from neche.report.spread import (
    _difference,
    charts_over_seeds,
    compose_comparison,
    curve_rows,
    difference_words,
    differences_of,
    groups_of,
    players_of,
    spreads_of,
)
from tests.report.pages import read_alone
from tests.report.runs import LADDER, made_run, sealed_history

FIRST, SECOND = LADDER
SCORES = {("1", 1): 0.2, ("1", 2): 0.4, ("1", 3): 0.3, ("2", 1): 0.7, ("2", 2): 0.9, ("2", 3): 0.5}


def scored(run, score):
    """Let the champions of a run score `score` against the first player in the end, half of it before."""

    def change(values):
        values["nodes"] = 4_000_000
        if "ladder" in values:
            values["ladder"][FIRST] = score if values["generation"] == 4 else score / 2
        return values

    sealed_history(run, change)
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for (elites, seed), score in SCORES.items():
        run = made_run(
            folder / f"e{elites}-s{seed}", seed=seed, elites=elites, is_crowned=False, games_per_member=4
        )
        scored(run, score)
    return folder


def test_a_directory_stands_for_the_runs_in_it(folder, tmp_path):
    assert [path.name for path in find_runs([folder])] == sorted(path.name for path in folder.iterdir())
    assert find_runs([folder / "e1-s1", folder])[0] == folder / "e1-s1"
    assert len(find_runs([folder / "e1-s1", folder])) == len(SCORES)
    for nothing in (tmp_path, tmp_path / "none", folder / "e1-s1" / "history.jsonl"):
        with pytest.raises(InputError, match="neither a run nor a directory of runs"):
            find_runs([nothing])


def test_runs_are_grouped_by_what_differs_in_their_settings(folder, tmp_path):
    groups = groups_of(read_runs(find_runs([folder])))
    assert [(group.label, len(group.runs)) for group in groups] == [("elites=1", 3), ("elites=2", 3)]
    # how long a run goes on changes none of its generations
    longer = made_run(tmp_path / "longer", seed=9, elites=1, generations=6, games_per_member=4)
    alike = read_runs([*find_runs([folder / "e1-s1"]), longer])
    assert [len(group.runs) for group in groups_of(alike)] == [2]
    # named by the recipe alone they would be taken for runs of it
    assert "elites=1" in groups_of(alike)[0].label.split(", ")
    othello = made_run(tmp_path / "othello", "othello", elites=1, games_per_member=4)
    boards = groups_of(read_runs([folder / "e1-s1", othello]))
    assert [group.label for group in boards] == ["game=checkers", "game=othello"]


def test_groups_that_differ_in_many_settings_are_named_by_recipe_and_changes(tmp_path):
    kinds = [("quick", 1), ("quick", 2), ("tournament", 1), ("tournament", 2), ("tournament", 3)]
    places = [tmp_path / f"{recipe}-{seed}" for recipe, seed in kinds]
    for place, (recipe, seed) in zip(places, kinds, strict=True):
        settings = resolve(override(load_recipe(recipe), f"generations={seed}"))
        if seed == 3:
            settings = override(settings, "elites=3")
        with RunDirectory.create(place, settings, seed, None, plugged("a") if recipe == "quick" else ()):
            pass
    runs = read_runs(places)
    assert [(group.label, len(group.runs)) for group in groups_of(runs)] == [
        ("recipe quick, plugins=mutation shake aaaaaaaa", 2),
        ("recipe tournament, plugins=none", 2),
        ("recipe tournament, elites=3, plugins=none", 1),
    ]
    assert "recipe quick, plugins=mutation shake aaaaaaaa; recipe" in compose_comparison(runs)


def plugged(digit):
    return [{"kind": "mutation", "name": "shake", "digest": digit * 16}]


def test_runs_of_one_game_and_two_topologies_are_no_group_beside_another_game(tmp_path):
    runs = [
        made_run(
            tmp_path / f"{game}-{hidden}",
            game,
            topology=f"auto-{hidden}-1",
            perspective="mover",
            generations=0,
        )
        for game, hidden in (("checkers", 1), ("checkers", 2), ("othello", 2))
    ]
    labels = [group.label for group in groups_of(read_runs(runs))]
    assert labels == [
        "topology=128-1-1, game=checkers",
        "topology=128-2-1, game=checkers",
        "topology=128-2-1, game=othello",
    ]


def test_runs_with_a_plug_in_are_no_seeds_of_those_without_or_with_another(tmp_path):
    runs = [
        made_run(tmp_path / f"{seed}", seed=seed, plugins=plugins, generations=0)
        for seed, plugins in enumerate([(), (), plugged("a"), plugged("b"), plugged("b")])
    ]
    groups = groups_of(read_runs(runs))
    assert [(group.label, len(group.runs)) for group in groups] == [
        ("plugins=none", 2),
        ("plugins=mutation shake aaaaaaaa", 1),
        ("plugins=mutation shake bbbbbbbb", 2),
    ]
    # alone they are not those of the recipe, either
    (alone,) = groups_of(read_runs(runs[3:]))
    assert alone.label.endswith(", mutation shake bbbbbbbb")


def test_the_table_of_runs_reads_back_with_their_figures(folder):
    runs = read_runs(find_runs([folder]))
    rows = list(csv.DictReader(write_csv(table_of(runs)).splitlines()))
    assert [row["run"] for row in rows] == [path.name for path in find_runs([folder])]
    for row in rows:
        assert float(row[f"score {FIRST}"]) == SCORES[row["elites"], int(row["seed"])]
        assert (row["generation"], row["games"], row["positions"]) == ("4", "300", "20000000")


def test_scores_spread_over_the_runs_of_a_group(folder):
    groups = groups_of(read_runs(find_runs([folder])))
    one, two = spreads_of(groups, FIRST)
    assert (one.num_runs, one.median, one.low, one.high) == (3, 0.3, 0.2, 0.4)
    assert two.mean == pytest.approx(0.7)
    assert spreads_of(groups, "nobody") == ()


def test_without_scipy_the_interval_is_there_and_p_says_what_it_needs(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    (difference,) = differences_of(groups_of(read_runs(find_runs([folder]))), FIRST)
    assert difference.p_value is None
    value, interval, p_value = difference_words(difference)
    assert (value, p_value) == ("+0.400", "needs neche[statistics]")
    assert interval


def test_a_difference_is_of_means_and_three_against_three_is_never_sure(folder):
    (difference,) = differences_of(groups_of(read_runs(find_runs([folder]))), FIRST)
    assert difference.label == "elites=2"
    assert difference.value == pytest.approx(0.4)
    # all of one group above all of the other: 2 of the 20 ways to deal six runs to two groups
    assert difference.p_value == pytest.approx(0.1)
    # of two of the 27 resamples of each the extremes are the ends, and beyond them is nothing
    assert difference.low is not None
    assert difference.high is not None
    assert 0.1 <= difference.low < 0.4 < difference.high <= 0.7


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [
        # 2 of the 20, and of the 252, ways to deal them to two groups are as far apart
        ([0.9] * 3, [1.0] * 3, 2 / 20),
        ([1.0] * 5, [0.9] * 5, 2 / 252),
        ([1.0, 1.0], [1.0, 1.0, 1.0], 1.0),
        ([1.0] * 20, [1.0] * 20, 1.0),  # more ways than are counted
        # ranks 1½, 1½, 4: among 4, 4, 6 a sum of 7 or less comes up in 3 of 20 ways, twice that for two sides
        ([0.1, 0.1, 0.2], [0.2, 0.2, 0.3], 2 * 3 / 20),
    ],
)
def test_equal_scores_do_not_make_few_runs_surer_than_they_can_be(first, second, p_value):
    assert _difference("", "", np.array(first), np.array(second)).p_value == pytest.approx(p_value)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_an_interval_lies_within_what_resamples_can_give_and_turns_with_its_sides(first, second):
    one, two = np.array(first), np.array(second)
    difference = _difference("", "", one, two)
    assert difference.low is not None
    assert difference.high is not None
    assert two.min() - one.max() - 1e-9 <= difference.low <= difference.high <= two.max() - one.min() + 1e-9
    turned = _difference("", "", two, one)
    assert turned.value == pytest.approx(-difference.value)
    assert turned.p_value == pytest.approx(difference.p_value)


def test_groups_are_held_against_no_other_where_the_first_has_not_met_a_player(folder, tmp_path):
    path = made_run(tmp_path / "alone", elites=3, is_crowned=False, games_per_member=4)
    sealed_history(
        path, lambda values: {**values, **({"ladder": {SECOND: 0.5}} if "ladder" in values else {})}
    )
    groups = groups_of(read_runs([path, *find_runs([folder])]))
    assert [one.label for one in spreads_of(groups, FIRST)] == ["elites=1", "elites=2"]
    # they would be said to be less that of elites=3
    assert differences_of(groups, FIRST) == ()
    assert [one.label for one in differences_of(groups, SECOND)] == ["elites=1", "elites=2"]


def test_single_runs_have_a_difference_without_an_interval(folder):
    runs = read_runs([folder / "e1-s1", folder / "e2-s1"])
    (difference,) = differences_of(groups_of(runs), FIRST)
    assert difference.value == pytest.approx(0.5)
    assert (difference.low, difference.high, difference.p_value) == (None, None, None)
    assert "elites=2" in compose_comparison(runs)


def test_curves_are_medians_with_bands_from_the_worst_run_to_the_best(folder):
    groups = groups_of(read_runs(find_runs([folder])))
    by_generation, by_games, by_positions = charts_over_seeds(groups, FIRST)
    line = by_generation.series[0]
    assert [tuple(point) for point in line.points] == [
        (0, *map(pytest.approx, (0.15, 0.1, 0.2))),
        (2, *map(pytest.approx, (0.15, 0.1, 0.2))),
        (4, *map(pytest.approx, (0.3, 0.2, 0.4))),
    ]
    assert (by_games.axis, by_games.series[0].points[-1].generation) == ("games", 300)
    assert (by_positions.axis, by_positions.series[1].points[-1].generation) == ("million positions", 20)
    assert ">million positions</text>" in draw_chart(by_positions)


def test_runs_measured_at_no_amount_of_work_in_common_have_no_line(tmp_path):
    for seed, measured in ((1, 0), (2, 4)):
        run = scored(made_run(tmp_path / f"s{seed}", seed=seed, is_crowned=False, games_per_member=4), 0.5)
        sealed_history(
            run,
            lambda values, kept=measured: (
                values | {"ladder": values["ladder"] if values.get("generation") == kept else {}}
                if "ladder" in values
                else values
            ),
        )
    groups = groups_of(read_runs(find_runs([tmp_path])))
    assert charts_over_seeds(groups, FIRST) == ()


def test_a_plugged_in_fitness_has_a_chart_around_its_values(tmp_path, folder):
    reached = {1: (10.0, 11.0, 12.0), 2: (20.0, 1e300, 16.0), 3: (30.0, 31.0, 26.0)}
    for seed, best in reached.items():
        run = made_run(tmp_path / f"s{seed}", seed=seed, is_crowned=False, games_per_member=4, generations=3)
        figures = iter(best)
        sealed_history(
            run, lambda values, left=figures: {**values, "fitness": {"best": next(left), "mean": 0.0}}
        )
    runs = read_runs(find_runs([tmp_path]))
    by_generation, *_ = charts_over_seeds(groups_of(runs), FITNESS)
    # what stands for a failure, as in the report, is left out: that run is read between its neighbours
    assert [tuple(point) for point in by_generation.series[0].points] == [
        (0, 20.0, 10.0, 30.0),
        (1, 18.0, 11.0, 31.0),
        (2, 16.0, 12.0, 26.0),
    ]
    assert by_generation.span is not None
    low, high = by_generation.span
    assert 0 < low < 10 < 31 < high
    page = compose_comparison(runs)
    assert read_alone(page)
    section = re.search(r'<section id="fitness".*?<figure.*?Best fitness.*?</section>', page, re.DOTALL)
    assert section is not None
    # median and mean of 12, 16 and 26 are not those of the first generation, nor of the largest values
    assert "<td>3</td><td>16</td><td>18</td><td>12</td><td>26</td>" in section[0]
    assert "Fitness" not in compose_comparison(read_runs(find_runs([folder])))


def test_measurements_are_written_one_a_row(folder):
    runs = read_runs(find_runs([folder]))
    rows = curve_rows(runs)
    assert len(rows) == 3 * len(SCORES)
    assert (rows[0]["games"], rows[1]["games"], rows[2]["positions"]) == (60, 180, 20_000_000)


def test_the_page_is_one_well_formed_document_that_asks_for_nothing_else(folder):
    runs = read_runs(find_runs([folder]))
    page = compose_comparison(runs)
    reader = read_alone(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "script-src" not in page
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) == 3 * len(players_of(runs)) == 6
    assert all(figure.count("<figcaption") == 1 and "<table>" in figure for figure in figures)
    words = " ".join(reader.words)
    assert all(run.name in words for run in runs)
    assert "+0.400" in words
    assert "20\xa0000\xa0000" in words
    assert "<td>0.9</td>" not in page
    assert str(folder) not in page
    assert page == compose_comparison(read_runs(find_runs([folder])))


def test_what_a_file_says_stands_on_the_page_as_text(folder, tmp_path):
    run = made_run(tmp_path / "<b>bold", seed=1, is_crowned=False)
    evil = "<script>alert(1)</script>"
    sealed_history(run, lambda values: {**values, "ladder": {evil: 0.5}})
    page = compose_comparison(read_runs([run, folder / "e1-s1"]))
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;" in page


def test_runs_without_a_generation_are_listed_and_not_drawn(tmp_path):
    begun = made_run(tmp_path / "begun", generations=0)
    runs = read_runs([begun])
    assert table_of(runs)[0]["generation"] is None
    assert players_of(runs) == ()
    assert "begun" in compose_comparison(runs)


def test_a_damaged_run_is_named(folder, tmp_path):
    run = made_run(tmp_path / "torn")
    layout = RunLayout(run)
    layout.history.write_bytes(b"x" + layout.history.read_bytes())
    with pytest.raises(InputError, match="line 1 is damaged"):
        read_runs([run])
    assert read_fasta(layout.champion)


def test_runs_whose_names_are_no_text_are_on_pages_and_in_tables(tmp_path):
    run = made_run(tmp_path / os.fsdecode(b"l\xe4ufe"), generations=1)
    runs = read_runs([run])
    for text in (compose_comparison(runs), write_csv(curve_rows(runs)), compose_gallery([run_exhibit(run)])):
        assert r"l\udce4ufe" in text.encode().decode()
