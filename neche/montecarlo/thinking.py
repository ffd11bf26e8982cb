"""What every Monte Carlo player is: a thinker sits down at a game, and its seat thinks move by move."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, runtime_checkable

from neche.games.catalogue import Game
from neche.search.stopping import Stop


@dataclass(frozen=True)
class MoveThought:
    """What a player found of one legal move.

    text: the move. value: expected score 0..1 for the side that makes it. visits: playouts, or visits of a
    tree, behind it. wins, draws, losses: playouts for that side; zero where values come from elsewhere.
    low, high: bounds of the value, 95 %.
    """

    text: str
    value: float
    visits: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Thought:
    """What a player found in one position.

    value: expected score 0..1 of the best move, for the side to move. moves: each legal move, in the game's
    order. best: the moves that are equally good, of which the caller draws one. pv: best play as far as it is
    known; begins with the first of `best`. playouts: random games played. seconds: wall time. facts: figures
    by name, such as playouts_per_second, mean_depth, tree_depth.
    """

    value: float
    moves: tuple[MoveThought, ...]
    best: tuple[str, ...]
    pv: tuple[str, ...]
    playouts: int
    seconds: float
    facts: dict[str, float | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """How far one thought may go, and what is told on the way.

    playouts: most of them; None for no limit. time_ms: thinking time in milliseconds; None for no limit.
    stop: ends the thought early. One with a stop also ends when there is no room for more. tell: called with
    what was found so far after each number of playouts in `tell_at`, which rise; the thought is the same
    whether it is told or not.
    """

    playouts: int | None = None
    time_ms: int | None = None
    stop: Stop | None = None
    tell: Callable[[Thought], None] | None = None
    tell_at: Iterable[int] = ()


def growing_counts(first: int = 1, *, a_doubling: int = 2) -> Iterator[int]:
    """Yield numbers of playouts that grow by one factor without end, twofold in `a_doubling` steps.

    >>> from itertools import islice
    >>> list(islice(growing_counts(4), 8))
    [4, 6, 8, 11, 16, 23, 32, 45]
    """
    last = 0
    for step in count():
        wanted = round(first * 2 ** (step / a_doubling))
        if wanted > last:
            yield wanted
            last = wanted


class Seat(Protocol):
    """A thinker at one game: it may remember what it found at earlier moves of that game."""

    def think(self, position: Any, key: int) -> Thought:
        """Judge a position; key: 64-bit stream key of this move.

        Equal keys after an equal history give equal thoughts, unless the player thinks by time.

        Raises:
            InputError: the game is over.
        """
        ...


@runtime_checkable
class LimitedSeat(Seat, Protocol):
    """A seat that can be given other limits, thought by thought, than its player has."""

    @property
    def limits(self) -> Limits:
        """The player's own."""
        ...

    def think_within(self, position: Any, key: int, limits: Limits) -> Thought:
        """Judge a position, as `think` does, within the limits given."""
        ...

    def make_room(self, position: Any) -> None:
        """Forget what is of no use from `position` on, lest a later thought has to while its time runs."""
        ...


class Thinker(Protocol):
    """A player that thinks by playouts, as it is specified; it has no state."""

    @property
    def name(self) -> str:
        """Specification, written out."""
        ...

    def sit(self, game: Game) -> Seat:
        """Begin a game with nothing remembered."""
        ...
