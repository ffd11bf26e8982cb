"""Players on one scale: results of the rungs against each other, and of a climber against the rungs."""

from itertools import combinations

import msgspec
import pytest

from neche.arena import scale as scales
from neche.arena.ladder import climb, usual_rungs
from neche.arena.playing import play_games
from neche.arena.round_robin import play_round_robin
from neche.arena.scale import Scale, place_on_scale, read_scale
from neche.arena.tournament import Tournament
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.players.spec import parse_player
from tests.arena.stand_in import play, players
from tools.studies.league import put_into_page, read_league, scale_of, table

DEPTHS = (1, 3, 5)


@pytest.fixture
def league(tmp_path, monkeypatch):
    """Play a league of blind players with the stand-in, and make its results the scale of checkers."""
    monkeypatch.setattr(scales, "SCALES", tmp_path)
    report = play_round_robin(
        Tournament(players(*DEPTHS), seed=2), 2000, results_path=tmp_path / "league.jsonl", play=play
    )
    identity, pairs = read_league(tmp_path / "league.jsonl")
    scale = scale_of(identity, pairs, "blind:depth=3")
    (tmp_path / "checkers.json").write_bytes(msgspec.json.encode(scale))
    return identity, pairs, report


def kept_scale() -> Scale:
    scale = read_scale("checkers")
    assert scale is not None
    return scale


def placed(*names, games=1000, seed=5, **conditions):
    tournament = Tournament([parse_player(name) for name in names], seed=seed, **conditions)
    climbed = climb(tournament, games, play=play)
    return place_on_scale(tournament, [rung.pairs for rung in climbed])


def test_the_scale_has_the_results_that_were_played(league):
    _, pairs, _ = league
    scale = kept_scale()
    assert scale.players == tuple(f"blind:depth={depth}" for depth in DEPTHS)
    assert [tuple(met[:2]) for met in scale.results] == list(combinations(range(3), 2))
    assert sum(sum(counts) for _, _, counts in scale.results) == len(pairs) == 3000
    assert (scale.anchor, scale.opening_plies, scale.game) == ("blind:depth=3", 12, "checkers")


def test_a_climber_is_placed_by_all_rungs_at_once(league):
    found = placed("blind:depth=4", *(f"blind:depth={depth}" for depth in DEPTHS))
    assert found.anchor == "blind:depth=3"
    by_name = {place.player: place for place in found.places}
    assert (by_name["blind:depth=3"].elo, by_name["blind:depth=3"].elo_error) == (0, 0)
    assert by_name["blind:depth=1"].elo < 0 < found.climber.elo < by_name["blind:depth=5"].elo
    alone = placed("blind:depth=4", "blind:depth=3")
    assert found.climber.elo_error < alone.climber.elo_error, "three rungs say more than one"
    assert found.as_record()["rungs"][0]["player"] == "blind:depth=5"


def test_a_climber_that_is_also_a_rung_is_placed_beside_it(league):
    found = placed("blind:depth=3", *(f"blind:depth={depth}" for depth in DEPTHS))
    assert len(found.places) == 4
    assert abs(found.climber.elo) < 3 * found.climber.elo_error


def test_games_with_other_rungs_or_conditions_are_not_placed(league):
    assert placed("blind:depth=4", "blind:depth=7") is None
    assert placed("blind:depth=4", "blind:depth=3", opening_plies=4) is None
    with_other = placed("blind:depth=4", "blind:depth=3", "blind:depth=7")
    assert [place.player for place in with_other.places].count("blind:depth=7") == 1
    scale = kept_scale()
    changed = msgspec.structs.replace(scale, networks=("0" * 16, *scale.networks[1:]))
    (scales.SCALES / "checkers.json").write_bytes(msgspec.json.encode(changed))
    assert placed("blind:depth=4", "blind:depth=1") is None, "another network under the same name"


def test_adjudicated_games_do_not_fit_the_scale(league):
    assert kept_scale().fits(Tournament(players(4, 3)))
    assert not kept_scale().fits(Tournament(players(4, 3), endings="solved"))


def test_a_game_whose_rungs_never_met_has_no_scale(league):
    assert read_scale("othello") is None


@pytest.mark.parametrize("name", GAMES)
def test_the_usual_rungs_are_the_players_of_the_scale(name):
    scale = read_scale(name)
    if scale is not None:
        rungs = usual_rungs(game(name))
        assert tuple(rung.name for rung in rungs) == scale.players
        assert tuple(rung.digest for rung in rungs) == scale.networks


def test_the_rungs_of_checkers_are_champions_and_uct():
    names = kept_scale().players
    assert [f"network:file=champion-1,depth={depth}" in names for depth in (2, 4, 6, 8, 10)] == [True] * 5
    assert any(name.startswith("uct:") for name in names)


def test_a_league_is_a_table_on_its_page(league, tmp_path):
    identity, _, report = league
    text = table(identity, report)
    assert text.count("\n| 1 | `blind:depth=5` |") == 1
    page = tmp_path / "page.md"
    page.write_text("# League\n")
    put_into_page(page, "checkers", "first")
    put_into_page(page, "othello", "other")
    put_into_page(page, "checkers", text)
    content = page.read_text()
    assert content.startswith("# League\n\n<!-- league checkers -->\n\n| rank")
    assert "first" not in content
    assert "other" in content
    put_into_page(page, "checkers", text)
    assert page.read_text() == content


def test_a_league_that_is_not_finished_is_refused(league, tmp_path):
    path = tmp_path / "league.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(InputError, match="2999 pairs of games are there"):
        read_league(path)
    path.write_text('{"event": "ladder"}\n')
    with pytest.raises(InputError, match="no round robin"):
        read_league(path)
    identity, pairs, _ = league
    with pytest.raises(InputError, match="random is not among"):
        scale_of(identity, pairs, "random")


def test_real_games_are_placed_on_the_scale_reproducibly():
    rungs = [parse_player(name) for name in ("champion-1:depth=2", "champion-1:depth=4")]
    tournament = Tournament([parse_player("material:depth=2"), *rungs])
    first, second = (
        place_on_scale(tournament, [rung.pairs for rung in climb(tournament, 4, play=play_games)])
        for _ in range(2)
    )
    assert first is not None
    assert first == second
    assert first.climber.elo < 0
