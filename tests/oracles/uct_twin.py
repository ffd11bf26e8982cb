"""Monte Carlo tree search on a graph of positions, slow and obvious: a dictionary, recursion, plain numbers.

Written from the definitions: a position s that was never seen gets the value U(s) of its leaf and N(s) = 1.
Any other follows the move a with the largest UCB1, and on the way back

    N(s) and N(s, a) grow by one,  Q(s, a) = what came back,  Q(s) = (U(s) + Σ N(s, a) Q(s, a)) / N(s)

Where no more positions may be stored, a new one has its value and no node; Q(s, a) of the move to it is the
mean of such values. Every value is in 0 … 1 for the side to move in s, so one side's value is one less the
other's. A position that is on the path already is a draw. Knows the rules of no game and shares nothing
with the package; there is no solver and no virtual loss.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Position = TypeVar("Position", bound=Hashable)

_WORD = 2**64


@dataclass
class Edge(Generic[Position]):
    """A move: where it leads, N(s, a), Q(s, a)."""

    after: Position
    count: int = 0
    evaluation: float = 0.0


@dataclass
class Node(Generic[Position]):
    """A position that was seen: U(s), Q(s), N(s) and its moves."""

    initial: float
    evaluation: float
    edges: list[Edge[Position]]
    count: int = 1


@dataclass
class Twin(Generic[Position]):
    """A search. moves: legal successors, in order. value: of leaf n, for the side to move there.

    most_nodes: positions that may be stored.
    """

    moves: Callable[[Position], Sequence[Position]]
    value: Callable[[Position, int], float]
    exploration: float
    longest_path: int = 256
    most_nodes: float = math.inf
    graph: dict[Position, Node[Position]] = field(default_factory=dict)
    state: int = 0
    depths: list[int] = field(default_factory=list)

    def search(self, root: Position, playouts: int, key: int) -> Node[Position]:
        """Make playouts from the root; return its node."""
        choices = random_word(key, 2**63)
        for number in range(playouts):
            self.state = random_word(choices, number)
            self.playout(root, number, ())
        return self.graph[root]

    def playout(self, position: Position, number: int, path: tuple[Position, ...]) -> float:
        if position in path:
            self.depths.append(len(path))
            return 0.5
        if position not in self.graph:
            self.depths.append(len(path))
            value = self.value(position, number)
            if len(self.graph) >= self.most_nodes:
                return value
            edges = [Edge(after) for after in self.moves(position)]
            self.graph[position] = Node(value, value, edges)
            return value
        node = self.graph[position]
        if not node.edges or len(path) == self.longest_path:
            self.depths.append(len(path))
            node.count += not node.edges
            return node.evaluation if not node.edges else 0.5
        edge = self.select(node)
        value = 1 - self.playout(edge.after, number, (*path, position))
        if edge.after not in self.graph:
            # taken as a value of the side to move there, so that both round alike
            value = 1 - (1 - (edge.count * edge.evaluation + value) / (edge.count + 1))
        node.count += 1
        edge.count += 1
        edge.evaluation = value
        node.evaluation = node.initial
        for edge in node.edges:
            node.evaluation += edge.count * edge.evaluation
        node.evaluation /= node.count
        return node.evaluation

    def select(self, node: Node[Position]) -> Edge[Position]:
        """Return a random one of the untried moves, else the one with the largest UCB1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % _WORD
        untried = [edge for edge in node.edges if edge.count == 0]
        if untried:
            return untried[(self.state >> 32) * len(untried) >> 32]

        def ucb1(edge: Edge[Position]) -> float:
            return edge.evaluation + self.exploration * math.sqrt(math.log(node.count) / edge.count)

        return max(node.edges, key=ucb1)


def random_word(key: int, number: int) -> int:
    """Draw word `number` of a stream. Source: SplitMix64 (Steele, Lea and Flood 2014)."""
    word = (key + (number + 1) * 0x9E3779B97F4A7C15) % _WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return word ^ (word >> 31)
