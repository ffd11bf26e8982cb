"""Playouts on CUDA devices equal those on the CPU: always in the simulator, with --gpu on a device."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.compiled import cuda
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule
from neche.montecarlo import playouts_cpu, playouts_gpu
from neche.montecarlo.counting import count_playouts_on
from neche.montecarlo.playout import MAX_GAMES
from neche.montecarlo.playouts_gpu import Shape, count_playouts
from tests.games.draughts.positions import CIRCLES, MOST_CAPTURES
from tests.montecarlo.simulated import answers_of_the_simulator
from tests.oracles import checkers_twin as twin, draughts_twin, othello_twin

CHECKERS = game("checkers")
STUCK = "W:W29:B25,22"
# no game from here ever ends by the rules
SHUT = "W:W21,22,23,24,17,18,19,20,29,K31:B13,14,15,16,9,10,11,12,K2"
FENS = [twin.START, SHUT, *(twin.fen(twin.random_position(seed)) for seed in range(5)), STUCK]
GAMES: dict[str, Any] = {
    "playouts": [41, 1, 0, 17, 64, 33, 100, 3],
    "keys": [2**64 - 1, 0, 1, 2, 2**63, 5, 6, 7],
    "first": [0, 5, 2, 10**12, 4, 2**40 + 1, 6, 0],
}
SHAPES = {
    "as the device is": Shape(64),
    "one thread": Shape(1, 1),
    "more launches than positions": Shape(3, 2, 20),
    "a thread a game, and some without": Shape(1000, 32),
    "launches that end within positions": Shape(40, 8, 100),
}
RULES = {
    "as usual": PlayoutRule(),
    "never drawn": PlayoutRule(quiet_plies=0),
    "by count at ply 30": PlayoutRule(max_plies=30, by_count=1),
    "all options": PlayoutRule(quiet_plies=8, max_plies=50, by_count=1, avoid_cycles=1),
}
CASES = {
    **{f"shape: {name}": (shape, RULES["as usual"]) for name, shape in SHAPES.items()},
    **{f"rule: {name}": (SHAPES["as the device is"], rule) for name, rule in RULES.items()},
}

# positions of the other games with kings, long captures, captures by several ways, and passes
OTHER_FENS = {
    "brazilian": [
        *(draughts_twin.BRAZILIAN.fen(draughts_twin.BRAZILIAN.random_position(seed)) for seed in range(4)),
        *CIRCLES["brazilian"],
        MOST_CAPTURES["brazilian"],
    ],
    "international": [
        *(
            draughts_twin.INTERNATIONAL.fen(draughts_twin.INTERNATIONAL.random_position(seed))
            for seed in range(4)
        ),
        *CIRCLES["international"],
        MOST_CAPTURES["international"],
    ],
    "othello": [
        othello_twin.START,
        *(othello_twin.fen(othello_twin.random_position(seed)) for seed in range(7)),
    ],
}
OTHER_CASES = {
    f"{name}: {rule}": (name, RULES[rule])
    for name in OTHER_FENS
    for rule in ("as usual", "by count at ply 30")
}


def positions():
    return [CHECKERS.parse_fen(fen) for fen in FENS]


@pytest.fixture(scope="module")
def simulated():
    """Run all cases in one simulator, which is slow to start."""
    cases: list[dict[str, Any]] = [
        {"game": "checkers", "fens": FENS, "shape": shape, "rule": rule, **GAMES}
        for shape, rule in CASES.values()
    ]
    cases += [
        {"game": name, "fens": OTHER_FENS[name], "shape": Shape(64), "rule": rule, **GAMES}
        for name, rule in OTHER_CASES.values()
    ]
    return dict(zip((*CASES, *OTHER_CASES), answers_of_the_simulator(cases), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_simulator_counts_what_the_cpu_counts(simulated, case):
    counts, launches = simulated[case]
    expected = playouts_cpu.count_playouts(CHECKERS, positions(), **GAMES, rule=CASES[case][1])
    assert counts == [column.tolist() for column in expected]
    assert sum(launches) == sum(GAMES["playouts"])


@pytest.mark.parametrize("case", OTHER_CASES)
def test_the_simulator_counts_what_the_cpu_counts_in_every_game(simulated, case):
    name, rule = OTHER_CASES[case]
    here = [game(name).parse_fen(fen) for fen in OTHER_FENS[name]]
    expected = playouts_cpu.count_playouts(game(name), here, **GAMES, rule=rule)
    assert simulated[case][0] == [column.tolist() for column in expected]


def test_long_calls_are_divided_into_launches_that_are_reported(simulated):
    assert len(simulated["shape: one thread"][1]) == 1
    assert simulated["shape: more launches than positions"][1][0] == 20
    assert len(simulated["shape: launches that end within positions"][1]) > 1


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=20).filter(any),
    st.integers(1, 5000),
    st.integers(1, 10**7),
)
def test_launches_play_every_game_once_and_fill_the_device(games, threads, first_launch):
    first = np.arange(len(games), dtype=np.int64) * 7
    played = first.copy()
    for launch in playouts_gpu._launches(first, np.array(games), Shape(threads, 32, first_launch)):
        places = slice(launch.offset, launch.offset + len(launch.games))
        assert (launch.first == played[places])[launch.games > 0].all()
        played[places] += launch.games
        assert (launch.threads == np.cumsum(-(-launch.games // launch.games_each))).all()
        assert 1 <= launch.games_each <= MAX_GAMES
        most = max(threads, np.count_nonzero(launch.games))
        assert launch.threads[-1] <= most or launch.games_each == MAX_GAMES
        fewer = launch.games_each - 1
        assert fewer == 0 or (-(-launch.games // fewer)).sum() > most
    assert (played == first + games).all()


def test_a_thread_never_counts_more_games_than_it_can():
    games = np.array([*[1] * 999, 10**9])
    launch = next(playouts_gpu._launches(np.zeros(1000, np.int64), games, Shape(1000, 1, 10**10)))
    assert launch.games_each == MAX_GAMES


def test_nothing_to_play_needs_no_device():
    counts = count_playouts(CHECKERS, positions(), [0] * len(FENS), range(len(FENS)))
    assert [column.tolist() for column in counts] == [[0] * len(FENS)] * 4
    assert [len(column) for column in count_playouts(CHECKERS, [], [], [])] == [0] * 4


def test_whole_moves_are_refused_in_one_line():
    with pytest.raises(InputError, match="whole moves run on the CPU only"):
        count_playouts(CHECKERS, positions()[:1], [1], [1], rule=PlayoutRule(whole_moves=1))
    with pytest.raises(InputError, match="whole moves run on the CPU only"):
        count_playouts(CHECKERS, [(1, 2)], [1], [1])


def test_an_absent_device_is_an_error_and_not_replaced_by_the_cpu(monkeypatch):
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    with pytest.raises(InputError, match="not installed"):
        count_playouts_on("cuda")


@pytest.mark.gpu
@pytest.mark.parametrize(("shape", "rule"), CASES.values(), ids=CASES)
def test_a_device_counts_what_the_cpu_counts(shape, rule):
    cuda.require_device()
    counts = count_playouts(CHECKERS, positions(), **GAMES, rule=rule, shape=shape)
    expected = playouts_cpu.count_playouts(CHECKERS, positions(), **GAMES, rule=rule)
    assert [column.tolist() for column in counts] == [column.tolist() for column in expected]


@pytest.mark.gpu
@pytest.mark.parametrize(("name", "rule"), OTHER_CASES.values(), ids=OTHER_CASES)
def test_a_device_counts_what_the_cpu_counts_in_every_game(name, rule):
    cuda.require_device()
    here = [game(name).parse_fen(fen) for fen in OTHER_FENS[name]]
    counts = count_playouts(game(name), here, **GAMES, rule=rule)
    expected = playouts_cpu.count_playouts(game(name), here, **GAMES, rule=rule)
    assert [column.tolist() for column in counts] == [column.tolist() for column in expected]


@pytest.mark.gpu
def test_wins_of_other_streams_lie_within_four_standard_errors_of_the_cpus_on_200_positions():
    here = [CHECKERS.parse_fen(twin.fen(twin.random_position(seed))) for seed in range(200)]
    playouts = 4000
    on_cpu, on_device = (
        count(CHECKERS, here, [playouts] * 200, stream_keys(seed, 0, "test", 200).tolist())
        for seed, count in ((1, playouts_cpu.count_playouts), (2, count_playouts_on("cuda")))
    )
    for ours, theirs in zip(on_device[:3], on_cpu[:3], strict=True):
        share = (ours + theirs) / (2 * playouts)
        error = np.sqrt(np.maximum(share * (1 - share), 1 / playouts) * 2 / playouts)
        assert (np.abs(ours - theirs) / playouts <= 4 * error).all()
