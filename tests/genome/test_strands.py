"""Strands: weights and letters are each other's inverse, and FASTA keeps both."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.genome import dna
from neche.genome.fasta import Record, format_record, parse_fasta
from neche.genome.strands import (
    LEAST_WEIGHT,
    MOST_WEIGHT,
    StrandFormat,
    read_weights,
    split_weights,
    steps_of,
    write_weights,
)
from tests.genome.drawn import random_strands

FORMATS = st.builds(StrandFormat, st.integers(1, 40), st.integers(0, 5)) | st.builds(
    StrandFormat, st.integers(1, 20), st.integers(1, 5), st.integers(1, 4)
)


@st.composite
def written(draw):
    form = draw(FORMATS)
    weight = st.integers(LEAST_WEIGHT, MOST_WEIGHT)
    weights = draw(st.lists(weight, min_size=form.num_weights, max_size=form.num_weights))
    return form, np.array(weights, np.int16)


@given(written())
def test_weights_come_back_as_they_were_written(case):
    form, weights = case
    digits = write_weights(weights)
    assert len(digits) == form.length
    assert np.array_equal(read_weights(digits, form), weights)
    population = np.stack([digits, digits[::-1]])
    assert np.array_equal(write_weights(read_weights(population, form)), population)


@given(written())
def test_records_of_strands_come_back_and_each_strand_begins_a_line(case):
    form, weights = case
    digits = write_weights(weights)
    fields = {"perspective": "mover", "topology": form.topology}
    text = format_record(Record("one", digits, fields))
    (record,) = parse_fasta(text, "file")
    assert (record.genome.tolist(), record.fields) == (digits.tolist(), fields)
    lines = text.splitlines()[1:]
    assert max(map(len, lines)) <= 80
    letters = dna.decode(digits)
    joined = ["".join(lines)[part] for part in form.letters]
    assert joined == [letters[part] for part in form.letters]
    begins = np.cumsum([0, *map(len, lines)]).tolist()
    assert {part.start for part in form.letters} <= set(begins)


@given(written(), st.integers(1, 60))
def test_any_line_breaks_are_read(case, width):
    form, weights = case
    letters = dna.decode(write_weights(weights))
    lines = [letters[begin : begin + width] for begin in range(0, len(letters), width)]
    text = "\n".join([f">one topology={form.topology}", *lines, ""])
    (record,) = parse_fasta(text, "file")
    assert dna.decode(record.genome) == letters


def test_letters_are_a_number_in_base_four_around_512():
    form = StrandFormat(1, 0)
    assert read_weights(dna.encode("GAAAA" + "GAAAC"), form).tolist() == [0, 1]
    assert read_weights(dna.encode("AAAAA" + "TTTTT"), form).tolist() == [-512, 511]


def test_strands_are_in_a_fixed_order_and_split_into_layers():
    form = StrandFormat(3, 2)
    assert (form.num_weights, form.length) == (14, 70)
    assert form.strands == (slice(0, 4), slice(4, 9), slice(9, 14))
    weights = np.arange(14, dtype=np.int16)
    layers = split_weights(weights, form)
    assert layers.constant == 0
    assert layers.direct.tolist() == [1, 2, 3]
    assert (layers.out.tolist(), layers.bias.tolist()) == ([[4], [9]], [5, 10])
    assert layers.hidden.tolist() == [[6, 7, 8], [11, 12, 13]]
    assert layers.second.size == 0
    layers.hidden[1, 2] = 99
    assert weights[13] == 99


def test_weights_of_a_second_layer_are_on_the_strands_of_hidden_neurons_and_output():
    form = StrandFormat(2, 2, 3)
    assert (form.num_weights, form.topology) == (18, "2-2-3-1")
    assert form.strands == (slice(0, 6), slice(6, 12), slice(12, 18))
    layers = split_weights(np.arange(18, dtype=np.int16), form)
    assert layers.second.tolist() == [0, 1, 2]
    assert layers.constant == 3
    assert layers.direct.tolist() == [4, 5]
    assert layers.out.tolist() == [[6, 7, 8], [12, 13, 14]]
    assert (layers.bias.tolist(), layers.hidden.tolist()) == ([9, 15], [[10, 11], [16, 17]])


def test_a_genome_of_another_length_is_refused():
    with pytest.raises(InputError, match="10 nucleotides are not the 20 of the strands of 3-0-1"):
        read_weights(np.zeros(10, np.uint8), StrandFormat(3, 0))
    with pytest.raises(InputError, match=r"cut off or too long, 15 nucleotides .* \(line 1\)"):
        parse_fasta(">one topology=3-0-1\nAAAAAAAAAAAAAAA\n", "file")
    with pytest.raises(InputError, match="10 nucleotides are not the 20"):
        format_record(Record("one", np.zeros(10, np.uint8), {"topology": "3-0-1"}))


def test_weights_out_of_range_are_refused_and_rounded_ones_are_clipped():
    with pytest.raises(InputError, match=r"outside -512\.\.511"):
        write_weights(np.array([512]))
    assert steps_of(np.array([0.0039, 0.0041, 5.0, -5.0])).tolist() == [0, 1, 511, -512]


def test_random_strands_have_the_spread_that_was_asked_for():
    form, rng = StrandFormat(128, 8), np.random.default_rng(1)
    weights = read_weights(random_strands(form, rng, sd=0.4, count=20), form) / 125
    assert abs(weights.mean()) < 0.01
    assert weights.std() == pytest.approx(0.4, rel=0.02)
    assert random_strands(form, rng, sd=0.4).shape == (form.length,)
