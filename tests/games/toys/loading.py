"""The games that lie beside this file, as the catalogue finds games of other people."""

import os
from pathlib import Path
from unittest.mock import patch

from neche.games.catalogue import FILES, GAMES, add_file, game
from neche.games.game import Game

FOLDER = Path(__file__).parent
TICTACTOE, STONES = (str(FOLDER / f"{name}.py") for name in ("tictactoe", "stones"))


def load(path: str) -> Game:
    """Return the game in a file; the environment of other tests stays as it is."""
    with patch.dict(os.environ):
        os.environ.pop(FILES, None)
        return game(add_file(path))


TOYS = tuple(load(path).name for path in (TICTACTOE, STONES))
"""Once loaded, they are known by their names."""
EVERY_GAME = (*GAMES, *TOYS)
