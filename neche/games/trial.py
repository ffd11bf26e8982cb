"""Test a user's game by random play before anything relies on it.

Compiled code trusts the contract: a game that breaks it could write beyond its buffers, never end, or count a
result that does not exist. A fault that no random game meets is missed; `neche games --check` plays more.
"""

from collections import Counter
from concurrent.futures import Future, TimeoutError
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, Bool, Moves, Position, jit, overload
from neche.compiled.streams import stream
from neche.errors import InputError, fault_of_others
from neche.games import contract
from neche.games.draws import MAX_PLIES
from neche.games.game import Game, Move

PATIENCE = 300.0
"""Seconds to compile the rules, or from one position to the next, after which a game counts as endless."""
POSITIONS = 200
"""Positions that are checked whenever a game is loaded."""
_RESULTS = {1: "won", 0: "drawn", -1: "lost"}
_SPARE_WORDS = 1 << 16
"""Extra words behind the rows of the move buffer, for games that write too many."""


class Trial(NamedTuple):
    """The results of the random games.

    games: number played. positions: number checked. plies: length of the longest game. moves: the most in a
    position. outcomes: games by result for the side to move: won, drawn, lost or broken off, after
    `MAX_PLIES`. comes_back: a position that recurred after a move that `is_progress` accepts; empty if none.
    """

    games: int
    positions: int
    plies: int
    moves: int
    outcomes: dict[str, int]
    comes_back: str


class _Facts(NamedTuple):
    """What the contract returns for a position. words: those that identify it. seen: what networks see."""

    count: I64
    counted: I64
    captures: I64
    is_quiet: Bool
    can_move: Bool
    mobility: Any
    words: Any
    seen: Any


@jit
def _facts(position: Position, moves: Moves) -> Any:
    return (
        np.int64(contract.generate(position, moves, 0)),
        np.int64(contract.count_moves(position, moves, 0)),
        np.int64(contract.generate_captures(position, moves, 0)),
        bool(contract.is_quiet(position)),
        bool(contract.can_move_quietly(position)),
        contract.mobility(position),
        contract.position_words(position),
        contract.sensor_words(position),
    )


def _are_alike(one: Position, other: Position) -> Bool:
    """Return whether the fields of two positions have the same types in compiled code."""
    return True


overload(_are_alike)(lambda one, other: (lambda *_: True) if one == other else (lambda *_: False))


@jit
def _keeps_types(position: Position, moves: Moves) -> Any:
    count = contract.generate(position, moves, 0)
    return count <= 0 or _are_alike(position, contract.successor(position, moves, 0))


@jit
def _is_progress(before: Position, after: Position) -> Any:
    return bool(contract.is_progress(before, after, True))


def try_game(game: Game, file: str, *, games: int = 0, seed: int = 0) -> Trial:
    """Play random games to check that a game keeps the contract.

    file: its source. games: how many to play; 0: until `POSITIONS` were checked. InputError if it breaks the
    contract: one line that names the file, the fault and the position.
    """
    trial = _Trial(game, file, POSITIONS if games == 0 else 0)
    answer: Future[Trial] = Future()

    def work() -> None:
        try:
            answer.set_result(trial.play(stream(seed, 0, "trial"), games))
        except BaseException as error:
            answer.set_exception(error)

    # In a daemon thread: if it never ends it is abandoned, and the process can still exit.
    Thread(target=work, daemon=True).start()
    while True:
        seen = trial.positions
        try:
            return answer.result(PATIENCE)
        except TimeoutError:
            if not answer.done() and trial.positions == seen:
                raise trial.fault(f"no answer for {PATIENCE:g} s: does it loop for ever?") from None


def _image(seen: tuple[int, ...], symmetry: list[tuple[int, int]]) -> tuple[int, ...]:
    """Return what networks see with every square where a symmetry maps it."""
    return tuple(sum(to for mask, to in symmetry if word & mask) for word in seen)


