"""The hidden layers of a dense network in integers: their inputs, and the instructions that compute them.

Each lane of a vector is a hidden neuron. LLVM spreads a vector over as many registers of the processor as it
needs: 32 lanes take one register of AVX-512, two of AVX2, four of NEON.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils

from neche.compiled.bits import llvm_call
from neche.compiled.jit import I64, U64

LANES = 32
"""Lanes of the smallest vector: rows are padded with zeros to a multiple of it."""
SECOND_LANES = 32
"""Lanes of the second hidden layer, however many neurons it has."""
KERNEL_LANES = 8
"""Lanes that a kernel thread processes at once: as many as one of its loads fetches, 16 bytes."""
STATES = 3**4
"""Ways that men can stand on a group of four squares: a number in base 3, one digit per square, the first the
lowest; 0 empty, 1 own, 2 the enemy's."""
_BYTES = 8
_I1, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 16, 32, 64))


class Block(NamedTuple):
    """Where the rows of a layer are; all int64, indices count int16.

    start: index of `lanes` biases, followed by as many output weights. lanes: a multiple of LANES. first:
    index of the first row, of the first state of the first group. links: index of those of a second layer.
    """

    start: I64
    lanes: I64
    first: I64
    links: I64


class Patterns(NamedTuple):
    """The men on a board, by groups of squares.

    states: words of eight bytes, each the state of a group, below STATES; a group has as many rows.
    """

    states: Any


class PatternsAndKings(NamedTuple):
    """`Patterns` with kings: after the groups' rows comes a row for each bit of `low`, then of `high`."""

    states: Any
    low: U64
    high: U64


def load(builder: Any, base: Any, index: Any, width: int, align: int = 2) -> Any:
    """Load a vector of int16 that begins at an index."""
    pointer = builder.bitcast(builder.gep(base, [index]), ir.VectorType(_I16, width).as_pointer())
    return builder.load(pointer, align=align)


def positive(builder: Any, vector: Any) -> Any:
    """Return a vector with negative lanes replaced by 0."""
    zero = ir.Constant(vector.type, None)
    return builder.select(builder.icmp_signed(">", vector, zero), vector, zero)


