"""Functions called by Python have machine code, those called by compiled functions do not; results agree."""

import re
import subprocess
import sys

import numpy as np
import pytest

from neche.compiled.jit import jit, jit_allocating, jit_inlined, overload
from neche.compiled.parts import Entry, Part


def make():
    """Return functions that nothing has been compiled of, each calling the one before."""

    def one_more(number):
        return number + 1

    lowest = jit(one_more)

    def twice(number):
        return 2 * lowest(number)

    middle = jit_inlined(twice)

    def total(numbers):
        return middle(numbers[1:].sum())

    return lowest, middle, jit_allocating(total)


def compiled_for_python(function):
    return [type(entry.library) for entry in function._entries.values()]


def test_only_what_python_calls_becomes_machine_code(numbers):
    lowest, middle, highest = make()
    assert highest(numbers) == 12
    assert [compiled_for_python(function) for function in (lowest, middle, highest)] == [[], [], [Entry]]
    assert {type(part.library) for part in (*lowest.overloads.values(), *middle.overloads.values())} == {Part}


def test_a_function_gives_the_same_whoever_called_it_first(numbers):
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        functions = make()
        arguments = (4, 4, numbers)
        found = {which: functions[which](arguments[which]) for which in order}
        assert found == {0: 5, 1: 10, 2: 12}
        assert [compiled_for_python(function) for function in functions] == [[Entry]] * 3


def test_one_compilation_serves_python_and_compiled_callers():
    lowest, middle, _ = make()
    assert (middle(4), lowest(4)) == (10, 5)
    assert max(lowest.stats.cache_misses.values(), default=0) <= 1
    assert len(lowest.overloads) == 1


def trebled(number):
    """Return 3 × number; what it does stands below."""


def test_what_is_registered_by_type_is_linked_in():
    overload(trebled)(lambda number: lambda number: 3 * number)

    def call(number):
        return trebled(number) + 1

    assert jit(call)(4) == 13


MODULE = """
from neche.compiled.jit import jit


@jit
def tell(number):
    print("asked for", number)
    if number > 3:
        raise ValueError("no more than 3")
    return number


@jit
def ask(number):
    return tell(number) + 1


def answers():
    print(ask(2))
    try:
        ask(7)
    except ValueError as error:
        print(error)
"""


def test_called_functions_print_and_raise_when_compiled_and_when_loaded(tmp_path, monkeypatch):
    (tmp_path / "asking.py").write_text(MODULE)
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "code"))
    for hits in ("0", "1"):
        program = "import asking; asking.answers(); print(sum(asking.ask.stats.cache_hits.values()))"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == ["asked for 2", "3", "asked for 7", "no more than 3", hits]


MAKING = """
from neche.compiled.jit import jit_allocating
import numpy as np


@jit_allocating
def squares(count):
    return np.arange(count) ** 2, count


@jit_allocating
def total(count):
    return squares(count)[0].sum()
"""


@pytest.mark.parametrize("first", ["total(4)", "squares(4)[0].sum()"])
def test_arrays_are_returned_by_what_compiled_code_calls_too(tmp_path, monkeypatch, first):
    """A wrapper made from a kept part, or loaded after a caller, lacked what it makes arrays by: a crash."""
    (tmp_path / "making.py").write_text(MAKING)
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "code"))
    array = "making.squares(4)[0].tolist()"
    for asked in (f"making.{first}, {array}", f"making.total(4), {array}", f"{array}, making.total(4)"):
        command = [sys.executable, "-c", f"import making; print({asked})"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() in ("14 [0, 1, 4, 9]", "[0, 1, 4, 9] 14")


def test_arrays_are_returned_by_what_was_kept_for_compiled_callers_alone(tmp_path, monkeypatch):
    (tmp_path / "making.py").write_text(MAKING)
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "code"))
    for asked, found in (("total(4)", "14"), ("squares(4)[0].tolist()", "[0, 1, 4, 9]")) * 2:
        command = [sys.executable, "-c", f"import making; print(making.{asked})"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == found


RECURSION = """
import numpy as np
from neche.compiled.jit import jit


@jit
def ways(steps):
    return 1 if steps <= 1 else ways(steps - 1) + ways(steps - 2)


@jit
def ways_of_six():
    return ways(6)


@jit
def is_even(number):
    return True if number == 0 else is_odd(number - 1)


@jit
def is_odd(number):
    return False if number == 0 else is_even(number - 1)


@jit
def walk(number):
    return 1 if number < 0 else walk(np.int32(number - 1)) + walk(np.float64(number - 1))
"""


@pytest.mark.parametrize("asked", ["ways_of_six(), r.ways(6)", "ways(6), r.ways_of_six()"])
def test_a_function_may_call_itself_with_another_type_than_its_caller_did(tmp_path, monkeypatch, asked):
    """The 6 in the source is a type of its own. The call was left unresolved: an error, then a crash."""
    (tmp_path / "recursion.py").write_text(RECURSION)
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "code"))
    for _ in range(2):
        command = [sys.executable, "-c", f"import recursion as r; print(r.{asked})"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "13 13\n"


CIRCLE = "is_odd and is_even call each other; compiled functions can only call themselves"
IN_TURN = "walk calls itself with other types in turn: (float64 and int32|int32 and float64)"


@pytest.mark.parametrize(("call", "said"), [("is_even(5)", CIRCLE), ("walk(5)", IN_TURN)])
def test_functions_that_call_each_other_are_refused(tmp_path, monkeypatch, call, said):
    """They worked once; when loaded from the cache they crashed."""
    (tmp_path / "recursion.py").write_text(RECURSION)
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "code"))
    program = """
import recursion
from neche.errors import CODE_OF_OTHERS, fault_of_others
CODE_OF_OTHERS.append("recursion.py")
try:
    recursion.CALL
except Exception as error:
    print(fault_of_others(error))
"""
    command = [sys.executable, "-c", program.replace("CALL", call)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.fullmatch(rf"recursion.py, line \d+: cannot be compiled: {said}\n", done.stdout)


@pytest.fixture
def numbers():
    return np.array([9, 2, 3])
