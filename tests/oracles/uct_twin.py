"""Monte Carlo tree search on a graph of positions, slow and obvious: a dictionary, recursion, plain numbers.

It is written from the definitions. A new position s gets the value U(s) of its leaf, and N(s) = 1. From any
other position the search follows the move a with the largest UCB1, and on the way back

    N(s) and N(s, a) grow by one,  Q(s, a) = the value that came back,
    Q(s) = (U(s) + Σ N(s, a) Q(s, a)) / N(s)

When there is no room for a new position, those with fewer than 1, 2, 4 … visits are forgotten until at most
half the room is taken, and then those that no move reaches from the root any more. A forgotten position that
is reached again begins with the n visits of the move that reached it: N(s) is n + 1, and its own part of Q(s)
is U(s) + n Q(s, a). Every value is in 0 … 1 for the side to move in s, so the values of the two sides add up
to 1. A position that is already on the path is a draw. The twin knows no game's rules and shares nothing with
the package; it has no solver and no virtual loss.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Position = TypeVar("Position", bound=Hashable)

_WORD = 2**64


@dataclass
class Edge(Generic[Position]):
    """A move: the position after it, N(s, a), Q(s, a), and whether it was followed since that was stored."""

    after: Position
    count: int = 0
    evaluation: float = 0.0
    leads_on: bool = False


@dataclass
class Node(Generic[Position]):
    """A stored position: its own part of Q(s), Q(s), its moves and N(s)."""

    initial: float
    evaluation: float
    edges: list[Edge[Position]]
    count: int = 1


class FullError(Exception):
    """There is no room for a new position."""


@dataclass
class Twin(Generic[Position]):
    """A search. moves: legal successors, in order. value: of leaf n, for the side to move there.

    most_nodes: the room, in positions.
    """

    moves: Callable[[Position], Sequence[Position]]
    value: Callable[[Position, int], float]
    exploration: float
    longest_path: int = 256
    most_nodes: float = math.inf
    graph: dict[Position, Node[Position]] = field(default_factory=dict)
    state: int = 0
    depths: list[int] = field(default_factory=list)

    def forget(self, root: Position) -> None:
        """Forget the least visited positions."""
        least = 1
        while 2 * sum(node.count >= least for node in self.graph.values()) > self.most_nodes:
            least *= 2
        kept, waiting = {}, [root]
        while waiting:
            here = waiting.pop()
            if here not in kept:
                kept[here] = self.graph[here]
                followed = [edge.after for edge in kept[here].edges if edge.leads_on]
                waiting += [after for after in followed if self.graph[after].count >= least]
        self.graph = kept
        for node in kept.values():
            for edge in node.edges:
                edge.leads_on = edge.leads_on and edge.after in kept

    def search(self, root: Position, playouts: int, key: int) -> Node[Position]:
        """Make playouts from the root; return its node."""
        choices = random_word(key, 2**63)
        for number in range(playouts):
            self.state = random_word(choices, number)
            try:
                self.playout(root, number, ())
            except FullError:
                self.forget(root)
                self.state = random_word(choices, number)
                self.playout(root, number, ())
        return self.graph[root]

    def playout(
        self,
        position: Position,
        number: int,
        path: tuple[Position, ...],
        by: Edge[Position] | None = None,
    ) -> float:
        if position in path:
            self.depths.append(len(path))
            return 0.5
        if position not in self.graph:
            if len(self.graph) >= self.most_nodes:
                raise FullError
            self.depths.append(len(path))
            edges = [Edge(after) for after in self.moves(position)]
            own, seen = self.value(position, number), 0
            if by and edges:  # a finished game keeps its known value
                own, seen = own + by.count * (1 - by.evaluation), by.count
            self.graph[position] = Node(own, own / (seen + 1), edges, seen + 1)
            return self.graph[position].evaluation
        node = self.graph[position]
        if not node.edges or len(path) == self.longest_path:
            self.depths.append(len(path))
            node.count += not node.edges
            return node.evaluation if not node.edges else 0.5
        edge = self.select(node)
        edge.leads_on = edge.after in self.graph
        value = 1 - self.playout(edge.after, number, (*path, position), edge)
        edge.leads_on = True
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
