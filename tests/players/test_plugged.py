"""Plug-in functions: their arguments, the text of their faults, and when their digest changes."""

import pickle
import re
import subprocess
import sys
import textwrap
from collections import deque
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from joblib.externals.loky.backend.reduction import dumps

from neche.errors import InputError
from neche.players.plugged import KINDS, Plugin, finite_number, load_plugins, whole_numbers

HEAD = "import neche\n\n"


@pytest.fixture(autouse=True)
def _forget_the_files(monkeypatch):
    """Forget loaded files: each is a module, and other tests may have one of the same name."""
    known = set(sys.modules)
    yield
    for name in set(sys.modules) & {"mine", "again"} - known:
        del sys.modules[name]


def written(folder, text, name="mine.py"):
    path = folder / name
    path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    return path


def only(path):
    (plugin,) = load_plugins(path)
    return plugin


@pytest.mark.parametrize("kind", [kind for kind, names in KINDS.items() if names[-1] == "rng"])
def test_a_function_without_random_draws_may_leave_out_the_generator(kind):
    names = ", ".join(KINDS[kind][:-1])
    functions: dict[str, Any] = {}
    exec(f"def plain({names}): return ({names},)", functions)
    given = range(len(KINDS[kind]))
    assert Plugin.of(kind, functions["plain"])(*given) == tuple(given)[:-1]


@pytest.mark.parametrize("function", [lambda: 0, lambda a, b, c, d: 0])
def test_a_function_of_other_parameters_is_refused_by_name(function):
    with pytest.raises(
        InputError, match=r"^mutation <lambda> \(test_plugged.py:\d+\): must take \(genome, rng\)"
    ):
        Plugin.of("mutation", function)


def test_a_function_that_asks_for_what_its_kind_is_not_told_hears_what_it_may_ask_for():
    with pytest.raises(InputError, match=r"must take \(network, rng\), and may ask for generation$"):
        Plugin.of("fitness", lambda network, rng, networks: 0)
    with pytest.raises(InputError, match=r"rng\), and may ask for generation, networks, members, memory$"):
        Plugin.of("ranking", lambda count: 0)


@pytest.mark.parametrize(
    "function",
    [
        lambda genome, rng, generation: (rng, generation),
        lambda genome, rng, *, generation: (rng, generation),
    ],
)
def test_a_function_gets_by_name_what_it_asks_for(function):
    assert Plugin.of("mutation", function)(0, 1, generation=7) == (1, 7)


def test_a_function_without_random_draws_gets_it_too():
    assert Plugin.of("fitness", lambda network, generation: generation)(0, None, generation=7) == 7


def test_a_parameter_with_a_default_keeps_it_and_other_kinds_are_given_nothing():
    own = Plugin.of("mutation", lambda genome, *, generation=5: generation)
    assert own(0, None, generation=7) == 5
    with pytest.raises(InputError, match=r"must take \(board, rng\)$"):
        Plugin.of("player", lambda board, rng, *, generation: board)


def test_a_built_in_function_is_refused():
    with pytest.raises(InputError, match="fitness: a plain function is needed, not builtin_function"):
        Plugin.of("fitness", max)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("return 1 / len(genome[:0])", "ZeroDivisionError: division by zero (line 5)"),
        ("raise SystemExit(0)", "SystemExit: 0 (line 5)"),
        ("return genome.nothing", "has no attribute 'nothing' (line 5)"),
    ],
)
def test_an_exception_of_a_function_is_one_line_with_its_place(tmp_path, body, fault):
    plugin = only(written(tmp_path, f"@neche.plugin.mutation\ndef odd(genome):\n    {body}\n"))
    with pytest.raises(InputError) as error:
        plugin(np.zeros(16, np.uint8), None)
    assert str(error.value).startswith("mutation odd (mine.py:3): ")
    assert str(error.value).endswith(fault)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1\n", "it has no plug-in"),
        ("def f(:\n", "SyntaxError: invalid syntax"),
        ("raise KeyError('x')\n", "KeyError: 'x' (line 3)"),
        ("exit(0)\n", "SystemExit: 0 (line 3)"),
        ("@neche.plugin.mutation\ndef f(): ...\n", "must take (genome, rng)"),
    ],
)
def test_a_faulty_file_is_refused_in_one_line(tmp_path, text, fault):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_plugins(path)
    assert str(error.value).startswith(f"{path}: ")
    assert fault in str(error.value)


@pytest.mark.parametrize("name", ["none.py", "text.txt", "."])
def test_a_path_that_is_no_python_file_is_refused(tmp_path, name):
    (tmp_path / "text.txt").write_text("x")
    with pytest.raises(InputError, match="no such Python file"):
        load_plugins(tmp_path / name)


USED = """\
RATE = 0.25
TABLE = {(1, 2): [3.0], "a": {4, 5}}

def other():
    return 1

class Rule:
    size = 3

    def apply(self, genome):
        return genome[: self.size]

def helper(genome):
    return genome if genome.sum() * RATE > len(TABLE) else Rule().apply(genome)

@neche.plugin.mutation
def mine(genome):
    return helper(genome)
"""


