"""Players: made from words or networks, asked for an opinion, matched against each other."""

from dataclasses import dataclass, field

from neche.api.board import Board
from neche.arena.match import MatchReport, play_match
from neche.arena.meetings import OPENING_PLIES, Event
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.network.decode import Network
from neche.players.choice import Choice, choose_move
from neche.players.player import Player, require_board
from neche.players.spec import parse_player
from neche.report.verdict import MoveValue, Verdict, verdict_svg
from neche.search.analysis import WIN_VALUE, search_position

DEFAULT_DEPTH = 4
_CHOICE = "choice"


def player(spec: "str | Network | Player", *, depth: int = DEFAULT_DEPTH, game: str = "checkers") -> Player:
    """Return a player from its specification in words, or one that searches `depth` plies with a network.

    game: whose hand-made evaluators the words may name. A player is returned as it is.

    >>> player("material:depth=6").depth
    6
    """
    if isinstance(spec, Player):
        return spec
    if isinstance(spec, Network):
        return Player(f"network {spec.digest}:depth={depth}", spec, depth)
    return parse_player(spec, game)


@dataclass(frozen=True)
class Opinion:
    """What a player thinks of a position; shown as a picture in notebooks.

    move: the best, the first of equals. value: for the side to move: weight units for players that search, an
    expected score 0 … 1 for those that play random games. moves: value of each legal move, the best ones
    first. visits: playouts behind each, empty without any. pv: best play for both. is_score: which of the
    two the values are.
    """

    board: Board
    player: str
    move: str
    value: float
    pv: tuple[str, ...]
    moves: dict[str, float]
    visits: dict[str, int] = field(default_factory=dict)
    is_score: bool = False

    def svg(self, *, flipped: bool = False) -> str:
        """Draw the board with the values of the moves."""
        rows = tuple(
            MoveValue(text, value, self._label(value), self.visits.get(text))
            for text, value in self.moves.items()
        )
        verdict = Verdict(f"{self.move}, {self._label(self.value)}", f"line {' '.join(self.pv)}", rows)
        return verdict_svg(self.board.game, self.board.position, verdict, flipped=flipped)

    def _label(self, value: float) -> str:
        if abs(value) > WIN_VALUE / 2:
            return f"{'wins' if value > 0 else 'loses'} in {round(WIN_VALUE - abs(value))}"
        return f"{value:.3f}" if self.is_score else f"{value:+.3f}"

    def _repr_svg_(self) -> str:
        return self.svg()


def analyse(board: Board, spec: "str | Network | Player" = "material:depth=8", *, seed: int = 0) -> Opinion:
    """Return what a player thinks of a position.

    spec: words, a network or a player, as for `player`. seed: of the random games, for players that use them.

    >>> analyse(Board("checkers", "W:W18:B14"), "material:depth=3").move
    '18x9'

    Raises:
        InputError: the player judges nothing, cannot see the board, or the game is over.
    """
    who = player(spec, game=board.game.name)
    require_board(who, board.game)
    if who.thinker is not None:
        thought = choose_move(who, board.game, board.position, stream(seed, 0, _CHOICE)).thought
        assert thought is not None
        ranked = sorted(thought.moves, key=lambda move: (move.text in thought.best, move.value), reverse=True)
        values = {move.text: move.value for move in ranked}
        visits = {move.text: move.visits for move in ranked if thought.playouts}
        return Opinion(
            board, who.name, ranked[0].text, thought.value, thought.pv, values, visits, is_score=True
        )
    if who.network is None:
        raise InputError(f"player {who.name} judges nothing")
    found = search_position(
        board.game, board.position, who.network, depth=who.depth, time_ms=who.time_ms, every_value=True
    )
    best_first = dict(sorted(found.move_values.items(), key=lambda item: -item[1]))
    return Opinion(board, who.name, found.pv[0], found.value, found.pv, best_first)


def choose(board: Board, spec: "str | Network | Player", *, seed: int = 0) -> Choice:
    """Return the move that a player makes, drawn by `seed` among those it holds equal.

    >>> choose(Board("checkers", "W:W18:B14"), "random").move.text
    '18x9'

    Raises:
        InputError: the player cannot see the board, or the game is over.
    """
    who = player(spec, game=board.game.name)
    require_board(who, board.game)
    return choose_move(who, board.game, board.position, stream(seed, 0, _CHOICE))


def match(
    first: "str | Network | Player",
    second: "str | Network | Player",
    *,
    game: str = "checkers",
    games: int = 100,
    seed: int = 0,
    openings: int = OPENING_PLIES,
) -> MatchReport:
    """Play paired games with the colours swapped; return wins, draws, losses, score and Elo ± error.

    games: an odd number is rounded up to whole pairs. openings: random plies that open each pair. seed: the
    openings and every random choice follow from it.

    >>> report = match("material:depth=2", "random", games=20, seed=1)
    >>> report.wins + report.draws + report.losses
    20
    """
    players = (player(first, game=game), player(second, game=game))
    return play_match(Event(players, seed, openings, game=game), games)
