"""Results in PDN: many spellings are read, the two of the standard are written.

A result is told from the side that begins games of its kind, as the standard's page of results says; so in
American checkers `1-0` is a win for Black.
"""

import re

from neche.games.notations import PdnNotation
from neche.records.record import BOTH_LOST, DRAWN, FIRST_WON, SECOND_WON, UNKNOWN

_SPELLINGS = {
    FIRST_WON: ("1-0", "2-0", "1:0", "2:0", "1-0f"),
    DRAWN: (
        "1/2-1/2",
        "1-1",
        "½-½",
        "1/2",
        "½",
        "0.5-0.5",
        ".5-.5",
        "1:1",
        "=",
        "=-=",
        "1/2:1/2",
        "draw",
        "drawn",
    ),
    SECOND_WON: ("0-1", "0-2", "0:1", "0:2"),
    BOTH_LOST: ("0-0", "0:0"),
    UNKNOWN: ("*", "?", "", "-", "0", "unknown"),
}
_MEANING = {spelling: result for result, spellings in _SPELLINGS.items() for spelling in spellings}


def read_result(text: str) -> str | None:
    """Return the result that a text means, None for one that is no known spelling.

    >>> read_result("1 - 1"), read_result("2–0"), read_result("1+ - 1-")
    ('1/2-1/2', '1-0', None)
    """
    return _MEANING.get(re.sub(r"\s", "", text).replace("–", "-").lower())


def write_result(result: str, notation: PdnNotation) -> str:
    """Return how the `Result` tag of a game says a result."""
    won, drawn, lost = notation.results
    return {FIRST_WON: won, DRAWN: drawn, SECOND_WON: lost}.get(result, result)
