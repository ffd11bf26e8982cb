"""Strengths from games that were not played in pairs, to compare with those from pairs."""

from neche.arena.elo import GAME_SCORES, Strength, measure


def measure_games(wins: int, draws: int, losses: int) -> Strength:
    """Measure single games (trinomial)."""
    return measure(GAME_SCORES, (losses, draws, wins), games_per_result=1)