CHANGES = [
    ("0.25", "0.5"),
    ("(1, 2)", "(1, 3)"),
    ("{4, 5}", "{4, 6}"),
    ("size = 3", "size = 4"),
    (": self", ":: self"),
    ("> len", ">= len"),
    ("return helper(genome)", "return helper(genome[::-1])"),
]


def test_the_digest_changes_with_everything_a_function_uses_and_nothing_else(tmp_path):
    before = only(written(tmp_path, USED)).digest
    assert only(written(tmp_path, USED)).digest == before
    for old, new in (
        ("def other():\n    return 1", "def other():\n    return 2"),
        ("RATE =", "# words\nRATE ="),
    ):
        assert only(written(tmp_path, USED.replace(old, new), "again.py")).digest == before
    for number, (old, new) in enumerate(CHANGES):
        assert old in USED
        assert only(written(tmp_path, USED.replace(old, new), f"other{number}.py")).digest != before


def test_the_digest_is_that_of_the_code_that_was_loaded_even_if_its_file_changes(tmp_path):
    text = """
        RATE = 0.1
        known = {}

        @neche.plugin.mutation
        def letters(genome, rng):
            known[len(known)] = RATE
            return genome
    """
    before = only(written(tmp_path, text))
    before(np.zeros(4, np.uint8), None)
    written(tmp_path, text.replace("0.1", "0.2"))
    assert before.digest == only(written(tmp_path, text, "again.py")).digest
    assert before.digest != only(tmp_path / "mine.py").digest


def test_a_copy_without_a_file_name_keeps_its_digest_and_its_place(tmp_path):
    # cloudpickle 3.1.3 removes the file name from the code that is sent to workers
    (tmp_path / "mine.py").write_text(
        "import neche\n@neche.plugin.mutation\ndef letters(genome, rng):\n    return genome\n"
    )
    (plugin,) = load_plugins(tmp_path / "mine.py")
    sent = pickle.loads(dumps(plugin))
    plugin.function.__code__ = plugin.function.__code__.replace(co_filename="<dynamic-code>")
    (tmp_path / "mine.py").write_text("")
    assert sent.digest == plugin.digest
    assert "letters (mine.py:2)" in str(sent.fault("slow"))


# Python 3.13 keeps the text of `python -c` as "<string>", which is also the name of what `exec` runs.
WITHOUT_SOURCE = """
from neche.errors import InputError
from neche.players.plugged import Plugin
exec("def typed(genome): return genome")
exec("class Typed:\\n def part(self, genome): return genome")
def through(genome): return Typed().part(genome)
plugins = [Plugin.of("mutation", function) for function in (typed, through)]
assert [plugin(3, None) for plugin in plugins] == [3, 3]
for plugin in plugins:
    try:
        print(plugin.digest)
    except InputError as fault:
        print(fault)
"""


@pytest.mark.parametrize("is_in_command", [False, True])
def test_a_function_without_source_is_called_but_has_no_digest(is_in_command, tmp_path):
    (tmp_path / "script.py").write_text(WITHOUT_SOURCE)
    words = ["-c", WITHOUT_SOURCE] if is_in_command else ["script.py"]
    told = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout.splitlines()
    assert len(told) == 2
    assert re.match(r"mutation typed .*: its source cannot be read", told[0])
    assert re.match(r"mutation through .*: its source cannot be read", told[1])


def anything(event):
    """Stand in for a plug-in."""


@pytest.mark.parametrize(
    "value",
    [None, "1", [1.0], np.zeros(2), float("nan"), float("inf"), 1j, {}, np.complex64(1), np.ma.masked],
)
def test_a_value_that_is_no_finite_number_is_refused(value):
    with pytest.raises(
        InputError, match=r"listener anything \(test_plugged.py:\d+\): returned .* finite number"
    ):
        finite_number(Plugin.of("listener", anything), value)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_whole_number_too_large_for_a_float_is_refused(digits):
    with pytest.raises(InputError, match="returned a number that is too large"):
        finite_number(Plugin.of("listener", anything), 10**digits)


@pytest.mark.parametrize("value", [1, 2.5, np.float32(3), np.array(4), True, Fraction(1, 2), 10**20])
def test_numbers_of_every_type_are_accepted(value):
    assert finite_number(Plugin.of("listener", anything), value) == float(value)


@pytest.mark.parametrize("value", [None, "12", [1], [1, 5], [1, -1], [[1, 2]], [1.0, 2.0], [[1], [2, 3]]])
def test_values_that_are_no_whole_numbers_of_the_shape_are_refused(value):
    with pytest.raises(InputError, match=r"not whole numbers 0 … 4 of shape \[2\]"):
        whole_numbers(Plugin.of("listener", anything), value, (2,), 5)
    assert whole_numbers(Plugin.of("listener", anything), [4, 0], (2,), 5).tolist() == [4, 0]


def test_any_callable_may_be_a_listener():
    heard: list[Any] = []
    Plugin.of("listener", heard.append)("event")
    assert heard == ["event"]
    with pytest.raises(InputError, match=r"^listener pop: IndexError: pop from empty list"):
        Plugin.of("listener", [].pop)(0)


def test_a_listener_may_be_a_function_with_unknown_parameters():
    newest = deque[str](maxlen=1)
    for event in ("first", "last"):
        Plugin.of("listener", newest.append)(event)
    assert [*newest] == ["last"]
