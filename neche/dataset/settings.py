"""What decides the bytes of a dataset."""

from dataclasses import asdict, dataclass
from typing import Any

from neche.errors import InputError, suggestion
from neche.games.catalogue import game as find_game
from neche.players.player import Player, require_board
from neche.players.searching import hand_made_networks

MAX_DEPTH = 20
MAX_GAMES = 10**9
MOVES = ("random", "mixed")
"""random: every move is. mixed: each move with probability ½, else that of a search which counts pieces."""
OUTCOME = "outcome"
PIECE_COUNT = "material"
"""The kind of player who finds the others of mixed moves."""


@dataclass(frozen=True)
class DatasetSettings:
    """The games, what is kept of them, and who labels it.

    seed: of all games and thoughts. moves: see `MOVES`. depth: plies of the search among mixed moves.
    labeller: who values each position; None: the outcome of its game does. sample: positions kept of each
    game, drawn at random; 0 keeps all. shard_games: games in one file.

    Raises:
        InputError: a value is out of range, or values do not go together.
    """

    seed: int = 0
    moves: str = "random"
    depth: int = 2
    labeller: Player | None = None
    sample: int = 0
    shard_games: int = 2000
    game: str = "checkers"

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        rules = find_game(self.game)
        if not {"own", "foe"} <= set(rules.start()._fields) <= {"own", "foe", "kings", "turn"}:
            raise InputError(f"datasets hold boards of own and foe's pieces, as {self.game} has none")
        if self.moves not in MOVES:
            raise InputError(f"unknown moves {self.moves!r}{suggestion(self.moves, MOVES)}")
        for name, low, high in (("depth", 1, MAX_DEPTH), ("sample", 0, 4096), ("shard_games", 1, 10**6)):
            if not low <= getattr(self, name) <= high:
                raise InputError(f"{name} = {getattr(self, name)} is out of range {low}..{high}")
        if self.moves == "mixed" and PIECE_COUNT not in hand_made_networks(self.game):
            raise InputError(f"mixed moves need an evaluator {PIECE_COUNT}, which {self.game} does not have")
        if self.labeller is not None:
            _check_labeller(self.labeller)
            require_board(self.labeller, rules)

    def as_header(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        values = {name: value for name, value in asdict(self).items() if name != "labeller"}
        who = self.labeller
        label = {"label": OUTCOME if who is None else who.name, "digest": who.digest if who else ""}
        return {**label, **values}


def _check_labeller(player: Player) -> None:
    if player.thinker is None:
        raise InputError(f"player {player.name} gives no expected scores; label with mcrd, uct or cnn")
    if player.time_ms is not None:
        raise InputError(
            f"player {player.name}: labels need a fixed number of playouts, a clock never counts alike twice"
        )
