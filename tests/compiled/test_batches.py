"""Work in batches: every result once and in order, whatever happens to workers."""

import signal
import subprocess
import sys
import threading
from multiprocessing.dummy import DummyProcess

import joblib
import pytest
from joblib.externals.loky.backend import utils as loky_utils
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import ThreadingBackend

from neche.compiled.batches import PromptThreads, results_of, unheard
from neche.errors import InputError


def calls(function, count):
    return {f"call {number}": joblib.delayed(function)(number) for number in range(count)}


@pytest.mark.parametrize("count", [0, 1, 2, 50])
@pytest.mark.parametrize("backend", ["sequential", "threading"])
def test_results_come_in_order_with_their_keys(count, backend):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = list(results_of(calls(lambda number: number * number, count)))
    assert found == [(f"call {number}", number * number) for number in range(count)]


class AllAtOnce(ThreadingBackend):  # type: ignore[misc]
    """Gives no result before all are there, as the backend that Ray brings for joblib."""

    supports_return_generator = False


@pytest.mark.parametrize("count", [2, 7, 50])
def test_a_backend_without_single_results_is_asked_for_a_few_at_a_time(count):
    made = []

    def square(number):
        made.append(number)
        return number * number

    with joblib.parallel_config(backend=AllAtOnce(), n_jobs=2):
        found = results_of(calls(square, count))
        assert next(found) == ("call 0", 0)
        assert len(made) == min(count, 8)
        assert list(found) == [(f"call {number}", number * number) for number in range(1, count)]


def test_what_cannot_be_sent_to_other_processes_is_named_on_one_line():
    lock = threading.Lock()
    with (
        joblib.parallel_config(backend="loky", n_jobs=2),
        pytest.raises(InputError, match=r"^cannot be sent to other processes: .*lock' object; use threads"),
    ):
        list(results_of(calls(lambda number: (number, lock.locked()), 2)))


def test_workers_are_ended_without_pgrep_and_psutil(monkeypatch, tmp_path):
    """Slim containers have neither: the thread that ends the workers failed, and Ctrl-C waited for ever."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(loky_utils, "psutil", None)
    test_what_cannot_be_sent_to_other_processes_is_named_on_one_line()


def test_a_single_call_is_made_in_this_thread():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        ((_, thread),) = results_of(calls(lambda number: threading.current_thread(), 1))
    assert thread is threading.current_thread()


def test_more_threads_than_the_system_gives_are_refused_on_one_line(monkeypatch):
    begin, left = DummyProcess.start, iter(range(3))

    def start(thread):
        if next(left, None) is None:
            raise RuntimeError("can't start new thread")
        begin(thread)

    monkeypatch.setattr(DummyProcess, "start", start)
    with (
        joblib.parallel_config(backend=PromptThreads(), n_jobs=5),
        pytest.raises(InputError, match=r"^5 threads are more than the system allows: set --jobs lower$"),
    ):
        list(results_of(calls(abs, 9)))


def killed(times):
    """Return a square that dies as often, at the third call."""
    left = [times]

    def work(number):
        if number == 2 and left[0]:
            left[0] -= 1
            raise TerminatedWorkerError("killed")
        return number * number

    return work


def test_a_killed_worker_costs_a_retry_and_no_result():
    with joblib.parallel_config(backend="threading", n_jobs=1):
        found = dict(results_of(calls(killed(2), 5)))
    assert list(found.values()) == [0, 1, 4, 9, 16]


def test_workers_killed_now_and_then_end_no_work_however_long_it_is():
    left = {1, 3, 5, 7, 8}

    def work(number):
        if number in left:
            left.remove(number)
            raise TerminatedWorkerError("killed")
        return number * number

    with joblib.parallel_config(backend="threading", n_jobs=1):
        found = dict(results_of(calls(work, 10)))
    assert list(found.values()) == [number * number for number in range(10)]


def test_workers_that_are_always_killed_end_the_work():
    with joblib.parallel_config(backend="threading", n_jobs=1), pytest.raises(TerminatedWorkerError):
        list(results_of(calls(killed(3), 5)))


def test_a_mistake_is_not_tried_again():
    made = []

    def wrong(number):
        made.append(number)
        raise ZeroDivisionError

    with joblib.parallel_config(backend="sequential"), pytest.raises(ZeroDivisionError):
        list(results_of(calls(wrong, 2)))
    assert made == [0]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_what_begins_there_hears_no_interrupt_from_its_first_moment_on():
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with unheard():
        asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


EARLY = """
import math
import joblib
from neche.compiled.batches import PromptThreads, results_of
with joblib.parallel_config(backend=PromptThreads(), n_jobs=2):
    for _ in range(20):
        for _ in results_of({number: joblib.delayed(math.sqrt)(number) for number in range(200)}):
            break
"""


def test_results_that_are_left_early_are_left_without_a_word():
    ended = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_is_handed_to_threads_that_were_dropped_is_dropped():
    threads = PromptThreads()
    threads.configure(2)
    threads._get_pool().terminate()
    assert threads.submit(list) is None
    threads.close()
