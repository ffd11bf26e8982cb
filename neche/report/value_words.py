"""Values in words: which side is ahead, by how many men or with what expected score."""

from functools import lru_cache

from neche.games.game import Game
from neche.network.decode import Network
from neche.players.engine import Analysis, Player, plies_to_end
from neche.report.piece_values import value_pieces
from neche.report.svg import numeral

PROVEN: dict[int | None, str] = {1: " · win, proven", 0: " · draw, proven", -1: " · loss, proven"}
"""What is added to the words of a proven value, by `Analysis.proven`."""
_MEN_SEED = 0


@lru_cache(maxsize=64)
def _mean_man(network: Network, game: Game) -> float | None:
    worth = value_pieces(network, game, _MEN_SEED).men
    mean = sum(worth.values()) / max(1, len(worth))
    return mean if mean > 0 else None


def man_worth(player: Player, game: Game) -> float | None:
    """Return the mean value of a man to a player, in the units of its values.

    None in games without men, for players without a network, and if the mean is not positive.
    """
    network, geometry = player.evaluating_network, game.geometry
    if network is None or player.gives_scores or geometry is None or not geometry.is_checkered:
        return None
    return _mean_man(network, game)


def words_ahead(analysis: Analysis, chance: float, game: Game, side: int, man: float | None) -> str:
    """Say who is ahead and by how much: by name, so that readers need no convention for signs."""
    ahead, sign = (side, 1) if chance >= 0.5 else (1 - side, -1)
    value, score = sign * analysis.value, max(chance, 1 - chance)
    words = in_words(value, score, None if analysis.is_score else man, is_score=analysis.is_score)
    if words in ("+0.0", "−0.0", "50 %"):
        return f"even{PROVEN.get(analysis.proven, '')}"
    return f"{game.sides[ahead]} {words}{' · proven' if analysis.proven else ''}"


def in_words(value: float, score: float, man: float | None, *, is_score: bool = False) -> str:
    """Write a value for people: as plies to the end, in men, or as the expected score in per cent.

    >>> in_words(0.6, 0.7, 0.4), in_words(4 - 1e12, 0.0, 0.4), in_words(0.6, 0.7, None)
    ('+1.5', 'loses in 4', '70 %')
    """
    if not is_score and plies_to_end(value) is not None:
        return value_words(value)
    return f"{100 * score:.0f} %" if man is None else numeral(value / man, "+z.1f")


def value_words(value: float) -> str:
    """Write a value in the units of a network.

    >>> value_words(0.25), value_words(4 - 1e12), value_words(1e12)
    ('+0.25', 'loses in 4', 'wins')
    """
    plies, word = plies_to_end(value), "wins" if value > 0 else "loses"
    return numeral(value) if plies is None else f"{word} in {plies}" if plies else word
