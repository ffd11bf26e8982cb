"""The digest of a plug-in's source changes exactly if its behaviour can change."""

import os
import subprocess
import sys

import pytest

from neche.errors import InputError
from neche.players.plugged import load_plugins

HEAD = """\
import collections, dataclasses, enum, functools, types
from fractions import Fraction

import numpy as np

import neche

"""
FOOT = """
@neche.plugin.mutation
def mine(genome, rng):
    return genome * USE
"""
DECORATED = """\
def times(number):
    def decorate(function):
        @functools.wraps(function)
        def scaled(*given):
            return number * function(*given)
        return scaled
    return decorate

NUMBER = {}

@neche.plugin.mutation
@times(NUMBER)
def mine(genome, rng):
    return genome
"""
PLAIN = (
    *("np.int64({})", "np.float32({})", "Fraction({})", "range({})", "slice({})", "bytearray([{}])"),
    *("[{}, []]", "{{'a': {{{}, 5}}}}", "collections.deque([{}])", "types.SimpleNamespace(a={})"),
    *(
        "np.array([{}, None], object)",
        "functools.partial(max, {})",
        "[lambda: {}]",
        "np.vectorize(lambda a: {})",
    ),
)
OWN = """\
def use(number, other=0):
    return number * {}
USE = {{"one": use}}
""", """\
def use(number, other=0):
    return number
USE = functools.partial(use, other={})
""", """\
@functools.cache
def use(number):
    return number * {}
USE = [use]
""", """\
class Size(enum.Enum):
    LARGE = {}
USE = Size.LARGE
""", """\
@dataclasses.dataclass
class Rule:
    size: int
    more: list = dataclasses.field(default_factory=list)
USE = Rule({})
""", """\
class Rule:
    def size(self):
        return {}
USE = Rule()
""", """\
class Rule:
    size = {}
class Other(Rule):
    pass
USE = Other
""", """\
class Rule:
    __slots__ = ("size",)
    def __init__(self):
        self.size = {}
USE = Rule()
""", """\
def scaled(number):
    def use(genome):
        return genome * number
    return use
FIRST, SECOND = scaled(1), scaled({})
USE = FIRST, SECOND
""", """\
NUMBER = {}
def USE(genome, number=NUMBER, *, other=1):
    return genome * number
""", """\
NUMBER = {}
def USE(genome, *, number=NUMBER):
    return genome * number
"""  # fmt: skip
SOURCES = [*(f"{HEAD}USE = {one}\n{FOOT}" for one in PLAIN), *(HEAD + one + FOOT for one in OWN)]
SOURCES.append(HEAD + DECORATED)


def digest_of(folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "mine.py").write_text(text)
    (plugin,) = load_plugins(folder / "mine.py")
    return plugin.digest


@pytest.mark.parametrize("source", SOURCES)
def test_a_number_anywhere_in_what_a_function_uses_changes_its_digest(tmp_path, source):
    before = digest_of(tmp_path / "before", source.format(2))
    assert digest_of(tmp_path / "again", source.format(2)) == before
    assert digest_of(tmp_path / "after", source.format(3)) != before


def test_objects_that_contain_themselves_have_a_digest(tmp_path):
    text = f"{HEAD}USE = [1]\nUSE.append(USE)\nclass Rule: pass\nRULE = Rule()\nRULE.own = RULE\n"
    text += FOOT.replace("USE", "(USE, RULE)")
    assert digest_of(tmp_path / "one", text) == digest_of(tmp_path / "two", text)


UNREADABLE = {
    "KeyError: 'py_func'": """\
class Late:
    def __getattr__(self, name):
        raise KeyError(name)
USE = Late()
""",
    "RecursionError": """\
USE = []
for _ in range(9999):
    USE = [USE]
""",
    "ValueError": """\
def make():
    number = 1
    def use(genome):
        return number
    del number
    return use
USE = make()
""",
}


@pytest.mark.parametrize("fault", UNREADABLE)
def test_an_object_that_cannot_be_read_is_refused_in_one_line(tmp_path, fault):
    words = rf"mutation mine \(mine.py:\d+\): what it uses cannot be read: {fault}"
    with pytest.raises(InputError, match=words):
        digest_of(tmp_path / "odd", HEAD + UNREADABLE[fault] + FOOT)


def test_every_process_finds_the_same_digest_in_a_file_and_in_a_module(tmp_path):
    uses = ", ".join(f"({one.format(2)})" for one in PLAIN)
    text = f"{HEAD}NAMES = {{'one', 'two', 'three'}}\nUSE = [{uses}]\n{FOOT.replace('USE', '(USE, NAMES)')}"
    found = {digest_of(tmp_path, text)}
    asked = "import mine, neche.players.plugged as p; print(p.Plugin.of('mutation', mine.mine).digest)"
    for seed in ("1", "2"):
        given = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", asked], env=given, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    assert len(found) == 1
