import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.draws import LAB_DRAWS, TOURNAMENT_DRAWS, TRAINING_DRAWS, DrawRule, parse_draws


@pytest.mark.parametrize("name", GAMES)
def test_every_game_names_its_official_rule(name):
    rules = game(name)
    assert parse_draws("official", rules.draws) == rules.draws
    assert rules.draws.always_ends == (name != "othello")


def test_rules_are_named_in_words():
    assert parse_draws("lab", TOURNAMENT_DRAWS) == LAB_DRAWS == DrawRule(0, False, 0, 200)
    assert parse_draws("training", TOURNAMENT_DRAWS) == TRAINING_DRAWS
    assert parse_draws("plies=100", TOURNAMENT_DRAWS) == DrawRule(0, True, 0, 100)
    assert parse_draws("quiet=80,repetition=3", LAB_DRAWS) == TOURNAMENT_DRAWS
    assert parse_draws("repetition=2,plies=300,quiet=7", LAB_DRAWS) == DrawRule(7, True, 2, 300)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "draw rule '' is unknown (known: lab, official, plies=…, quiet=…, repetition=…, training)"),
        ("oficial", "draw rule 'oficial' is unknown (did you mean official?)"),
        ("ply=3", "draw rule 'ply=3': there is no setting 'ply' (known: plies, quiet, repetition)"),
        ("plies=3,plies=4", "draw rule 'plies=3,plies=4': plies is given twice"),
        ("plies=", "draw rule 'plies=': plies must be a whole number from 1 to 100000"),
        ("plies=0", "draw rule 'plies=0': plies must be a whole number from 1 to 100000"),
        ("quiet=²", "draw rule 'quiet=²': quiet must be a whole number from 1 to 100000"),
        (
            "quiet=123456789012",
            "draw rule 'quiet=123456789012': quiet must be a whole number from 1 to 100000",
        ),
        ("repetition=1", "draw rule 'repetition=1': repetition must be a whole number from 2 to 100000"),
        ("repetition=3", "draw rule 'repetition=3': a game might never end; add plies or quiet"),
        ("plies=9,", "draw rule 'plies=9,': there is no setting '' (known: plies, quiet, repetition)"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_line(text, message):
    with pytest.raises(InputError) as caught:
        parse_draws(text, TOURNAMENT_DRAWS)
    assert str(caught.value) == message
