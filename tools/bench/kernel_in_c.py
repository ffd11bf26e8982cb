"""Run an integer kernel without a GPU: translate its PTX to C, instruction by instruction, and count them.

This shows without a device whether NVIDIA's compiler translated a kernel correctly, and how much work a
thread has. It supports the instructions of such kernels, and names any other.
"""

import ctypes
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_BITS = {
    "popc": "__builtin_popcountll({0})",
    "clz": "({0} ? __builtin_clzll({0}) - {pad} : {width})",
    "brev": "(reversed({0}) >> {pad})",
}
_UPPER = {"l": " >> 32", "r": ""}
_KINDS = {"p": "uint8_t", "rs": "uint16_t", "r": "uint32_t", "rd": "uint64_t"}
_WHERE = {"tid": "thread % width", "ctaid": "thread / width", "ntid": "width"}


_HEAD = """#include <stdint.h>
static uint64_t reversed(uint64_t word) {
    uint64_t other = 0;
    for (int bit = 0; bit < 64; bit++) other |= (word >> bit & 1) << (63 - bit);
    return other;
}
void kernel(const uint64_t *given, uint32_t thread, uint32_t width, uint64_t *executed) {"""


class Run(NamedTuple):
    """Instruction counts: PTX instructions executed by all threads, and those in the kernel's text."""

    executed: int
    written: int


def _type(name: str) -> str:
    """Return the C type of a type of PTX."""
    kind, width = name[0], name[1:]
    return "uint8_t" if name == "pred" else f"{'int' if kind == 's' else 'uint'}{width}_t"


def _value(operand: str, kind: str = "") -> str:
    """Return an operand in C, as a number of some type."""
    name = operand.strip().replace("%", "").replace(".x", "")
    name = _WHERE.get(name, name)
    if name.startswith("__local_depot"):
        return "(uint64_t)depot"
    return f"({_type(kind)})({name})" if kind else name


def _address(operand: str) -> str:
    place, _, offset = operand.strip("[] ").partition("+")
    return f"{_value(place)} + {offset or 0}"


def _moved(parts: list[str], operands: list[str], operands_text: str) -> str:
    """Return a load or a store in C, of one word or several."""
    kind = _type(parts[-1])
    if parts[0] == "ld" and parts[1] == "param":
        number = re.search(r"_param_(\d+)\]", operands_text)
        assert number is not None
        return f"{_value(operands[0])} = ({kind})given[{number[1]}];"
    words = re.search(r"\{(.*)\}", operands_text)
    registers = words[1].split(",") if words else [operands[0 if parts[0] == "ld" else -1]]
    address = re.search(r"\[.*\]", operands_text)
    assert address is not None
    at = _address(address[0])
    cells = [f"*({kind} *)({at} + {index} * sizeof({kind}))" for index in range(len(registers))]
    pairs = zip(map(_value, registers), cells, strict=True)
    moves = (f"{name} = {cell};" if parts[0] == "ld" else f"{cell} = ({kind}){name};" for name, cell in pairs)
    return " ".join(moves)


def _shifted(name: str, parts: list[str], to: str, first: str, others: list[str]) -> str:
    """Return a shift in C; in PTX a shift by too many places shifts everything out."""
    places = _value(others[-1], "u32")
    if name == "shf":
        both = f"((uint64_t){_value(others[0], 'u32')} << 32 | (uint32_t){first})"
        # To the left the upper half counts.
        return f"{to} = {both} {'<<' if parts[1] == 'l' else '>>'} ({places} & 31){_UPPER[parts[1]]};"
    width = int(parts[-1][1:])
    if name == "shr" and parts[-1][0] == "s":
        return f"{to} = {first} >> ({places} < {width} ? {places} : {width - 1});"
    return f"{to} = {places} < {width} ? {first} {'<<' if name == 'shl' else '>>'} {places} : 0;"


def _computed(name: str, parts: list[str], to: str, first: str, second: str) -> str:
    """Return arithmetic of two numbers in C."""
    if name == "setp":
        return f"{to} = {first} {_COMPARISONS[parts[1]]} {second};"
    if name in ("min", "max"):
        return f"{to} = {first} {'<' if name == 'min' else '>'} {second} ? {first} : {second};"
    if name == "mul":
        return f"{to} = (__int128){first} * {second}{' >> 64' if parts[1] == 'hi' else ''};"
    return f"{to} = {first} {_OPERATORS[name]} {second};"


