"""The NBoard session, as Protocol.htm of ntest describes it."""

import re
import subprocess
import sys

import pytest

from neche.games.catalogue import game
from neche.players.spec import parse_player
from neche.protocols.clock import Clock
from neche.protocols.engine import ProtocolEngine
from neche.protocols.nboard import NBoardSession, read_game
from tests.protocols.listener import Listener

OTHELLO = game("othello")
START = "8 ---------------------------O*------*O--------------------------- *"
EXAMPLE = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    f"BO[{START}]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
MUST_PASS = "(;GM[Othello]TY[8]BO[8 *OO-----" + 56 * "-" + " O];)"


class Interface(Listener):
    """The other side: sends lines and receives the answers."""

    def __init__(self, player="uct"):
        super().__init__()
        engine = ProtocolEngine(OTHELLO, player)
        # what must be compiled is compiled before anything is waited for
        engine.warm_up()
        self.session = NBoardSession(engine, self)

    def say(self, *lines):
        for line in lines:
            assert self.session.hear(line)


@pytest.fixture
def interface():
    found = Interface()
    yield found
    found.session.close()


def seconds_left(play):
    """Time on the clock of the side to move."""
    assert play.clock is not None
    return play.clock.left


def squares(position):
    return {move.text.upper() for move in OTHELLO.legal_moves(position)}


def test_the_session_of_the_description(interface):
    interface.say("nboard 2", f"set game {EXAMPLE}", "set depth 6", "ping 1", "go")
    assert interface.wait_for("set myname") == "set myname neche"
    assert interface.wait_for("set myname") == "set myname neche6"
    assert interface.wait_for("pong") == "pong 1"
    assert interface.wait_for("status") == "status neche is thinking"
    assert re.fullmatch(r"nodestats \d+ [\d.]+", interface.wait_for("nodestats"))
    move, value, seconds = interface.wait_for("=== ").removeprefix("=== ").split("/")
    assert move in squares(read_game(EXAMPLE, OTHELLO).position)
    assert -64 <= float(value) <= 64
    assert float(seconds) >= 0


def test_a_game_of_ggf_leads_to_its_last_position():
    play = read_game(EXAMPLE, OTHELLO)
    position = OTHELLO.start()
    for text in ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"):
        position = next(move.after for move in OTHELLO.legal_moves(position) if move.text == text)
    assert play.position == position
    assert seconds_left(play) == 900.0


def test_thinking_time_is_taken_from_the_clock_of_its_side():
    text = "(;GM[Othello]TI[05:00]BO[" + START + "]B[F5//10.5]W[F6/1.0/20];)"
    play = read_game(text, OTHELLO)
    assert seconds_left(play) == 289.5
    play.play("d3")
    assert seconds_left(play) == 280.0


def test_each_side_may_have_a_time_of_its_own():
    text = "(;GM[Othello]TI[09:00]TB[05:00]TW[01:00/00:00/02:00]BO[" + START + "]B[F5//10.5];)"
    play = read_game(text, OTHELLO)
    assert seconds_left(play) == 60.0
    play.play("f6", "20")
    assert seconds_left(play) == 289.5
    play = read_game(text.replace("TB[05:00]", ""), OTHELLO)
    play.play("f6")
    assert seconds_left(play) == 529.5
    assert (
        read_game(text.replace("TI[09:00]", "").replace("TW[01:00/00:00/02:00]", ""), OTHELLO).clock is None
    )


@pytest.mark.parametrize(("num_empty", "moves"), [(60, 30), (20, 10), (9, 5), (1, 1)])
def test_time_is_for_the_empty_squares_of_a_board_that_was_set_up(num_empty, moves):
    squares = ("*O*O" * 16)[: 64 - num_empty] + num_empty * "-"
    play = read_game(f"(;GM[Othello]TI[10:00]TY[8]BO[8 {squares} *];)", OTHELLO)
    assert play.clock is not None
    assert play.clock.moves == moves


def test_the_increment_is_added_for_each_move_of_a_side():
    moves = "B[F5//7]W[F6//60]B[D3//8]W[C5]"
    play = read_game(f"(;GM[Othello]TI[01:00/00:10/02:00]TY[8]BO[{START}]{moves};)", OTHELLO)
    assert play.clock == Clock(left=60 - 7 - 8 + 2 * 10, increment=10, moves=28)
    play.play("E6", "30")
    # of a move without a time nothing is known
    assert play.clock == Clock(left=60 - 60 + 10, increment=10, moves=28)


