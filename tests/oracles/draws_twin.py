"""Official draw rules of draughts, slow and obvious, from the FENs of all positions of a game.

They are written from the articles alone. Material is a word: "KKM" is two kings and a man.
Source: FMJD annex 1 (November 2015), article 6; CBJD, articles 97 to 100 and item 18 of the summary.
"""

from collections.abc import Sequence
from typing import NamedTuple

Material = tuple[str, str]


class Article(NamedTuple):
    """An ending that is drawn after `moves` of each side. on_diagonal: if the single king stands there."""

    name: str
    stronger: tuple[str, ...]
    weaker: str
    moves: int
    on_diagonal: bool = False


class Rules(NamedTuple):
    """king_moves: the game is drawn after this many moves of each side by kings only."""

    king_moves: int
    articles: tuple[Article, ...]
    diagonal: frozenset[int] = frozenset()


FMJD = Rules(
    25,
    (Article("6.3", ("KKK", "KKM", "KMM"), "K", 16), Article("6.4", ("KK", "KM", "K"), "K", 5)),
)
CBJD = Rules(
    20,
    (
        Article("99", ("KK", "KM", "K"), "K", 5),
        Article("18", ("KK", "KM"), "KK", 5),
        Article("100", ("KKK", "KKM", "KMM"), "K", 5, on_diagonal=True),
    ),
    frozenset({4, 8, 11, 15, 18, 22, 25, 29}),
)
RULES = {"international": FMJD, "brazilian": CBJD}


def why_drawn(fens: Sequence[str], rules: Rules) -> str | None:
    """Return the article by which the game is drawn at its last position, or None."""
    if list(fens).count(fens[-1]) >= 3:
        return "repetition"
    if _king_plies(fens) >= 2 * rules.king_moves:
        return "kings"
    for article in rules.articles:
        plies = 0
        while plies < len(fens) and _is_in(fens[-1 - plies], article, rules):
            plies += 1
        if plies > 2 * article.moves:
            return article.name
    return None


def pieces(fen: str) -> dict[str, dict[int, str]]:
    """Return the pieces of both sides: {"W": {square: "K" or "M"}, "B": …}."""
    board: dict[str, dict[int, str]] = {}
    for side in fen.rstrip(".").split(":")[1:]:
        places = [place for place in side[1:].split(",") if place]
        board[side[0]] = {int(place.lstrip("K")): "K" if place[0] == "K" else "M" for place in places}
    return board


def _king_plies(fens: Sequence[str]) -> int:
    count = 0
    for before, after in zip(fens[-2::-1], fens[:0:-1], strict=True):
        if _men_and_number(before) != _men_and_number(after):
            break
        count += 1
    return count


def _men_and_number(fen: str) -> tuple[set[tuple[str, int]], int]:
    board = pieces(fen)
    men = {(side, place) for side in board for place, piece in board[side].items() if piece == "M"}
    return men, sum(map(len, board.values()))


def _is_in(fen: str, article: Article, rules: Rules) -> bool:
    board = pieces(fen)
    for weak, strong in (("W", "B"), ("B", "W")):
        words = ["".join(sorted(board[side].values())) for side in (weak, strong)]
        if words[0] == article.weaker and words[1] in article.stronger:
            return not article.on_diagonal or set(board[weak]) <= rules.diagonal
    return False
