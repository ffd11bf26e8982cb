"""Networks learn the same on CUDA devices as on the CPU: always in the simulator, with --gpu on a device."""

import json
import os
import re
import subprocess
import sys

import pytest

from neche.compiled import cuda
from neche.prediction.coevolution_gpu import coevolve_all
from tests.prediction.simulated import (
    ROOT,
    Case,
    grown_on_the_cpu,
    grown_on_the_device,
    in_the_simulator,
    plan_of,
    tasks_of,
)
from tools.bench import gpu_learning, kernel_code

CASES = {
    "as usual": Case(hidden=3, networks=2, pairs=8, batches=3),
    "blocks of one thread": Case(block=1, batch=3, pairs=2, hidden=1),
    "blocks larger than all": Case(block=96),
    "a launch a sample": Case(room_bytes=1, batch=3, networks=2, hidden=1),
    "launches that end within a batch": Case(room_bytes=60, block=24),
    "no hidden neuron": Case(hidden=0, pairs=1, networks=3, batches=2),
    "genes, both views": Case(of_genes=True, networks=2, batches=2),
    "genes, no hidden neuron, both views": Case(of_genes=True, hidden=0, networks=3, pairs=5),
    "genes, launches that end within a batch": Case(of_genes=True, hidden=1, room_bytes=100, block=7),
    "wide": Case(hidden=16, pairs=5, block=32),
    "a whole word of pairs": Case(hidden=1, pairs=64, block=32, batch=3),
    "pairs of three words": Case(hidden=1, pairs=130, block=32, batch=2),
    "all pairs there may be": Case(hidden=1, pairs=256, block=64, batch=2),
    "brazilian": Case("brazilian"),
    "international": Case("international"),
    "othello": Case("othello"),
    "othello of genes": Case("othello", of_genes=True),
}


@pytest.fixture(scope="module")
def simulated():
    """Run all cases in one simulator, which is slow to start."""
    answer = in_the_simulator("-m", "tests.prediction.simulated", text=json.dumps(list(CASES.values())))
    return dict(zip(CASES, json.loads(answer), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_networks_learn_the_same_in_the_simulator_as_on_the_cpu(simulated, case):
    assert simulated[case] == grown_on_the_cpu(CASES[case])
    begun = [task.neurons.tobytes().hex() for task in tasks_of(CASES[case])]
    assert not set(begun) & set(simulated[case])


def test_nothing_to_learn_needs_no_device():
    (task,) = tasks_of(Case(networks=1))
    assert coevolve_all(task.wiring, task.samples, [], plan_of(Case()), []) == []


def test_the_tool_sees_whether_a_device_is_right_and_how_fast_it_is():
    code = (
        "from tools.bench.gpu_learning import *;"
        "task = task_of('default', 50);"
        "plan = task.plan._replace(batches=1, batch=3, pairs=2);"
        "task = task._replace(plan=plan, neurons=[one[:3] for one in task.neurons[:2]]);"
        "print(is_right(task), rate_of(task, 0.01) > 0, task.judged);"
        "coevolution_gpu.coevolve_all = lambda *arguments: task.neurons;"
        "print(is_right(task))"
    )
    assert in_the_simulator("-c", code).split() == ["True", "True", "72", "False"]


compiled = pytest.mark.kernels
MOST_REGISTERS = {"sum_samples": 80, "judge": 40, "recombine": 32}


@pytest.fixture(scope="module")
def codes():
    assert not kernel_code.missing(), kernel_code.missing()
    return {
        name: kernel_code.assemble(gpu_learning.ptx_of(name, (9, 0)), (9, 0)) for name in gpu_learning.KERNELS
    }


@compiled
@pytest.mark.parametrize("name", gpu_learning.KERNELS)
def test_kernels_have_few_registers_and_spill_nothing(codes, name):
    assert codes[name].registers <= MOST_REGISTERS[name]
    assert (codes[name].stack, codes[name].spills) == (0, 0)


@compiled
@pytest.mark.parametrize("name", gpu_learning.KERNELS)
def test_kernels_round_every_operation_as_the_cpu_does(name):
    # Without an explicit rounding mode, NVIDIA's assembler may fuse a product and a sum.
    arithmetic = re.findall(
        r"\b(?:add|sub|mul|div|sqrt|fma|mad|rcp|rsqrt)[.\w]*\.f(?:32|64)\b", gpu_learning.ptx_of(name, (9, 0))
    )
    assert set(arithmetic) <= {f"{one}.rn.f32" for one in ("add", "sub", "mul", "div", "sqrt")}
    assert {"mul.rn.f32", "add.rn.f32"} <= set(arithmetic)


@compiled
def test_loops_are_as_long_as_documented(codes):
    work, documented = gpu_learning.work_of(codes), gpu_learning.DOCUMENTED
    assert work.summed <= documented.summed
    assert work.recombined <= documented.recombined
    assert all(work.judged[views] <= documented.judged[views] for views in (1, 2))


@compiled
def test_the_tool_tells_the_limits_and_that_there_is_no_device():
    command = [sys.executable, "-W", "error", "-m", "tools.bench.gpu_learning", "--samples", "50"]
    hidden = os.environ | {"NUMBA_ENABLE_CUDASIM": "0", "CUDA_VISIBLE_DEVICES": "-1"}
    answer = subprocess.run(command, cwd=ROOT, env=hidden, capture_output=True, text=True)
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    for recipe in gpu_learning.RECIPES:
        assert re.search(rf"^{recipe}: .* limit issue \d+", answer.stdout, re.MULTILINE)


LOOP = """
.L_x_1:
        /*0000*/                   MUFU.RSQ R0, R1 ;
        /*0010*/              @!P0 BRA `(.L_x_2) ;
        /*0020*/                   CALL.REL.NOINC `(slow) ;
        /*0030*/                   BRA `(.L_x_3) ;
.L_x_2:
        /*0040*/                   FMUL R0, R1, R0 ;
.L_x_3:
        /*0050*/               @P1 BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
"""


def test_the_path_around_a_loop_leaves_out_called_code():
    (way,) = kernel_code.ways_round(LOOP)
    assert [line.split()[0] for line in way] == ["MUFU.RSQ", "@!P0", "FMUL", "@P1"]


def test_a_limit_is_the_rate_of_a_unit_over_the_work_of_a_batch():
    task = gpu_learning.task_of("wide", 10)
    bounds = gpu_learning.limits(task, gpu_learning.Work({1: 100.0, 2: 0.0}, 0.0, 0.0), 10, 1.0)
    # a pair is two individuals
    assert bounds["issue"] == pytest.approx(10e9 * 128 * 2 / 100)
    assert bounds["roots and reciprocals"] == pytest.approx(10e9 * 16 * 2 / 4)
    assert gpu_learning.limits(task, gpu_learning.DOCUMENTED, 10, 1.0)["issue"] < bounds["issue"]


@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES)
def test_networks_learn_the_same_on_a_device_as_on_the_cpu(case):
    cuda.require_device()
    assert grown_on_the_device(CASES[case]) == grown_on_the_cpu(CASES[case])


@pytest.mark.gpu
@pytest.mark.parametrize("recipe", gpu_learning.RECIPES)
def test_members_of_recipes_learn_the_same_on_a_device_as_on_the_cpu(recipe):
    cuda.require_device()
    task = gpu_learning.task_of(recipe)
    assert gpu_learning.is_right(task)
