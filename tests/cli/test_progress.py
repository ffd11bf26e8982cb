"""The remaining time of a climb follows from the games played and the expected cost of the rest."""

import pytest

from neche.arena.tournament import Tournament
from neche.cli import progress
from neche.cli.progress import ClimbPace, progress_bar, show_climb
from neche.players.spec import parse_player


def test_nothing_is_known_before_games_were_played():
    pace = ClimbPace([1.0, 10.0], 10)
    assert (pace.seconds_left(), pace.games_per_second(), pace.share()) == (None, None, 0)
    pace.update(0, 1, 100.0)
    assert (pace.seconds_left(), pace.games_per_second()) == (None, None)


def test_a_rung_that_costs_more_is_expected_to_take_longer():
    pace = ClimbPace([1.0, 10.0], 10)
    pace.update(0, 1, 100.0)
    pace.update(0, 5, 108.0)
    assert pace.games_per_second() == 0.5
    # 5 games of this rung at 2 s, 10 of the next at 20 s
    assert pace.seconds_left() == pytest.approx(5 * 2 + 10 * 20)
    assert pace.share() == pytest.approx(5 / 110)


def test_the_newest_rung_says_how_fast_the_machine_is():
    pace = ClimbPace([1.0, 10.0], 10)
    pace.update(0, 1, 0.0)
    pace.update(0, 10, 9.0)
    assert pace.seconds_left() == pytest.approx(100)
    pace.update(1, 1, 10.0)
    assert pace.games_per_second() is None
    assert pace.seconds_left() == pytest.approx(90)
    pace.update(1, 6, 35.0)
    assert pace.seconds_left() == pytest.approx(4 * 5)
    pace.update(1, 10, 55.0)
    assert (pace.seconds_left(), pace.share()) == (0, 1)


def test_games_found_in_a_results_file_do_not_count_as_speed():
    pace = ClimbPace([1.0], 100)
    pace.update(0, 91, 5.0)
    pace.update(0, 93, 7.0)
    assert pace.games_per_second() == 1
    assert pace.seconds_left() == pytest.approx(7)


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_file_gets_a_line_of_progress_now_and_then(is_silent, monkeypatch, capsys):
    with progress_bar("generations", is_silent=is_silent) as show:
        show(1, 9)  # too soon
        monkeypatch.setattr(progress, "_SECONDS_A_LINE", 0.0)
        show(2, 9)
    assert capsys.readouterr().err == ("" if is_silent else "generations 2/9\n")


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_file_gets_a_line_of_a_long_rung_now_and_then(is_silent, monkeypatch, capsys):
    players = [parse_player(name) for name in ("random", "blind:depth=2")]
    with show_climb(Tournament(players), 20, is_silent=is_silent) as shown:
        shown.update(0, 1)  # too soon
        monkeypatch.setattr(progress, "_SECONDS_A_LINE", 0.0)
        shown.update(0, 7)
    assert capsys.readouterr().err == ("" if is_silent else "blind:depth=2  7/20   (… left)\n")
