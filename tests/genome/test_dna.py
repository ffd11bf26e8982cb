import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.errors import InputError
from neche.genome import dna


def test_letters_are_the_digits_0_to_3_in_alphabetical_order():
    assert dna.encode("ACGT").tolist() == [0, 1, 2, 3]
    assert dna.encode("ACGT").dtype == np.uint8


def test_lower_case_is_accepted():
    assert dna.encode("acgT").tolist() == [0, 1, 2, 3]


@given(st.text(alphabet=dna.NUCLEOTIDES))
def test_decoding_returns_the_text(text):
    assert dna.decode(dna.encode(text)) == text


@pytest.mark.parametrize("letter", ["U", "é", "→", " ", "\n", "0"])
def test_a_wrong_letter_is_named_with_its_position(letter):
    with pytest.raises(InputError, match=r"at position 3 is not one of A, C, G, T") as caught:
        dna.encode("AC" + letter + "GX")
    assert repr(letter) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_random_genome_uses_every_nucleotide_about_equally():
    digits = dna.random_genome(200, np.random.default_rng(7))
    assert digits.size == 3200
    assert np.bincount(digits, minlength=4) == pytest.approx([800] * 4, abs=100)


def test_the_same_generator_state_draws_the_same_genome():
    first, second = (dna.random_genome(5, np.random.default_rng(3)) for _ in range(2))
    assert first.tolist() == second.tolist()
