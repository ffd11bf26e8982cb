"""The page of a run: it agrees with the files, is self-contained, and no file can harm it."""

import json
import re
import shlex
from itertools import pairwise

import numpy as np
import pytest

from neche.archive.reading import read_config
from neche.archive.run import RunDirectory
from neche.arena.probes import NUM_PROBES, value_men
from neche.evolution.islands import island_seed
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.games.catalogue import GAMES, game
from neche.network.packing import pack_networks
from neche.network.sensors import sensor_layout, sensor_squares
from neche.players.engine import interval
from neche.players.source import network_of, read_source
from neche.report.chart import describe
from neche.report.curves import charts_of
from neche.report.gallery import run_exhibit
from neche.report.network_picture import draw_network, lay_out, say_square
from neche.report.page import compose
from neche.report.piece_values import (
    NUM_SHOWN,
    Worth,
    evaluate,
    heat_maps,
    probe_boards,
    value_pieces,
)
from neche.report.sample_games import encode, play_samples
from neche.report.story import read_story
from neche.report.summary import command, course, headline, nearest_recipe
from tests.report.pages import read, read_alone
from tests.report.runs import LADDER, copied, generation, made_run, sealed_history, settings_for


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("runs") / "made")


@pytest.fixture(scope="module", params=GAMES)
def composed(request, tmp_path_factory):
    story = read_story(made_run(tmp_path_factory.mktemp("games") / request.param, request.param))
    samples = play_samples(story, 2, seed=1)
    return story, samples, compose(story, samples)


def test_a_page_is_one_well_formed_document_that_asks_for_nothing_else(composed):
    read_alone(composed[2].html)


def test_every_figure_has_a_caption_and_every_picture_a_name(composed):
    page = composed[2].html
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) >= 9
    assert all(figure.count("<figcaption") == 1 for figure in figures)
    for svg in re.findall(r"<svg[^>]*>", page):
        assert ('role="img"' in svg and "aria-label" in svg) or 'aria-hidden="true"' in svg
    charts = [figure for figure in figures if 'class="chart"' in figure]
    assert len(charts) == 4
    assert all("<table>" in chart for chart in charts)
    headings = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))


def test_equal_runs_give_equal_pages_that_name_no_place(tmp_path, run):
    again = copied(run, tmp_path / "elsewhere")
    page, other = (compose(read_story(path), []).html for path in (run, again))
    assert page == other
    assert str(run.parent) not in page
    assert run.name not in re.findall(r"<title>.*?</title>", page)[0]


def test_curves_are_the_numbers_of_the_history(run):
    lines = [json.loads(line) for line in (run / "history.jsonl").read_text().splitlines()]
    charts = {chart.name: chart for chart in charts_of(read_story(run))}
    for series in charts["ladder"].series:
        wanted = [(line["generation"], line["ladder"][series.name]) for line in lines if "ladder" in line]
        assert [(point.generation, point.value) for point in series.points] == wanted
        assert [point[2:] for point in series.points] == [interval(score, 10) for _, score in wanted]
    keys = {"synapses": "live_synapses", "squares": "squares_seen", "genomes": "distance"}
    for chart in (charts["size"], charts["diversity"]):
        for series in chart.series:
            if series.name in keys:
                assert [point.value for point in series.points] == [line[keys[series.name]] for line in lines]
    assert [mark.text for mark in charts["size"].marks] == ["depth 2"]
    assert [mark.generation for mark in charts["size"].marks] == [2]
    assert "depth 2 from generation 2 on." in describe(charts["size"])


def test_a_score_against_a_player_from_any_path_crowns_and_is_read_back(tmp_path):
    player = "network:file=my runs/é 100%.fasta,depth=4"
    path = made_run(tmp_path / "any", generations=0, ladder=json.dumps([player]))
    with RunDirectory.open(path) as run:
        champion = generation(run.settings, 0, None).members[0]
        run.crown(champion, generation=0, scores={player: 0.625})
    said = headline(read_story(path))
    assert "0.62 points a game against my runs/é 100%.fasta:depth=4." in said


def test_the_headline_tells_score_games_and_error(run):
    said = headline(read_story(run))
    low, high = interval(0.625, 10)
    assert "0.62 points a game against blind:depth=1 and 0.62 against material:depth=1." in said
    assert f"(10 games; the score lies between {low:.2f} and {high:.2f} at 95 %)" in said
    assert "89 Elo above" in said