def test_a_clock_may_be_an_increment_alone():
    text = f"(;GM[Othello]TI[0/10]TY[8]BO[{START}]B[F5//7]W[F6];)"
    assert read_game(text, OTHELLO).clock == Clock(left=13.0, increment=10.0, moves=29)
    assert read_game(text.replace("TI[0/10]", "TI[0]"), OTHELLO).clock is None


def test_odd_spaces_around_a_time_do_no_harm(interface):
    interface.say("move F5//\x1e1.0", "ping 4")
    assert interface.take() == ["pong 4"]


def test_moves_are_made_with_and_without_the_word(interface):
    interface.say("move F5/0.00/1.2", "F6", "go")
    expected = read_game(f"(;GM[Othello]BO[{START}]B[F5]W[F6];)", OTHELLO).position
    assert interface.wait_for("===").split()[1].partition("/")[0] in squares(expected)


@pytest.mark.parametrize(
    ("command", "answer"), [("go", "==="), ("hint 2", "nodestats"), ("analyze", "analysis")]
)
@pytest.mark.parametrize("clock", ["", "TI[60:00]"])
def test_the_time_that_a_player_names_holds_beside_depth_and_clock(command, answer, clock):
    """At depth 60 a tree makes 5 · 10^11 playouts, so only the time limit ends it."""
    interface = Interface("uct:time=50")
    interface.say("set depth 60", f"set game (;GM[Othello]{clock}TY[8]BO[{START}];)", command)
    assert interface.wait_for(answer)
    interface.session.close()


def test_hints_are_given_for_the_best_moves(interface):
    interface.say("set depth 4", "hint 2")
    found = [interface.wait_for("search").split() for _ in range(2)]
    assert interface.wait_for("status") == "status"
    assert len({words[1][:2] for words in found}) == 2
    for _, line, value, zero, depth in found:
        assert re.fullmatch(r"([A-H][1-8]|PA)+", line)
        assert -64 <= float(value) <= 64
        assert zero == "0"
        assert int(depth) >= 1


def test_every_move_of_several_hints_has_its_own_value():
    """A search has only bounds for moves other than the best, unless every value is requested."""
    interface = Interface("positional:depth=2")
    interface.say(f"set game (;GM[Othello]BO[{START}]B[F5]W[D6];)", "hint 60")
    interface.wait_for("nodestats")
    position = read_game(f"(;GM[Othello]BO[{START}]B[F5]W[D6];)", OTHELLO).position
    engine = parse_player("positional:depth=2", "othello").new_game(OTHELLO)
    analysis = engine.analyse(position, every_value=True)
    found = [interface.wait_for("search").split() for _ in OTHELLO.legal_moves(position)]
    exact = {move.upper(): max(-64.0, min(64.0, 4 * value)) for move, value in analysis.values.items()}
    assert {words[1][:2]: float(words[2]) for words in found} == exact
    interface.session.close()


def test_a_hint_on_the_only_move_is_as_deep_as_on_any(interface):
    interface.say(f"set game (;GM[Othello]BO[{START}]B[E6]W[F4]B[G3]W[C6]B[C4];)", "set depth 4", "hint 1")
    assert interface.wait_for("nodestats").startswith("nodestats 2000 ")
    interface.wait_for("search F3")


def test_every_position_of_a_game_is_valued_from_the_last_to_the_first(interface):
    moves = "B[F5]W[F6]B[D3]"
    interface.say(f"set game (;GM[Othello]BO[{START}]{moves};)", "set depth 2", "analyze")
    found = [interface.wait_for("analysis").split() for _ in range(4)]
    assert [words[1] for words in found] == ["3", "2", "1", "0"]
    assert all(-64 <= float(words[2]) <= 64 for words in found)
    assert interface.wait_for("status") == "status"


def test_the_end_of_a_game_is_valued_by_who_won(interface):
    interface.say(f"set game (;GM[Othello]BO[8 {'-O' + 62 * '*'} *]B[A1];)", "analyze")
    # White is to move where nobody can, and has lost.
    assert interface.wait_for("analysis") == "analysis 1 -64.00"
    assert interface.wait_for("analysis") == "analysis 0 64.00"


def test_a_ping_ends_an_analysis_of_the_game_and_so_does_the_end(interface):
    interface.say(f"set game {EXAMPLE}", "set depth 60", "analyze", "ping 2")
    interface.wait_for("pong")
    interface.session._engine.search.wait()
    assert interface.take() == []
    interface.say("set depth 2", "analyze")
    interface.session.close()
    told = interface.take()
    interface.session._engine.search.wait()
    assert interface.take() == []
    assert len(told) < 12


def test_a_ping_ends_the_search_and_nothing_more_is_said_of_it(interface):
    interface.say("set depth 60", "hint 1", "ping 2")
    assert interface.wait_for("pong") == "pong 2"
    interface.session.close()
    assert interface.take() == []


