"""The games beside this file, loaded as the catalogue loads users' games."""

import os
from pathlib import Path
from unittest.mock import patch

from neche.games.catalogue import FILES, GAMES, add_file, game
from neche.games.game import Game

FOLDER = Path(__file__).parent
TICTACTOE, STONES = (str(FOLDER / f"{name}.py") for name in ("tictactoe", "stones"))


def load(path: str) -> Game:
    """Return the game in a file, without changing the environment of other tests."""
    with patch.dict(os.environ):
        os.environ.pop(FILES, None)
        return game(add_file(path))


TOYS = tuple(load(path).name for path in (TICTACTOE, STONES))
"""Games that are loaded are found by these names."""
EVERY_GAME = (*GAMES, *TOYS)
