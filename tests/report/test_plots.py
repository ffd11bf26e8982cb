"""The picture of a ladder."""

import builtins
import xml.etree.ElementTree as ET

import pytest

from neche.arena.ladder import climb
from neche.arena.tournament import Tournament
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import geometry_of
from neche.players.source import network_of, read_source
from neche.players.spec import parse_player
from neche.report.network_picture import lay_out
from neche.report.piece_values import HeatMap, Worth
from neche.report.plots import _figure, _plot_heat, _plot_network, draw_ladder
from neche.report.story import read_story
from tests.arena.stand_in import play, players
from tests.report.runs import made_run


@pytest.fixture(scope="module")
def rungs():
    return list(climb(Tournament([parse_player("blind:depth=3"), *players(1, 2, 5)], seed=1), 40, play=play))


def test_equal_climbs_give_equal_pictures_that_name_every_rung(tmp_path, rungs):
    for name in ("a.svg", "b.svg"):
        draw_ladder("blind:depth=3", rungs, tmp_path / name)
    text = (tmp_path / "a.svg").read_text()
    assert (tmp_path / "b.svg").read_text() == text
    ET.fromstring(text)
    for word in ("blind:depth=1", "blind:depth=2", "blind:depth=5", "blind:depth=3 against", "won", "lost"):
        assert word in text


def test_names_with_dollars_are_no_formulas(tmp_path, rungs):
    for name in ("runs/$a$:depth=4", "runs/$^$", "runs/5$"):
        draw_ladder(name, rungs[:1], tmp_path / "dollars.svg")
        assert f"{name} against" in [*ET.parse(tmp_path / "dollars.svg").getroot().itertext()]


def test_one_rung_is_enough_for_a_picture(tmp_path, rungs):
    draw_ladder("x", rungs[:1], tmp_path / "one.svg")
    assert (tmp_path / "one.svg").stat().st_size > 1000


def test_a_name_is_shown_as_it_is(tmp_path, rungs):
    rung = rungs[0]._replace(player="b$^$")
    draw_ladder("a$_$", [rung], tmp_path / "l.svg")
    text = (tmp_path / "l.svg").read_text()
    assert "a$_$ against" in text
    assert "b$^$" in text


def test_a_place_that_cannot_be_written_is_named(tmp_path, rungs):
    with pytest.raises(InputError, match=r"nowhere/l\.svg: cannot be written"):
        draw_ladder("x", rungs, tmp_path / "nowhere" / "l.svg")


def test_a_picture_without_room_leaves_the_old_one(tmp_path, rungs):
    resource = pytest.importorskip("resource")
    path = tmp_path / "l.svg"
    path.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(InputError, match=r"l\.svg: cannot be written"):
            draw_ladder("x", rungs, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "old"


def test_a_missing_matplotlib_is_named(tmp_path, rungs, monkeypatch):
    import_module = builtins.__import__

    def missing(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return import_module(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(InputError, match=r"pip install 'neche\[plot\]'"):
        draw_ladder("x", rungs, tmp_path / "l.svg")


@pytest.mark.parametrize("topology", ["auto-9-1", "patterns-9-1", "auto"])
def test_every_square_of_a_network_has_one_name_as_png(tmp_path, topology):
    perspective = "own" if topology == "auto" else "mover"
    story = read_story(made_run(tmp_path / "made", topology=topology, perspective=perspective))
    assert story.network is not None
    drawing = lay_out(story.network, story.rules, Worth({}, {}))
    words = _plot_network(_figure(9, 4.5), drawing).axes[0].texts
    said = {word.get_position(): word.get_text() for word in words}
    assert len(said) == len(words)
    used = {
        square for sensor, seen in enumerate(drawing.sights) if sensor in drawing.graph for square in seen
    }
    for at, (name, place) in enumerate(zip(drawing.squares, drawing.centres, strict=True)):
        assert said[place] == (name if at in used else "·")


@pytest.mark.parametrize(("most", "said"), [(1234.5, {"1234", "−3", "0"}), (52.43, {"52.4", "−3.2", "0.0"})])
def test_worth_by_square_is_written_without_powers_of_ten_as_png(most, said):
    rules = game("othello")
    values = dict.fromkeys(geometry_of(rules).places, 0.00001) | {"a1": most, "h8": -3.21}
    drawing = lay_out(network_of(read_source("othello-1")), rules, Worth(values, {}))
    figure = _plot_heat(_figure(5.6, 5.6), HeatMap("disc-values", "disc", values, ""), drawing)
    assert {text.get_text() for text in figure.axes[0].texts} == said
