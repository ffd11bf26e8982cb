"""Positions of compiled code and their notation: what the games of this package offer to people."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from neche.games.catalogue import Move
from neche.games.draughts.captures import MOVE_WORDS
from neche.games.draughts.moves import generate
from neche.games.draughts.notation import Layout, draw, name_moves, placement, read_fen, write_fen
from neche.games.draughts.perft import count_leaves


@dataclass(frozen=True)
class Writing:
    """Notation of a game whose positions are `record`s of `word`s. max_moves: rows of its move buffer."""

    record: Any
    word: type[np.unsignedinteger[Any]]
    max_moves: int
    layout: Layout

    def parse_fen(self, text: str) -> Any:
        """Read a PDN FEN, see `notation.read_fen`."""
        placed = read_fen(text, self.layout)
        own, foe = (placed.black, placed.white) if placed.turn else (placed.white, placed.black)
        return self.record(*map(self.word, (own, foe, placed.kings, placed.turn)))

    def format_fen(self, position: Any) -> str:
        """Write a position as PDN FEN: the exact inverse of `parse_fen`."""
        return write_fen(placement(position), self.layout)

    def diagram(self, position: Any) -> str:
        """Draw the board, White at the bottom."""
        return draw(placement(position), self.layout)

    def legal_moves(self, position: Any) -> list[Move]:
        """List the legal moves, in the order in which `moves.generate` writes them."""
        moves = self._buffer(1)
        rows = moves[: MOVE_WORDS * int(generate(position, moves, 0))].reshape(-1, MOVE_WORDS)
        texts = name_moves(placement(position), rows.tolist(), self.layout)
        turn = self.word(1 - int(position.turn))
        return [
            Move(text, self.record(row[1], row[0], row[2], turn))
            for text, row in zip(texts, rows, strict=True)
        ]

    def perft(self, position: Any, depth: int) -> int:
        """Count the leaves `depth` plies below a position, see `perft.count_leaves`."""
        if depth == 0:
            return 1
        return int(count_leaves(position, np.int64(depth), self._buffer(depth), np.int64(0)))

    def _buffer(self, num_positions: int) -> Any:
        return np.zeros(num_positions * self.max_moves * MOVE_WORDS, self.word)
