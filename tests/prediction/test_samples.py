"""Samples of self-play, against the same games played move by move in plain Python."""

from dataclasses import replace

import joblib
import numpy as np
import pytest

from neche.arena.draw_counters import GOES_ON, MAX_HISTORY, count_move, draw_reason, new_draw_counters
from neche.arena.game_loop import random_opening
from neche.arena.playing import workspace_of
from neche.compiled.randomness import draw, draw_below
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.contract import is_quiet, outcome, sensor_words
from neche.games.draws import MAX_PLIES, DrawRule
from neche.genome.dna import decode
from neche.network.decode import blind_network
from neche.network.packing import pack_networks, unit
from neche.network.topology import dense_topology, topology_for
from neche.players.source import network_of, read_source
from neche.prediction import samples as module
from neche.prediction.judging import Samples
from neche.prediction.recording import RecordingPlan
from neche.prediction.samples import (
    SamplePlan,
    draw_symmetries,
    excited_sensors,
    join_samples,
    make_samples,
    squash,
    symmetries_of,
    wiring_of,
)
from neche.search.evaluator import network_evaluator
from neche.search.negamax import new_workspace, search_moves
from tests.games.random_games import positions
from tests.network.test_dense import PATTERNS, SENSORS, networks, seen_by_mover
from tests.oracles import strands_twin as dense_twin

RULE = DrawRule(30, False, 0, 60)
STREAMS = (7, 3, "samples")
TOSS = 2.0**-64


def plan_of(name, *recording, result_share=0.25, plies=(2, 5)):
    return SamplePlan(name, RecordingPlan(*recording), RULE, plies, result_share)


def draw_of(key, number):
    return int(draw(np.uint64(key), np.int64(number)))


def words_of(position):
    own, foe, kings = sensor_words(position)
    return [int(word) for word in (own, foe, kings, position.turn)]


class TwinGame:
    """Self-play of a network as `make_samples` documents it; every search begins with an empty table."""

    def __init__(self, name, network, plan):
        self.rules, self.plan = game(name), plan
        self.packed = pack_networks([network], self.rules.sensors)

    def values(self, position, depth):
        """Return the exact value of each move by a search with an empty table."""
        evaluator = network_evaluator(self.packed, np.int64(0), np.int64(position.turn))
        work = new_workspace(self.rules, table_bits=4)
        moves = search_moves(evaluator, work, position, np.int64(depth), np.int64(2), True)
        return work.root[:moves].tolist()

    def choose(self, position, moves, key, ply):
        plan = self.plan.recording
        is_random = plan.play_depth == 0 or draw_of(key, (1 << 40) + ply) * TOSS < plan.random_share
        if moves == 1:
            return 0
        if is_random:
            return int(draw_below(np.uint64(key), np.int64(ply), np.int64(moves)))
        values = self.values(position, plan.play_depth)
        best = [number for number, value in enumerate(values) if value == max(values)]
        return best[int(draw_below(np.uint64(key), np.int64(ply), np.int64(len(best))))]

    def play(self, key, opening, plies):
        """Return the kept positions with their values, and the outcome for each side."""
        workspace = workspace_of(self.rules.name)
        position, ply = random_opening(self.rules.start(), np.int64(plies), np.uint64(opening), workspace)
        history, counters = np.zeros(3 * MAX_HISTORY, np.uint64), new_draw_counters(np.int64(ply))
        kept: list[tuple[object, int]] = []
        for number in range(int(ply), MAX_PLIES):
            moves = self.rules.legal_moves(position)
            if not moves:
                result = int(outcome(position))
                return kept, {int(position.turn): result, 1 - int(position.turn): -result}
            counters, reason = draw_reason(position, counters, RULE, history)
            if reason != GOES_ON:
                return kept, {0: 0, 1: 0}
            plan = self.plan.recording
            if is_quiet(position) and draw_of(key, (1 << 41) + number) * TOSS < plan.keep_share:
                depth = plan.label_depth
                kept.append((position, max(self.values(position, depth)) if depth else 0))
            after = moves[self.choose(position, len(moves), key, number)].after
            counters, position = count_move(position, after, counters, RULE), after
        raise AssertionError("a game without an end")


