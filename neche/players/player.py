"""What a player is to whoever lets it play."""

from dataclasses import dataclass

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.thinking import Thinker
from neche.network.decode import Network
from neche.network.sensors import check_sensors


@dataclass(frozen=True)
class Player:
    """Someone who chooses moves.

    name: the specification, written out in full.
    network: what judges positions in a search; None for the random player, and for one with a thinker.
    depth: plies of search before quiescence; the most when `time_ms` is set; 0 without a search.
    time_ms: thinking time for one move in milliseconds; None for a player that always plays alike.
    thinker: what chooses instead of a search, such as playouts; None for the others.
    digest: of what was read from files for a thinker, empty without: the name alone does not tell it.
    only_game: name of the one game that the thinker can play, empty for any.
    """

    name: str
    network: Network | None
    depth: int
    time_ms: int | None = None
    thinker: Thinker | None = None
    digest: str = ""
    only_game: str = ""


def require_board(player: Player, game: Game) -> None:
    """Do nothing if a player can play a game.

    Raises:
        InputError: it cannot see the board.
    """
    if player.network is not None:
        check_sensors(game, player.network)
    if player.only_game not in ("", game.name):
        raise InputError(f"player {player.name}: its network sees {player.only_game} boards, not {game.name}")