def test_a_run_that_went_beyond_its_settings_is_told_as_far_as_it_came(tmp_path):
    story = read_story(made_run(tmp_path / "long", generations=8))
    assert ("generation", "7 of 7") in course(story)


def test_a_man_is_worth_what_the_compiled_probes_say(composed):
    story = composed[0]
    worth = value_pieces(story.network, story.rules, story.config.seed)
    packed = pack_networks([story.network], story.rules.sensors)
    exact = value_men(packed, [0], story.config.seed, name=story.rules.name)[0]
    names = sensor_squares(story.rules)
    assert set(worth.men) == {name for name, value in zip(names, exact, strict=True) if np.isfinite(value)}
    assert [worth.men[name] for name in names if name in worth.men] == pytest.approx(
        exact[np.isfinite(exact)]
    )
    assert bool(worth.kings) == (story.rules.name != "othello")


def test_the_worth_of_men_on_an_island_is_on_the_positions_of_its_history_and_more(tmp_path):
    story = read_story(made_run(tmp_path / "island-1", islands=2, island=1))
    page = compose(story, [])
    # an island draws its own positions, of which champion_man_spread of its history is
    assert story.network is not None
    seed = island_seed(story.config.settings, story.config.seed)
    packed = pack_networks([story.network], story.rules.sensors)
    exact = value_men(packed, [0], seed)
    probes = value_pieces(story.network, story.rules, seed)
    assert [*probes.men.values()] == pytest.approx(exact[np.isfinite(exact)])
    boards = probe_boards(story.rules, seed, NUM_SHOWN)
    assert (boards[:NUM_PROBES] == probe_boards(story.rules, seed)).all()
    shown = value_pieces(story.network, story.rules, seed, NUM_SHOWN)
    assert page.maps[0].values == shown.men
    assert page.maps[1].values == shown.kings
    # a square at a time, a board at a time
    for sensor, name in enumerate(sensor_squares(story.rules)):
        held = [board for board in boards if board[sensor] == 1]
        without = [np.where(np.arange(len(board)) == sensor, 0, board) for board in held]
        lost = [
            evaluate(story.network, np.array(pair), story.rules) for pair in zip(held, without, strict=True)
        ]
        assert shown.men.get(name, np.nan) == pytest.approx(
            np.mean([before - after for before, after in lost]) if held else np.nan, nan_ok=True
        )


def test_weights_that_are_changed_in_place_count_at_once():
    network, rules = network_of(read_source("champion-1")), game("checkers")
    boards = probe_boards(rules, 0)
    before = evaluate(network, boards, rules)
    network.weight[:] *= 2
    network.weight[network.sink < network.topology.output] //= 2
    assert evaluate(network, boards, rules) == pytest.approx(2 * before)


def test_what_is_worth_less_than_is_written_has_no_sign():
    labels = heat_maps(game("othello"), Worth({"a1": -0.004, "b1": -0.006, "c1": 1.0}, {}))[0].svg
    assert ">0.00<" in labels
    assert "−0.00" not in labels


def test_probes_are_seen_from_the_side_to_move():
    boards = probe_boards(game("checkers"), 0)
    assert boards.shape == (32, 32)
    assert set(np.unique(boards)) <= {-2.0, -1.0, 0.0, 1.0, 2.0}
    # after four plies each side still holds most of its own half
    assert (boards[0] == 1).sum() in range(9, 13)
    own_rows = [at for at, square in enumerate(sensor_layout(game("checkers")).squares) if square[1] in "12"]
    assert boards[0][own_rows].min() >= 0


def test_the_command_begins_the_same_run(run):
    story = read_story(run)
    words = str(command(story)).split(" --")
    recipe = nearest_recipe(story.config.settings)
    settings = load_recipe(recipe.name)
    for change in recipe.changes:
        settings = override(settings, change)
    assert resolve(settings) == resolve(story.config.settings)
    assert "seed 3" in words
    assert "generations 4" in words


def test_the_command_of_an_island_evolves_all_of_them_which_wait_for_each_other(tmp_path):
    path = made_run(tmp_path / "island-2", islands=3, island=2, migrate_every=50)
    words = shlex.split(str(command(read_story(path))))
    settings = [words[at + 1] for at, word in enumerate(words) if word == "--set"]
    assert "islands=3" in settings
    assert not any(one.startswith("island=") for one in settings)


