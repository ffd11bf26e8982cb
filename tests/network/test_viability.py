import pytest
from hypothesis import given

from neche.genome import dna
from neche.network.decode import is_viable, material_genome
from tests.genome.strategies import genomes
from tests.oracles import genome_twin


@given(genomes())
def test_viability_is_as_the_slow_twin_sees_it(digits):
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
def test_only_a_synapse_that_enters_the_output_makes_viable(text, viable):
    assert is_viable(dna.encode(text)) is viable


def test_the_material_genome_is_viable():
    assert is_viable(material_genome())
