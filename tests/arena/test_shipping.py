"""Batches sent to other processes: they play the same games there and take few bytes."""

import pickle

import joblib
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from neche.arena import playing
from neche.arena.playing import Contestants, GameBatch, play_batch, play_games
from neche.arena.shipping import members_only, packed_arrays, unpacked_arrays
from neche.games.catalogue import game
from neche.games.draws import TRAINING_DRAWS
from neche.genome.dna import random_genome
from neche.network.decode import blind_network, decode_population, material_network
from neche.network.packing import pack_networks
from neche.network.topology import dense_topology
from tests.arena.games import pairings_of
from tests.arena.players import Fancy
from tests.genome.drawn import random_strands

NUMBERS = st.sampled_from([np.int64, np.int32, np.uint64, np.int16]).flatmap(
    lambda kind: arrays(kind, st.integers(0, 300))
)


@given(st.lists(NUMBERS, max_size=4))
def test_arrays_come_back_as_they_were_and_writable(given_arrays):
    found = unpacked_arrays(packed_arrays(given_arrays))
    assert len(found) == len(given_arrays)
    for array, expected in zip(found, given_arrays, strict=True):
        assert array.dtype == expected.dtype
        assert array.tolist() == expected.tolist()
        assert array.flags.writeable


def random_networks(count, seed=0):
    draw = np.random.default_rng(seed)
    return decode_population([random_genome(200, draw) for _ in range(count)], perspective="antisymmetric")


def dense_networks(hidden, count, second=0):
    topology = dense_topology(128, hidden, second)
    genomes = random_strands(topology.strand_format, np.random.default_rng(hidden), sd=0.5, count=count)
    return decode_population(genomes, perspective="mover", topology=topology)


@pytest.fixture(scope="module")
def field():
    """Return networks of genes and of strands, of several widths, with and without hidden neurons."""
    networks = [material_network(), *dense_networks(3, 2), blind_network(), *random_networks(3)]
    networks += [*dense_networks(40, 1), *dense_networks(0, 1), *dense_networks(3, 1)]
    networks += [*dense_networks(3, 1, 2), *dense_networks(40, 1, 32), *dense_networks(4, 1)]
    return Contestants.of(networks, [1 + index % 2 for index in range(len(networks))])


def columns(results):
    return {name: column.tolist() for name, column in results._asdict().items()}


@given(st.data())
def test_a_batch_plays_the_same_games_after_it_was_sent(field, data):
    someone = st.integers(0, len(field.depths) - 1)
    first, second = (data.draw(st.lists(someone, min_size=1, max_size=6)) for _ in range(2))
    schedule = pairings_of(first, second, 4, seed=data.draw(st.integers(0, 9)))
    batch = GameBatch(field, schedule, TRAINING_DRAWS)
    sent = pickle.loads(pickle.dumps(batch))
    assert len(sent.contestants.depths) == len({*schedule.first.tolist(), *schedule.second.tolist()})
    assert columns(play_batch(sent)) == columns(play_batch(batch))


def test_members_can_be_selected_from_all_and_from_a_selection(field):
    whole = members_only(field.packed, np.arange(len(field.depths)))
    assert whole.words.tolist() == field.packed.words.tolist()
    assert whole.rows.tolist() == field.packed.rows.tolist()
    part = members_only(members_only(field.packed, np.array([1, 4, 7, 9])), np.array([3, 0]))
    expected = members_only(field.packed, np.array([9, 1]))
    assert part.words.tolist() == expected.words.tolist()
    assert part.rows.tolist() == expected.rows.tolist()


def test_rows_that_are_sums_of_others_are_computed_on_arrival():
    networks = [*dense_networks(40, 2), *dense_networks(0, 1), *dense_networks(3, 1, 2)]
    packed = pack_networks(networks, game("othello").sensors)
    contestants = Contestants(packed, np.ones(len(networks), np.int64), "othello")
    batch = GameBatch(contestants, pairings_of([0, 1, 3], [3, 2, 1], 2), TRAINING_DRAWS)
    data = pickle.dumps(batch)
    sent = pickle.loads(data)
    assert sent.contestants.packed.rows.tolist() == packed.rows.tolist()
    assert columns(play_batch(sent)) == columns(play_batch(batch))
    # a tenth of the rows is sent, and the packed networks are unchanged
    assert len(data) < 0.2 * packed.rows.nbytes
    assert packed.rows.tolist() == pack_networks(networks, game("othello").sensors).rows.tolist()


def test_players_and_start_positions_are_sent_with_their_contestants():
    brazilian = game("brazilian")
    fens = ("W:W21,22,K30:BK4", "B:W21,22,K30:B1,2", "W:W32:B1")
    packed = pack_networks([blind_network()] * 3)
    players = (Fancy(), None, Fancy())
    starts = tuple(map(brazilian.parse_fen, fens))
    contestants = Contestants(packed, np.zeros(3, np.int64), "brazilian", players, starts)
    batch = GameBatch(contestants, pairings_of(2, 1, 3, opening_plies=0), brazilian.draws)
    sent = pickle.loads(pickle.dumps(batch))
    assert [player is None for player in sent.contestants.players] == [True, False]
    assert sent.contestants.starts == starts[1:]
    assert columns(play_batch(sent)) == columns(play_batch(batch))


@pytest.mark.parametrize("count", [100, 1000])
def test_a_game_of_a_generation_is_shipped_in_less_than_300_bytes(count):
    contestants = Contestants.of(random_networks(count), 2)
    draw = np.random.default_rng(1)
    # like a level of the ranking: all members meet a pivot, in batches of some hundred games
    schedule = pairings_of(draw.permutation(count).tolist(), [3], 75)
    assert len(contestants.packed.words) * 8 > 4_000 * count
    size = len(pickle.dumps(GameBatch(contestants, schedule, TRAINING_DRAWS)))
    assert size < 300 * len(schedule.first)


@pytest.mark.parametrize("backend", ["sequential", "threading"])
def test_batches_are_not_packed_where_memory_is_shared(field, backend, monkeypatch):
    def packs(batch):
        raise AssertionError("packed")

    monkeypatch.setattr(GameBatch, "__reduce__", packs)
    monkeypatch.setattr(playing, "_batches", lambda *_: [(0, 10), (10, 20)])
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert len(play_games(field, pairings_of(0, 1, 10), TRAINING_DRAWS).outcome) == 20


@pytest.mark.parametrize("seconds", [0.1, 1.0, 10.0])
def test_batches_for_processes_are_longer_and_hold_every_game_once(seconds, monkeypatch):
    monkeypatch.setattr(playing, "_GAME_SECONDS", seconds / 1000)
    contestants, games = Contestants.of([blind_network()], 0), pairings_of(0, 0, 500)

    def cut(backend):
        with joblib.parallel_config(backend=backend, n_jobs=64):
            return playing._batches(contestants, games)

    shared, shipped = cut("threading"), cut("loky")
    assert [game for begin, end in shipped for game in range(begin, end)] == list(range(1000))
    assert len(shipped) <= len(shared)
    # handing all batches over, one after another, takes no longer than playing one of them
    assert len(shipped) * playing._HAND_OVER_SECONDS <= 1.1 * seconds / len(shipped)
