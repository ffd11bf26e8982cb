"""Blondie24's recipe: sections of the board, draws, selection, resuming."""

import json

import joblib
import numpy as np
import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import geometry_of
from neche.games.sensors import DARK_8X8
from neche.network.forward import evaluate, refresh
from neche.network.packing import pack_networks, unit
from neche.players.spec import parse_player
from tests.oracles.boards import opposite
from tools.studies import blondie24
from tools.studies.blondie24 import (
    BOARDS,
    NUM_WEIGHTS,
    TOPOLOGY,
    Population,
    entries,
    evolve,
    first_parents,
    genomes_of,
    load_state,
    networks_of,
    offspring,
    play_generation,
    run_recipe,
)


@pytest.fixture
def few(monkeypatch):
    """Let 3 parents evolve, with one game each, on one thread."""
    monkeypatch.setattr(blondie24, "PARENTS", 3)
    monkeypatch.setattr(blondie24, "GAMES", 1)
    with joblib.parallel_config(n_jobs=1):
        yield


def test_the_sections_are_those_of_the_paper():
    by_size = [sum(len(board) for board in BOARDS[a:b]) for a, b in ((0, 36), (36, 61), (61, 77), (77, 86))]
    assert len(BOARDS) == 91
    assert by_size == [162, 200, 200, 162], "3×3 of 4 or 5 squares, 4×4 of 8, 5×5 of 12 or 13, 6×6 of 18"
    assert [len(board) for board in BOARDS[86:]] == [25, 24, 24, 25, 32]
    # the paper's 5 046 have a second layer of 10 between the 40 and the output, which networks here have not
    assert 5046 - NUM_WEIGHTS == (40 * 10 + 10 + 10 + 1) - (40 + 1)


def value_of(network, fen, side):
    """Return the value that a network playing for side 0 or 1 gives a position."""
    packed, position = pack_networks([network]), game("checkers").parse_fen(fen)
    side = np.int64(side)
    return evaluate(packed, 0, side, position, refresh(packed, 0, side, position)) / unit(packed, 0)


def sensors_of(position, side):
    """Return what the 32 sensors see of a position from a side."""
    geometry = geometry_of(game("checkers"))
    seen = {
        geometry.coordinates[square].upper(): (1 if piece.side == side else -1) * (2 if piece.is_king else 1)
        for square, piece in geometry.pieces(position).items()
    }
    squares = DARK_8X8.squares
    places = squares if side == 0 else [opposite(square, squares) for square in squares]
    return np.array([seen.get(square, 0) for square in places])


def test_a_network_without_weights_counts_pieces_and_kings_by_their_worth():
    nothing = np.zeros((2, NUM_WEIGHTS))
    members = Population(nothing, nothing, np.array([2.0, 1.4]))
    two, light = networks_of(members)
    positions = ("W:W18,K5:B1", "W:WK32:BK1,2", "W:W30:B4,K6")
    for side in (0, 1):
        sign = abs(value_of(two, positions[0], side)) / value_of(two, positions[0], side)
        assert [sign * value_of(two, fen, side) for fen in positions] == pytest.approx([2.0, -1.0, -2.0])
        assert [sign * value_of(light, fen, side) for fen in positions] == pytest.approx([1.4, -1.0, -1.4])
    assert value_of(two, positions[0], 0) == -value_of(two, positions[0], 1)


def test_a_network_is_what_its_weights_say_layer_by_layer():
    members = first_parents(3).take([0])
    (network,) = networks_of(members)
    rng = np.random.default_rng(0)
    weights, place = members.weights[0], 0

    def take(count):
        nonlocal place
        place += count
        return weights[place - count : place]

    sections = [take(len(board) + 1) for board in BOARDS]
    second = [take(len(BOARDS) + 1) for _ in range(40)]
    last = take(41)
    assert place == NUM_WEIGHTS
    rules = game("checkers")
    for _ in range(20):
        position = rules.start()
        for _ in range(int(rng.integers(30))):
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = moves[int(rng.integers(len(moves)))].after
        fen = rules.format_fen(position)
        for side in (0, 1):
            squares = sensors_of(position, side)
            first = [
                max(0.0, squares[board] @ row[:-1] + row[-1])
                for board, row in zip(BOARDS, sections, strict=True)
            ]
            hidden = [max(0.0, np.array(first) @ row[:-1] + row[-1]) for row in second]
            value = np.array(hidden) @ last[:-1] + last[-1] + squares.sum()
            assert value_of(network, fen, side) == pytest.approx(value, abs=0.01)