def _in_c(text: str) -> str:
    """Return an instruction in C."""
    word, _, rest = text.partition(" ")
    parts, operands = word.split("."), [one.strip() for one in rest.split(",")]
    name, kind = parts[0], parts[-1]
    if name in ("ld", "st"):
        return _moved(parts, operands, rest)
    if name in ("bra", "ret"):
        return f"goto {operands[0].strip('$')};" if name == "bra" else "return;"
    to, arguments = _value(operands[0]), [_value(one, kind) for one in operands[1:]]
    if name in ("shl", "shr", "shf"):
        return _shifted(name, parts, to, arguments[0], operands[2:])
    if name == "selp":
        return f"{to} = {_value(operands[3])} ? {arguments[0]} : {arguments[1]};"
    if name in ("setp", "min", "max", "mul", *_OPERATORS):
        return _computed(name, parts, to, *arguments)
    if name in ("not", "neg"):
        sign = "!" if kind == "pred" else "~" if name == "not" else "-"
        return f"{to} = {sign}{arguments[0]};"
    if name in _BITS:
        width = int(kind[1:])
        return f"{to} = {_BITS[name].format(arguments[0], pad=64 - width, width=width)};"
    if name in ("mov", "cvt", "cvta"):
        return f"{to} = {f'({_type(parts[1])})' if name == 'cvt' else ''}{arguments[0]};"
    raise ValueError(f"no C for the instruction: {text}")


def translated(ptx: str) -> tuple[str, int]:
    """Return a kernel in C, and how many instructions it has: kernel(given, thread, width, executed)."""
    body = ptx[ptx.index(".entry") :]
    body = body[body.index("\n{") : body.rindex("}")]
    depot = re.search(r"__local_depot\d+\[(\d+)\]", body)
    lines = [f"uint8_t depot[{depot[1] if depot else 1}] __attribute__((aligned(16)));", "uint64_t SP, SPL;"]
    block: list[str] = []
    written = 0

    def close() -> None:
        """Write the block, which is executed as a whole, after its number of instructions."""
        if block:
            lines.append(f"*executed += {len(block)};")
            lines.extend(block)
            block.clear()

    for line in map(str.strip, body.splitlines()):
        if register := re.match(r"\.reg \.\w+\s+%(\w+)<(\d+)>;", line):
            names = ", ".join(f"{register[1]}{number}" for number in range(int(register[2])))
            lines.append(f"{_KINDS[register[1]]} {names};")
        elif label := re.match(r"\$(\w+):", line):
            close()
            lines.append(f"{label[1]}:;")
        elif instruction := re.match(r"(?:@(!?)%(p\d+)\s+)?([a-z][\w.]*(?:\s.*)?);$", line):
            negated, condition, text = instruction.groups()
            words = _in_c(text.replace("\t", " ").strip())
            block.append(f"if ({negated}{condition}) {{ {words} }}" if condition else words)
            written += 1
            if condition or words.startswith(("goto", "return")):
                close()
    close()
    return "\n".join([_HEAD, *lines, "}"]), written


def flattened(given: Any) -> list[int]:
    """Return kernel arguments as the words that a launch passes: seven for an array of one axis."""
    if isinstance(given, np.ndarray):
        (size,) = given.shape
        return [0, 0, size, given.itemsize, given.ctypes.data, size, given.itemsize]
    return [word for part in given for word in flattened(part)] if isinstance(given, tuple) else [int(given)]


def run(ptx: str, arguments: Sequence[Any], threads: int) -> Run:
    """Run threads of a kernel one after the other; it writes into the given arrays."""
    source, written = translated(ptx)
    words = flattened(tuple(arguments))
    given, executed = (ctypes.c_uint64 * len(words))(*(word % 2**64 for word in words)), ctypes.c_uint64()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.c").write_text(source)
        library = Path(folder, "kernel.so")
        command = ("gcc", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-shared", "-fPIC", "-o", library)
        subprocess.run([*command, Path(folder, "kernel.c")], check=True)
        kernel = ctypes.CDLL(str(library)).kernel
        for thread in range(threads):
            kernel(given, ctypes.c_uint32(thread), ctypes.c_uint32(threads), ctypes.byref(executed))
    return Run(executed.value, written)
