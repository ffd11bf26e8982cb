"""A player with solved endings: with few pieces it plays by them, otherwise as usual.

Every kind of player takes the option `endings=DIR`, a directory of `neche solve`, or `endings=usual` for the
default directory. A player without this option never uses them. In a game that always ends, every kind takes
`exact=N` instead, see `exact_endings`.

It chooses among the moves that preserve the position's value: if it is won or lost and distances are stored,
the move that wins soonest or holds out longest; otherwise the one that the player itself prefers.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from neche.endings.files import usual_directory
from neche.endings.probing import Endings, Verdict, open_endings
from neche.games.catalogue import game as game_named
from neche.games.game import Game
from neche.network.decode import Network
from neche.players.engine import WIN_VALUE, Analysis, Engine, MoveAnalysis, Player, Progress
from neche.players.exact_endings import SCORES, ExactEngine, MovesLeft, ProvingEngine, last_moves_of
from neche.players.options import read_value

OPTION, EXACT = "endings", "exact"
USUAL = "usual"


@lru_cache(maxsize=8)
def endings_in(folder: str, game: str) -> Endings:
    """Return the solved endings that an option names; InputError if there are none for this game."""
    return open_endings(game_named(game), usual_directory() if folder == USUAL else Path(folder))


@dataclass(frozen=True)
class EndingsPlayer(Player):
    """A player with knowledge of endings.

    option, value: as written: `endings` and a directory, or `exact` and a number of moves.
    """

    player: Player
    option: str
    value: str
    name: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """Copy the attributes of the player, except the name."""
        for name in Player.__annotations__:
            object.__setattr__(self, name, getattr(self.player, name))
        between = "," if ":" in self.player.name else ":"
        object.__setattr__(self, "name", f"{self.player.name}{between}{self.option}={self.value}")

    @property
    def digest(self) -> str:
        """Digest of what the player read; the values of endings follow from the rules."""
        return self.player.digest

    @property
    def evaluating_network(self) -> Network | None:
        """The network that evaluates all other positions."""
        return self.player.evaluating_network

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game."""
        return self.player.seconds_a_game

    def require_board(self, game: Game) -> None:
        """Check that the player can play a game, and that its endings are available."""
        self.player.require_board(game)
        _ENGINES[self.option](self.player, game, self.value)

    def at_depth(self, depth: int) -> "EndingsPlayer | None":
        """Return the same player at another depth."""
        deeper = self.player.at_depth(depth)
        return None if deeper is None else EndingsPlayer(deeper, self.option, self.value)

    def for_clock(self) -> "EndingsPlayer":
        """Return the player as it plays best under a clock."""
        return EndingsPlayer(self.player.for_clock(), self.option, self.value)

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> Engine:
        """Begin a game."""
        begin = _ENGINES[self.option](self.player, game, self.value)
        return begin(self.player.new_game(game, memory_mb=memory_mb))


class EndingsEngine(ProvingEngine):
    """A player at one game with solved endings."""

    def __init__(self, engine: Engine, endings: Endings, *, gives_scores: bool) -> None:
        super().__init__(engine, gives_scores=gives_scores)
        self._endings = endings
        engine.look_up(endings)

    def _proven(self, position: Any, *, progress: Progress | None = None, **settings: Any) -> Analysis | None:
        """Return the values of a position and of its moves by solved endings."""
        after = self._endings.after_moves(position)
        if not after:
            return None
        best = max(verdict.result for verdict in after.values())
        if best and self._endings.has_distances:
            return self._looked_up(after)
        # No table says which of several drawing moves is best.
        told = None if progress is None else lambda found: progress(self._preferred(found, after))
        own = {**settings, "every_value": True, "line": False, "progress": told}
        return self._preferred(self._engine.analyse(position, **own), after)

    def _looked_up(self, after: dict[str, Verdict]) -> Analysis:
        """Return the analysis, by distances, of a position that is won or lost."""
        values = {text: self._value(verdict, 0.0) for text, verdict in after.items()}
        moves = tuple(MoveAnalysis(text, value, low=value, high=value) for text, value in values.items())
        ranks = {text: _rank(verdict) for text, verdict in after.items()}
        best_moves = tuple(text for text, rank in ranks.items() if rank == max(ranks.values()))
        best = after[best_moves[0]]
        return Analysis(
            moves=moves,
            best_moves=best_moves,
            pv=best_moves[:1],
            value=values[best_moves[0]],
            is_score=self._gives_scores,
            figures={"proven_plies": best.plies or 0} if self._gives_scores else {},
            proven=best.result,
        )

    def _preferred(self, found: Analysis, after: dict[str, Verdict]) -> Analysis:
        """Return the analysis with only moves that preserve the position's result as best moves."""
        best = max(verdict.result for verdict in after.values())
        kept = [move for move in found.ranked() if after[move.text].result == best]
        best_moves = tuple(text for text in found.best_moves if after[text].result == best) or (kept[0].text,)
        values = {move.text: self._value(after[move.text], move.value) for move in found.moves}
        # Counts behind known values have no meaning, least of all as weights of labels.
        moves = tuple(MoveAnalysis(text, value, low=value, high=value) for text, value in values.items())
        found = replace(found, moves=moves, best_moves=best_moves, pv=best_moves[:1])
        return replace(found, value=values[best_moves[0]], playouts=0, figures={}, proven=best)

    def _value(self, verdict: Verdict, otherwise: float) -> float:
        """Return the value of a verdict in the units of the player.

        otherwise: value in weight units of a win or loss whose length is unknown.
        """
        if self._gives_scores:
            return SCORES[verdict.result]
        if verdict.result == 0:
            return 0.0
        return otherwise if verdict.plies is None else verdict.result * (WIN_VALUE - verdict.plies)

    def _line(self, position: Any, found: Analysis) -> tuple[str, ...]:
        """Return best play, as far as distances tell."""
        text = found.best_moves[0]
        line = [text]
        while self._endings.has_distances:
            moves = self._endings.game.legal_moves(position)
            position = next(move.after for move in moves if move.text == text)
            after = self._endings.after_moves(position) or {}
            ranks = {text: _rank(verdict) for text, verdict in after.items()}
            text = max(ranks, key=ranks.__getitem__, default="")
            # In a draw no line is better than others.
            if not text or after[text].result == 0:
                break
            line.append(text)
        return tuple(line)


def _rank(verdict: Verdict) -> tuple[int, int]:
    """Return the sort key of a verdict: quick wins are better than slow ones, slow losses than quick ones."""
    return verdict.result, -verdict.result * (verdict.plies or 0)


def _with_tables(player: Player, game: Game, folder: str) -> Callable[[Engine], Engine]:
    endings = endings_in(folder, game.name)
    return lambda engine: EndingsEngine(engine, endings, gives_scores=player.gives_scores)


def _with_search(player: Player, game: Game, most: str) -> Callable[[Engine], Engine]:
    last_moves, number = last_moves_of(game), int(read_value(EXACT, most, MovesLeft))
    return lambda engine: ExactEngine(engine, game, last_moves, number, gives_scores=player.gives_scores)


# Each checks its arguments first, and returns a function that wraps the player's engine.
_ENGINES = {OPTION: _with_tables, EXACT: _with_search}
OPTIONS: dict[str, Any] = {OPTION: str, EXACT: MovesLeft}
"""Options of all kinds of players that evaluate, and the types of their values."""
