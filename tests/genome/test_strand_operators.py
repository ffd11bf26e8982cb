"""Operators on strands: neurons are inherited and copied whole, weights creep, all by the given stream."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled.streams import stream
from neche.genome import dna
from neche.genome.strand_operators import (
    blend_strands,
    creep_strands,
    cross_neurons,
    duplicate_neuron,
    duplicate_neurons,
    renew_strands,
    shift_strands,
    usefulness,
)
from neche.genome.strands import LEAST_WEIGHT, MOST_WEIGHT, StrandFormat, neurons_of, write_weights
from tests.oracles import strands_twin

FORMATS = st.builds(StrandFormat, st.integers(1, 12), st.integers(0, 5)) | st.builds(
    StrandFormat, st.integers(1, 12), st.integers(1, 5), st.integers(1, 3)
)
SEEDS = st.integers(0, 2**32)


def population(form, seed, count=6):
    rng = stream(seed, 0, "population")
    return rng.integers(LEAST_WEIGHT, MOST_WEIGHT + 1, (count, form.num_weights)).astype(np.int16)


def rng_of(seed):
    return stream(seed, 0, "operators")


def duplicated(weights, counts, rng, form, *, creep_mean=0.0, creep_sd=0.1):
    counts = np.array(counts, np.int64)
    return duplicate_neurons(
        weights, counts, rng, creep_mean=creep_mean, creep_sd=creep_sd, strand_format=form
    )


OPERATORS = {
    "cross": lambda weights, rng, form: cross_neurons(weights, weights[::-1], rng, strand_format=form),
    "duplicate": lambda weights, rng, form: duplicated(weights, [2] * 6, rng, form, creep_mean=3.0),
    "creep": lambda weights, rng, form: creep_strands(weights, np.arange(6), 1.0, rng),
    "renew": lambda weights, rng, form: renew_strands(weights, 0.5, rng),
}


@given(FORMATS, SEEDS, st.sampled_from(sorted(OPERATORS)))
def test_equal_streams_give_equal_offspring_and_parents_stay_as_they_were(form, seed, name):
    weights = population(form, seed)
    before = weights.copy()
    once, again = (OPERATORS[name](weights, rng_of(seed), form) for _ in range(2))
    assert once.dtype == np.int16
    assert np.array_equal(once, again)
    assert np.array_equal(weights, before)
    # the result can be written as DNA
    assert write_weights(once).shape == (6, form.length)


@given(FORMATS, SEEDS)
def test_children_consist_of_whole_neurons_of_their_parents(form, seed):
    mothers, fathers = population(form, seed), population(form, seed + 1)
    children = cross_neurons(mothers, fathers, rng_of(seed), strand_format=form)
    neurons, maternal, paternal = (neurons_of(one, form) for one in (children, mothers, fathers))
    from_mother = (neurons == maternal).all(axis=2)
    assert (from_mother | (neurons == paternal).all(axis=2)).all()
    assert ((children == mothers) | (children == fathers)).all()


def test_neurons_and_weights_of_the_output_come_from_either_parent_alike():
    form = StrandFormat(100, 50)
    mothers, fathers = np.zeros((20, form.num_weights), np.int16), np.ones((20, form.num_weights), np.int16)
    children = cross_neurons(mothers, fathers, rng_of(1), strand_format=form)
    assert children[:, : form.sensors + 1].mean() == pytest.approx(0.5, abs=0.05)
    assert neurons_of(children, form)[..., 0].mean() == pytest.approx(0.5, abs=0.05)


def value(weights, form, seen):
    return strands_twin.evaluate(dna.decode(write_weights(weights)), form.hidden, seen, form.second)


@given(st.builds(StrandFormat, st.integers(1, 12), st.integers(2, 5), st.integers(0, 3)), SEEDS, st.data())
def test_a_copy_in_place_of_a_silent_neuron_changes_no_value(form, seed, data):
    weights = population(form, seed, 1)
    neurons = neurons_of(weights, form)[0]
    slot = data.draw(st.integers(0, form.hidden - 1))
    outs = form.outs
    neurons[slot, :outs] = 0
    grown = duplicated(weights, [1], rng_of(seed), form)
    seen = data.draw(st.lists(st.integers(0, 1), min_size=form.sensors, max_size=form.sensors))
    assert value(grown[0], form, seen) == value(weights[0], form, seen)
    if usefulness(neurons, outs).any():
        after = neurons_of(grown, form)[0]
        originals = [h for h in range(form.hidden) if np.array_equal(after[h, outs:], after[slot, outs:])]
        assert len(originals) >= 2
        silent = np.count_nonzero(usefulness(neurons, outs) == 0)
        assert np.count_nonzero(usefulness(after, outs) == 0) <= silent


@given(st.integers(LEAST_WEIGHT, MOST_WEIGHT))
def test_the_halves_of_a_duplicated_neuron_add_up_to_its_weight(outgoing):
    neurons = np.array([[outgoing, 3, 4], [7, 8, 9]], np.int16)
    twins = duplicate_neuron(neurons, 0, 1)
    assert twins[:, 0].sum() == outgoing
    assert abs(int(twins[0, 0]) - int(twins[1, 0])) <= 1
    assert twins[:, 1:].tolist() == [[3, 4], [3, 4]]
    floats = duplicate_neuron(neurons.astype(np.float32), 0, 1)
    assert floats[:, 0].tolist() == [outgoing / 2, outgoing / 2]


def test_the_least_useful_neuron_is_overwritten_and_no_silent_one_is_copied():
    form = StrandFormat(2, 4)
    weights = np.zeros((1, form.num_weights), np.int16)
    neurons = neurons_of(weights, form)[0]
    neurons[:] = [[100, 1, 1, 1], [0, 500, 500, 500], [2, 30, 30, 30], [3, 1, 1, 0]]
    assert usefulness(neurons).argsort().tolist() == [1, 3, 2, 0]
    for seed in range(20):
        once, many = (
            neurons_of(duplicated(weights, [count], rng_of(seed), form), form)[0] for count in (1, 30)
        )
        assert np.array_equal(once[[0, 2, 3], 1:], neurons[[0, 2, 3], 1:])
        assert once[1, 1:].tolist() in neurons[[0, 2, 3], 1:].tolist()
        assert once[:, 0].sum() == 105
        # neurons copied repeatedly are halved repeatedly, but the silent one is never copied
        assert 500 not in many


def test_only_the_copy_diverges():
    form = StrandFormat(30, 3)
    weights = population(form, 5, 1)
    neurons = neurons_of(weights, form)[0]
    neurons[0, 0] = 0
    (after,) = neurons_of(duplicated(weights, [1], rng_of(2), form, creep_mean=20.0, creep_sd=0.5), form)
    changed = [h for h in range(3) if not np.array_equal(after[h, 1:], neurons[h, 1:])]
    assert changed == [0]
    original = next(h for h in (1, 2) if after[h, 0] != neurons[h, 0])
    assert 5 < np.count_nonzero(after[0, 1:] != neurons[original, 1:]) < 32


@pytest.mark.parametrize("hidden", [0, 1])
def test_a_network_of_fewer_than_two_neurons_duplicates_none(hidden):
    form = StrandFormat(4, hidden)
    weights = population(form, 3)
    assert np.array_equal(duplicated(weights, [3] * 6, rng_of(1), form), weights)


@given(FORMATS, SEEDS, st.integers(0, 200))
def test_no_more_weights_creep_than_asked_for(form, seed, count):
    weights = population(form, seed)
    crept = creep_strands(weights, np.full(6, count), 0.5, rng_of(seed))
    assert ((crept != weights).sum(axis=1) <= count).all()
    assert crept.min() >= LEAST_WEIGHT
    assert crept.max() <= MOST_WEIGHT
    assert np.array_equal(creep_strands(weights, np.full(6, count), 0.0, rng_of(seed)), weights)


def test_steps_of_creep_have_the_deviation_asked_for():
    weights = np.zeros((4, 10_000), np.int16)
    crept = creep_strands(weights, np.full(4, 10_000), 0.2, rng_of(1))
    assert crept.std() == pytest.approx(0.2 * 125, rel=0.02)
    assert crept.mean() == pytest.approx(0.0, abs=0.5)


def test_renewal_redraws_all_weights_or_none():
    form = StrandFormat(40, 20)
    weights = population(form, 1)
    assert np.array_equal(renew_strands(weights, 0.0, rng_of(1)), weights)
    renewed = renew_strands(weights, 1.0, rng_of(1))
    assert (renewed != weights).mean() > 0.99
    assert renewed.std() == pytest.approx(1024 / np.sqrt(12), rel=0.03)
    assert 0.2 < (renew_strands(weights, 0.25, rng_of(1)) != weights).mean() < 0.3


def test_a_blend_is_the_weighted_mean_and_a_shift_stays_within_the_letters():
    parents = np.array([[0, 10, 500], [4, 20, -500]], np.int16)
    assert blend_strands(parents, np.array([3.0, 1.0])).tolist() == [1, 12, 250]
    steps = np.array([[0.08, -0.08, 9.0], [0.0, 0.0039, -9.0]])
    assert shift_strands(parents[0], steps).tolist() == [[10, 0, 511], [0, 10, -512]]
