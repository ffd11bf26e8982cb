"""The Hub client of pydraughts, and what it takes to let it play on 8×8 squares.

On 10×10 squares it says what the protocol says. On 8×8 it writes positions and moves in numberings of its
own: American positions are turned, with the colours exchanged, while the moves are those of PDN; Brazilian
positions have their eight rows in the opposite order of the moves' numbers, which begin with White's bottom
left square.
"""

import sys
from pathlib import Path
from typing import Any

from draughts import Board
from draughts.engine import HubEngine, Limit

_SWAP = str.maketrans("wbWB", "bwBW")


def engine_script(folder: Path) -> Path:
    """Write the program that is started: `neche` as it is installed; the client takes no `python -m`."""
    script = folder / "neche"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom neche.cli.main import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    return script


class AmericanHubEngine(HubEngine):  # type: ignore[misc]
    """Turns the position, so that it is in the numbering of the moves."""

    def go(self, fen: str, *arguments: Any, **options: Any) -> Any:
        side, squares = fen[0].translate(_SWAP), fen[:0:-1].translate(_SWAP)
        return super().go(side + squares, *arguments, **options)


class BrazilianHubEngine(HubEngine):  # type: ignore[misc]
    """Sends PDN's numbers, 1 top left, for those of the client, 1 bottom left, and reads them back."""

    def go(self, fen: str, moves: str | None = None, **options: Any) -> Any:
        done = super().go(fen, moves and mirrored(moves), **options)
        return tuple(move and mirrored(move) for move in done)


def mirrored(text: str) -> str:
    """Reverse the order of the eight rows in moves such as `9-13 22x15x18`."""
    return " ".join(
        ("x" if "x" in word else "-").join(
            str(4 * (7 - (int(number) - 1) // 4) + (int(number) - 1) % 4 + 1)
            for number in word.replace("x", "-").split("-")
        )
        for word in text.split()
    )


def play_to_the_end(engine: HubEngine, variant: str, limit: Limit, most_plies: int = 400) -> Board:
    """Let the engine play both sides; a move that is not legal raises in the client."""
    board = Board(variant)
    while not board.is_over() and len(board.move_stack) < most_plies:
        board.push(engine.play(board, limit, False).move)
    return board
