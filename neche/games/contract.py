"""What every game offers to search and playouts: functions dispatched on the type of the position.

A game registers an implementation of each with `overload` (see `games/checkers/rules.py`). A position is a
NamedTuple of integers seen from the side to move. A move is a row of the game's move buffer and is named by
where the row starts.
"""

from typing import Any, NamedTuple, NoReturn

STEPWISE: set[type] = set()
"""Records of the games that register `play_out`; playouts of all others draw among whole moves."""

MOBILE: set[type] = set()
"""Records of the games that register `mobility`; to all others it is 0."""

ENDING: set[type] = set()
"""Records of the games that register `ending`; the others have no endings of few pieces."""

WALKING: set[type] = set()
"""Records of the games that register walks, whose playouts run on CUDA devices too."""

AVOIDING: set[type] = set()
"""Records of the games whose `play_out` keeps to `PlayoutRule.avoid_cycles`."""

LANES = 32
"""Walks that a CPU core leads on side by side, in vector instructions."""


class PlayoutRule(NamedTuple):
    """How a playout ends, apart from the end of the game.

    A game that is over has its outcome, whatever else holds. Then, at the beginning of a ply:
    quiet_plies: so many plies in a row without progress are a draw; 0 never. A playout begins with none.
    max_plies: after so many plies the playout is stopped; 0 never. by_count: 1, a stopped playout is won by
    the side with more pieces; 0, it is drawn. avoid_cycles: 1, a king's quiet step after which the own kings
    stand as they stood before the own previous ply is left out when there is another step. whole_moves: 1,
    draw among whole moves even if the game has steps; on the CPU only, without by_count and avoid_cycles.
    """

    quiet_plies: int = 80
    max_plies: int = 0
    by_count: int = 0
    avoid_cycles: int = 0
    whole_moves: int = 0


class QuietRule(NamedTuple):
    """What most playouts need of a `PlayoutRule`, for walks that remember no more; int32, never 0."""

    quiet_plies: Any


def _unregistered(position: Any) -> NoReturn:
    raise TypeError(f"{type(position).__name__} is no position of a registered game")


def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from `base` on; return their number, 0 when the game is over."""
    _unregistered(position)


def generate_captures(position: Any, moves: Any, base: Any) -> Any:
    """Write the moves that quiescence must follow; return their number, 0 when the position is quiet."""
    _unregistered(position)


def is_quiet(position: Any) -> Any:
    """Tell whether quiescence has nothing to follow."""
    _unregistered(position)


def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen by the other side."""
    _unregistered(position)


def outcome(position: Any) -> Any:
    """Return how a game that is over ended for the side to move: 1 won, 0 drawn, −1 lost; int64.

    Only for positions without a move.
    """
    _unregistered(position)


def move_words(position: Any) -> Any:
    """Words in a row of the move buffer."""
    _unregistered(position)


def max_moves(position: Any) -> Any:
    """Rows that one position can need at most."""
    _unregistered(position)


def side_to_move(position: Any) -> Any:
    """0 for the side whose view a network takes unturned (White), 1 for the other."""
    _unregistered(position)


def can_move_quietly(position: Any) -> Any:
    """Tell whether the side to move of a quiet position has a move at all."""
    _unregistered(position)


def position_words(position: Any) -> Any:
    """Two or three uint64 that together are the position, one to one; bits 33 to 63 of the last are zero."""
    _unregistered(position)


def sensed(position: Any) -> Any:
    """Return own pieces, foe pieces and kings as words whose bits are those of the game's `SensorLayout`.

    A move moves one own piece, or adds own pieces without moving any; and takes or turns foe pieces, or none.
    Games that networks cannot see return zeros.
    """
    _unregistered(position)


def mobility(position: Any) -> Any:
    """Return the number of moves of the side to move less that of the other side, were it to move; int64.

    For hand-made evaluators. A game that registers this adds its record to `MOBILE`.
    """
    _unregistered(position)


def is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    """Tell whether the move from `before` to `after` resets the count of quiet plies.

    Captures and promotions do; the move of a man does where `man_moves_count` says so.
    """
    _unregistered(before)


def ending(position: Any, limits: Any) -> Any:
    """Return the number of this ending of few pieces, 1 for the first of `limits`; 0 if it is none; int64.

    limits: `DrawRule.endings`, of which a game tells apart those that have a limit. Compiled code that draw
    rules use; a game that registers this adds its record to `ENDING`.
    """
    _unregistered(position)


def play_out(position: Any, state: Any, rule: Any) -> Any:
    """Play uniformly random steps to the end; return outcome and plies.

    A step is a whole move or one jump of a capture, after which the same piece goes on while it can. It is
    number high32(state) · n >> 32 of the n steps there are, `state` advanced before each step
    (`randomness.advance`), also before one without choice. Where steps are too dear to be numbered it is the
    one with the highest of random numbers, each a function of the state and the step. outcome: 1 the side to
    move in `position` wins, 0 draw, −1 it loses. plies: whole moves. rule: `PlayoutRule`. A game that
    registers this adds its record to `STEPWISE`.
    """
    _unregistered(position)


def position_at(columns: Any, index: Any) -> Any:
    """Return position `index` of many, whose fields are arrays: `columns` is the record of these arrays."""
    return type(columns)(*(column[index] for column in columns))


def position_in(sample: Any, table: Any, row: Any, index: Any) -> Any:
    """Return the position whose fields are table[row, index] and below; sample: any position of the game."""
    return type(sample)(*(type(field)(table[row + i, index]) for i, field in enumerate(sample)))


def begin_walk(position: Any, plies: Any, rule: Any) -> Any:
    """Return the walk that begins at `position`: a playout that kernels lead on step by step.

    plies: from which it goes on counting, those of the games before. rule: the record decides what a walk
    remembers, a `QuietRule` least. A game that registers walks registers all functions with walk in their
    name, `position_at` and `position_in`, and adds its record to `WALKING`.
    """
    _unregistered(position)


def walk_draws(walk: Any) -> Any:
    """Tell whether the next step is drawn: only then does the random state advance, see `play_out`."""
    _unregistered(walk)


def walk_steps(walk: Any, rule: Any) -> Any:
    """Return the steps among which the side to move draws."""
    _unregistered(walk)


def walk_is_over(walk: Any, steps: Any, rule: Any) -> Any:
    """Tell whether the playout ends here, before a step is drawn."""
    _unregistered(walk)


def walk_outcome(walk: Any, steps: Any, rule: Any) -> Any:
    """Return the outcome, as `play_out` does, of a walk that is over, and the plies counted."""
    _unregistered(walk)


def walk_step(walk: Any, steps: Any, state: Any) -> Any:
    """Return the walk one step on, the same step as that of `play_out`; without a branch.

    state: already advanced for this step. A walk that is over may be led on too: the result has no meaning.
    """
    _unregistered(walk)


def walk_words(position: Any) -> Any:
    """Words in memory of a walk under a `QuietRule`; such walks run side by side on the CPU."""
    _unregistered(position)


def walk_in_lane(position: Any, words: Any, lane: Any) -> Any:
    """Return the walk of one lane; position: any of the game.

    words: [walk_words · LANES] uint32 – word w of lane i is words[w · LANES + i].
    """
    _unregistered(position)


def put_walk(walk: Any, words: Any, lane: Any) -> Any:
    """Write a walk into a lane, see `walk_in_lane`."""
    _unregistered(walk)


def write_planes(position: Any, planes: Any) -> Any:
    """Write what a convolutional network sees of the board: [rows · columns · planes] float32, plane last."""
    _unregistered(position)
