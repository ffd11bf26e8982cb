"""Signals at bad moments: one line, and the exit code of the signal."""

import os
import re
import signal
import subprocess
import sys

import pytest

from tests.cli.interrupts import hear_interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")

# The signal comes while numba's compiler has called Python, which loses whatever is raised there.
SIGNAL_IN_THE_COMPILER = """
import signal, sys
from numba.core import codegen
library = codegen.JITCPUCodegen._library_class
compiled, count = library._object_compiled_hook, 0
def hook(module, code):
    global count
    if not count:
        signal.raise_signal({number})
    count += 1
    compiled(module, code)
library._object_compiled_hook = staticmethod(hook)
from neche.cli.main import main
sys.exit(main(["perft", "--depth", "12"]))
"""

# Numba's C has called Python for the dtype of an array that compiled code returns, and makes a SystemError of
# whatever is raised there.
SIGNAL_IN_UNPICKLING = """
import signal, sys
from numba.core import serialize
unpickle, count = serialize._numba_unpickle, 0
def _numba_unpickle(*words):
    global count
    if not count:
        signal.raise_signal({number})
    count += 1
    return unpickle(*words)
serialize._numba_unpickle = _numba_unpickle
from neche.cli.main import main
sys.exit(main(["evolve", "--recipe", "tournament-quick", "--run", "run"]))
"""


def python(script, tmp_path):
    return run(["-c", script], tmp_path)


def run(words, tmp_path):
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "NECHE_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        preexec_fn=hear_interrupts,
        timeout=300,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_while_code_is_compiled_ends_the_command_like_any_other(number, code, tmp_path):
    done = python(SIGNAL_IN_THE_COMPILER.format(number=int(number)), tmp_path)
    told = done.stderr.replace("compiling the rules of checkers, once: about 4 s on a free core\n", "")
    assert (done.returncode, told, done.stdout) == (code, "neche: interrupted\n", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_as_compiled_code_returns_an_array_ends_the_command_like_any_other(number, code, tmp_path):
    done = python(SIGNAL_IN_UNPICKLING.format(number=int(number)), tmp_path)
    told = re.sub("^compiling .*, once: about .* on a free core\n", "", done.stderr, flags=re.MULTILINE)
    kept = "nothing was finished; continue with: neche evolve --resume --run run"
    assert (done.returncode, told, done.stdout) == (code, f"neche: interrupted: {kept}\n", "")


def test_an_interrupted_match_tells_how_its_games_are_kept(tmp_path):
    script = """
import signal, sys
import neche.cli.tournaments as tournaments
tournaments.prepare_field = lambda *players: signal.raise_signal(signal.SIGTERM)
from neche.cli.main import main
sys.exit(main(["match", "material", "random", *sys.argv[1:]]))
"""
    without, with_results = run(["-c", script], tmp_path), run(["-c", script, "--results", "pairs"], tmp_path)
    assert (without.returncode, with_results.returncode) == (143, 143)
    assert without.stderr == "neche: interrupted: nothing was kept; --results FILE keeps finished pairs\n"
    kept = "finished pairs are kept in pairs; the same command continues from there"
    assert with_results.stderr == f"neche: interrupted: {kept}\n"


# Python 3.11 makes a RuntimeError of whatever is raised in `__set_name__`, and only tells of what is raised
# as a weak reference dies; a module of C may answer with an ImportError.
LOSING = {
    "a name is set": """
class Descriptor:
    def __set_name__(self, owner, name): signal.raise_signal(signal.SIGINT)
class Owner: attribute = Descriptor()
""",
    "a weak reference dies": """
import weakref
class Mortal: pass
mortal = Mortal()
reference = weakref.ref(mortal, lambda reference: signal.raise_signal(signal.SIGINT))
del mortal
""",
    "an object is finalized": """
import weakref
class Mortal: pass
mortal = Mortal()
weakref.finalize(mortal, signal.raise_signal, signal.SIGINT)
del mortal
""",
    "a process is started": """
class Popen:
    def _launch(self):
        try: signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt: raise RuntimeError("the process was never told what to do") from None
Popen()._launch()
""",
    "a module is loaded that knows no interrupts": """
import importlib.abc, importlib.util
class Loader(importlib.abc.Loader):
    def create_module(self, spec): return None
    def exec_module(self, module):
        try: signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt: raise ImportError("the core failed to import") from None
sys.modules.pop("abc_of_c", None)
importlib._bootstrap._load(importlib.util.spec_from_loader("abc_of_c", Loader()))
""",
}

# The signal comes in a command, as its work begins; `busy` gives it time to come again.
SIGNAL_IN_A_COMMAND = """
import signal, sys, time
import neche.cli.main as cli
import neche.cli.signals as signals
def run(words):
    exec(words[0], globals())
    busy()
    return 0
def busy():
    for _ in range(10_000): time.sleep(0.001)
cli._run = run
"""


@pytest.mark.parametrize("code", LOSING.values(), ids=LOSING)
def test_a_signal_where_it_would_be_lost_ends_the_command_like_any_other(code, tmp_path):
    done = python(f"{SIGNAL_IN_A_COMMAND}sys.exit(cli.main([{code!r}]))", tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (130, "neche: interrupted\n", "")


@pytest.mark.parametrize("code", LOSING.values(), ids=LOSING)
def test_a_signal_that_waits_as_the_command_ends_has_nothing_left_to_end(code, tmp_path):
    script = f"{SIGNAL_IN_A_COMMAND}busy = int\nsys.exit(cli.main([{code!r}]))"
    done = python(script, tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_a_module_that_never_ends_its_import_can_be_interrupted(tmp_path):
    (tmp_path / "endless.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGINT)\nwhile True: time.sleep(300)\n"
    )
    script = f"{SIGNAL_IN_A_COMMAND}signals._LONGEST_IMPORT = 0.1\nsys.exit(cli.main(['import endless']))"
    done = python(script, tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (130, "neche: interrupted\n", "")


def test_an_interrupt_in_the_midst_of_an_import_ends_with_the_same_exit_code(tmp_path):
    (tmp_path / "neche_interrupted.py").write_text(
        "import neche.cli.main as cli\n"
        "cli._run = lambda words: exec('raise KeyboardInterrupt')\n"
        "raise SystemExit(cli.main([]))\n"
    )
    done = run(["-m", "neche_interrupted"], tmp_path)
    assert (done.returncode, done.stderr) == (130, "neche: interrupted\n")
