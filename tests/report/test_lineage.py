"""The ancestors of a champion: found as far as files name them, and drawn without overlaps."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from neche.archive.run import RunDirectory
from neche.evolution.population import Member
from neche.report.lineage import Relative, draw_lineage, trace
from neche.report.story import read_story
from tests.report.runs import generation, made_run, settings_for


def test_the_champion_is_followed_back_as_far_as_populations_are_kept(tmp_path):
    lineage = trace(read_story(made_run(tmp_path / "run")))
    by_id = {one.id: one for one in lineage}
    assert by_id["g4-0000"].parents == ("g3-0000", "g3-0001")
    assert by_id["g3-0001"].parents == ("g2-0000", "g2-0001")
    assert by_id["g2-0001"].parents == ("g1-0000", "g1-0001")
    # keep_last = 3: generation 1 is gone, and its members are in no file of champions
    assert by_id["g1-0000"].parents is None
    assert [one.step for one in lineage] == [0, 1, 1, 2, 2, 3, 3]


def test_every_column_of_ancestors_is_headed_by_its_generation_the_first_too(tmp_path):
    lineage = trace(read_story(made_run(tmp_path / "run", generations=3)))
    assert [one.id for one in lineage][::2] == ["g2-0000", "g1-0001", "g0-0001"]
    assert re.findall(r">generation (\d+)<", draw_lineage(lineage)) == ["2", "1", "0"]


def test_who_stands_behind_the_members_hides_no_parents(tmp_path):
    settings = settings_for("checkers")
    with RunDirectory.create(tmp_path / "run", settings, 3) as made:
        last = None
        labellers: tuple[Member, ...] = ()
        for number in range(3):
            last = generation(settings, number, last)
            labellers = (*labellers, last.members[0])
            made.save(replace(last, labellers=labellers))
    by_id = {one.id: one for one in trace(read_story(tmp_path / "run"))}
    assert by_id["g2-0000"].parents == ("g1-0000", "g1-0001")
    assert by_id["g1-0000"].parents == by_id["g1-0001"].parents == ("g0-0000", "g0-0001")
    assert by_id["g1-0000"].rank == 1


@pytest.mark.parametrize("count", [1, 24, 25, 40])
def test_what_stands_in_a_column_of_ancestors_does_not_overlap(count):
    """Members are 16 units high; the line below them says how many more there are."""
    parents = [Relative(f"g1-{at:04}", 1, 0, None, ("g2-0000",)) for at in range(count)]
    svg = draw_lineage((Relative("g2-0000", 0, 1, tuple(one.id for one in parents), ()), *parents))
    heights = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>(?:g1-|and )', svg)]
    assert len(heights) == min(count, 25)
    assert all(below - above > 16 for above, below in pairwise(heights))
    assert (f">and {count - 24} more<" in svg) == (count > 24)
    (bottom,) = re.findall(r'viewBox="0 0 [\d.]+ ([\d.]+)"', svg)
    assert heights[-1] < float(bottom) - 4
