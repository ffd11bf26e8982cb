"""The state of a game by the rules, slow and obvious, from the positions of the game."""

from collections.abc import Sequence

from neche.games.draws import DrawRule
from tests.oracles import checkers_twin as twin

FIRST = "B"


def standing(line: Sequence[twin.Position], opening_plies: int, rule: DrawRule) -> tuple[str, int] | None:
    """Return why a game is over and its outcome for the first mover, or None while it goes on.

    line: all positions so far. Plies and repetitions count from the end of the opening, `max_plies` from the
    start.
    """
    here = line[-1]
    if not twin.moves(here):
        return "no move", -1 if here.turn == FIRST else 1
    played = line[opening_plies:]
    if rule.repetition and sum(position == here for position in played) >= rule.repetition:
        return "repetition", 0
    if 0 < rule.quiet_plies <= quiet_plies(played, rule.man_moves_reset):
        return "quiet", 0
    if 0 < rule.max_plies < len(line):
        return "length", 0
    return None


def quiet_plies(line: Sequence[twin.Position], man_moves_reset: bool) -> int:
    """Count the plies at the end of a line without capture, promotion or, if it resets, man move."""
    count = 0
    for before, after in zip(line[-2::-1], line[:0:-1], strict=True):
        is_capture = len(after.board) < len(before.board)
        is_promotion = _kings(after) > _kings(before)
        is_man_move = _men(after) != _men(before)
        if is_capture or is_promotion or (is_man_move and man_moves_reset):
            break
        count += 1
    return count


def _kings(position: twin.Position) -> int:
    return sum(letter.isupper() for letter in position.board.values())


def _men(position: twin.Position) -> set[tuple[twin.Square, str]]:
    return {(place, letter) for place, letter in position.board.items() if letter.islower()}
