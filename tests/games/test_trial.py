"""A user's game that breaks the contract is refused in one line before it is used."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from neche.errors import InputError
from neche.games.catalogue import FILES, add_file, game
from neche.games.draws import MAX_PLIES
from neche.games.game import Move
from neche.games.sensors import square_symmetries
from neche.games.trial import try_game
from tests.games.toys.loading import EVERY_GAME, TICTACTOE, load

STONES = """\
from typing import Any, NamedTuple
import numpy as np
from neche.games.generic import new_game

class Stones(NamedTuple):
    left: Any
    turn: Any

def generate(position, moves, base):
    GENERATE
    for number in range(min(position.left, 3)):
        moves[base + number] = number + 1
    return np.int64(min(position.left, 3))

def successor(position, moves, at):
    return Stones(np.uint32(SUCCESSOR), np.uint32(position.turn ^ 1))

def can_move(position):
    return position.left > 0

GAME = new_game(
    "NAME", Stones(np.uint32(21), np.uint32(0)), sides=("A", "B"), max_moves=3,
    generate=generate, successor=successor, can_move_quietly=can_move, MORE
)
"""


def write_stones(folder, name, generate="pass", successor="position.left - moves[at]", more=""):
    path = folder / f"{name}.py"
    words = {"NAME": name, "GENERATE": generate, "SUCCESSOR": successor, "MORE": more}
    text = STONES
    for word, value in words.items():
        text = text.replace(word, value)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    # set, not deleted, so that additions of a test are undone
    monkeypatch.setenv(FILES, "")
    return tmp_path


@pytest.mark.parametrize("name", EVERY_GAME)
def test_games_that_keep_the_contract_pass(name):
    trial = try_game(game(name), name, games=3)
    assert trial.games == sum(trial.outcomes.values()) == 3
    assert 0 < trial.moves <= game(name).max_moves
    assert trial.comes_back == ""


IN_THE_MIDDLE = "if position.left < 12:\n        "
NAMES, WORDS = "name_move=lambda before, after: ", "position_words=lambda position: "
MOBILITY = "mobility=lambda position: np.uint32(position.left - np.uint32(20))"
NOISY = "is_quiet=lambda position: False, generate_captures=lambda position, moves, base: "


@pytest.mark.parametrize(
    ("name", "broken", "fault"),
    [
        ("raises", {"generate": f"{IN_THE_MIDDLE}raise ValueError('odd')"}, "line 11: ValueError: odd"),
        ("many", {"generate": f"{IN_THE_MIDDLE}return np.int64(9)"}, "generate returned 9 moves"),
        ("negative", {"generate": f"{IN_THE_MIDDLE}return np.int64(-1)"}, "generate returned -1 moves"),
        ("unknown", {"generate": "position.right"}, "line 10: cannot be compiled: Unknown attribute"),
        ("undefined", {"generate": "undefined"}, "cannot be compiled: NameError: name 'undefined'"),
        ("counts", {"more": "count_moves=lambda position, moves, base: np.int64(2)"}, "count_moves 2, "),
        ("wins", {"more": "outcome=lambda position: np.int64(2)"}, "at 0,[01]: outcome is 2"),
        (
            "half",
            {"more": "outcome=lambda position: 0.5"},
            "at 0,[01]: outcome is 0.5, not 1 .won., 0",
        ),
        ("whole", {"more": "outcome=lambda position: 1.0"}, "at 0,[01]: outcome is 1.0, not 1"),
        ("unsigned", {"more": MOBILITY}, "mobility is 4294967[0-9]+: it must be an np.int64"),
        ("fraction", {"more": "mobility=lambda position: 0.5"}, "at 21,0: mobility is 0.5: it must be"),
        ("loud", {"more": "is_quiet=lambda position: False"}, "False, but generate_captures has 0 moves"),
        ("optional", {"more": f"{NOISY}np.int64(1)"}, "at 21,0: generate_captures has 1 of 3 moves"),
        ("same", {"more": f"{NAMES}'x'"}, "at 21,0: two moves have the same name: 'x', 'x', 'x'"),
        ("nameless", {"more": f"{NAMES}None"}, "the name of a move is not a text: None, None, None"),
        ("short", {"more": f"{NAMES}[][1]"}, "line 23: IndexError: list index"),
        ("alike", {"more": f"{WORDS}(np.uint64(1), np.uint64(1))"}, "position_words are also those of 21,0"),
        ("lone", {"more": f"{WORDS}(np.uint64(position.left),)"}, "words are .21,.: must be two or three"),
        ("four", {"more": f"{WORDS}({'np.uint64(position.left), ' * 4})"}, "21, 21.: must be two or three"),
        ("wide", {"more": f"{WORDS}(np.uint64(1), np.uint64(1 << 33))"}, "8589934592.: .*, the last below"),
    ],
)
def test_a_fault_is_one_line_that_names_file_and_position(name, broken, fault, folder):
    path = write_stones(folder, name, **broken)
    with pytest.raises(InputError, match=fault) as raised:
        game(add_file(str(path)))
    assert str(raised.value).startswith(f"{path}: at ")


def test_a_turn_that_does_not_change_is_refused(folder):
    path = write_stones(folder, "turns")
    path.write_text(path.read_text().replace("position.turn ^ 1", "position.turn"))
    with pytest.raises(InputError, match="after 1 the turn is 0: it must be the other side's"):
        game(add_file(str(path)))


@pytest.mark.parametrize(
    ("name", "written", "instead", "kinds"),
    [
        ("widening", "np.uint32(position.turn ^ 1)", "position.turn ^ 1", "uint32, uint32"),
        ("plain", "Stones(np.uint32(21), np.uint32(0))", "Stones(21, 0)", "int, int"),
    ],
)
def test_integers_that_change_their_width_are_refused(name, written, instead, kinds, folder):
    path = write_stones(folder, name)
    path.write_text(path.read_text().replace(written, instead))
    with pytest.raises(InputError, match=f"fields of other types than start, {kinds}"):
        game(add_file(str(path)))


SEEN = "np.uint32(position.own), np.uint32(position.foe), np.uint32(0)"


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("turned", SEEN.replace("position.own", "position.own << 9 * position.turn")),
        ("crowned", SEEN.replace("0)", "position.own)")),
        ("gone", SEEN.replace("position.foe", "0")),
    ],
)
def test_sensor_words_that_do_not_follow_the_moves_are_refused(name, seen, folder):
    path = folder / f"{name}.py"
    text = Path(TICTACTOE).read_text(encoding="utf-8").replace(SEEN, seen)
    path.write_text(text.replace('"tictactoe"', f'"{name}"'), encoding="utf-8")
    with pytest.raises(InputError, match="sensor_words do not follow from the last move"):
        game(add_file(str(path)))
    unseen = replace(sys.modules[name].GAME, sensors=None)
    assert try_game(unseen, str(path), games=2).games == 2


def test_positions_with_kings_are_refused_where_sensors_have_none(folder):
    path = folder / "kingly.py"
    text = Path(TICTACTOE).read_text(encoding="utf-8").replace('"tictactoe"', '"kingly"')
    with_kings = text.replace(SEEN, SEEN.replace("0)", "position.own)"))
    path.write_text(with_kings.replace("range(9)))", "range(9)), has_kings=False)"), encoding="utf-8")
    with pytest.raises(InputError, match="positions have kings but the sensors do not"):
        game(add_file(str(path)))


def test_symmetries_that_the_rules_do_not_have_are_refused():
    rules = load(TICTACTOE)
    assert try_game(replace(rules, symmetries=square_symmetries(3)), TICTACTOE, games=5).games == 5
    # the corners in another order than the edges: no row stays a row
    exchanged = (2, 1, 0, 3, 4, 5, 6, 7, 8)
    with pytest.raises(
        InputError, match=r"at .*: symmetries\[1\] does not keep the rules: .* and its image "
    ):
        try_game(replace(rules, symmetries=(square_symmetries(3)[0], exchanged)), TICTACTOE, games=20)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"legal_moves": lambda position: []}, "generate has 3 moves, count_moves 3, perft 3, legal_moves 0"),
        ({"perft": lambda position, depth: 7}, "perft 7, legal_moves 3"),
        ({"parse_fen": lambda text: 5}, "the FEN reads back as 5"),
        ({"format_fen": lambda position: 1 // 0}, "ZeroDivisionError"),
        ({"diagram": lambda position: sys.exit(3)}, "SystemExit: 3"),
        ({"diagram": lambda position: 5}, "diagram is 5: it must be a text"),
        ({"sides": ("First",)}, "they must be two different names"),
        ({"pdn": game("checkers").pdn}, "pdn needs a geometry whose squares are numbers"),
        ({"pdn": game("checkers").pdn, "geometry": game("othello").geometry}, "pdn needs a geometry whose"),
        ({"outcome": lambda position: None}, "outcome is None"),
        ({"legal_moves": lambda position: [Move("1", [])]}, "legal_moves 1"),
    ],
)
def test_functions_that_a_game_defines_itself_are_tried_too(changes, fault):
    with pytest.raises(InputError, match=fault):
        try_game(replace(game("stones"), **changes), "stones.py")


def test_an_endless_game_is_broken_off_and_its_repeated_position_named(folder):
    endless = game(add_file(str(write_stones(folder, "endless", successor="position.left ^ moves[at] & 1"))))
    trial = try_game(endless, "endless.py", games=2)
    assert (trial.plies, trial.outcomes) == (MAX_PLIES - 1, {"broken off": 2})
    assert trial.comes_back in ("20,0", "20,1", "21,0", "21,1")


def test_an_endless_loop_is_reported(folder):
    loop = "while position.left < 15:\n        moves[base] += 1"
    path = write_stones(folder, "loops", generate=loop)
    code = "from neche.games import catalogue, trial; trial.PATIENCE = 10.0; catalogue.game('loops')"
    environment = os.environ | {FILES: str(path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert "no answer for 10 s: does it loop for ever?" in done.stderr.splitlines()[-1]