def test_pings_may_be_counted_from_zero(interface):
    interface.say("ping 0")
    assert interface.wait_for("pong") == "pong 0"


def test_the_only_move_is_not_solved_before_it_is_made():
    interface = Interface("positional:exact=30")
    # with 28 empty squares that takes hours
    board = "-----------*--**---****--*-*****-******O-**O***--**OO**---OOOO-- *"
    interface.say(f"set game (;GM[Othello]TI[02:00]TY[8]BO[8 {board}];)", "go")
    seconds = float(interface.wait_for("=== ").rpartition("/")[2])
    interface.session.close()
    # its share of two minutes is more than seven seconds
    assert seconds < 3


def test_a_forced_pass_is_written_pa(interface):
    interface.say(f"set game {MUST_PASS}", "go")
    assert interface.wait_for("===").startswith("=== PA/")


def test_a_won_endgame_is_reported_as_solved(interface):
    board = "*" * 61 + "-OO"
    interface.say(f"set game (;GM[Othello]BO[8 {'-O*' + board[3:]} *];)", "hint 1")
    assert " 100%W" in interface.wait_for("search")


def test_a_hint_is_reported_as_solved_only_if_its_own_value_is_proven():
    # C1 turns White's last two discs, D2 leaves one, which can move.
    board = "*O-------*O-------*-----" + 40 * "-"
    interface = Interface("positional")
    interface.say(f"set game (;GM[Othello]BO[8 {board} *];)", "set depth 1", "hint 2")
    assert interface.wait_for("search C1").endswith(" 100%W")
    assert interface.wait_for("search D2").endswith(" 0 1")
    interface.session.close()


@pytest.mark.parametrize(
    ("player", "discs"), [("positional:depth=2", [4.0, 2.0, -20.0]), ("uct:playouts=9", [40.0, 40.0, -40.0])]
)
def test_last_moves_that_are_solved_are_reported_so_with_their_discs(player, discs):
    board = "*-O*O-*-OOOOOOOOOOO***OOOO***O*OOO**OOOOOO*OOOOOOOOOOOO-OO****--"
    interface = Interface(f"{player},exact=10")
    interface.say(f"set game (;GM[Othello]BO[8 {board} *];)", "hint 60")
    found = {words[1][:2]: words for words in (interface.wait_for("search").split() for _ in range(6))}
    assert [float(found[square][2]) for square in ("B1", "G8", "F1")] == discs
    assert {words[-1] for words in found.values()} == {"100%W"}
    interface.session.close()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "unknown command"),
        ("set", "is not known"),
        ("set depth x", "not a number"),
        ("set depth ²", "not a number"),
        ("set game (;GM[Othello]", "has no end"),
        ("set game (;GM[Amazons];)", "none of the games"),
        ("set game (;GM[Othello]BO[10 --- *];)", "the board has 8 columns"),
        ("set game (;GM[Othello]BO[8 --- *];)", "expected 64"),
        (f"set game (;GM[Othello]BO[{START}]B[A1];)", "is not a legal move"),
        ("move A1", "is not a legal move"),
        ("Z9", "is not a legal move"),
        ("set game", "one game of othello"),
        ("hint -3", "not a number"),
    ],
)
def test_garbage_is_reported_as_the_status_and_the_engine_lives_on(interface, line, words):
    interface.say(line, "ping 9")
    (answer, pong) = interface.take()
    assert answer.startswith("status ")
    assert words in answer
    assert pong == "pong 9"


def test_a_game_that_is_over_has_no_move(interface):
    interface.say(f"set game (;GM[Othello]BO[8 {64 * '*'} *];)", "go")
    assert "the game is over" in interface.wait_for("status")


def test_a_whole_game_over_pipes():
    """The program plays both sides until no moves are left."""
    words = [sys.executable, "-m", "neche", "nboard", "--player", "random", "--seed", "3"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        position = OTHELLO.start()
        process.stdin.write(f"nboard 2\nset depth 2\nset game (;GM[Othello]BO[{START}];)\n")
        while OTHELLO.legal_moves(position):
            process.stdin.write("go\n")
            answer = next(line for line in process.stdout if line.startswith("==="))
            text = answer.split()[1].partition("/")[0]
            name = "pass" if text == "PA" else text.lower()
            position = next(move.after for move in OTHELLO.legal_moves(position) if move.text == name)
            process.stdin.write(f"move {text}\n")
        process.stdin.write("go\nquit\n")
        assert "the game is over" in process.stdout.read()
        assert process.stderr.read() == ""
    assert process.returncode == 0
