"""Records by address: read back whole, nested ones too, down a recursion, and from Python without one."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.pointers import address, record_at


class Inner(NamedTuple):
    words: Any
    number: Any


class Outer(NamedTuple):
    inner: Inner
    scale: Any
    is_odd: Any


@jit
def descend(place: Any, depth: Any) -> Any:
    record = record_at(place)
    record.inner.words[depth] += 1
    if depth == 0:
        return np.int64(record.scale + (1000 if record.is_odd else 0))
    return np.int64(descend(place, np.int64(depth - 1)) + record.inner.number)


@jit
def begin(record: Any, depth: Any) -> Any:
    return descend(address(record), np.int64(depth))


def outer(is_odd):
    return Outer(Inner(np.zeros(5, np.int64), np.int64(3)), np.int32(7), is_odd)


def test_all_calls_of_a_recursion_read_the_record_and_write_into_its_arrays():
    record = outer(is_odd=True)
    assert begin(record, 4) == 1007 + 4 * 3
    assert record.inner.words.tolist() == [1] * 5


def test_a_record_will_do_for_its_address():
    assert descend(outer(is_odd=False), np.int64(2)) == begin(outer(is_odd=False), 2)
