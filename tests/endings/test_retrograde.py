import random

import pytest

from neche.endings.files import slice_path
from neche.endings.probing import open_endings
from neche.endings.slices import Slice, slices_of
from neche.endings.solving import check_endings, solve_endings
from neche.games.catalogue import game
from neche.network.decode import blind_network
from neche.players.alpha_beta import AlphaBeta
from neche.players.engine import Limits
from tests.endings.bases import random_positions
from tests.games.mirrors import MIRRORS
from tests.oracles import checkers_twin, endings_twin
from tests.oracles.draughts_twin import BRAZILIAN, Position as DraughtsPosition

PLACES = [checkers_twin.square(number) for number in range(1, 33)]
CROWNED_ON = {"W": 7, "B": 0}


def checkers_placements(letters):
    return endings_twin.placements(checkers_twin.Position, PLACES, CROWNED_ON, letters)


def agree(endings, found, fen, make):
    """Check what the twin found; return the number of positions."""
    count = 0
    for (pieces, turn), plies in found.items():
        if len({letter.upper() for _, letter in pieces}) == 2:
            verdict = endings.probe(endings.game.parse_fen(fen(make(dict(pieces), turn))))
            result = 0 if plies is None else 1 if plies % 2 else -1
            assert verdict == (result, plies)
            count += 1
    return count


def test_all_checkers_endings_of_two_pieces_equal_those_of_the_slow_twin(checkers):
    starts = [start for letters in ("wb", "wB", "Wb", "WB") for start in checkers_placements(letters)]
    found = endings_twin.solve(checkers_twin.moves, starts)
    # each board with either side to move
    assert agree(checkers[1], found, checkers_twin.fen, checkers_twin.Position) == 2 * 3488


@pytest.mark.parametrize(
    "letters", ["WWB", *(pytest.param(letters, marks=pytest.mark.slow) for letters in ("wWB", "wwb", "WbB"))]
)
def test_checkers_endings_of_three_pieces_equal_those_of_the_slow_twin(checkers, letters):
    starts = endings_twin.sample(checkers_placements(letters), 2, seed=len(letters) + ord(letters[1]))
    found = endings_twin.solve(checkers_twin.moves, starts)
    assert agree(checkers[1], found, checkers_twin.fen, checkers_twin.Position) > 1000


@pytest.mark.parametrize("letters", ["wb", "WB", "wB"])
def test_brazilian_endings_of_two_pieces_equal_those_of_the_slow_twin(brazilian, letters):
    places = list(BRAZILIAN.place.values())
    starts = endings_twin.placements(DraughtsPosition, places, CROWNED_ON, letters)
    found = endings_twin.solve(BRAZILIAN.moves, starts)
    assert agree(brazilian[1], found, BRAZILIAN.fen, DraughtsPosition) > 900


def test_results_of_checkers_endings_of_up_to_four_pieces_have_the_recorded_counts(checkers):
    counts, _ = checkers
    sums = {pieces: [0, 0, 0, 0] for pieces in (2, 3, 4)}
    for of, (losses, draws, wins, longest) in counts.items():
        found = sums[sum(of)]
        sums[sum(of)] = [
            *(a + b for a, b in zip(found[:3], (losses, draws, wins), strict=True)),
            max(found[3], longest),
        ]
    assert sums == {
        2: [402, 2370, 716, 13],
        3: [87_305, 8_477, 100_250, 62],
        4: [1_917_090, 1_717_922, 2_574_304, 109],
    }


def test_results_of_king_against_king_have_the_published_counts(checkers):
    # Source: E. Trice on damforum.nl, report of the 2-piece database, its longest win of 11 plies.
    assert checkers[0][Slice(0, 1, 0, 1)] == (108, 654, 230, 11)


@pytest.mark.parametrize("name", ["checkers", "brazilian"])
def test_every_value_follows_from_its_successors(name, request):
    counts, endings = request.getfixturevalue(name)
    positions = sum(one.positions for one in counts.values())
    arguments = game(name), endings.directory, endings.pieces
    assert check_endings(*arguments, with_distances=True) == positions
    assert check_endings(*arguments) == positions


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("checkers", 7, 400),
        ("brazilian", 5, 400),
        pytest.param("checkers", 9, 10_000, marks=pytest.mark.slow),
    ],
)
def test_a_search_finds_the_same_wins_in_as_many_plies(name, depth, count, request):
    endings = request.getfixturevalue(name)[1]
    engine = AlphaBeta("blind", blind_network()).new_game(game(name))
    draw, decided = random.Random(3), 0
    for position in random_positions(name, endings.pieces, count, seed=2):
        position = position if draw.random() < 0.5 else MIRRORS[name](position)
        verdict = endings.probe(position)
        if not game(name).legal_moves(position):
            assert verdict == (-1, 0)
            continue
        found = engine.analyse(position, limits=Limits(depth), line=False)
        # captures are followed beyond the depth, so a search may find more, but nothing wrong
        if found.plies_to_end is not None:
            assert verdict.result == (1 if found.value > 0 else -1)
            assert found.plies_to_end >= verdict.plies
        if verdict.plies is not None and verdict.plies <= depth:
            assert found.plies_to_end == verdict.plies
            decided += 1
    assert decided > count / 5


def test_moves_are_worth_what_they_lead_to(checkers):
    endings = checkers[1]
    for position in random_positions("checkers", 4, 300, seed=8):
        after, verdict = endings.after_moves(position), endings.probe(position)
        assert len(after) == len(game("checkers").legal_moves(position))
        if after:
            assert max(one.result for one in after.values()) == verdict.result
            best = [one.plies for one in after.values() if one.result == verdict.result]
            if verdict.result:
                assert verdict.plies == (min(best) if verdict.result > 0 else max(best))


def test_distances_are_not_needed_for_values(checkers, tmp_path):
    counts = {of: found for of, found, _ in solve_endings(game("checkers"), tmp_path, 3)}
    for of in slices_of(3):
        assert counts[of] == checkers[0][of]._replace(longest=0)
        kept, path = (slice_path(folder, "checkers", of) for folder in (checkers[1].directory, tmp_path))
        assert kept.read_bytes() == path.read_bytes()
    endings = open_endings(game("checkers"), tmp_path)
    assert not endings.has_distances
    assert endings.probe(game("checkers").parse_fen("W:WK18:BK15")) == (1, None)
