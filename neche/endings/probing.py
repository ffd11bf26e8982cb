"""Solved endings looked up: what any position of few pieces is worth, and its moves.

    endings = open_endings(game("checkers"), usual_directory())
    endings.probe(position)          Verdict(result=1, plies=13)

Slices are mapped into memory when a position of theirs is asked for first; only then is their checksum
looked at.
"""

from pathlib import Path
from typing import Any, NamedTuple

from neche.compiled.bits import popcount
from neche.compiled.jit import I64, Array, Position, jit
from neche.endings.files import (
    DISTANCES,
    DRAW,
    WIN,
    SolvedSlice,
    num_pieces_solved,
    read_solved,
    slice_path,
)
from neche.endings.indexing import BINOMIALS, number_of, seen_upward, slice_of
from neche.endings.slices import Slice, slices_of
from neche.errors import InputError
from neche.games.catalogue import Game


class Verdict(NamedTuple):
    """How a position ends if both sides play without a fault, for its side to move.

    result: 1 won, 0 drawn, −1 lost. plies: to the end of the game; None for a draw, and where distances are
    not kept.
    """

    result: int
    plies: int | None

    @property
    def word(self) -> str:
        """The result as a word."""
        return {1: "win", 0: "draw", -1: "loss"}[self.result]


class Endings:
    """The endings of a game that are solved in a directory.

    pieces: the number of them up to which every position is known. has_distances: whether wins have a length.
    """

    def __init__(self, game: Game, directory: Path, pieces: int) -> None:
        self.game, self.directory, self.pieces = game, directory, pieces
        self.has_distances = all(
            slice_path(directory, game.name, of, DISTANCES).exists() for of in slices_of(pieces)
        )
        self._slices: dict[Slice, SolvedSlice] = {}

    def probe(self, position: Any) -> Verdict | None:
        """Return how a position ends; None for one of too many pieces.

        Raises:
            InputError: the file that knows is damaged.
        """
        num_own, num_foe = popcount(position.own), popcount(position.foe)
        if num_own + num_foe > self.pieces or num_foe == 0:
            return None
        if num_own == 0:
            return Verdict(-1, 0)
        *of, number = _located(position, BINOMIALS)
        found = self._slice(Slice(*map(int, of)))
        value = int(found.values[number // 4]) >> 2 * (number % 4) & 3
        if value == DRAW:
            return Verdict(0, None)
        plies = 2 * int(found.distances[number]) + int(value == WIN) if self.has_distances else None
        return Verdict(1 if value == WIN else -1, plies)

    def after_moves(self, position: Any) -> dict[str, Verdict] | None:
        """Return how each legal move ends, for the side that makes it; None if any is not known."""
        found = {move.text: self.probe(move.after) for move in self.game.legal_moves(position)}
        known = {text: verdict for text, verdict in found.items() if verdict is not None}
        if len(known) < len(found):
            return None
        return {
            text: Verdict(-after.result, None if after.plies is None else after.plies + 1)
            for text, after in known.items()
        }

    def _slice(self, of: Slice) -> SolvedSlice:
        if of not in self._slices:
            self._slices[of] = read_solved(self.game, self.directory, of, with_distances=self.has_distances)
        return self._slices[of]


def open_endings(game: Game, directory: Path) -> Endings:
    """Return the endings of a game in a directory.

    Raises:
        InputError: there are none.
    """
    pieces = num_pieces_solved(directory, game.name)
    if pieces == 0:
        raise InputError(f"{directory}: no solved endings of {game.name}; neche solve makes them")
    return Endings(game, directory, pieces)


@jit
def _located(position: Position, binomials: Array) -> tuple[I64, I64, I64, I64, I64]:
    """Return the slice of a position and its number in it."""
    upward = seen_upward(position)
    of = slice_of(upward)
    number = number_of(upward, of, binomials)
    return of.own_men, of.own_kings, of.foe_men, of.foe_kings, number
