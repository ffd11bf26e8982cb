import numpy as np

from neche.arena.probes import NUM_PROBES, evaluate_probes
from neche.network.bank import build_bank
from neche.network.decode import blind_network, material_network


def test_to_a_blind_network_all_probes_are_alike_and_to_material_they_differ():
    bank = build_bank([blind_network(), material_network(), material_network()])
    blind, material, same = evaluate_probes(bank, 1)
    assert not blind.any()
    assert len(np.unique(material)) > 2
    assert (material == same).all()


def test_a_probe_after_random_play_is_worth_at_most_what_is_on_the_board():
    bank = build_bank([material_network()])
    (men,) = evaluate_probes(bank, 1)
    assert men.shape == (NUM_PROBES,)
    assert (men == np.round(men)).all()
    assert 0 < np.abs(men).max() <= 24


def test_probes_belong_to_the_seed():
    bank = build_bank([material_network()])
    assert (evaluate_probes(bank, 1) == evaluate_probes(bank, 1)).all()
    assert (evaluate_probes(bank, 1) != evaluate_probes(bank, 2)).any()
