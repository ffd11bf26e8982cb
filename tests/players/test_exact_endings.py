"""Players that solve the last moves of Othello."""

from dataclasses import replace

import pytest

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.othello.exact import OthelloSolver
from neche.players.alpha_beta import Random
from neche.players.engine import Engine, Limits, Stop, choose_move
from neche.players.exact_endings import ExactEngine, last_moves_of, solve_position
from neche.players.spec import parse_player
from tests.games.random_games import games

OTHELLO = game("othello")
LEFT = last_moves_of(OTHELLO).num_left


def positions(left):
    for line in games("othello"):
        yield next(one for one in line if LEFT(one) <= left)


@pytest.mark.parametrize(
    "kind", ["positional:depth=2", "uct:playouts=50", "mcrd:playouts=40", "blind:depth=1"]
)
def test_every_kind_plays_the_last_moves_perfectly(kind):
    player = parse_player(f"{kind},exact=10", "othello")
    engine = player.new_game(OTHELLO)
    for position in positions(10):
        if not OTHELLO.legal_moves(position):
            continue
        found, exact = engine.analyse(position, key=2), solve_position(OTHELLO, position)
        assert found.best_moves == exact.best_moves
        assert found.proven == exact.proven
        assert found.pv == exact.pv
        assert engine.expected_score(found) == {1: 1.0, 0: 0.5, -1: 0.0}[exact.proven or 0]
        assert found.figures["discs"] == exact.value
        assert found.is_score == player.gives_scores


def test_with_more_moves_left_the_option_changes_nothing():
    position = next(positions(30))
    found, plain = (
        parse_player(f"positional:depth=3{exact}", "othello")
        .new_game(OTHELLO)
        .analyse(position, every_value=True)
        for exact in (",exact=12", "")
    )
    assert (found.values, found.nodes, found.proven) == (plain.values, plain.nodes, None)


def test_a_game_begins_with_the_solver_loaded(monkeypatch):
    """Compiling it takes seconds, which the first move that needs it would lose."""
    solved = []
    monkeypatch.setattr(OthelloSolver, "score", lambda _, position: solved.append(position))
    parse_player("positional:time=50,exact=10", "othello").new_game(OTHELLO)
    assert solved == [OTHELLO.start()]


def test_a_time_and_a_request_end_the_solver_and_the_player_chooses_itself():
    position = next(positions(30))
    player = parse_player("positional:depth=2,exact=30", "othello")
    # solving thirty moves takes hours, so an unproven result shows that the limit ended the search
    found = player.new_game(OTHELLO).analyse(position, limits=Limits(2, time_ms=50))
    stop = Stop()
    stop.request()
    stopped = player.new_game(OTHELLO).analyse(position, stop=stop)
    for one in (found, stopped):
        assert one.proven is None
        assert len(one.moves) == len(OTHELLO.legal_moves(position))


class Listening(Engine):
    """An engine that records the limits it is given."""

    def analyse(self, position, *, limits=None, **_):
        self.given = limits
        return Random().new_game(OTHELLO).analyse(position)


def test_a_player_has_only_the_time_that_the_solver_left():
    listening = Listening()
    engine = ExactEngine(listening, OTHELLO, last_moves_of(OTHELLO), 30, gives_scores=False)
    for _ in range(2):
        engine.analyse(next(positions(30)), limits=Limits(2, time_ms=100))
    # three fifths of the time were spent on solving thirty moves, which takes hours
    assert listening.given.depth == 2
    assert 1 <= listening.given.time_ms <= 40


def test_an_only_move_is_not_solved_before_it_is_made():
    forced = OTHELLO.parse_fen("-----------X--XX---XXXX--X-XXXXX-XXXXXXO-XXOXXX--XXOOXX---OOOO-- X")
    assert (LEFT(forced), len(OTHELLO.legal_moves(forced))) == (28, 1)
    player, listening = parse_player("uct:time=5000,exact=30", "othello"), Listening()
    choose_move(player, OTHELLO, forced, stream(0, 0, "test"), engine=listening)
    # without a time limit, its last moves would be solved whatever the player's other limits
    assert listening.given.time_ms == 1


def test_a_player_says_what_it_is():
    player = parse_player("positional:depth=2,exact=14", "othello")
    assert player.name == "positional:depth=2,exact=14"
    assert player.batch_search is None
    deeper = player.at_depth(5)
    assert deeper is not None
    assert deeper.name == "positional:depth=5,exact=14"


@pytest.mark.parametrize(
    ("words", "name", "fault"),
    [
        ("material:exact=8", "checkers", "the last moves of checkers are not solved by search"),
        ("material:exact=31", "othello", "player option exact=31 is out of range 1..30"),
        ("material:exact=all", "othello", "player option exact=all: a whole number from 1 to 30"),
        ("random:exact=8", "othello", "random has no option 'exact'"),
    ],
)
def test_bad_options_are_named(words, name, fault):
    with pytest.raises(InputError, match=fault):
        parse_player(words, name)


@pytest.mark.parametrize("kind", ["positional:depth=2", "uct:playouts=50"])
def test_every_move_of_a_proven_position_has_its_own_expected_score(kind):
    # Black wins by b1, g8 and h8, draws by h7 and loses by f1 and h1
    fen = "X-OXO-X-OOOOOOOOOOOXXXOOOOXXXOXOOOXXOOOOOOXOOOOOOOOOOOO-OOXXXX-- X"
    engine = parse_player(f"{kind},exact=10", "othello").new_game(OTHELLO)
    found = engine.analyse(OTHELLO.parse_fen(fen), every_value=True)
    scores = {
        move: engine.expected_score(replace(found, value=value)) for move, value in found.values.items()
    }
    assert scores == {"b1": 1.0, "g8": 1.0, "h8": 1.0, "h7": 0.5, "f1": 0.0, "h1": 0.0}
