"""The hidden neurons that matter: found again by silencing each of them, and by the weights in the DNA."""

from dataclasses import replace

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network, blind_network
from neche.network.sensors import sensor_squares
from neche.players.source import network_of, read_source
from neche.report.hidden_neurons import draw_neuron, hidden_neurons
from neche.report.piece_values import evaluate, probe_boards
from tests.oracles.boards import SQUARES
from tests.oracles.patterns_twin import sensors

SEED, NUM_BOARDS = 5, 24


def champion(name: str) -> Network:
    return network_of(read_source(name))


def weight(network: Network, source: int, sink: int) -> float:
    found = network.weight[(network.source == source) & (network.sink == sink)]
    return float(found.sum()) / WEIGHT_SCALE


@pytest.mark.parametrize(
    ("name", "board"), [("champion-1", "checkers"), ("wide-2", "checkers"), ("othello-1", "othello")]
)
def test_a_neuron_matters_as_much_as_values_vary_by_it(name, board):
    # a network of genes adds what its neurons say of its own view
    network, rules = champion(name), game(board)
    network = network if network.topology.is_dense else replace(network, perspective="own")
    boards = probe_boards(rules, SEED, NUM_BOARDS)
    whole = evaluate(network, boards, rules)
    effects = {}
    for neuron in range(network.topology.first_layer1, network.topology.first_layer2):
        silenced = replace(network, weight=np.where(network.source == neuron, 0, network.weight))
        effects[neuron] = whole - evaluate(silenced, boards, rules)
    shown = hidden_neurons(network, rules, SEED, NUM_BOARDS)
    spreads = [effects[one.number].std() for one in shown]
    assert spreads == sorted(spreads, reverse=True)
    assert np.allclose(spreads, sorted((one.std() for one in effects.values()), reverse=True)[: len(shown)])
    for one in shown:
        # where a neuron is silent it adds nothing
        assert one.effect == pytest.approx(effects[one.number].sum() / (one.activity * NUM_BOARDS))
        assert np.count_nonzero(effects[one.number]) <= round(one.activity * NUM_BOARDS)


def test_by_kind_and_by_genes_a_man_adds_the_weight_of_its_synapse():
    rules = game("checkers")
    squares = {name: at for at, name in enumerate(sensor_squares(rules))}
    for name, behind in (("wide-2", 64), ("champion-1", None)):
        network = champion(name)
        for one in hidden_neurons(network, rules, SEED, NUM_BOARDS):
            firsts = {"own man": 0} | ({"enemy man": behind} if behind else {})
            assert one.fields.keys() == firsts.keys()
            for kind, first in firsts.items():
                for square, value in one.fields[kind].items():
                    assert value == pytest.approx(weight(network, first + squares[square], one.number))
    # no own man stands where it would have become a king
    fields = hidden_neurons(champion("wide-2"), rules, SEED, NUM_BOARDS)[0].fields
    assert not fields["own man"].keys() & {"1", "2", "3", "4"}
    assert fields["enemy man"].keys() & {"1", "2", "3", "4"}


def test_by_patterns_a_disc_adds_what_it_changes_on_average():
    network, rules = champion("othello-4"), game("othello")
    one = hidden_neurons(network, rules, SEED, NUM_BOARDS)[0]
    names = sensor_squares(rules)
    boards = probe_boards(rules, SEED, NUM_BOARDS)

    def total(board: np.ndarray) -> float:
        stands = {
            name.upper(): (content > 0, "m") for name, content in zip(names, board, strict=True) if content
        }
        excited = np.flatnonzero(sensors("othello", stands, first_moves=True))
        return sum(weight(network, int(source), one.number) for source in excited)

    assert {name.upper() for name in names} == set(SQUARES["othello"])
    for kind, content in (("own disc", 1), ("enemy disc", -1)):
        for at in (0, 9, 28):
            held = [board for board in boards if board[at] == content]
            empty = [np.where(np.arange(len(board)) == at, 0, board) for board in held]
            changes = [total(full) - total(bare) for full, bare in zip(held, empty, strict=True)]
            assert (names[at] in one.fields[kind]) == bool(changes)
            if changes:
                assert one.fields[kind][names[at]] == pytest.approx(np.mean(changes))


def test_a_network_without_such_neurons_shows_none():
    assert not hidden_neurons(blind_network(), game("checkers"), SEED, NUM_BOARDS)


def test_neurons_that_add_the_same_to_every_value_are_not_shown():
    network = champion("champion-1")
    into_hidden = (network.source < network.topology.sensors) & (network.sink < network.topology.output)
    deaf = replace(network, weight=np.where(into_hidden, 0, network.weight))
    assert not hidden_neurons(deaf, game("checkers"), SEED, NUM_BOARDS)


def test_a_picture_has_a_board_for_each_kind_of_man():
    rules = game("checkers")
    one = hidden_neurons(champion("wide-2"), rules, SEED, NUM_BOARDS)[0]
    drawn = draw_neuron(one, rules)
    assert drawn == draw_neuron(one, rules)
    assert f"Neuron {one.number}" in drawn
    assert drawn.count(">own man<") == drawn.count(">enemy man<") == 1
