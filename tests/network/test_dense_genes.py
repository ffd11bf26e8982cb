"""Genes that wire whole neurons are evaluated as dense networks, with the same values in another unit."""

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.network import packing
from neche.network.decode import decode
from neche.network.folding import NUM_HIDDEN
from neche.network.forward import evaluate, refresh
from neche.network.sensors import default_topology, sensor_layout
from neche.prediction.neurons import random_neurons, write_neurons


@pytest.mark.parametrize("name", ["checkers", "brazilian", "international", "othello"])
def test_values_of_wired_genes_are_the_same_dense_and_folded(name, monkeypatch):
    rules, rng = game(name), np.random.default_rng(7)
    topology, layout = default_topology(rules), sensor_layout(rules)
    neurons = random_neurons(topology, 3000, 0.3, rng)
    neurons[0, 1:] = rng.normal(0, 0.3, neurons.shape[1] - 1)
    genome = write_neurons(neurons, topology, 3000)
    network = decode(genome, perspective="antisymmetric", topology=topology)
    dense = packing.pack_networks([network], layout)
    monkeypatch.setattr(packing, "MANY_SYNAPSES", 10**9)
    folded = packing.pack_networks([network], layout)
    assert dense.words[NUM_HIDDEN] == 0 < folded.words[NUM_HIDDEN]
    position, first = rules.start(), np.int64(0)
    while moves := rules.legal_moves(position):
        position = moves[rng.integers(len(moves))].after
        for side in (np.int64(0), np.int64(1)):
            values = [
                evaluate(packed, first, side, position, refresh(packed, first, side, position))
                for packed in (dense, folded)
            ]
            # a weight unit is 125² of the dense units and 10 000² of the folded ones
            assert values[0] * 6400 == values[1]
        if rng.random() < 0.01:
            break
