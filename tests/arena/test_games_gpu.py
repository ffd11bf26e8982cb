"""Games on CUDA devices equal those on the CPU: always in the simulator, with --gpu on a device."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from neche.arena import games_gpu
from neche.arena.playing import Contestants
from neche.compiled import cuda
from neche.errors import InputError
from neche.games.catalogue import GAMES
from neche.games.draws import TOURNAMENT_DRAWS
from neche.network.decode import blind_network
from tests.arena.simulated import (
    MANY_GENES,
    PATTERNS,
    RULE,
    STRANDS,
    Case,
    as_lists,
    games_of,
    played_on_the_cpu,
    played_on_the_device,
)
from tests.arena.test_shipping import dense_networks
from tests.prediction.simulated import ROOT, in_the_simulator
from tools.bench import gpu_games, kernel_code

CASES = {
    "depth 2": Case(),
    "depth 1, blocks of one thread": Case(depths=(1,), block=1),
    "depths mixed, random movers too, launches of few games": Case(
        depths=(1, 2, 0), games_a_launch=5, block=3
    ),
    "blocks larger than all": Case(pairs=2, block=96),
    "a launch a game": Case(pairs=2, games_a_launch=1),
    "strands": Case(ways=STRANDS),
    "strands of patterns": Case(ways=PATTERNS, pairs=2),
    "genes that write a dense network": Case(ways=MANY_GENES),
    "moves that find no room": Case(spare_moves=12),
    "no opening": Case(most_opening_plies=0, pairs=3),
    "othello": Case("othello", depths=(1, 2), pairs=4),
    "othello of strands": Case("othello", ways=STRANDS, pairs=2),
}
SLOW = {
    "brazilian": Case("brazilian", depths=(2, 1)),
    "brazilian, moves that find no room": Case("brazilian", ways=STRANDS, spare_moves=20),
    "international": Case("international", pairs=3),
    "international of strands": Case("international", ways=STRANDS, depths=(1, 2), pairs=3),
    "many games": Case(pairs=300, depths=(1, 2)),
    "many games of othello": Case("othello", pairs=100, depths=(1, 2), ways=STRANDS),
}


def simulated(cases):
    """Play all cases in one simulator, which is slow to start."""
    answer = in_the_simulator("-m", "tests.arena.simulated", text=json.dumps(list(cases.values())))
    return dict(zip(cases, json.loads(answer), strict=True))


@pytest.fixture(scope="module")
def games():
    return simulated(CASES)


@pytest.fixture(scope="module")
def more_games():
    return simulated(SLOW)


@pytest.mark.parametrize("case", CASES)
def test_games_in_the_simulator_equal_those_on_the_cpu(games, case):
    assert games[case] == played_on_the_cpu(CASES[case])
    assert len(games[case][0]) == 2 * CASES[case].pairs


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW)
def test_games_of_all_boards_in_the_simulator_equal_those_on_the_cpu(more_games, case):
    assert more_games[case] == played_on_the_cpu(SLOW[case])
    assert {-1, 1} <= set(more_games[case][0])


def test_a_game_whose_moves_do_not_fit_is_played_on_the_cpu():
    code = (
        "from tests.arena.simulated import *;"
        "numbers = [];"
        "play_batch = games_gpu.play_batch;"
        "games_gpu.play_batch = lambda batch: numbers.append(len(batch.schedule.first)) or play_batch(batch);"
        "played_on_the_device(Case(spare_moves=12)), played_on_the_device(Case());"
        "print(*numbers)"
    )
    few, none = map(int, in_the_simulator("-c", code).split())
    assert few > 0
    assert none == 0


def test_no_games_need_no_device():
    contestants, schedule = games_of(Case(pairs=0))
    assert len(games_gpu.play_games(contestants, schedule, RULE).outcome) == 0


@pytest.mark.parametrize(
    ("contestants", "rule", "fault"),
    [
        (Contestants.of([blind_network()], 3), RULE, "depth 3 is more than 2"),
        (Contestants.of([blind_network()], 1), TOURNAMENT_DRAWS, "draws by repetition"),
        (
            Contestants.of([blind_network()], 1, game="checkers").adjudicated("."),
            RULE,
            "players that play move by move",
        ),
        (
            Contestants.of([blind_network(), *dense_networks(3, 1, second=2)], 1),
            RULE,
            "dense networks with two hidden layers",
        ),
    ],
)
def test_games_without_a_kernel_are_refused_in_one_line(contestants, rule, fault):
    _, schedule = games_of(Case(pairs=1))
    with pytest.raises(InputError, match=f"device cuda: {fault}.*; play such games on the CPU$"):
        games_gpu.play_games(contestants, schedule, rule)


compiled = pytest.mark.kernels


@pytest.fixture(scope="module", params=GAMES)
def kernel(request):
    assert not kernel_code.missing(), kernel_code.missing()
    text = gpu_games.ptx_of(request.param, (9, 0))
    return request.param, text, kernel_code.assemble(text, (9, 0))


@compiled
def test_kernels_spill_nothing_and_use_no_memory_but_their_buffers(kernel):
    name, text, code = kernel
    assert code.registers <= gpu_games.DOCUMENTED[name].registers
    assert code.spills == 0
    assert code.stack <= gpu_games.DOCUMENTED[name].stack
    # there are no calls, so no depth of calls has to be guessed
    assert not re.search(r"^\s*call", text, re.MULTILINE)


@compiled
@pytest.mark.parametrize(
    "ways", [(), STRANDS, MANY_GENES, PATTERNS], ids=["genes", "strands", "many genes", "patterns"]
)
def test_compiled_kernels_play_the_games_of_the_cpu(kernel, ways):
    if shutil.which("gcc") is None:
        pytest.skip("there is no compiler of C here")
    name, text, _ = kernel
    case = Case(name, depths=(1, 2, 0), ways=ways, pairs=6 if name == "international" else 20)
    results, done = gpu_games.played_in_c(text, gpu_games.Field(*games_of(case), RULE))
    assert as_lists(results) == played_on_the_cpu(case)
    assert done.executed > 1000 * len(results.outcome)


@compiled
def test_the_tool_tells_the_limits_and_that_there_is_no_device():
    command = [sys.executable, "-W", "error", "-m", "tools.bench.gpu_games", "--game", "checkers"]
    hidden = os.environ | {"NUMBA_ENABLE_CUDASIM": "0", "CUDA_VISIBLE_DEVICES": "-1"}
    answer = subprocess.run(
        [*command, "--compared", "60"], cwd=ROOT, env=hidden, capture_output=True, text=True
    )
    assert answer.returncode == 2, answer.stderr
    assert len(answer.stderr.splitlines()) == 1
    documented = gpu_games.DOCUMENTED["checkers"]
    assert f"checkers: {documented.registers} registers, memory {documented.stack} bytes" in answer.stdout
    (thousands,) = re.findall(r"depth 2: (\d+) k instructions a game; limit", answer.stdout)
    assert 1000 * int(thousands) == pytest.approx(documented.instructions[1], rel=0.05)


def test_the_tool_sees_whether_a_device_is_right_and_how_fast_it_is():
    code = (
        "import argparse; from tools.bench import gpu_games as tool;"
        "options = argparse.Namespace(depth=1, members=4, pairs=1, compared=4, multiprocessors=1, ghz=1.0);"
        "ask = lambda: print(tool.measure('checkers', tool.DOCUMENTED['checkers'], options, ''));"
        "ask();"
        "tool.play_games = lambda field, schedule, rule: tool.no_results(len(schedule.first));"
        "ask()"
    )
    answer = in_the_simulator("-c", code)
    assert "4 games equal to the CPU" in answer
    assert answer.splitlines()[-2:] == ["NOT EQUAL to the CPU: no speed was measured", "False"]


@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES | SLOW)
def test_games_on_a_device_equal_those_on_the_cpu(case):
    cuda.require_device()
    assert played_on_the_device((CASES | SLOW)[case]) == played_on_the_cpu((CASES | SLOW)[case])
