"""The kernels of playouts as machine code, compiled without a GPU for the GPUs they are meant for."""

import numpy as np
import pytest

from neche.compiled import bits
from neche.compiled.jit import jit
from neche.games.playouts import PlayoutRule, QuietRule
from tools.bench import kernel_code

USUAL, WHOLE = QuietRule(np.int32(80)), PlayoutRule()
compiled = pytest.mark.kernels


@pytest.fixture(scope="module")
def assembled():
    """Return a function that gives the machine code for a rule, a compute capability and a game."""
    assert not kernel_code.missing(), kernel_code.missing()
    made = {}

    def assemble(rule, capability, name="checkers"):
        if (rule, capability, name) not in made:
            ptx = kernel_code.ptx_of(rule, capability, name)
            made[rule, capability, name] = kernel_code.assemble(ptx, capability)
        return made[rule, capability, name]

    return assemble


@compiled
@pytest.mark.parametrize("capability", [(9, 0), (8, 0)])
def test_the_usual_kernel_needs_32_registers_and_no_other_memory(assembled, capability):
    code = assembled(USUAL, capability)
    assert code.registers <= 32
    assert (code.stack, code.spills) == (0, 0)


@compiled
def test_the_kernel_with_all_options_spills_nothing(assembled):
    code = assembled(WHOLE, (9, 0))
    assert code.registers <= 48
    assert (code.stack, code.spills) == (0, 0)


@compiled
def test_a_step_has_no_branch_but_the_one_around_the_end_of_a_game(assembled):
    loop = kernel_code.loop_of(assembled(USUAL, (9, 0)).text)
    branches = [line for line in loop.step if " BRA " in f" {line}"]
    assert len(branches) == 2  # around the end of a game, and back to the next step
    assert not any("BRA" in line for line in loop.restart)
    assert not any(word in line for line in loop.step for word in ("LDG", "LDL", "STL", "CALL"))


@compiled
def test_a_step_is_not_longer_than_documented(assembled):
    loop = kernel_code.loop_of(assembled(USUAL, (9, 0)).text)
    assert len(loop.step) <= 141
    assert len(loop.restart) <= 43
    work = kernel_code.work_a_game(loop, kernel_code.steps_a_game(20_000))
    assert min(kernel_code.limits(work, 132, 1.98).values()) > 2e9


# registers under the usual rule and with all options, instructions a step and between two games
OTHERS = {
    "brazilian": (56, 56, 389, 50),
    "international": (90, 91, 654, 80),
    "othello": (64, 80, 437, 52),
}
each_other_game = pytest.mark.parametrize(("name", "most"), OTHERS.items(), ids=OTHERS)


@compiled
@each_other_game
def test_kernels_of_the_other_games_spill_nothing_and_use_no_local_memory(assembled, name, most):
    for rule, registers in ((USUAL, most[0]), (WHOLE, most[1])):
        code = assembled(rule, (9, 0), name)
        assert code.registers <= registers
        assert (code.stack, code.spills) == (0, 0)


@compiled
@each_other_game
def test_a_step_of_the_other_games_is_branch_free_and_not_longer_than_documented(assembled, name, most):
    loop = kernel_code.loop_of(assembled(USUAL, (9, 0), name).text)
    assert len(loop.step) <= most[2]
    assert len(loop.restart) <= most[3]
    assert not any(word in line for line in loop.step for word in ("LDG", "LDL", "STL", "CALL"))
    # around the end of a game, around a search for a king that only some steps need, and back
    assert sum(" BRA " in f" {line}" for line in loop.step) <= 3


@jit
def _bit_operations(word):
    turned = bits.rotate_left(np.uint32(word), np.uint32(9))
    counted = np.uint32(bits.popcount(np.uint32(word)) + bits.lowest_index(np.uint32(word)))
    return np.uint32(turned ^ counted)


@compiled
def test_bit_operations_are_instructions_of_the_gpu():
    from numba import cuda, types

    def kernel(words):
        words[0] = _bit_operations(words[0])

    with kernel_code.pretended_device((9, 0)):
        ptx, _ = cuda.compile_ptx(kernel, (types.uint32[::1],), cc=(9, 0))
    for instruction in ("popc.b32", "shf.l.wrap.b32"):
        assert instruction in ptx


LISTING = """
.L_x_1:
        /*0000*/                   LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT ;
.L_x_2:
        /*0010*/                   POPC R3, R0 ;
        /*0020*/              @!P0 BRA `(.L_x_3) ;
        /*0030*/                   IMAD.WIDE.U32 R4, R5, R6, RZ ;
        /*0040*/                   SEL R7, R7, R8, !P1 ;
.L_x_3:
        /*0050*/               @P0 BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
"""


def test_the_loop_is_the_longest_backward_jump_and_skipped_code_is_the_restart():
    loop = kernel_code.loop_of(LISTING)
    assert [line.split()[0] for line in loop.step] == ["LOP3.LUT", "POPC", "@!P0", "@P0"]
    assert [line.split()[0] for line in loop.restart] == ["IMAD.WIDE.U32", "SEL"]
    assert kernel_code.pipes(loop.step) == {"issue": 4, "ALU": 1, "count bits": 1, "other": 2}


def test_a_limit_is_the_rate_of_a_unit_over_the_work_of_a_game():
    loop = kernel_code.Loop(["SEL R1"] * 8, ["SEL R1"] * 4)
    work = kernel_code.work_a_game(loop, 2.0)
    share = 1 - 0.5**32
    assert work["ALU"] == pytest.approx(2 * (8 + share * 4))
    assert kernel_code.limits(work | {"multiply": 1, "count bits": 1}, 10, 1.0)["ALU"] == pytest.approx(
        10 * 1e9 * 64 / work["ALU"]
    )
