"""Players of every kind play legal moves in every game, in all kinds of positions."""

import pytest

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.engine import choose_move
from neche.players.spec import parse_player
from tests.games.mirrors import MIRRORS
from tests.games.random_games import finished, games
from tests.games.toys.loading import EVERY_GAME

PLAYED = [name for name in EVERY_GAME if name != "stones"]  # one toy is compiled for all kinds of player
SPECS = ("random", "blind:depth=2", "mcrd:playouts=60", "uct:playouts=60")
HAND_MADE = [(name, evaluator.name) for name in PLAYED for evaluator in game(name).evaluators]


def places(name):
    """Return the start position, a middle one of some games, and the last ones with a legal move."""
    lines = games(name)[:3]
    rules = game(name)
    return [
        rules.start(),
        *(line[len(line) // 2] for line in lines),
        *(line[-2] for line in games(name) if not rules.legal_moves(line[-1])),
    ]


def forced(name):
    """Return a position with a single legal move, a pass if the game has passes."""
    rules = game(name)
    found = None
    for line in games(name):
        for position in line:
            moves = rules.legal_moves(position)
            if len(moves) == 1:
                found = position
                if moves[0].text == "pass":
                    return position
    assert found is not None
    return found


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", PLAYED)
def test_a_player_chooses_a_legal_move_reproducibly(name, spec):
    rules, player = game(name), parse_player(spec)
    for number, position in enumerate(places(name)):
        chosen = [
            choose_move(player, rules, position, stream(number, 0, "every game")).move for _ in range(2)
        ]
        assert chosen[0].text == chosen[1].text
        assert chosen[0].text in [move.text for move in rules.legal_moves(position)]


@pytest.mark.parametrize(("name", "kind"), HAND_MADE)
def test_an_evaluator_of_a_game_chooses_a_legal_move_and_favours_no_side(name, kind):
    rules, player = game(name), parse_player(f"{kind}:depth=2", name)
    for position in places(name):
        draws = [stream(1, 0, "every game") for _ in range(2)]
        choice = choose_move(player, rules, position, draws[0])
        assert choice.move.text in [move.text for move in rules.legal_moves(position)]
        assert (
            choose_move(player, rules, MIRRORS[name](position), draws[1]).analysis.value
            == choice.analysis.value
        )


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", PLAYED)
def test_the_only_move_is_played(name, spec):
    position = forced(name)
    (move,) = game(name).legal_moves(position)
    draw = stream(1, 0, "every game")
    assert choose_move(parse_player(spec), game(name), position, draw).move.text == move.text


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", PLAYED)
def test_no_player_moves_when_the_game_is_over(name, spec):
    with pytest.raises(InputError, match="the game is over"):
        choose_move(parse_player(spec), game(name), finished(name)[0], stream(1, 0, "every game"))


@pytest.mark.parametrize("name", PLAYED)
def test_a_win_in_one_move_is_found_by_every_player_that_searches(name):
    rules = game(name)
    winning = [
        position
        for line in games(name)
        for position in line[-2:-1]
        if any(
            not rules.legal_moves(move.after) and rules.outcome(move.after) < 0
            for move in rules.legal_moves(position)
        )
    ]
    assert winning
    for position in winning[:3]:
        for spec in ("blind:depth=1", "uct:playouts=200"):
            move = choose_move(parse_player(spec), rules, position, stream(1, 0, "every game")).move
            assert not rules.legal_moves(move.after)
            assert rules.outcome(move.after) < 0


def test_a_forced_pass_is_among_the_tested_positions():
    assert [move.text for move in game("othello").legal_moves(forced("othello"))] == ["pass"]
