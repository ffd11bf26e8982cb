"""Commands suggested at the end: a shell accepts them as printed, whatever the directory's name."""

import pytest

from neche.cli import evolve, islands, sweep

PLACE = "runs/my run"
ENDED = {"run": PLACE, "champion_id": "g1-1", "generation": 3, "seconds": 1.0, "ladder": {}, "stopped": None}


@pytest.mark.parametrize(
    "words",
    [
        evolve._closing_words(ENDED, "checkers", ""),
        sweep._closing_words({"directory": PLACE, "table": "table.csv", "runs": [], "seconds": 1.0}),
        islands._closing_words(
            {
                "run": PLACE,
                "champions": [{"champion_id": "g1-1", "run": "x", "elo": 1, "elo_error": 2}],
                "seconds": 1.0,
            }
        ),
    ],
    ids=["evolve", "sweep", "islands"],
)
def test_a_directory_with_a_space_is_quoted_in_what_comes_next(words):
    commands = words.partition("What next")[2]
    assert PLACE in commands
    assert commands.count(f"'{PLACE}'") == commands.count(PLACE)


def test_a_run_that_stopped_early_goes_on_to_its_own_last_generation():
    resume = "neche evolve --resume --run x"
    assert evolve._closing_words(ENDED, "checkers", resume).endswith(f"  {resume} --generations 6")
    stopped = {**ENDED, "stopped": "games is 2000, the limit 2000"}
    assert evolve._closing_words(stopped, "checkers", resume).endswith(f"  {resume}")