class _Trial:
    """Random games of a game. at: the position that is checked. enough: positions to check, 0 for all."""

    def __init__(self, game: Game, file: str, enough: int) -> None:
        self.game, self.file, self.enough = game, file, enough
        self.at: Any = None
        self._seen: Any = None
        self.positions = self.most_moves = 0
        self.comes_back = ""
        self._room = np.zeros(game.max_moves * game.move_words + _SPARE_WORDS, game.move_type)
        self._known: dict[tuple[int, ...], Any] = {}
        masks = [1 << bit for bit in game.sensors.bits] if game.sensors else []
        # Of each symmetry: the bit of every square, and the bit of the square that it becomes.
        self._symmetries = [
            [*zip(masks, [masks[at] for at in one], strict=True)] for one in game.symmetries if masks
        ]
        self._images: list[Any] = []

    def fault(self, what: str) -> InputError:
        """Return the error that says what is wrong here."""
        try:
            place = self.game.format_fen(self.at)
        except Exception:  # the notation itself may be at fault
            place = str(self.at)
        return InputError(f"{self.file}: at {place}: {what}")

    def play(self, draws: np.random.Generator, games: int) -> Trial:
        """Play the games; raise InputError at the first fault."""
        outcomes, longest = Counter[str](), 0
        while outcomes.total() < games or self.positions < self.enough:
            try:
                plies, outcome = self._play_game(draws)
            except InputError:
                raise
            except (Exception, SystemExit) as error:
                what = fault_of_others(error) or f"{type(error).__name__}: {error}"
                raise self.fault(what.removeprefix(f"{self.file}, ")) from error
            longest = max(longest, plies)
            outcomes[outcome] += 1
        return Trial(
            outcomes.total(), self.positions, longest, self.most_moves, dict(outcomes), self.comes_back
        )

    def _play_game(self, draws: np.random.Generator) -> tuple[int, str]:
        """Play a game; return its length and how it ended for the side to move."""
        self.at, self._seen = self.game.start(), None
        if len(set(self.game.sides)) != 2 or not all(isinstance(side, str) for side in self.game.sides):
            raise self.fault(f"sides are {self.game.sides!r}: they must be two different names")
        board = self.game.geometry
        if self.game.pdn and not (board and all(name.isdecimal() for name in board.places)):
            raise self.fault("pdn needs a geometry whose squares are numbers, which moves name: 22-18")
        if not _keeps_types(self.at, self._room):
            # Recursive code would be compiled for both types of position, each version calling the other.
            kinds = ", ".join(type(field).__name__ for field in self.at)
            raise self.fault(f"successor returns fields of other types than start, {kinds}")
        seen = self._seen_at(self.at)
        self._images = [self.at if _image(seen, one) == seen else None for one in self._symmetries]
        gone, since, before, moves = set[Any](), [self.at], self.at, list[Move]()
        for ply in range(MAX_PLIES):
            others, moves = moves, self._look()
            if ply:
                self._follow(before, others)
            self.positions += 1
            if not moves:
                result = self.game.outcome(self.at)
                # compiled code returns 1.0 where it may return 0.5
                if result not in _RESULTS or isinstance(result, float):
                    raise self.fault(f"outcome is {result!r}, not 1 (won), 0 (drawn) or −1 (lost)")
                return ply, _RESULTS[result]
            if self.positions == self.enough:
                break
            before, self.at = self.at, moves[int(draws.integers(len(moves)))].after
            if _is_progress(before, self.at):
                gone.update(since)
                since = []
            since.append(self.at)
            if self.at in gone:
                self.comes_back = self.game.format_fen(self.at)
        return ply, "broken off"

    def _look(self) -> list[Move]:
        """Return the legal moves here; raise InputError if something is wrong with the position."""
        game, here = self.game, self.at
        facts = _Facts(*_facts(here, self._room))
        self._check_facts(facts)
        moves = game.legal_moves(here)
        ends = (0, 1) if not moves else ()
        if not len(moves) == facts.count == facts.counted or game.perft(here, 1) not in (len(moves), *ends):
            counted = f"count_moves {facts.counted}, perft {game.perft(here, 1)}, legal_moves {len(moves)}"
            raise self.fault(f"generate has {facts.count} moves, {counted}")
        for move in moves:
            if int(move.after.turn) != 1 - int(here.turn):
                raise self.fault(
                    f"after {move.text} the turn is {move.after.turn}: it must be the other side's"
                )
        if not isinstance(drawn := game.diagram(here), str):
            raise self.fault(f"diagram is {drawn!r}: it must be a text")
        if game.parse_fen(game.format_fen(here)) != here:
            raise self.fault(f"the FEN reads back as {game.parse_fen(game.format_fen(here))}")
        if not 2 <= len(facts.words) <= 3 or facts.words[-1] >= 1 << 33:
            raise self.fault(f"position_words are {facts.words}: must be two or three, the last below 2^33")
        if self._known.setdefault(facts.words, here) != here:
            raise self.fault(f"position_words are also those of {game.format_fen(self._known[facts.words])}")
        if game.sensors is not None:
            if int(facts.seen[2]) and not game.sensors.has_kings:
                raise self.fault("positions have kings but the sensors do not: remove has_kings=False")
            self._check_seen(facts.seen)
        self.most_moves = max(self.most_moves, len(moves))
        return moves

    def _check_facts(self, facts: _Facts) -> None:
        """Check that what the contract returns here agrees."""
        if not 0 <= facts.count <= self.game.max_moves:
            raise self.fault(f"generate returned {facts.count} moves, max_moves is {self.game.max_moves}")
        if facts.is_quiet != (facts.captures == 0):
            raise self.fault(
                f"is_quiet is {facts.is_quiet}, but generate_captures has {facts.captures} moves"
            )
        if facts.captures not in (0, facts.count):
            # Quiescence would value the position as if there were no other moves.
            raise self.fault(
                f"generate_captures has {facts.captures} of {facts.count} moves: a game whose captures are"
                " not compulsory must leave out both it and is_quiet"
            )
        if facts.is_quiet and facts.can_move != (facts.count > 0):
            raise self.fault(f"can_move_quietly is {facts.can_move}, but generate has {facts.count} moves")
        if not isinstance(facts.mobility, int) or abs(facts.mobility) > self.game.max_moves:
            # A difference of unsigned integers is never negative.
            most = f"max_moves, {self.game.max_moves}"
            raise self.fault(f"mobility is {facts.mobility}: it must be an np.int64, and at most {most}")

    def _seen_at(self, position: Any) -> tuple[int, ...]:
        return tuple(map(int, _Facts(*_facts(position, self._room)).seen))

    def _follow(self, before: Any, moves: list[Move]) -> None:
        """Make the image of the last move in the image of the game by each symmetry that the start has."""
        looks = [self._seen_at(move.after) for move in moves] if any(self._images) else []
        for number, (symmetry, here) in enumerate(zip(self._symmetries, self._images, strict=True)):
            if here is None:
                continue
            reached = {self._seen_at(move.after): move.after for move in self.game.legal_moves(here)}
            images = {_image(seen, symmetry) for seen in looks}
            if reached.keys() != images:
                both = f"{self.game.format_fen(before)} and its image {self.game.format_fen(here)}"
                raise self.fault(f"symmetries[{number}] does not keep the rules: {both} have other moves")
            # Where moves look alike, which is rare, the image cannot be followed.
            image = _image(self._seen_at(self.at), symmetry)
            self._images[number] = reached[image] if len(images) == len(moves) else None

    def _check_seen(self, after: Any) -> None:
        """Check what networks see against what they saw a ply before, see `contract.sensor_words`."""
        before, self._seen = self._seen, after
        if before is None:
            return
        own, foe, kings = map(int, before)
        foe_left, own_then, kings_then = map(int, after)
        gone, come = own & ~own_then, own_then & ~own
        is_move = not gone or gone.bit_count() == come.bit_count() == 1
        if not is_move or foe_left & ~foe or (kings ^ kings_then) & (own & own_then | foe_left):
            # Networks update their sums by the squares that change: these sums would be of no position.
            raise self.fault(
                "sensor_words do not follow from the last move: a square must be the same bit for both sides,"
                " and a move must move one own piece or add some; a game without this must leave sensors out"
            )
