"""Commands suggested at the end: a shell accepts them as printed, whatever the directory's name."""

import pytest

from neche.cli import evolve, islands, sweep

PLACE = "runs/my run"


@pytest.mark.parametrize(
    "words",
    [
        evolve._closing_words(
            {"run": PLACE, "champion_id": "g1-1", "generation": 1, "seconds": 1.0, "ladder": {}},
            "checkers",
            "",
        ),
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