def test_a_run_with_plug_ins_or_from_others_is_no_plain_run_of_a_recipe(tmp_path):
    plain, again = made_run(tmp_path / "plain"), ["neche", "evolve"]
    plugged = made_run(tmp_path / "plugged", plugins=[{"kind": "mutation", "name": "a", "digest": "b" * 16}])
    begun = made_run(tmp_path / "begun", origin="c" * 64)
    commands = [shlex.split(str(command(read_story(path)))) for path in (plain, plugged, begun)]
    assert all(words[:2] == again for words in commands)
    assert ["--plugin" in words for words in commands] == [False, True, False]
    assert ["--from" in words for words in commands] == [False, False, True]
    # random DNA is what none but the first began with; its generation 0 is still there
    for path, is_random in ((plain, True), (plugged, True), (begun, False)):
        shorter = path.with_name(f"{path.name}-short")
        origin, plugins = read_config(path).origin, read_config(path).plugins
        page = compose(read_story(made_run(shorter, generations=2, origin=origin, plugins=plugins)), []).html
        assert ("none: random DNA" in page) == is_random


@pytest.mark.parametrize("name", GAMES)
def test_a_topology_that_the_board_asks_for_is_not_set_by_the_command(name):
    assert not any("topology" in change for change in nearest_recipe(settings_for(name)).changes)
    words = "32-1-2-3-1" if name in ("checkers", "brazilian") else None
    if words:
        assert f"topology={words}" in nearest_recipe(settings_for(name, topology=words)).changes


def test_games_are_replayed_move_by_move_and_the_best_come_first(composed):
    story, samples, page = composed
    assert [sample.opponent for sample in samples] == list(LADDER)
    for sample in samples:
        assert sample.wins + sample.draws + sample.losses == 20
        points = [shown.points for shown in sample.games]
        assert points == sorted(points, reverse=True)
        for shown in sample.games:
            assert shown.points == (1.0 if sample.wins else 0.5 if sample.draws else 0.0)
            for move, before, after in zip(
                shown.moves, shown.positions[:-1], shown.positions[1:], strict=True
            ):
                legal = {one.text: one.after for one in story.rules.legal_moves(before)}
                assert story.rules.format_fen(legal[move]) == story.rules.format_fen(after)
    data = re.findall(r'<script type="application/json">(.*?)</script>', page.html)
    assert len(data) == 2
    stored = json.loads(data[0])
    assert stored["moves"] == list(samples[0].games[0].moves)
    assert stored["boards"][0] == encode(story.rules.geometry, story.rules.start())
    assert len(stored["boards"]) == len(stored["moves"]) + 1 == len(stored["squares"]) + 1


def test_equal_seeds_play_equal_games(run):
    story = read_story(run)
    assert play_samples(story, 2, 5) == play_samples(story, 2, 5)
    assert play_samples(story, 2, 5) != play_samples(story, 2, 6)
    assert play_samples(story, 0, 5) == []


def test_a_run_that_learned_has_a_page_that_shows_how_wrong_it_was(tmp_path, run):
    path = copied(run, tmp_path / "learned")
    sealed_history(path, lambda values: {**values, "prediction_error": 0.05, "best_prediction_error": 0.04})
    page = compose(read_story(path), []).html
    read(page)
    assert "Prediction error. How wrong members are" in page


def test_a_run_of_one_generation_has_a_page(tmp_path):
    story = read_story(made_run(tmp_path / "one", generations=1))
    page = compose(story, play_samples(story, 1, 0)).html
    read(page)
    assert "generation</dt><dd>0 of 5" in page
    assert story.champion is not None
    assert f"Parents of {story.champion.id}: none: random DNA." in page
    assert "names the parents" not in page
    # against one that does not search they are no equals
    assert "or 4 plies if the opponent has no fixed depth" in page


def test_a_run_without_a_generation_has_a_page_that_says_so(tmp_path):
    page = compose(read_story(made_run(tmp_path / "none", generations=0)), []).html
    read(page)
    assert "No generation is finished yet" in page
    assert "neche evolve" in page


def test_an_unfinished_run_shows_who_leads(tmp_path):
    story = read_story(made_run(tmp_path / "short", generations=3, is_crowned=False))
    assert story.champion
    assert story.champion.id == "g2-0000"
    name, score = next(iter((story.entries[-1].benchmarks or {}).items()))
    assert f"{score:.2f} points a game against {name}" in headline(story)


