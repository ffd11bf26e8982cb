"""Players from text or networks, their analyses and matches; networks from runs, files and DNA."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from neche.api.board import Board
from neche.api.plugin import marked
from neche.arena.ladder import Rung, climb, usual_rungs
from neche.arena.match import MatchReport, play_match
from neche.arena.round_robin import RoundRobinReport, play_round_robin
from neche.arena.tournament import OPENING_PLIES, Tournament
from neche.compiled.streams import stream
from neche.errors import InputError, check_type, check_whole
from neche.games.catalogue import GAMES, game as game_named
from neche.games.draws import MAX_PLIES
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.players.alpha_beta import AlphaBeta
from neche.players.engine import MAX_DEPTH, Analysis, Choice, Engine, Player, choose_move
from neche.players.function_player import DEFAULT_DEPTH as FUNCTION_DEPTH, function_player
from neche.players.plugged import MARK
from neche.players.source import game_of_players, network_of, read_source
from neche.players.spec import parse_player
from neche.report.analysis import analysis_svg

DEFAULT_DEPTH = 4
_CHOICE = "choice"


Spec: TypeAlias = str | Network | Player | Callable[..., Any]
"""A player: as text, a network, a `Player`, or a function marked by `neche.plugin.player` or `evaluator`."""


def player(spec: Spec, *, depth: int | None = None, game: str | None = None) -> Player:
    """Return the player that a text specifies, or one that searches `depth` plies with a network.

    depth: None: 4 for a network, 1 for an evaluator function; a text names its own. game: the game whose
    hand-made evaluators the text may name; None: the game of the run, file or champion it names, or checkers.
    A `Player` is returned unchanged.

    >>> player("material:depth=6").name
    'material:depth=6'
    """
    check_type(game, (str, type(None)), "the name of a game")
    if depth is not None:
        check_whole(depth, "depth", 1, MAX_DEPTH)
        if isinstance(spec, str | Player):
            raise InputError(f"depth = {depth}: only for networks and functions; text: 'material:depth=4'")
    if isinstance(spec, str):
        return parse_player(spec, game or game_of_players([spec]) or GAMES[0])
    if isinstance(spec, FunctionType) and hasattr(spec, MARK):
        return function_player(marked(spec), Board.at, depth or FUNCTION_DEPTH)
    if isinstance(spec, Network):
        depth = depth or DEFAULT_DEPTH
        return AlphaBeta(f"network {spec.digest}:depth={depth}", spec, depth)
    kinds = "text such as 'material:depth=4', a Network, a Player, a function marked by neche.plugin"
    check_type(spec, Player, f"a player ({kinds})")
    assert isinstance(spec, Player)
    return spec


@dataclass(frozen=True, kw_only=True)
class Opinion(Analysis):
    """An analysis with its board and the player's name; notebooks show it as a picture.

    moves: each legal move, best first. For the other fields see `Analysis`.
    """

    board: Board
    player: str

    @property
    def move(self) -> str:
        """The best move, the first if several are equal."""
        return self.best_moves[0]

    def svg(self, *, flipped: bool = False) -> str:
        """Draw the board with the values of the moves as SVG."""
        return analysis_svg(self.board.game, self.board.position, self, flipped=flipped)

    def _repr_svg_(self) -> str:
        return self.svg()


def analyse(board: Board, spec: Spec = "material:depth=8", *, seed: int = 0) -> Opinion:
    """Let a player analyse a position; return the value of each move and the best one.

    spec: as for `player`. seed: of the random games, for players that use them.

    >>> analyse(Board("checkers", "W:W18:B14"), "material:depth=3").move
    '18x9'

    Raises:
        InputError: the player does not evaluate positions, its network does not fit the board, or the game is
            over.
    """
    who, engine = _player_at(board, spec, seed)
    if not who.judges:
        raise InputError(f"player {who.name} does not evaluate positions")
    key = int(stream(seed, 0, _CHOICE).integers(1 << 63))
    found = engine.analyse(board.position, key=key, every_value=True)
    return Opinion(**{**vars(found), "moves": tuple(found.ranked())}, board=board, player=who.name)


def choose(board: Board, spec: Spec, *, seed: int = 0) -> Choice:
    """Return the move that a player chooses; `seed` draws one among moves it considers equal.

    >>> choose(Board("checkers", "W:W18:B14"), "random").move.text
    '18x9'

    Raises:
        InputError: the player's network does not fit the board, or the game is over.
    """
    who, engine = _player_at(board, spec, seed)
    return choose_move(who, board.game, board.position, stream(seed, 0, _CHOICE), engine=engine)


def _player_at(board: Board, spec: Spec, seed: int) -> tuple[Player, Engine]:
    """Return the player for a board, all arguments checked, and its engine in the game played there."""
    check_type(board, Board, "a Board")
    check_whole(seed, "seed", 0)
    who = player(spec, game=board.game.name)
    who.require_board(board.game)
    engine = who.new_game(board.game)
    engine.follow(board.past)
    return who, engine


def match(
    first: Spec,
    second: Spec,
    *,
    game: str | None = None,
    games: int = 100,
    seed: int = 0,
    openings: int = OPENING_PLIES,
) -> MatchReport:
    """Play paired games with the colours swapped; return wins, draws, losses, score and Elo ± error.

    game: None: the game of the runs, files and champions among the players, or checkers. games: an odd number
    is rounded up to whole pairs. openings: random plies that open each pair. seed: decides the openings and
    every random choice.

    >>> report = match("material:depth=2", "random", games=20, seed=1)
    >>> report.wins + report.draws + report.losses
    20
    """
    return play_match(_tournament((first, second), game, games, seed, openings), games)


def round_robin(
    players: Sequence[Spec],
    *,
    game: str | None = None,
    games: int = 20,
    seed: int = 0,
    openings: int = OPENING_PLIES,
    anchor: Spec | None = None,
) -> RoundRobinReport:
    """Play a match between every two players; return the table with Elo ± error, strongest first.

    games: per match. anchor: the player whose Elo is 0; None: the mean is 0. Other arguments: as for `match`.

    >>> table = round_robin(["material:depth=2", "blind:depth=2", "random"], games=4, seed=1)
    >>> table.standings[0].name
    'material:depth=2'
    """
    tournament = _tournament(players, game, games, seed, openings)
    name = None if anchor is None else player(anchor, game=tournament.game).name
    return play_round_robin(tournament, games, anchor=name)


def ladder(
    champion: Spec,
    rungs: Sequence[Spec] = (),
    *,
    game: str | None = None,
    games: int = 100,
    seed: int = 0,
    openings: int = OPENING_PLIES,
) -> list[Rung]:
    """Measure a player against fixed opponents on the same openings; return its result against each.

    rungs: the opponents; none: the usual ones of the game, which take minutes. games: against each. Other
    arguments: as for `match`.

    >>> [rung.wins for rung in ladder("material:depth=2", ["random"], games=10, seed=1)]
    [10]
    """
    rungs = _listed(rungs)
    name = game or game_of_players([one for one in (champion, *rungs) if isinstance(one, str)]) or GAMES[0]
    met: Sequence[Spec] = rungs or usual_rungs(game_named(name))
    return list(climb(_tournament((champion, *met), name, games, seed, openings), games))


def _tournament(
    players: Sequence[Spec], game: str | None, games: int, seed: int, openings: int
) -> Tournament:
    """Return the tournament that fixes the games between players, all arguments checked."""
    check_whole(games, "games", 1)
    check_whole(seed, "seed", 0)
    check_whole(openings, "openings", 0, MAX_PLIES)
    players = _listed(players)
    name = game or game_of_players([one for one in players if isinstance(one, str)]) or GAMES[0]
    return Tournament(tuple(player(one, game=name) for one in players), int(seed), int(openings), game=name)


def _listed(players: Iterable[Spec]) -> tuple[Spec, ...]:
    # A single text outside a list would be read as one player for each letter.
    check_type(players, (list, tuple) if isinstance(players, str) else Iterable, "a list of players")
    return tuple(players)


def read_network(
    source: Path | str,
    identifier: str | None = None,
    *,
    perspective: str | None = None,
    topology: str | None = None,
) -> Network:
    """Return the network of a run directory's champion, a FASTA file, a shipped champion, or DNA letters.

    perspective, topology: None: as the file says, else `own` and the original 64 neurons.

    >>> read_network("AAATTTGAAGCTACAA").sink.tolist()
    [63]

    Raises:
        InputError: the source or genome does not exist.
    """
    check_type(source, (str, Path), "the name of a source")
    check_type(identifier, (str, type(None)), "the id of a genome")
    return network_of(read_source(str(source), identifier), perspective=perspective, topology=topology)


def weights(of: Network) -> NDArray[np.float64]:
    """Return the weights of all allowed synapses as a matrix [source neuron, sink neuron], weight units.

    >>> float(weights(read_network("AAATTTGAAGCTACAA"))[0, 63])
    1.0
    """
    check_type(of, Network, "a Network")
    matrix = np.zeros((of.topology.num_neurons, of.topology.num_neurons))
    matrix[of.source, of.sink] = of.weight / WEIGHT_SCALE
    return matrix
