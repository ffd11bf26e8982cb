"""Full-width minimax, slow and obvious: no window, no transposition table, integers of any size.

It shares nothing with the package: moves come from `checkers_twin`, genomes from `genome_twin`. The search
must return the same:

- `depth` plies of all legal moves, then captures to their end; a side that can capture must, so no position
  with a capture is ever evaluated;
- a side without a legal move has lost, wherever in the tree; a win n plies from the root is worth WIN − n;
- positions are evaluated for the player to move at the root, during the whole search.

Values are integers in units of 10^-12 weight units, in which the output of every genome is exact.
"""

from collections.abc import Callable
from functools import cache, lru_cache

from tests.oracles import checkers_twin as twin, genome_twin

UNIT = 10**12
WIN = 10**40
Pieces = frozenset[tuple[twin.Square, str]]
Judge = Callable[[Pieces, str], int]
"""It values the pieces on the board for the side to move."""


@lru_cache(maxsize=200_000)
def moves(pieces: Pieces, turn: str) -> tuple[tuple[str, bool, Pieces], ...]:
    """List the legal moves of a position: text, whether it captures, and the pieces after it."""
    return tuple(
        (move.text, bool(move.captured), frozenset(move.after.board.items()))
        for move in twin.moves(twin.Position(dict(pieces), turn))
    )


def other(turn: str) -> str:
    return "B" if turn == "W" else "W"


def value(pieces: Pieces, turn: str, depth: int, ply: int, judge: Judge) -> int:
    """Return the value for the side to move, `ply` plies from the root: `depth` more plies, then captures."""
    choice = moves(pieces, turn)
    if not choice:
        return ply - WIN
    is_quiet = not choice[0][1]
    if depth <= 0 and is_quiet:
        return judge(pieces, turn)
    return max(-value(after, other(turn), depth - 1, ply + 1, judge) for _, _, after in choice)


def root_values(
    position: twin.Position, dna: str, perspective: str, depth: int
) -> dict[tuple[str, str], int]:
    """Map each legal move, as its text and the FEN it leads to, to its value for the side that plays it."""
    turn = position.turn
    judge = judge_for(dna, perspective, turn)
    return {
        (text, twin.fen(twin.Position(dict(after), other(turn)))): -value(
            after, other(turn), depth - 1, 1, judge
        )
        for text, _, after in moves(frozenset(position.board.items()), turn)
    }


def judge_for(dna: str, perspective: str, viewer: str) -> Judge:
    """Build the evaluation by a network that plays for `viewer`."""
    output = _network(dna)

    @cache
    def for_viewer(pieces: Pieces) -> int:
        result = output(_sensors(pieces, viewer))
        return result - output(_sensors(pieces, other(viewer))) if perspective == "antisymmetric" else result

    return lambda pieces, turn: for_viewer(pieces) if turn == viewer else -for_viewer(pieces)


_SENSOR = {
    ("ABCDEFGH".index(name[0]), int(name[1]) - 1): sensor for sensor, name in enumerate(genome_twin.SQUARES)
}


def _sensors(pieces: Pieces, viewer: str) -> dict[int, int]:
    """Return what the sensors of a player see: the board from its own side, its own pieces positive."""
    seen = {}
    for place, letter in pieces:
        sensor = _SENSOR[place] if viewer == "W" else genome_twin.turned(_SENSOR[place])
        size = 2 if letter.isupper() else 1
        seen[sensor] = size if letter.upper() == viewer else -size
    return seen


def _stage(neuron: int) -> int:
    return sum(neuron >= first for first in (39, 55, 63))


@lru_cache(maxsize=64)
def _network(dna: str) -> Callable[[dict[int, int]], int]:
    """Return `genome_twin.forward` in integers: values of stage s are in units of 10^(-4 s)."""
    wired = genome_twin.synapses(dna)
    entering: dict[int, list[tuple[int, int]]] = {63: []}
    for source, sink in sorted(genome_twin.live_synapses(dna), key=lambda pair: pair[1]):
        scale = 10_000 ** (_stage(sink) - _stage(source))
        entering.setdefault(sink, []).append((source, int(wired[source, sink] * scale)))

    def output(sensors: dict[int, int]) -> int:
        values = sensors | dict.fromkeys(range(32, 39), 1)
        for neuron in sorted(entering):
            total = sum(weight * values.get(source, 0) for source, weight in entering[neuron])
            values[neuron] = total if neuron == 63 else max(total, 0)
        return values[63]

    return output