def test_samples_by_pattern_are_the_same_positions():
    _, (network,) = networks("checkers", 3, 1)
    plan = plan_of("checkers", 1, 2, 0.3, 0.5)
    by_kind, _ = make_samples(network, plan, STREAMS, 3)
    by_pattern, _ = make_samples(network, replace(plan, by_pattern=True), STREAMS, 3)
    assert by_pattern.targets.tolist() == by_kind.targets.tolist()
    # eight groups, then the kings
    assert (by_pattern.counts >= 8).all()
    assert (by_pattern.excited[:, :8] // 81 == np.arange(8)).all()
    sensors = zip(by_kind.excited, by_kind.counts, strict=True)
    kings = [sum(sensor % 64 >= 32 for sensor in seen[:count]) for seen, count in sensors]
    assert (by_pattern.counts - 8).tolist() == kings


def twin_samples(name, network, plan, games):
    """Return the sensors and the target of every kept position, and the number of drawn games."""
    fewest, most = plan.opening_plies
    keys, openings, lengths = (
        stream_keys(STREAMS[0], STREAMS[1], f"samples: {what}", games)
        for what in ("game", "opening", "opening plies")
    )
    twin, rows, drawn = TwinGame(name, network, plan), [], 0
    one = unit(twin.packed, 0)
    for key, opening, length in zip(keys, openings, lengths, strict=True):
        kept, results = twin.play(key, opening, fewest + int(length) % (most - fewest + 1))
        drawn += results[0] == 0
        for position, value in kept:
            share = plan.result_share if plan.recording.label_depth else 1.0
            expected = value / one / np.sqrt(1.0 + (value / one) * (value / one))
            target = (1.0 - share) * expected + share * results[int(position.turn)]
            rows.append((np.flatnonzero(seen_by_mover(name, position)).tolist(), np.float32(target)))
    return rows, drawn


def rows_of(samples):
    return [
        (excited[:places].tolist(), target)
        for excited, places, target in zip(samples.excited, samples.counts, samples.targets, strict=True)
    ]


@pytest.mark.parametrize(
    "recording", [(0, 0, 0.0, 0.5), (1, 2, 0.3, 0.3), (2, 1, 0.0, 1.0), (2, 1, 1.0, 0.2)]
)
@pytest.mark.parametrize("name", GAMES)
def test_samples_are_those_of_games_played_in_plain_python(name, recording):
    _, (network,) = networks(name, 3, 1)
    plan = plan_of(name, *recording)
    made, drawn = make_samples(network, plan, STREAMS, 3)
    expected, num_drawn = twin_samples(name, network, plan, 3)
    assert len(expected) > 10
    assert rows_of(made) == expected
    assert drawn == num_drawn / 3


@pytest.mark.parametrize("by_pattern", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_excited_sensors_are_the_pieces_and_patterns_on_squares_by_name(name, by_pattern):
    rng = np.random.default_rng(4)
    chosen = [positions(name)[index] for index in rng.permutation(len(positions(name)))[:60]]
    boards = np.array([words_of(position) for position in chosen], np.uint64)
    assert set(boards[:, 3]) == {0, 1}
    layout = game(name).sensors
    assert layout is not None
    excited, counts = excited_sensors(layout, boards, by_pattern=by_pattern)
    assert excited.dtype == (np.uint16 if by_pattern else np.uint8)
    for row, position in enumerate(chosen):
        seen = seen_by_mover(name, position, by_pattern=by_pattern)
        assert len(seen) == (PATTERNS if by_pattern else SENSORS)[name]
        assert excited[row, : counts[row]].tolist() == np.flatnonzero(seen).tolist()


@pytest.mark.parametrize("by_pattern", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_games_without_a_kept_position_give_no_sample(name, by_pattern):
    none, some = (
        make_samples(
            blind_network(), replace(plan_of(name, 0, 0, 0.5, kept), by_pattern=by_pattern), STREAMS, 3
        )[0]
        for kept in (1e-300, 1.0)
    )
    assert [len(column) for column in none] == [0, 0, 0]
    joined = join_samples([none, some])
    for column in some._fields:
        assert np.array_equal(getattr(joined, column), getattr(some, column))


def test_targets_mix_the_value_of_the_search_with_the_result_of_the_game():
    _, (network,) = networks("checkers", 3, 1)
    values, results, mixed = (
        make_samples(network, plan_of("checkers", 1, 2, 0.5, 1.0, result_share=share), STREAMS, 8)[0].targets
        for share in (0.0, 1.0, 0.1)
    )
    assert set(results) <= {-1.0, 0.0, 1.0}
    assert {-1.0, 1.0} <= set(results)
    assert mixed == pytest.approx(0.9 * values + 0.1 * results, abs=1e-6)
    assert np.abs(mixed).max() <= 1.0


def test_a_target_is_clipped_to_a_distance_from_the_evaluation():
    (genome,), (network,) = networks("checkers", 3, 1)
    plan = plan_of("checkers", 1, 2, 0.5, 1.0)
    free, _ = make_samples(network, plan, STREAMS, 3)
    clipped, _ = make_samples(network, replace(plan, target_clip=0.1), STREAMS, 3)
    near = []
    for excited, places in zip(free.excited, free.counts, strict=True):
        seen = np.isin(np.arange(SENSORS["checkers"]), excited[:places]).astype(int).tolist()
        near.append(squash(float(dense_twin.evaluate(decode(genome), 3, seen))))
    expected = [min(max(one, low - 0.1), low + 0.1) for one, low in zip(free.targets, near, strict=True)]
    assert clipped.targets == pytest.approx(expected, abs=1e-6)
    assert 0.1 < np.mean(free.targets == clipped.targets) < 0.9


def test_the_kept_share_goes_from_no_position_to_all():
    network = blind_network("antisymmetric")
    none, _ = make_samples(network, plan_of("checkers", 0, 0, 0.0, 0.0), STREAMS, 2)
    assert none.excited.shape[0] == len(none.targets) == 0
    every, _ = make_samples(network, plan_of("checkers", 0, 0, 0.0, 1.0), STREAMS, 20)
    tenth, _ = make_samples(network, plan_of("checkers", 0, 0, 0.0, 0.1), STREAMS, 20)
    assert 0.05 < len(tenth.targets) / len(every.targets) < 0.2
    kept = {tuple(row) for row in every.excited.tolist()}
    assert {tuple(row) for row in tenth.excited.tolist()} <= {row[: tenth.excited.shape[1]] for row in kept}


def test_boards_with_few_and_many_pieces_can_be_joined():
    few = Samples(np.array([[3]], np.uint8), np.array([1], np.uint8), np.zeros(1, np.float32))
    more = Samples(np.array([[1, 2, 5]], np.uint8), np.array([3], np.uint8), np.ones(1, np.float32))
    assert [places for places, _ in rows_of(join_samples([few, more, few]))] == [[3], [1, 2, 5], [3]]


def test_a_game_that_does_not_fit_its_record_keeps_its_result(monkeypatch):
    network = blind_network("antisymmetric")
    plan = plan_of("checkers", 0, 0, 0.0, 1.0)
    whole, drawn = make_samples(network, plan, STREAMS, 6)
    monkeypatch.setattr(module, "_FEWEST_ROWS", 2)
    monkeypatch.setattr(module, "_PLIES_A_GAME", 0)
    cut, same = make_samples(network, plan, STREAMS, 6)
    assert drawn == same
    assert len(cut.targets) == 12
    assert rows_of(cut) == rows_of(whole)[:12]


def test_games_that_are_drawn_late_keep_all_their_positions(monkeypatch):
    plan = replace(plan_of("checkers", 1, 0, 0.0, 1.0), rule=DrawRule(1000, False, 0))
    network = network_of(read_source("default-1"))
    kept, drawn = make_samples(network, plan, STREAMS, 6)
    assert drawn > 0.3
    monkeypatch.setattr(module, "_PLIES_A_GAME", MAX_PLIES)
    whole, _ = make_samples(network, plan, STREAMS, 6)
    assert rows_of(kept) == rows_of(whole)


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_workers_and_batches_change_no_sample(monkeypatch, backend):
    network = blind_network("antisymmetric")
    plan = plan_of("checkers", 0, 0, 0.0, 0.3)
    whole, drawn = make_samples(network, plan, STREAMS, 9)
    monkeypatch.setattr(module, "_GAMES_A_CALL", 4)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        parts, same = make_samples(network, plan, STREAMS, 9)
    assert drawn == same
    assert rows_of(parts) == rows_of(whole)


def test_the_squash_of_values():
    values = np.array([-1e9, -1.0, 0.0, 0.75, 1e9])
    assert squash(values) == pytest.approx([-1.0, -(0.5**0.5), 0.0, 0.6, 1.0])


def test_a_network_whose_view_depends_on_the_viewer_cannot_predict():
    layout = game("checkers").sensors
    assert layout is not None
    with pytest.raises(InputError, match="prediction needs antisymmetric, or mover with strands"):
        wiring_of(topology_for(32), "own", layout)
    assert wiring_of(dense_topology(128, 2), "mover", layout).views == 1
    assert wiring_of(topology_for(32), "antisymmetric", layout).views == 2


@pytest.mark.parametrize("by_pattern", [False, True])
def test_samples_turned_or_mirrored_are_those_of_the_boards(by_pattern):
    rules = game("othello")
    assert rules.sensors is not None
    boards = np.array([words_of(position) for position in positions("othello")[::5]], np.uint64)
    ways = [tuple(range(64)), *rules.symmetries]
    seen = []
    for way in ways:
        turned = boards.copy()
        for column in (0, 1):
            bits = (boards[:, column, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
            turned[:, column] = (bits << np.array(way, np.uint64)).sum(axis=1, dtype=np.uint64)
        excited, counts = excited_sensors(rules.sensors, turned, by_pattern=by_pattern)
        seen.append([set(row[:count].tolist()) for row, count in zip(excited, counts, strict=True)])
    excited, counts = excited_sensors(rules.sensors, boards, by_pattern=by_pattern)
    samples = Samples(excited.copy(), counts, np.zeros(len(counts), np.float32))
    draw_symmetries(samples, symmetries_of(rules, by_pattern=by_pattern), np.uint64(5))
    drawn = [
        next((way for way, forms in enumerate(seen) if forms[row] == set(sensors[:count].tolist())), -1)
        for row, (sensors, count) in enumerate(zip(samples.excited, counts, strict=True))
    ]
    # A symmetric board counts as the first of its equal forms.
    assert set(drawn) == set(range(8))
    assert drawn.count(0) < len(drawn) / 4
    again = Samples(excited.copy(), counts, samples.targets)
    draw_symmetries(again, symmetries_of(rules, by_pattern=by_pattern), np.uint64(5))
    assert again.excited.tolist() == samples.excited.tolist()
