"""Animated analyses: a frame for each report, shown in turn by CSS alone."""

import re
import xml.etree.ElementTree as ET

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.engine import Analysis, MoveAnalysis
from neche.report.analysis import label_of
from neche.report.animation import animation_svg

SVG = "{http://www.w3.org/2000/svg}"
OTHELLO, CHECKERS = game("othello"), game("checkers")


def analysis(descents, *entries):
    moves = tuple(MoveAnalysis(text, value, visits) for text, value, visits in entries)
    best = max(moves, key=lambda move: move.visits).text
    return Analysis(
        moves,
        (best,),
        (best,),
        moves[0].value,
        is_score=True,
        playouts=descents,
        figures={"descents": descents},
    )


ANALYSES = [
    analysis(4, ("d3", 0.0, 1), ("c4", 1.0, 1), ("f5", 0.5, 1), ("e6", 0.5, 0)),
    analysis(64, ("d3", 0.4, 13), ("c4", 0.6, 20), ("f5", 0.5, 15), ("e6", 0.5, 15)),
    analysis(1024, ("d3", 0.49, 200), ("c4", 0.51, 223), ("f5", 0.52, 300), ("e6", 0.5, 300)),
]


def frames(text):
    return [node for node in ET.fromstring(text).iter(f"{SVG}g") if "neche-" in node.get("class", "")]


def words(node):
    return [found.text or "" for found in node.iter(f"{SVG}text")]


def test_each_frame_says_what_was_known_then():
    found = frames(animation_svg(OTHELLO, OTHELLO.start(), ANALYSES))
    headings = [next(word for word in words(frame) if word.endswith("playouts")) for frame in found]
    assert headings == ["4 playouts", "64 playouts", "1,024 playouts"]
    assert "0.600" in words(found[1])
    assert "0.600" not in words(found[2])


def test_moves_keep_their_place_in_the_list_from_frame_to_frame():
    names = {"d3", "c4", "f5", "e6"}
    found = frames(animation_svg(OTHELLO, OTHELLO.start(), ANALYSES))
    orders = [[word for word in words(frame) if word in names] for frame in found]
    assert orders[0] == orders[1] == orders[2]
    assert orders[0][0] == "f5"  # most visits and the better value at the end


def test_an_untried_move_has_no_value_yet():
    labels = {move.text: label_of(ANALYSES[0], move) for move in ANALYSES[0].moves}
    assert labels["e6"] == ""
    assert labels["f5"] == "0.500"


def test_only_the_last_frame_is_seen_where_nothing_moves():
    found = frames(animation_svg(OTHELLO, OTHELLO.start(), ANALYSES))
    assert [frame.get("visibility") for frame in found] == ["hidden", "hidden", "visible"]


def test_frames_follow_each_other_and_the_last_one_stays_a_while():
    text = animation_svg(OTHELLO, OTHELLO.start(), ANALYSES)
    delays = [float(delay) for delay in re.findall(r"animation-delay:([-\d.]+)s", text)]
    (total,) = map(float, re.findall(r"animation:neche-3 ([\d.]+)s", text))
    assert delays == [-total, -total + 0.5, -total + 1.0]
    shares = [float(share) for share in re.findall(r"visibility:visible\}([\d.]+)%,100%", text)]
    assert shares[0] == pytest.approx(100 * 0.5 / total, abs=0.01)
    assert sum([shares[0] * 2, shares[1]]) == pytest.approx(100, abs=0.05)
    assert "prefers-reduced-motion" in text


def test_an_animation_needs_no_script_and_nothing_from_elsewhere():
    text = animation_svg(OTHELLO, OTHELLO.start(), ANALYSES)
    assert "<script" not in text
    assert not re.search(r"(?:src|href|url)\s*[=(:]", text)
    assert text == animation_svg(OTHELLO, OTHELLO.start(), ANALYSES)


def test_values_are_lines_over_playouts_that_stay_in_their_field():
    picture = ET.fromstring(animation_svg(OTHELLO, OTHELLO.start(), ANALYSES))
    lines = [node.get("points", "").split() for node in picture.iter(f"{SVG}polyline")]
    assert len(lines) == 4
    points = [tuple(map(float, point.split(","))) for line in lines for point in line]
    width, height = (float(word) for word in picture.get("viewBox", "").split()[2:])
    assert all(532 < x < width and 330 < y < height for x, y in points)
    assert sorted(map(len, lines)) == [2, 3, 3, 3]  # one move was not tried in the first analysis


def test_one_analysis_is_enough():
    assert len(frames(animation_svg(OTHELLO, OTHELLO.start(), ANALYSES[:1]))) == 1


def test_without_an_analysis_there_is_nothing_to_show():
    with pytest.raises(InputError, match="no analysis"):
        animation_svg(OTHELLO, OTHELLO.start(), [])


def test_steps_are_arrows_in_every_frame():
    moves = [(move.text, 0.5, 10) for move in CHECKERS.legal_moves(CHECKERS.start())]
    found = frames(animation_svg(CHECKERS, CHECKERS.start(), [analysis(8, *moves), analysis(80, *moves)]))
    assert [len(list(frame.iter(f"{SVG}polygon"))) for frame in found] == [7, 7]
