"""Compare the search with slow full-width minimax: root values and all best moves, exactly.

Usage: python tools/checks/compare_search.py [--game NAME] [--positions 2000] [--seed 1] [--leaves 4000]

Positions come from random games, random placements and endings; networks are random, crowded, full of ties,
or count material, in either perspective. Depths 1 to 6 take turns; a position with more than --leaves leaves
at its depth is searched less deep, and skipped and counted if depth 1 already has more. The first difference
is printed and ends the run.

In checkers minimax shares nothing with the package. In the other games it takes its moves from the catalogue
and its evaluations from the forward pass, from scratch at every leaf; both are compared with their own twins
elsewhere. Without --game all games are compared, on a quarter of the positions each.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games import contract
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.genome.dna import encode, random_genome
from neche.network.decode import (
    DENSE_PERSPECTIVE,
    PERSPECTIVES,
    Network,
    check_perspective,
    decode,
    square_network,
)
from neche.network.packing import pack_networks
from neche.network.topology import dense_topology, topology_for
from neche.players.alpha_beta import hand_made_networks, search_position
from neche.players.engine import WIN_VALUE, Analysis
from neche.search.evaluator import evaluate, network_evaluator, refresh
from neche.search.negamax import WIN, new_workspace, search_moves
from tests.genome.drawn import random_strands
from tests.network import wiring
from tests.oracles import checkers_twin as twin, draughts_twin, minimax, othello_twin

_DEPTHS = (1, 2, 3, 4, 5, 6)
_REPORT_EVERY = 100


class Case(NamedTuple):
    """One search to compare; every_value: of all moves, not only of the best."""

    position: twin.Position
    dna: str
    perspective: str
    depth: int
    every_value: bool


def case(checkers: Game, seed: int, index: int, leaves: int) -> Case:
    """Draw a case; its depth cycles through 1 to 6 with the index, less if there are too many leaves."""
    rng = random.Random(f"{seed} {index}")
    position = _position(rng)
    depth = _DEPTHS[index % len(_DEPTHS)]
    here = checkers.parse_fen(twin.fen(position))
    while depth > 1 and checkers.perft(here, depth) > leaves:
        depth -= 1
    dna = wiring.dna_of(rng.choice(wiring.KINDS), rng)
    return Case(position, dna, rng.choice(["own", "antisymmetric"]), depth, rng.random() < 0.5)


def _position(rng: random.Random) -> twin.Position:
    """Draw a position with a legal move: from a random game, a random placement, or an ending."""
    while True:
        source = rng.choice([_from_game, _from_placement, _ending])
        position = source(rng)
        if twin.moves(position):
            return position


def _from_game(rng: random.Random) -> twin.Position:
    return rng.choice(list(twin.random_game(rng.getrandbits(32))))


def _from_placement(rng: random.Random) -> twin.Position:
    return twin.random_position(rng.getrandbits(32))


def _ending(rng: random.Random) -> twin.Position:
    """Place two to five pieces, mostly more on one side, so that wins and losses are near."""
    places = rng.sample(range(1, 33), rng.randint(2, 5))
    num_white = rng.choice([1, len(places) - 1])
    king_chance = rng.random()
    board = {}
    for index, number in enumerate(places):
        side, crowning = ("W", 7) if index < num_white else ("B", 0)
        place = twin.square(number)
        board[place] = side if place[1] == crowning or rng.random() < king_chance else side.lower()
    return twin.Position(board, rng.choice("WB"))


def difference(checkers: Game, case: Case) -> str | None:
    """Describe how the search and minimax differ on a case, if they do."""
    slow = minimax.root_values(case.position, case.dna, case.perspective, case.depth)
    here = checkers.parse_fen(twin.fen(case.position))
    network = decode(encode(case.dna), perspective=check_perspective(case.perspective))
    found = search_position(checkers, here, network, depth=case.depth, every_value=case.every_value)
    after = {move.text: _ordered(checkers.format_fen(move.after)) for move in checkers.legal_moves(here)}
    true = {fen: value for (_, fen), value in slow.items()}
    best = max(true.values())
    fault = None
    if {after[move] for move in found.best_moves} != {fen for fen, value in true.items() if value == best}:
        fault = "best moves differ"
    elif not _is_shown(found.value, best):
        fault = "values differ"
    elif not _are_move_values_right(found, after, true, case.every_value):
        fault = "values of moves differ"
    return fault and f"{fault}: {case}\n  minimax {slow}\n  search {found}"


def _are_move_values_right(
    found: Analysis, after: dict[str, str], true: dict[str, int], every_value: bool
) -> bool:
    best = max(true.values())
    for move, shown in found.values.items():
        value = true[after[move]]
        is_exact = every_value or value == best
        if is_exact and not _is_shown(shown, value):
            return False
        if not is_exact and not _shown(value) - _rounding(value) <= shown <= found.value:
            return False
    return True


def _is_shown(shown: float, value: int) -> bool:
    return abs(shown - _shown(value)) <= _rounding(value)


def _rounding(value: int) -> float:
    # A float holds 53 bits: an integer is rounded once, and again when divided by its unit.
    return 2.0**-51 * abs(_shown(value))


def _shown(value: int) -> float:
    """Convert a minimax value to the form of the search: weight units, wins by their plies."""
    if abs(value) > minimax.WIN // 2:
        plies = minimax.WIN - abs(value)
        return (WIN_VALUE - plies) * (1 if value > 0 else -1)
    return float(Fraction(value, minimax.UNIT))


def _ordered(fen: str) -> str:
    return twin.fen(twin.parse(fen))


class AnyCase(NamedTuple):
    """One search to compare in any game; every_value: of all moves, not only of the best.

    true: the value of each move by minimax. skipped: positions drawn before this one that minimax could not
    finish even at depth 1, as many flying kings can have too many captures.
    """

    position: Any
    network: Network
    depth: int
    every_value: bool
    true: list[int]
    skipped: int


def any_case(rules: Game, seed: int, index: int, leaves: int) -> AnyCase:
    """Draw a case of any game, like `case`: as deep as minimax gets within 4 · `leaves` positions."""
    rng = random.Random(f"{rules.name} {seed} {index}")
    skipped = 0
    while True:
        position, network, every_value = _any_position(rules, rng), _any_network(rules, rng), rng.random()
        moves = rules.legal_moves(position)
        evaluator = network_evaluator(pack_networks([network], rules.sensors), 0, int(position.turn))
        slow, found = _Minimax(rules, evaluator, 4 * leaves), []
        with suppress(_TooManyError):
            for depth in range(1, _DEPTHS[index % len(_DEPTHS)] + 1):
                found.append([-slow.value(move.after, depth - 1, 1) for move in moves])
        if moves and found:
            return AnyCase(position, network, len(found), every_value < 0.5, found[-1], skipped)
        skipped += bool(moves)


class _TooManyError(Exception):
    """Minimax would visit more positions than allowed."""


class _Minimax:
    """Full width, no window, no table; evaluations from scratch. most: positions that may be visited."""

    def __init__(self, rules: Game, evaluator: Any, most: int) -> None:
        self.rules, self.evaluator, self.left = rules, evaluator, most

    def value(self, position: Any, depth: int, ply: int) -> int:
        """Value for the side to move, `ply` plies from the root, of `depth` more plies and then captures."""
        self.left -= 1
        if self.left < 0:
            raise _TooManyError
        moves = self.rules.legal_moves(position)
        if not moves:
            return self.rules.outcome(position) * (int(WIN) - ply)
        if depth <= 0 and contract.is_quiet(position):
            return int(evaluate(self.evaluator, position, refresh(self.evaluator, position)))
        return max(-self.value(move.after, depth - 1, ply + 1) for move in moves)


def _any_position(rules: Game, rng: random.Random) -> Any:
    """Draw a position of a random game, or place pieces at random: king rows full of kings, or only discs."""
    number = rng.getrandbits(32)
    if rules.name == "othello":
        is_placed = rng.random() < 0.5
        placed = othello_twin.random_position(number) if is_placed else _any(othello_twin.random_game, number)
        return rules.parse_fen(othello_twin.fen(placed))
    twins = {"brazilian": draughts_twin.BRAZILIAN, "international": draughts_twin.INTERNATIONAL}
    slow = twins[rules.name]
    drawn = slow.random_position(number) if rng.random() < 0.5 else _any(slow.random_game, number)
    return rules.parse_fen(slow.fen(drawn))


def _any(game_of: Callable[[int], Iterator[Any]], seed: int) -> Any:
    return random.Random(seed).choice(list(game_of(seed)))


def _any_network(rules: Game, rng: random.Random) -> Network:
    """Draw a network: random genes or strands, weights that often tie, or a hand-made evaluator."""
    assert rules.sensors is not None
    squares = len(rules.sensors.squares)
    draw = np.random.default_rng(rng.getrandbits(64))
    kind = rng.randrange(4)
    if kind == 0:
        topology = topology_for(squares)
        genome = random_genome(200, draw, gene_length=topology.gene_format.length)
        return decode(genome, perspective=rng.choice(PERSPECTIVES), topology=topology)
    if kind == 1:
        dense = dense_topology(squares * len(rules.sensors.kinds), 8)
        strands = random_strands(dense.strand_format, draw, sd=0.4)
        return decode(strands, perspective=DENSE_PERSPECTIVE, topology=dense)
    if kind == 2:
        return square_network([rng.choice((-1, 0, 0, 1)) for _ in range(squares)])
    return rng.choice(list(hand_made_networks(rules.name).values()))


def any_difference(rules: Game, case: AnyCase) -> str | None:
    """Describe how the search and minimax differ on a case of any game, if they do."""
    evaluator = network_evaluator(pack_networks([case.network], rules.sensors), 0, int(case.position.turn))
    true = case.true
    work = new_workspace(rules, table_bits=12)
    search_moves(evaluator, work, case.position, np.int64(case.depth), np.int64(1), case.every_value)
    found = work.root[: len(true)].tolist()
    best = max(true)
    is_right = (
        found == true
        if case.every_value
        else all(
            shown == value or (value < best and value <= shown < best)
            for shown, value in zip(found, true, strict=True)
        )
    )
    if is_right:
        return None
    fen = rules.format_fen(case.position)
    return f"{rules.name}: values differ: {fen} {case}\n  minimax {true}\n  search {found}"


def main() -> int:
    """Compare; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the search with slow full-width minimax.")
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leaves", type=int, default=4000)
    options = parser.parse_args()
    names = [options.game] if options.game else list(GAMES)
    for name in names:
        found = _compare(game(name), options.positions // len(names), options.seed, options.leaves)
        if found:
            print(found)
            return 1
    return 0


def _compare(rules: Game, positions: int, seed: int, leaves: int) -> str | None:
    """Compare on some positions of a game; return the first difference."""
    depths: Counter[int] = Counter()
    skipped = 0
    for index in range(positions):
        if rules.name == "checkers":
            drawn = case(rules, seed, index, leaves)
            found, depth = difference(rules, drawn), drawn.depth
        else:
            other = any_case(rules, seed, index, leaves)
            found, depth = any_difference(rules, other), other.depth
            skipped += other.skipped
        if found:
            return f"seed {seed} position {index}: {found}"
        depths[depth] += 1
        if (index + 1) % _REPORT_EVERY == 0:
            print(f"{rules.name}, seed {seed}: {index + 1} of {positions} positions agree", flush=True)
    counts = ", ".join(f"{depths[depth]} at depth {depth}" for depth in sorted(depths))
    print(f"{rules.name}, seed {seed}: {positions} positions, no difference ({counts}); {skipped} skipped")
    return None


if __name__ == "__main__":
    sys.exit(main())
