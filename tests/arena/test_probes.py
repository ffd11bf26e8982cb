import numpy as np

from neche.arena.probes import NUM_PROBES, _units, evaluate_probes, value_men
from neche.games.sensors import DARK_8X8
from neche.genome.dna import WEIGHT_ZERO, Genes, write_genes
from neche.network.decode import blind_network, decode, decode_population, material_network
from neche.network.packing import pack_networks, unit


def test_probes_are_equal_to_a_blind_network_and_differ_to_material():
    packed = pack_networks([blind_network(), material_network(), material_network()])
    blind, material, same = evaluate_probes(packed, 1)
    assert not blind.any()
    assert len(np.unique(material)) > 2
    assert (material == same).all()


def test_a_probe_after_random_play_is_worth_at_most_what_is_on_the_board():
    packed = pack_networks([material_network()])
    (men,) = evaluate_probes(packed, 1)
    assert men.shape == (NUM_PROBES,)
    assert (men == np.round(men)).all()
    assert 0 < np.abs(men).max() <= 24


def test_probes_depend_on_the_seed_alone():
    packed = pack_networks([material_network()])
    assert (evaluate_probes(packed, 1) == evaluate_probes(packed, 1)).all()
    assert (evaluate_probes(packed, 1) != evaluate_probes(packed, 2)).any()


def test_a_man_is_worth_1_to_material_and_0_to_a_blind_network():
    packed = pack_networks([blind_network(), material_network("antisymmetric"), material_network()])
    material, blind = value_men(packed, [2, 0], 1)
    anywhere = ~np.isnan(material)
    assert (material[anywhere] == 1).all()
    assert (blind[anywhere] == 0).all()
    # no own man stands on the last row, and few on the rows before it
    assert {DARK_8X8.squares[sensor] for sensor in np.flatnonzero(~anywhere)} >= {"B8", "D8", "F8", "H8"}
    assert anywhere.sum() >= 20


def test_material_values_the_men_of_another_game_with_the_same_sensors():
    (men,) = value_men(pack_networks([material_network()]), [0], 1, name="brazilian")
    assert (men[~np.isnan(men)] == 1).all()


def test_a_man_is_worth_what_a_hidden_neuron_makes_of_it_from_either_side():
    """Sensor 0, A1, feeds a hidden neuron that is always on."""
    genes = ((0, 39, 2_0000), (32, 39, 50_0000), (39, 63, 3_0000))
    source, sink, weight = np.array(genes).T
    network = decode(write_genes(Genes(source, sink, weight + WEIGHT_ZERO)))
    (men,) = value_men(pack_networks([network]), [0], 1)
    assert men[0] == 6
    assert not men[1:][~np.isnan(men[1:])].any()


def test_probes_are_in_the_weight_units_of_each_network():
    rng = np.random.default_rng(3)
    networks = decode_population(
        rng.integers(4, size=(12, 3200), dtype=np.uint8), perspective="antisymmetric"
    )
    packed = pack_networks([*networks, blind_network()])
    assert len({unit(packed, index) for index in range(13)}) > 2
    assert _units(packed, range(13)).tolist() == [[unit(packed, index)] for index in range(13)]
