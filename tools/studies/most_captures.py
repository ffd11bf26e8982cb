"""Search for the draughts position with the most captures, by simulated annealing.

Usage: python tools/studies/most_captures.py [--game NAME] [--runs 20] [--changes 200000] [--seed 1]
            [--fen FEN]

A change sets one to three squares to new contents, or swaps two; numbers of captures are compared by their
logarithm. With --fen every run begins there. Prints each position that has more captures than all before.
Captures beyond the move buffer of the game are not counted.
"""

import argparse
import math
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game
from neche.games.draughts.captures import generate_captures

PIECES = {"brazilian": 12, "international": 20}
_EMPTY, _MAN, _KING, _FOE = range(4)
# Six equally likely draws of a square's new content.
_CONTENTS = (_KING, _MAN, _FOE, _FOE, _EMPTY, _EMPTY)
_HOTTEST, _COLDEST = 0.3, 0.02

Board = dict[int, int]


class Search:
    """Annealing on one board: a position is a content for each square, White to move."""

    def __init__(self, name: str) -> None:
        self.rules, self.most = game(name), PIECES[name]
        rows = import_module(f"neche.games.{name}.notation").WRITING.layout.rows
        self.squares = [bit for row in rows for bit in row]
        self.king_row = set(rows[0])
        self.moves: Any = self.rules.move_buffer()

    def position(self, board: Board) -> Any:
        """Return the position of the compiled rules."""
        own = sum(1 << bit for bit, content in board.items() if content in (_MAN, _KING))
        foe = sum(1 << bit for bit, content in board.items() if content == _FOE)
        kings = sum(1 << bit for bit, content in board.items() if content in (_KING, _FOE))
        word = self.rules.move_type
        return type(self.rules.start())(word(own), word(foe), word(kings), word(0))

    def board(self, fen: str) -> Board:
        """Read a position with White to move."""
        position = self.rules.parse_fen(fen)
        own, foe, kings, _ = map(int, position)
        contents = {bit: _KING if kings >> bit & 1 else _MAN for bit in self.squares if own >> bit & 1}
        return (
            dict.fromkeys(self.squares, _EMPTY) | contents | {b: _FOE for b in self.squares if foe >> b & 1}
        )

    def count(self, board: Board) -> int:
        """Count the captures; −1 for an impossible position."""
        contents = list(board.values())
        if (
            contents.count(_FOE) > self.most
            or len(contents) - contents.count(_EMPTY) - contents.count(_FOE) > self.most
        ):
            return -1
        if any(board[bit] == _MAN for bit in self.king_row):
            return -1
        return int(generate_captures(self.position(board), self.moves, 0))

    def changed(self, board: Board, chance: random.Random) -> Board:
        """Return the board with up to three changes."""
        board = dict(board)
        for _ in range(chance.randint(1, 3)):
            square, other = chance.sample(self.squares, 2)
            if chance.random() < 0.25:
                board[square], board[other] = board[other], board[square]
            else:
                board[square] = chance.choice(_CONTENTS)
        return board

    def run(self, board: Board, changes: int, chance: random.Random) -> tuple[int, Board]:
        """Anneal; return the most captures found and where."""
        count = self.count(board)
        best = count, board
        for number in range(changes):
            heat = _HOTTEST * (1 - number / changes) + _COLDEST
            other = self.changed(board, chance)
            found = self.count(other)
            if found >= 0 and math.log((found + 1) / (count + 1)) >= heat * math.log(1 - chance.random()):
                board, count = other, found
                best = max(best, (count, board), key=lambda pair: pair[0])
        return best


def main() -> int:
    """Search and print."""
    parser = argparse.ArgumentParser(description="Search for the position with the most captures.")
    parser.add_argument("--game", default="international", choices=PIECES)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--changes", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fen")
    options = parser.parse_args()
    search, most = Search(options.game), 0
    empty = dict.fromkeys(search.squares, _EMPTY)
    for run in range(options.runs):
        begin = search.board(options.fen) if options.fen else empty
        count, board = search.run(begin, options.changes, random.Random(f"{options.seed} {run}"))
        if count > most:
            most = count
            print(run, count, search.rules.format_fen(search.position(board)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
