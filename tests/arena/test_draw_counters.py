"""Draw rules of whole games, against the articles in `tests/oracles/draws_twin.py`."""

from collections import Counter

import numpy as np
import pytest
from draughts.core.game import Game as Pydraughts

from neche.arena.game_in_progress import begin
from neche.arena.playing import Contestants, play_games, record_game
from neche.games.catalogue import game
from neche.games.draws import LAB_DRAWS, NEVER_DRAWN, TOURNAMENT_DRAWS, DrawRule
from neche.network.decode import blind_network
from tests.arena.games import pairings_of
from tests.arena.players import Fancy
from tests.oracles.draws_twin import CBJD, RULES, why_drawn


def random_field(name, players=()):
    return Contestants.of([blind_network()] * 2, 0, game=name, players=players)


def fens_of(name, index, rule, contestants, schedule):
    rules = game(name)
    moves = record_game(contestants, schedule, index, rule)
    return [rules.format_fen(position) for position in (rules.start(), *(move.after for move in moves))]


@pytest.mark.parametrize("name", RULES)
def test_games_of_draughts_end_by_the_articles(name):
    rules, contestants, schedule = game(name), random_field(name), pairings_of(0, 1, 40, opening_plies=6)
    results = play_games(contestants, schedule, rules.draws)
    ends: Counter[str | None] = Counter()
    for index in range(80):
        line = fens_of(name, index, rules.draws, contestants, schedule)[6:]
        for length in range(1, len(line)):
            assert why_drawn(line[:length], RULES[name]) is None
        is_over = not rules.legal_moves(rules.parse_fen(line[-1]))
        why = "no move" if is_over else why_drawn(line, RULES[name])
        assert (results.outcome[index] != 0) == is_over
        assert why is not None
        ends[why] += 1
    assert {"6.4" if name == "international" else "99", "no move"} <= set(ends)


def walked(name, fen, plies, seed):
    """Yield the game after each random move, which if possible leads to a new position without captures."""
    rules, draw = game(name), np.random.default_rng(seed)
    in_progress = begin(rules, rules.parse_fen(fen))
    for _ in range(plies):
        moves = rules.legal_moves(in_progress.position)
        if not moves:
            break
        moves = calm_moves(rules, in_progress) or moves
        in_progress = in_progress.after(moves[draw.integers(len(moves))])
        yield in_progress


def calm_moves(rules, in_progress):
    """Return the moves to new positions in which no capture is possible."""
    return [
        move
        for move in rules.legal_moves(in_progress.position)
        if rules.format_fen(move.after) not in in_progress.fens
        and "x" not in move.text + "".join(answer.text for answer in rules.legal_moves(move.after))
    ]


@pytest.mark.parametrize(
    ("name", "fen", "article"),
    [
        ("international", "W:WK46,K47,K48:BK3", "6.3"),
        ("international", "W:WK46,37,38:BK3", "6.3"),
        ("international", "W:WK46,K47,K48,K49:BK3,K4", "kings"),
        ("brazilian", "W:WK30,K31,K32:BK4", "100"),
        ("brazilian", "W:WK30,K31,21:BK4", "99"),
        ("brazilian", "W:WK30,K31:BK1,5", "18"),
        ("brazilian", "W:WK30,K31,K32,K21:BK4,K3,K2", "kings"),
    ],
)
def test_every_article_draws_its_endings(name, fen, article):
    rules, reasons = game(name), set()
    for seed in range(6):
        for in_progress in walked(name, fen, 90, seed):
            if not rules.legal_moves(in_progress.position):
                break
            why = why_drawn(in_progress.fens, RULES[name])
            assert (in_progress.verdict() is None) == (why is None), (in_progress.fens, why)
            if why:
                reasons.add(why)
                break
    assert article in reasons


@pytest.mark.parametrize("fen", ["W:WK46,K47,K48:BK3", "W:WK46,K47:BK3", "W:WK46,K47,K48,K49:BK3,K4"])
def test_pydraughts_draws_endings_of_kings_at_the_same_ply(fen):
    # pydraughts counts moves of kings without a capture, as article 6 does in endings of kings alone
    rules, num_drawn = game("international"), 0
    for seed in range(6):
        other = Pydraughts("standard", fen)
        for in_progress in walked("international", fen, 90, seed):
            squares = [int(square) for square in in_progress.moves[-1].replace("x", "-").split("-")]
            listed, _ = other.legal_moves()
            found = [move for move in listed if (move[0][0], move[-1][1]) == (squares[0], squares[-1])]
            if len(found) != 1 or not rules.legal_moves(in_progress.position):
                break
            other.push(found[0])
            assert other.is_draw() == (in_progress.verdict() is not None), in_progress.fens
            if other.is_draw():
                num_drawn += 1
                break
    assert num_drawn > 0


def test_a_single_king_on_the_main_diagonal_draws_after_five_moves():
    brazilian = game("brazilian")
    in_progress = begin(brazilian, brazilian.parse_fen("W:WK32,K31,K30:BK4"))
    without = brazilian.draws._replace(endings=(10, 0, 0, 10))
    for _ in range(10):
        assert in_progress.verdict() is None
        moves = calm_moves(brazilian, in_progress)
        if brazilian.side_to_move(in_progress.position) == "Black":
            moves = [move for move in moves if int(move.text.split("-")[1]) in CBJD.diagonal]
        in_progress = in_progress.after(moves[0])
    assert in_progress.verdict() == "Draw: too many moves in an ending of few pieces."
    assert in_progress.verdict(without) is None


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_games_by_the_labs_rule_are_drawn_after_a_number_of_plies(name):
    contestants, schedule = random_field(name), pairings_of(0, 1, 60, opening_plies=6)
    plain = play_games(contestants, schedule, LAB_DRAWS)
    assert LAB_DRAWS.max_plies == 200 > plain.plies.max()
    assert set(plain.outcome) == {-1, 1}
    short = play_games(contestants, schedule, LAB_DRAWS._replace(max_plies=60))
    assert short.plies.tolist() == np.minimum(plain.plies, 60).tolist()
    assert short.outcome.tolist() == np.where(plain.plies <= 60, plain.outcome, 0).tolist()


def test_othello_needs_no_draw_rule():
    assert game("othello").draws == NEVER_DRAWN
    contestants, schedule = random_field("othello"), pairings_of(0, 1, 30)
    plain = play_games(contestants, schedule, NEVER_DRAWN)
    assert plain.plies.max() <= 2 * 60
    counted = play_games(contestants, schedule, TOURNAMENT_DRAWS)
    assert counted.plies.tolist() == plain.plies.tolist()
    assert counted.outcome.tolist() == plain.outcome.tolist()


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_games_of_python_engines_are_drawn_by_the_same_rules(name):
    rules = game(name)
    contestants, schedule = random_field(name, [Fancy(), None]), pairings_of(0, 1, 10, opening_plies=30)
    results = play_games(contestants, schedule, rules.draws)
    for index in range(20):
        line = fens_of(name, index, rules.draws, contestants, schedule)
        assert len(line) == results.plies[index] + 1
        assert all(why_drawn(line[30:length], RULES[name]) is None for length in range(31, len(line)))
        is_over = not rules.legal_moves(rules.parse_fen(line[-1]))
        assert is_over or why_drawn(line[30:], RULES[name])


def test_the_record_of_a_draw_rule_has_its_numbers():
    assert DrawRule(80, True, 3).as_record() == {
        "quiet_plies": 80,
        "man_moves_reset": True,
        "repetition": 3,
        "max_plies": 0,
        "endings": [0, 0, 0, 0],
    }
