"""A bullet game between two programs on a real clock; `tools/checks/bullet_games.py` plays two hundred."""

from neche.games.catalogue import game
from tools.checks.bullet_games import HubClient, TimeControl, play


def test_no_clock_runs_out_in_a_fast_game():
    # A margin this long is for machines that run much besides the tests.
    parameters = {"margin": "1000", "memory": "64"}
    with HubClient("checkers", parameters) as first, HubClient("checkers", parameters) as second:
        outcome = play((first, second), game("checkers"), TimeControl(1.5, 0.01), seed=5)
    assert outcome.verdict != "lost on time"
    assert outcome.plies > 20
    assert outcome.least > 0