class Layer:
    """Emits the instructions for a chunk of lanes of a block, from a given lane on.

    where: the rows as a pointer to int16, the block, and the lane.
    """

    def __init__(self, builder: Any, width: int, where: tuple[Any, Any, Any], *, is_kernel: bool) -> None:
        self._builder, self._width = builder, width
        self._base, block, self._lane = where
        self._is_kernel = is_kernel
        self._start, self._lanes, first, self._links = (builder.extract_value(block, at) for at in range(4))
        self._first = builder.add(first, self._lane)

    def _load(self, index: Any) -> Any:
        # A NumPy array is aligned to 16 bytes, not to a whole vector; that suffices for a kernel's vectors.
        align = 2 * KERNEL_LANES if self._is_kernel else 2
        return load(self._builder, self._base, index, self._width, align)

    def sums(self, seen: Any) -> Any:
        """Return the biases plus the rows of all that is seen; seen: `Patterns` or `PatternsAndKings`."""
        builder, sums = self._builder, self._load(self._builder.add(self._start, self._lane))
        states = builder.extract_value(seen, 0)
        words = [builder.extract_value(states, at) for at in range(len(states.type))]
        for number, word in enumerate(words):
            add = self._add_states_in_turn if self._is_kernel else self._add_states
            sums = add(word, sums, number * _BYTES * STATES)
        for number in range(1, len(seen.type.elements)):
            first = len(words) * _BYTES * STATES + (number - 1) * _I64.width
            sums = self._add_bits(builder.extract_value(seen, number), sums, partial(self._row, first))
        return sums

    def _row(self, offset: int, number: Any) -> Any:
        row = self._builder.add(number, ir.Constant(_I64, offset))
        return self._load(self._builder.add(self._first, self._builder.mul(row, self._lanes)))

    def _add_states(self, word: Any, sums: Any, first: int) -> Any:
        """Add the row of each byte of a word."""
        builder = self._builder
        for byte in range(_BYTES):
            shifted = builder.lshr(word, ir.Constant(_I64, 8 * byte))
            state = builder.and_(shifted, ir.Constant(_I64, 255))
            sums = builder.add(sums, self._row(first + byte * STATES, state))
        return sums

    def _add_states_in_turn(self, word: Any, sums: Any, first: int) -> Any:
        """Add the same rows one by one, which needs fewer registers."""
        builder = self._builder

        def rows(count: int) -> Any:
            return builder.mul(self._lanes, ir.Constant(_I64, count))

        begin = builder.add(self._first, rows(first))
        # LLVM does not know the number of turns, else it would unroll the loop and load all eight at once
        end = builder.add(begin, rows(_BYTES * STATES))
        before = builder.block
        body, after = (builder.append_basic_block(name) for name in ("state", "states.end"))
        builder.branch(body)
        builder.position_at_end(body)
        left, group, total = builder.phi(word.type), builder.phi(_I64), builder.phi(sums.type)
        state = builder.and_(left, ir.Constant(_I64, 255))
        added = builder.add(total, self._load(builder.add(group, builder.mul(state, self._lanes))))
        next_group = builder.add(group, rows(STATES))
        rest = builder.lshr(left, ir.Constant(_I64, 8))
        for value, start, changed in ((left, word, rest), (group, begin, next_group), (total, sums, added)):
            value.add_incoming(start, before)
            value.add_incoming(changed, body)
        builder.cbranch(builder.icmp_unsigned("==", next_group, end), after, body)
        builder.position_at_end(after)
        return added

    def _add_bits(self, word: Any, sums: Any, row_of: Callable[[Any], Any]) -> Any:
        """Add the row that each bit of a word stands for; the sums stay in registers."""
        builder = self._builder
        before = builder.block
        head, body, end = (builder.append_basic_block(name) for name in ("bits", "bit", "bits.end"))
        builder.branch(head)
        builder.position_at_end(head)
        left, total = builder.phi(word.type), builder.phi(sums.type)
        left.add_incoming(word, before)
        total.add_incoming(sums, before)
        builder.cbranch(builder.icmp_unsigned("!=", left, ir.Constant(_I64, 0)), body, end)
        builder.position_at_end(body)
        bit = llvm_call(builder, "llvm.cttz.i64", _I64, [left, ir.Constant(_I1, 1)])
        added = builder.add(total, row_of(bit))
        left.add_incoming(builder.and_(left, builder.sub(left, ir.Constant(_I64, 1))), body)
        total.add_incoming(added, body)
        builder.branch(head)
        builder.position_at_end(end)
        return total

    def link(self, sums: Any) -> Any:
        """Return what these lanes add to the sums of the second layer, int32.

        Most sums are not positive, so only the positive ones are visited.
        """
        builder, width = self._builder, self._width
        own_links = builder.mul(self._lane, ir.Constant(_I64, SECOND_LANES))
        links = builder.add(self._links, own_links)
        said = cgutils.alloca_once(builder, sums.type)
        builder.store(sums, said)
        words = ir.ArrayType(_I16, width).as_pointer()
        are_on = builder.icmp_signed(">", sums, ir.Constant(sums.type, None))
        bits = builder.bitcast(are_on, ir.IntType(width))
        total = ir.Constant(ir.VectorType(_I32, SECOND_LANES), None)
        for offset in range(0, width, _I64.width):
            shifted = builder.lshr(bits, ir.Constant(bits.type, offset))
            part = (builder.trunc if width > _I64.width else builder.zext)(shifted, _I64)
            place = builder.gep(
                builder.bitcast(said, words), [ir.Constant(_I64, 0), ir.Constant(_I64, offset)]
            )
            row = builder.add(links, ir.Constant(_I64, offset * SECOND_LANES))
            total = self._add_bits(part, total, partial(self._said_by_links, place, row))
        return total

    def _said_by_links(self, said: Any, links: Any, bit: Any) -> Any:
        builder, wide = self._builder, ir.VectorType(_I32, SECOND_LANES)
        value = builder.sext(builder.load(builder.gep(said, [bit])), _I32)
        first = builder.insert_element(ir.Constant(wide, ir.Undefined), value, ir.Constant(_I32, 0))
        values = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, SECOND_LANES), None))
        row = builder.add(links, builder.mul(bit, ir.Constant(_I64, SECOND_LANES)))
        return builder.mul(values, builder.sext(load(builder, self._base, row, SECOND_LANES), wide))

    def weigh(self, sums: Any) -> Any:
        """Return the total of the positive sums, each times its weight to the output; int64."""
        builder, wide = self._builder, ir.VectorType(_I32, self._width)
        out = self._load(builder.add(builder.add(self._start, self._lanes), self._lane))
        products = builder.mul(builder.sext(positive(builder, sums), wide), builder.sext(out, wide))
        if self._is_kernel:
            return builder.sext(_sum_of_lanes(builder, products, self._width), _I64)
        total = llvm_call(builder, f"llvm.vector.reduce.add.v{self._width}i32", _I32, [products])
        return builder.sext(total, _I64)


def _sum_of_lanes(builder: Any, vector: Any, width: int) -> Any:
    """Add up the lanes one by one: NVIDIA's compiler has no instruction for it."""
    lanes = [builder.extract_element(vector, ir.Constant(_I32, lane)) for lane in range(width)]
    return reduce(builder.add, lanes)
