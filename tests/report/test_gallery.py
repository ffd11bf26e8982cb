"""The gallery: every shipped champion and own runs, on one page that needs nothing else."""

import re
import shlex

import pytest

from neche.cli.arguments import Parser, parse
from neche.cli.evolve import add_evolve_arguments
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.games.catalogue import GAMES
from neche.genome.dna import decode
from neche.parsing import read_toml
from neche.players.source import SHIPPED, network_of, read_source, shipped_champions
from neche.players.spec import parse_player
from neche.report.gallery import compose_gallery, run_exhibit, shipped_exhibits
from tests.docs.pages import ROOT
from tests.report.pages import read_alone
from tests.report.runs import made_run

CHAMPIONS = {name: game for game in GAMES for name in shipped_champions(game)}


@pytest.fixture(scope="module")
def exhibits(tmp_path_factory):
    run = made_run(tmp_path_factory.mktemp("runs") / "<b>mine", "othello")
    return [run_exhibit(run), run_exhibit(run), *shipped_exhibits()]


def test_every_shipped_champion_of_all_four_games_is_there_with_its_dna(exhibits):
    assert {one.name: one.game for one in exhibits[2:]} == CHAMPIONS
    assert {one.game for one in exhibits} == set(GAMES)
    page = compose_gallery(exhibits)
    for name in CHAMPIONS:
        assert f"<h3>{name}</h3>" in page
        (dna,) = re.findall(rf"DNA of {name}</summary>\n<pre[^>]*>([ACGT\n]*)</pre>", page)
        assert dna.replace("\n", "") == decode(read_source(name).genome)


def test_the_strongest_champion_of_a_game_comes_first_and_the_first_one_is_the_measure(exhibits):
    for game in GAMES:
        first = "champion-1" if game == "checkers" else f"{game}-1"
        found = [dict(one.facts)[f"Elo to {first}, depth 6"] for one in exhibits[2:] if one.game == game]
        elo = [int(fact.split()[0]) for fact in found]
        assert elo == sorted(elo, reverse=True)
        assert found[-1] == "+0 ± 0"


def test_the_page_is_one_well_formed_document_that_asks_for_nothing_else(exhibits):
    page = compose_gallery(exhibits)
    reader = read_alone(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "script-src" not in page
    assert "<b>" not in page
    assert "&lt;b&gt;mine" in page
    headings = re.findall(r"<h([1-6])", page)
    assert headings.count("1") == 1
    assert headings.count("3") == len(exhibits)
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    # men and kings, and the discs of Othello
    assert len(figures) == sum(1 if one.game == "othello" else 2 for one in exhibits)
    assert all(figure.count("<figcaption") == 1 and "<table>" in figure for figure in figures)
    for svg in re.findall(r"<svg[^>]*>", page):
        ((name, description),) = re.findall(r'aria-labelledby="(\S+) (\S+)"', svg)
        assert {name, description} <= set(reader.ids)
    assert page == compose_gallery(exhibits)


def test_own_runs_come_with_their_command_and_scores(exhibits):
    facts = dict(exhibits[0].facts)
    assert (exhibits[0].name, exhibits[0].game, facts["seed"]) == ("<b>mine", "othello", "3")
    assert facts["score against material:depth=1"] == "0.625"
    assert exhibits[0].command is not None
    assert "--seed 3" in exhibits[0].command


def test_shipped_champions_name_those_they_met_as_players_are_named(exhibits):
    # whose names have no equals sign in the header of a champion
    met = {(name, one.game) for one in exhibits for name, _ in one.facts if name.startswith("score against ")}
    players = {parse_player(name.removeprefix("score against "), game).name for name, game in met}
    assert {"material:depth=4", "blind:depth=4", "network:file=champion-1,depth=4"} <= players


def test_a_run_without_a_champion_is_named(tmp_path):
    with pytest.raises(InputError, match="begun: no champion yet"):
        run_exhibit(made_run(tmp_path / "begun", generations=0))


def test_what_is_said_of_the_shipped_champions_is_what_the_league_says():
    origins = read_toml((SHIPPED / "origins.toml").read_text(), "origins.toml")
    assert set(origins) == set(CHAMPIONS)
    page = (ROOT / "docs" / "studies" / "league.md").read_text()
    for name, origin in origins.items():
        ((remark, run),) = [
            (row.split("|")[4], row.split("|")[3])
            for row in page.splitlines()
            if row.startswith(f"| `{name}` |")
        ]
        assert origin["remark"].split("; ")[0] in remark
        if "`neche" in run:
            assert f"`{origin['command']}`" in run
        elo = re.search(rf"file={name},depth=6` \| \+(\d+) ± (\d+)", page)
        assert elo is not None
        assert [int(elo[1]), int(elo[2])] == origin["elo"]
    firsts = {name for name, origin in origins.items() if origin["elo"] == [0, 0]}
    assert firsts == {"champion-1", "othello-1", "brazilian-1", "international-1"}
    assert min(origin["elo"][0] for origin in origins.values()) == 0


@pytest.mark.parametrize("name", CHAMPIONS)
def test_the_command_of_a_champion_is_of_its_game_and_topology(name):
    origins = read_toml((SHIPPED / "origins.toml").read_text(), "origins.toml")
    program, command, *words = shlex.split(origins[name]["command"])
    assert (program, command) == ("neche", "evolve")
    parser = Parser(prog="evolve", allow_abbrev=False)
    add_evolve_arguments(parser)
    options = parse(parser, words)
    settings = load_recipe(options.recipe)
    for assignment in options.set:
        settings = override(settings, assignment)
    settings, network = resolve(settings), network_of(read_source(name))
    assert settings.games.game == CHAMPIONS[name]
    assert settings.members.topology == network.topology.words
    assert settings.members.perspective == network.perspective
