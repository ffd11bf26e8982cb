"""A random playout of checkers, slow and obvious: one step after another on the twin's board of letters.

A step is a quiet move or one jump. The steps of a position are in the order of their direction (up-right,
up-left, down-right, down-left, White at the bottom), then of the sensor that sees the start square. Random
numbers are unbounded integers cut to 64 bits. It shares nothing with the package.
"""

from typing import NamedTuple

from tests.oracles.checkers_twin import Board, Position, Square

_SENSORS = "A1B2C3D4E5F6G7H8G1H2A3B4C5D6E7F8E1F2G3H4A5B6C7D8C1D2E3F4G5H6A7B8"
_SENSOR_OF: dict[Square, int] = {
    ("ABCDEFGH".index(_SENSORS[2 * i]), int(_SENSORS[2 * i + 1]) - 1): i for i in range(32)
}
_DIRECTIONS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_FORWARD = {"W": 1, "B": -1}
_KING_ROW = {"W": 7, "B": 0}
_WORD = 2**64


class Rule(NamedTuple):
    """When a playout ends before the game does; see `games.playouts.PlayoutRule`."""

    quiet_plies: int = 80
    max_plies: int = 0
    by_count: int = 0
    avoid_cycles: int = 0


class Step(NamedTuple):
    """A quiet move or a jump: from, over (None for a quiet move), to."""

    start: Square
    over: Square | None
    end: Square


def first_state(key: int, number: int) -> int:
    """Draw the state of a game. Source: SplitMix64."""
    word = (key + (number + 1) * 0x9E3779B97F4A7C15) % _WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return word ^ (word >> 31)


def steps(position: Position, only: Square | None = None) -> list[Step]:
    """List the steps in order, jumps if there is one, otherwise quiet moves. only: of the piece here."""
    board, turn = position
    places = [place for place, letter in board.items() if letter.upper() == turn and only in (None, place)]
    places.sort(key=_SENSOR_OF.__getitem__)
    quiet, jumps = [], []
    for across, up in _DIRECTIONS:
        for place in places:
            if board[place].islower() and up != _FORWARD[turn]:
                continue
            near, far = ((place[0] + n * across, place[1] + n * up) for n in (1, 2))
            if near in _SENSOR_OF and near not in board:
                quiet.append(Step(place, None, near))
            if board.get(near, turn).upper() != turn and far in _SENSOR_OF and far not in board:
                jumps.append(Step(place, near, far))
    return jumps or quiet


def own_kings(position: Position) -> set[Square]:
    """Return the squares of the kings of the side to move."""
    return {place for place, letter in position.board.items() if letter == position.turn}


def playout(position: Position, key: int, number: int, rule: Rule) -> tuple[int, list[Board]]:
    """Play game `number` of a stream; return 1, 0 or −1 for the side to move, and each ply's board."""
    state = first_state(key, number)
    boards: list[Board] = []
    quiet_plies = 0
    kings_before: dict[str, set[Square]] = {}
    first, board = position.turn, dict(position.board)
    turn = first
    while True:
        here = Position(board, turn)
        choice = steps(here)
        sign = 1 if turn == first else -1
        if not choice:
            return -sign, boards
        if rule.quiet_plies and quiet_plies >= rule.quiet_plies:
            return 0, boards
        if rule.max_plies and len(boards) >= rule.max_plies:
            return sign * _lead(here) if rule.by_count else 0, boards
        if rule.avoid_cycles:
            choice = [step for step in choice if not _returns(here, step, kings_before)] or choice
        kings_before[turn] = own_kings(here)
        has_progress = False
        while choice:
            state = (state * 6364136223846793005 + 1442695040888963407) % _WORD
            step = choice[(state >> 32) * len(choice) >> 32]
            letter = board[step.start]
            has_progress = step.over is not None or letter.islower()
            board = _after(board, step)
            is_crowned = board[step.end] != letter
            choice = steps(Position(board, turn), step.end) if step.over and not is_crowned else []
            choice = [further for further in choice if further.over]
        quiet_plies = 0 if has_progress else quiet_plies + 1
        boards.append(board)
        turn = "B" if turn == "W" else "W"


def _after(board: Board, step: Step) -> Board:
    letter = board[step.start]
    after = {place: piece for place, piece in board.items() if place not in (step.start, step.over)}
    crowned = step.end[1] == _KING_ROW[letter.upper()]
    return after | {step.end: letter.upper() if crowned else letter}


def _lead(position: Position) -> int:
    own = sum(letter.upper() == position.turn for letter in position.board.values())
    foe = len(position.board) - own
    return (own > foe) - (own < foe)


def _returns(position: Position, step: Step, kings_before: dict[str, set[Square]]) -> bool:
    """Return whether a king's quiet step puts the kings back where they stood before the side's last ply."""
    if step.over or position.board[step.start].islower():
        return False
    return own_kings(position) - {step.start} | {step.end} == kings_before.get(position.turn)
