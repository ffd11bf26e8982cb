import pytest
from hypothesis import given

from neche.genome import dna
from neche.network.decode import is_viable, material_genome
from tests.genome.strategies import genomes
from tests.oracles import genome_twin


@given(genomes())
def test_viability_equals_that_of_the_slow_twin(digits):
    assert is_viable(digits) == genome_twin.is_viable(dna.decode(digits))


@pytest.mark.parametrize(
    ("text", "viable"),
    [
        ("AAATTTGAAGCTACAA", True),
        ("AAATTTGAAAAAAAAA", True),
        ("TCTTTTGAAAAAAAAC", True),
        ("TTTTTTGAAAAAAAAC", False),
        ("CGATGGTAGTCGGATC", False),
    ],
    ids=["sensor", "weight zero", "unfed hidden neuron", "output to itself", "ends in layer 2"],
)
def test_a_genome_is_viable_only_if_a_synapse_enters_the_output(text, viable):
    assert is_viable(dna.encode(text)) is viable


def test_the_material_genome_is_viable():
    assert is_viable(material_genome())
