"""Positions of random games of every game, played with its `legal_moves`."""

from functools import cache

from neche.compiled.streams import stream
from neche.games.catalogue import game


@cache
def games(name):
    """Play some random games, of at most 150 plies except the last, which is played to its end."""
    rules = game(name)
    played = []
    for index in range(12):
        draw = stream(1, 0, "contract test", index)
        line = [rules.start()]
        while len(line) <= 150 or index == 11:
            moves = rules.legal_moves(line[-1])
            if not moves:
                break
            line.append(moves[draw.integers(len(moves))].after)
        played.append(line)
    return played


def positions(name):
    return [position for line in games(name) for position in line]


def finished(name):
    """Return the last positions of the games that ended."""
    ends = [line[-1] for line in games(name) if not game(name).legal_moves(line[-1])]
    assert ends
    return ends


def as_integers(position):
    return tuple(map(int, position))
