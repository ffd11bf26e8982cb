"""Solved endings looked up inside a search: equal to those looked up in Python, and no claim is wrong."""

import pytest

from neche.endings.files import slice_path
from neche.endings.probing import NoEndings, SolvedEndings, known_result, open_endings
from neche.endings.slices import Slice
from neche.endings.solving import solve_endings
from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.decode import material_network
from neche.players import selective_engine
from neche.players.alpha_beta import evaluation_of
from neche.players.engine import Limits
from neche.players.selective_engine import SelectiveEngine
from neche.players.spec import parse_player
from neche.search.selectivity import NEVER, NOTHING
from tests.endings.bases import random_positions

CHECKERS = game("checkers")
# more than the men of any ending here are worth to the hand-made network, less than a solved win
MORE_THAN_MEN = 20


@pytest.mark.parametrize(("name", "pieces"), [("checkers", 4), ("brazilian", 3)])
def test_compiled_code_finds_what_python_finds(name, pieces, request):
    _, endings = request.getfixturevalue(name)
    known = endings.for_search()
    for position in random_positions(name, pieces, 400, seed=8):
        verdict = endings.probe(position)
        assert tuple(known_result(known, position)) == (True, verdict.result)
        assert tuple(known_result(known._replace(pieces=1), position)) == (False, 0)


def search_of_all_moves(**figures):
    evaluation = evaluation_of(material_network(), CHECKERS)
    selectivity = NOTHING._replace(**figures)
    return SelectiveEngine(CHECKERS, evaluation, Limits(depth=7), selectivity=selectivity)


def test_a_claimed_win_is_true_and_endings_let_the_search_claim_more(checkers):
    """The search looks up fewer pieces than the four of its position; the base of four checks its claims."""
    _, endings = checkers
    claimed = by_itself = 0
    for position in random_positions("checkers", 4, 300, seed=3):
        if not CHECKERS.legal_moves(position):
            continue
        knowing, plain = search_of_all_moves(endings_pieces=NEVER), search_of_all_moves()
        knowing.look_up(endings)
        found = knowing.analyse(position)
        by_itself += abs(plain.analyse(position).value) > MORE_THAN_MEN
        if abs(found.value) > MORE_THAN_MEN:
            claimed += 1
            assert endings.probe(position).result == (1 if found.value > 0 else -1)
    assert claimed > by_itself > 0


def test_a_win_by_a_trade_is_found(checkers):
    """Three kings win against two by a trade that leaves two against one; no win of pieces is near."""
    _, endings = checkers
    position = CHECKERS.parse_fen("W:WK26,K27,K30:BK20,K29")
    engine = parse_player(f"material:nodes=3000,endings={endings.directory}").new_game(CHECKERS)
    found = engine.analyse(position)
    assert found.proven is None
    assert (
        found.value
        > MORE_THAN_MEN
        > parse_player("material:nodes=3000").new_game(CHECKERS).analyse(position).value
    )
    assert engine.expected_score(found) == pytest.approx(1.0, abs=1e-6)


def test_a_game_begins_with_all_compiled_code_loaded(checkers, monkeypatch):
    """Compiling takes seconds, which the first move that needs the code would lose."""
    _, endings = checkers
    loaded = []
    monkeypatch.setattr(selective_engine, "search_on", lambda search, *_: loaded.append(type(search.endings)))
    for options in ("threads=2", f"endings={endings.directory}"):
        parse_player(f"material:time=50,{options}").new_game(CHECKERS)
    assert loaded == [NoEndings, SolvedEndings]


def test_a_known_position_is_searched_for_its_best_move(checkers):
    """If the root were looked up, all winning moves would be equal, and none would make progress."""
    _, endings = checkers
    engine = search_of_all_moves(endings_pieces=NEVER)
    engine.look_up(endings)
    found = engine.analyse(CHECKERS.parse_fen("W:WK6,K10:BK4"), limits=Limits(depth=9))
    assert endings.probe(CHECKERS.parse_fen("W:WK6,K10:BK4")).result == 1
    assert found.nodes > 100


def test_a_damaged_file_is_named_before_the_game(tmp_path):
    list(solve_endings(CHECKERS, tmp_path, 2))
    path = slice_path(tmp_path, "checkers", Slice(1, 0, 0, 1))
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 4]))
    with pytest.raises(InputError, match=f"{path}: is damaged"):
        open_endings(CHECKERS, tmp_path).for_search()
    with pytest.raises(InputError, match=f"{path}: is damaged"):
        parse_player(f"material:nodes=300,endings={tmp_path}").new_game(CHECKERS)