def test_children_move_every_weight_by_a_step_of_its_own():
    parents = first_parents(4)
    assert np.abs(parents.weights).max() <= 0.2
    children = offspring(parents, 4, 1)
    moved = (children.weights - parents.weights) / children.steps
    assert abs(moved.std() - 1) < 0.01
    assert abs(np.log(children.steps / 0.05).std() - blondie24.TAU) < 0.001
    assert set(np.round(children.kings, 3)) <= {1.9, 2.0, 2.1}
    again, other = offspring(parents, 4, 1), offspring(parents, 4, 2)
    assert np.array_equal(again.weights, children.weights)
    assert not np.array_equal(other.weights, children.weights)
    bound = parents._replace(kings=np.full(15, 3.0))
    assert offspring(bound, 4, 1).kings.max() == 3.0


def test_a_genome_is_a_player_of_its_own_view(tmp_path):
    genome = genomes_of(first_parents(1).take([0]))[0]
    assert genome.size == 18 * (NUM_WEIGHTS + 32 + 3 * 64)
    network = networks_of(first_parents(1).take([0]))[0]
    assert (network.perspective, network.topology) == ("own", TOPOLOGY)


def test_points_are_given_to_both_sides(few, monkeypatch):
    points, figures = play_generation(first_parents(2), 2, 1, 1)
    won, drawn = divmod(round(3 * (1 - figures["draws"])), 1)
    assert points.sum() == won * (1 - 2) + drawn
    assert figures["nodes"] > 0


def test_a_stopped_evolution_goes_on_to_the_same_parents(few, tmp_path):
    def evolved(folder, generations, seconds=np.inf):
        return list(evolve(tmp_path / folder, seed=5, depth=1, generations=generations, seconds=seconds))

    straight = evolved("a", 2)[-1]
    evolved("b", 1)
    resumed = evolved("b", 2)
    assert len(resumed) == 1
    assert all(np.array_equal(a, b) for a, b in zip(straight.parents, resumed[0].parents, strict=True))
    lines = [json.loads(line) for line in (tmp_path / "b" / "history.jsonl").read_text().splitlines()]
    assert [(line["generation"], line["games"]) for line in lines] == [(1, 6), (2, 12)]
    for kept, line in zip(straight.history, lines, strict=True):
        assert {**kept, "cpu_seconds": 0} == {**line, "cpu_seconds": 0}
    assert evolved("b", 9, seconds=0.0) == []
    with pytest.raises(InputError, match="was begun with"):
        load_state(tmp_path / "b", 6, 1)
    player = parse_player(f"network:file={tmp_path / 'b' / 'champions' / 'b2.fasta'},depth=1")
    assert player.digest == networks_of(resumed[0].parents.take([0]))[0].digest


def test_champions_are_compared_at_equal_games_and_time(few, tmp_path):
    list(evolve(tmp_path / "b", seed=1, depth=1, generations=2, seconds=np.inf))
    words = ("population=8", "genes=20", "ladder_every=1", "ladder_games=0", "champion_candidates=1")
    run_recipe(tmp_path / "r", recipe="tournament-quick", seed=1, generations=1, overrides=words)
    run_recipe(tmp_path / "r", recipe="tournament-quick", seed=1, generations=2, overrides=words)
    costs = blondie24.costs_of(tmp_path / "r" / "costs.jsonl")
    assert [line["generation"] for line in costs] == [0, 1, 2]
    assert [line["games"] for line in costs] == sorted(line["games"] for line in costs)
    found = entries(tmp_path / "b", tmp_path / "r", 1)
    assert [entry.label.partition(", ")[0] for entry in found] == ["Blondie24's recipe", "our recipe"] * 2
    assert found[0].games == 12, "its last, as it has played fewer games in all"
    text = blondie24.compare(tmp_path / "b", tmp_path / "r", games=2, depth=1, seed=1)
    assert text.count("\n| Blondie24's recipe, equal ") == text.count("\n| our recipe, equal ") == 2
    assert "openings of 12 random plies" in text