def test_scores_of_an_earlier_champion_are_not_said_to_be_those_of_who_leads_now(tmp_path):
    story = read_story(made_run(tmp_path / "later", generations=4, is_crowned=False))
    # generations 0 and 2 were measured; 3 has a leader of its own
    said = headline(story)
    assert "g3-0000 scores" not in said
    assert "Champion g3-0000 has not been measured yet; g2-0000, of generation 2, scores" in said
    facts = dict(run_exhibit(tmp_path / "later").facts)
    assert facts["member"] == "g3-0000"
    scores = story.entries[2].benchmarks or {}
    for name, score in scores.items():
        assert facts[f"score of g2-0000 against {name}"] == f"{score:.3f}"
    assert f"generation 2, scores {scores[LADDER[0]]:.2f} points" in said


def test_the_curves_in_elo_have_room_for_all_of_their_errors(tmp_path):
    # 0.6 of ten games: 95 % between 0.31 and 0.83, which is 140 Elo less to 277 more
    path = made_run(tmp_path / "even", generations=3, is_crowned=False)
    sealed_history(path, lambda values: {**values, "ladder": dict.fromkeys(LADDER, 0.6)})
    chart = next(chart for chart in charts_of(read_story(path)) if chart.name == "elo")
    highest = max(point.high for series in chart.series for point in series.points)
    assert 270 < highest < 285
    assert chart.span == (-400.0, 400.0)


def test_a_torn_last_line_is_a_generation_that_is_not_finished(tmp_path, run):
    torn = copied(run, tmp_path / "torn")
    history = torn / "history.jsonl"
    history.write_bytes(history.read_bytes() + b'{"generation": 5, "cha')
    assert len(read_story(torn).entries) == 5


@pytest.mark.parametrize(
    ("name", "topology", "seen"),
    [
        ("checkers", "auto-9-1", "kind of piece on each square"),
        ("checkers", "patterns-9-1", "arrangement of men on a group of squares, and for each king"),
        ("othello", "patterns-9-1", "arrangement of discs on a group of squares"),
    ],
)
def test_the_page_says_what_the_sensors_of_a_dense_network_see(tmp_path, name, topology, seen):
    run = made_run(tmp_path / "made", name, topology=topology, perspective="mover")
    words = " ".join(read(compose(read_story(run), []).html).words).split()
    assert re.findall(r"a sensor for each (.*?)(?: on a square)?\.", " ".join(words)) == [seen]
    assert ("in the middle of its squares" in " ".join(words)) == topology.startswith("patterns")


def test_a_square_feeds_nothing_only_where_none_of_its_synapses_is_live():
    # the shipped network for Othello has thousands of live synapses, of which the heaviest are drawn
    network, rules = network_of(read_source("othello-1")), game("othello")
    drawing = lay_out(network, rules, value_pieces(network, rules, 0))
    assert ">bias, always 1<" in draw_network(drawing, name="othello-1")
    said = {name: say_square(drawing, square) for square, name in enumerate(drawing.squares)}
    sensors = {*network.source[network.live].tolist()} & {*range(128)}
    assert {square for sensor in sensors for square in drawing.sights[sensor]} == {*range(64)}
    assert not [name for name, words in said.items() if "No live synapse" in words]
    drawn = {square for sensor, _ in drawing.graph.edges if sensor < 128 for square in drawing.sights[sensor]}
    fed = {name for name, words in said.items() if " feeds " in words}
    assert fed == {drawing.squares[square] for square in drawn}
    assert {name for name, words in said.items() if words.endswith("No heavy synapse leaves it.")} == {
        *said
    } - fed


@pytest.mark.parametrize(
    ("name", "subject"), [("othello-2", "(own|enemy) disc"), ("othello-4", "pattern .*")]
)
def test_what_feeds_a_neuron_in_othello_is_a_disc_or_a_pattern(name, subject):
    drawing = lay_out(network_of(read_source(name)), game("othello"), Worth({}, {}))
    said = " ".join(say_square(drawing, square) for square in range(len(drawing.squares)))
    subjects = re.findall(r"Its ([a-z ]*) feeds ", said)
    assert subjects
    assert all(re.fullmatch(subject, one) for one in subjects)
