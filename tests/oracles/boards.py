"""The pieces on the squares of a board, read from a FEN, in the form that the twins of networks take.

It shares nothing with the package.
"""

from collections.abc import Iterator, Mapping, Sequence

_OF_32 = [
    *("A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8", "G1", "H2", "A3", "B4", "C5", "D6", "E7", "F8"),
    *("E1", "F2", "G3", "H4", "A5", "B6", "C7", "D8", "C1", "D2", "E3", "F4", "G5", "H6", "A7", "B8"),
]
SQUARES: Mapping[str, list[str]] = {
    "checkers": _OF_32,
    "brazilian": _OF_32,
    "international": [
        f"{'ACEGI'[i] if row % 2 else 'BDFHJ'[i]}{row}" for row in range(1, 11) for i in range(5)
    ],
    "othello": [f"{column}{row}" for row in range(1, 9) for column in "ABCDEFGH"],
}
"""The squares of each board in the order of its sensors."""


def board_of(name: str, fen: str) -> dict[str, tuple[bool, str]]:
    """Return the pieces: {square: (whether it belongs to the first side, "m" for a man, "k" for a king)}."""
    if name == "othello":
        letters = zip(SQUARES[name], fen, strict=False)
        return {square: (letter == "X", "m") for square, letter in letters if letter in "XO"}
    return dict(_pieces(fen, 10 if name == "international" else 8))


def _pieces(fen: str, size: int) -> Iterator[tuple[str, tuple[bool, str]]]:
    for part in fen.split(":")[1:]:
        for word in filter(None, part[1:].split(",")):
            number = int(word.removeprefix("K"))
            row = size - (number - 1) // (size // 2)
            place = (number - 1) % (size // 2)
            yield (
                f"{'ABCDEFGHIJ'[2 * place + (row + 1) % 2]}{row}",
                (part[0] == "W", "k" if "K" in word else "m"),
            )


def opposite(square: str, squares: Sequence[str]) -> str:
    """Name the square where this one goes when the board is turned by 180°."""
    columns = sorted({name[0] for name in squares})
    rows = sorted({int(name[1:]) for name in squares})
    column = columns[len(columns) - 1 - columns.index(square[0])]
    return f"{column}{rows[len(rows) - 1 - rows.index(int(square[1:]))]}"
