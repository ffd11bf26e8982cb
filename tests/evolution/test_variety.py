import dataclasses

import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.parameters import Members
from neche.evolution.population import Member, first_members
from neche.evolution.settings import Settings
from neche.evolution.variety import (
    describe_variety,
    evaluation_distance,
    mean_distance,
    wired_distance,
)
from neche.network.decode import decode_population, wired_genes
from neche.network.packing import pack_networks
from tests.evolution.builders import ranked_generation, tiny_settings

MEMBERS = first_members(Members(population=20), 1)


def described(members, before=None, settings=None):
    packed = pack_networks(decode_population([member.genome for member in members]))
    return describe_variety(settings or Settings(), 1, 1, members, packed, before)


def twins(count=5):
    return [Member(f"g0-{index:04d}", (), MEMBERS[0].genome) for index in range(count)]


def test_random_dna_differs_in_three_nucleotides_of_four_and_copies_in_none():
    assert mean_distance(MEMBERS, stream(1, 0, "distance")) == pytest.approx(0.75, abs=0.01)
    assert wired_distance(MEMBERS, stream(1, 0, "distance")) == pytest.approx(0.75, abs=0.02)
    assert mean_distance(twins(), stream(1, 0, "distance")) == 0.0
    assert wired_distance(twins(), stream(1, 0, "distance")) == 0.0


def test_silent_genes_hide_that_all_are_wired_alike():
    """Genes into sensor 0 are always silent."""
    wired = np.repeat(wired_genes(MEMBERS[0].genome), 16)
    into_sensor = np.tile(np.repeat([False, True, False], [3, 3, 10]), 200)
    drifted = [
        dataclasses.replace(
            member, genome=np.where(wired, MEMBERS[0].genome, np.where(into_sensor, 0, member.genome))
        )
        for member in MEMBERS
    ]
    assert mean_distance(drifted, stream(1, 0, "distance")) > 0.5
    assert wired_distance(drifted, stream(1, 0, "distance")) == 0.0


def test_members_without_wired_genes_do_not_differ():
    blind = [dataclasses.replace(member, genome=np.zeros(3200, np.uint8)) for member in MEMBERS]
    assert wired_distance(blind, stream(1, 0, "distance")) == 0.0


def test_only_the_order_of_positions_counts():
    values = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 21.0]])
    assert evaluation_distance(values, stream(1, 0, "x")) == 0.0
    assert evaluation_distance(values * [[1], [-1]], stream(1, 0, "x")) == 1.0
    assert evaluation_distance(np.array([[1.0, 2.0], [1.0, 1.0]]), stream(1, 0, "x")) == 1.0


def test_about_one_random_genome_in_thirteen_is_constant():
    # 4 000 random genomes of 200 genes: 7.7 % see nothing.
    found = described(first_members(Members(population=500), 1))
    assert found["constant"] == pytest.approx(0.077, abs=0.04)
    assert found["evaluation_distance"] > 0.5
    assert "changed_children" not in found


def test_children_have_changed_when_they_think_otherwise_than_their_first_parent():
    settings = tiny_settings("perspective=own")
    before = ranked_generation(settings)
    elite, mother, father = before.members[:3]
    same = Member("g1-0000", (mother.id, father.id), mother.genome)
    other = Member("g1-0001", (mother.id, father.id), father.genome)
    assert described([elite, same], before, settings)["changed_children"] == 0.0
    assert described([elite, same, other], before, settings)["changed_children"] == 0.5


def test_the_parent_of_a_variation_is_the_centre_of_its_own_generation():
    settings = tiny_settings("perspective=own")
    before = ranked_generation(settings)
    ids = tuple(member.id for member in before.members[:4])
    centre = Member("g1-0000", ids, before.members[0].genome)
    variations = [
        Member("g1-0001", (centre.id,), centre.genome),
        Member("g1-0002", (centre.id,), before.members[1].genome),
    ]
    found = described([centre, *variations], before, settings)
    assert found["changed_children"] == pytest.approx(1 / 3)
