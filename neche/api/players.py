"""Players made from words or networks, analysing and matched; networks read from wherever one may be."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from neche.api.board import Board
from neche.arena.match import MatchReport, play_match
from neche.arena.tournament import OPENING_PLIES, Tournament
from neche.compiled.streams import stream
from neche.errors import InputError, check_type, check_whole
from neche.games.catalogue import GAMES
from neche.genome.dna import WEIGHT_SCALE
from neche.network.decode import Network
from neche.players.alpha_beta import AlphaBeta
from neche.players.engine import Analysis, Choice, Player, choose_move
from neche.players.source import game_of_players, network_of, read_source
from neche.players.spec import parse_player
from neche.report.analysis import analysis_svg

DEFAULT_DEPTH = 4
_CHOICE = "choice"


def player(spec: "str | Network | Player", *, depth: int = DEFAULT_DEPTH, game: str | None = None) -> Player:
    """Return a player from its specification in words, or one that searches `depth` plies with a network.

    game: whose hand-made evaluators the words may name; None: that of the run, file or champion that they
    name, or checkers. A player is returned as it is.

    >>> player("material:depth=6").name
    'material:depth=6'
    """
    if isinstance(spec, str):
        return parse_player(spec, game or game_of_players([spec]) or GAMES[0])
    if isinstance(spec, Network):
        check_whole(depth, "depth", 1)
        return AlphaBeta(f"network {spec.digest}:depth={depth}", spec, depth)
    check_type(spec, Player, "a player (words such as 'material:depth=4', a Network or a Player)")
    return spec


@dataclass(frozen=True, kw_only=True)
class Opinion(Analysis):
    """An analysis with the board and the name of the player, shown as a picture in notebooks.

    move: the best, the first of equals. moves: each legal move, the best ones first. value and pv: see
    `Analysis`.
    """

    board: Board
    player: str

    @property
    def move(self) -> str:
        """The best move, the first of equals."""
        return self.best_moves[0]

    def svg(self, *, flipped: bool = False) -> str:
        """Draw the board with the values of the moves."""
        return analysis_svg(self.board.game, self.board.position, self, flipped=flipped)

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
    who = _player_at(board, spec, seed)
    if not who.judges:
        raise InputError(f"player {who.name} judges nothing")
    key = int(stream(seed, 0, _CHOICE).integers(1 << 63))
    found = who.new_game(board.game).analyse(board.position, key=key, every_value=True)
    return Opinion(**{**vars(found), "moves": tuple(found.ranked())}, board=board, player=who.name)


def choose(board: Board, spec: "str | Network | Player", *, seed: int = 0) -> Choice:
    """Return the move that a player makes, drawn by `seed` among those it holds equal.

    >>> choose(Board("checkers", "W:W18:B14"), "random").move.text
    '18x9'

    Raises:
        InputError: the player cannot see the board, or the game is over.
    """
    who = _player_at(board, spec, seed)
    return choose_move(who, board.game, board.position, stream(seed, 0, _CHOICE))


def _player_at(board: Board, spec: "str | Network | Player", seed: int) -> Player:
    """Return the player that is asked at a board, all arguments checked."""
    check_type(board, Board, "a Board")
    check_whole(seed, "seed", 0)
    who = player(spec, game=board.game.name)
    who.require_board(board.game)
    return who


def match(
    first: "str | Network | Player",
    second: "str | Network | Player",
    *,
    game: str | None = None,
    games: int = 100,
    seed: int = 0,
    openings: int = OPENING_PLIES,
) -> MatchReport:
    """Play paired games with the colours swapped; return wins, draws, losses, score and Elo ± error.

    game: None: that of the runs, files and champions among the players, or checkers. games: an odd number is
    rounded up to whole pairs. openings: random plies that open each pair. seed: the openings and every random
    choice follow from it.

    >>> report = match("material:depth=2", "random", games=20, seed=1)
    >>> report.wins + report.draws + report.losses
    20
    """
    for value, name, low in ((games, "games", 1), (seed, "seed", 0), (openings, "openings", 0)):
        check_whole(value, name, low)
    words = [spec for spec in (first, second) if isinstance(spec, str)]
    name = game or game_of_players(words) or GAMES[0]
    players = (player(first, game=name), player(second, game=name))
    return play_match(Tournament(players, seed, openings, game=name), games)


def read_network(
    source: Path | str,
    identifier: str | None = None,
    *,
    perspective: str | None = None,
    topology: str | None = None,
) -> Network:
    """Return the network of a run directory's champion, a FASTA file, a shipped champion, or DNA letters.

    perspective, topology: what the file says, else `own` and the original 64 neurons.

    >>> read_network("AAATTTGAAGCTACAA").sink.tolist()
    [63]

    Raises:
        InputError: there is no such source or genome.
    """
    check_type(source, (str, Path), "the name of a source")
    return network_of(read_source(str(source), identifier), perspective=perspective, topology=topology)


def weights(of: Network) -> NDArray[np.float64]:
    """Return the weights of all allowed synapses as a matrix [source neuron, sink neuron], weight units.

    >>> float(weights(read_network("AAATTTGAAGCTACAA"))[0, 63])
    1.0
    """
    matrix = np.zeros((of.topology.num_neurons, of.topology.num_neurons))
    matrix[of.source, of.sink] = of.weight / WEIGHT_SCALE
    return matrix
