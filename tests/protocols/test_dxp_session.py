"""DXP games between two sessions, and all kinds of invalid messages to a session."""

import threading

import pytest

from neche.games.catalogue import game
from neche.protocols.draughts_notation import write_position
from neche.protocols.dxp_connection import connect, listening, talk
from neche.protocols.dxp_messages import GameRequest
from neche.protocols.dxp_session import DxpSession
from neche.protocols.engine import ProtocolEngine
from tests.protocols.listener import Listener

RULES = game("international")
REQUEST = "R01" + "Somebody".ljust(32) + "W005075A"
BLACK_REQUEST = REQUEST.replace("W005", "Z005")


class Opponent(Listener):
    """The other side of one session, driven by hand."""

    def __init__(self, player="random", **options):
        super().__init__()
        self.session = DxpSession(ProtocolEngine(RULES, player), self, **options)

    def say(self, *texts):
        for text in texts:
            self.session.hear(text)


@pytest.fixture
def opponent():
    found = Opponent()
    yield found
    found.session.close()


def board_request(fen, follower="W"):
    text = write_position(RULES.parse_fen(fen), RULES)
    return REQUEST.replace("W005075A", f"{follower}005075B{text.replace('b', 'z').replace('B', 'Z')}")


def test_the_follower_accepts_and_moves_first_with_white(opponent):
    opponent.say(REQUEST)
    assert opponent.wait_for("A").rstrip("0").startswith("Aneche")
    assert opponent.wait_for("M").endswith("00")


def test_the_follower_waits_for_white_when_it_has_black(opponent):
    opponent.say(BLACK_REQUEST)
    opponent.wait_for("A")
    assert opponent.take() == []
    opponent.say("M0000322800")
    assert opponent.wait_for("M")


def test_a_request_that_cannot_be_read_is_answered(opponent):
    """The description: 2 if the follower cannot accept the game, but is willing to play another."""
    opponent.say(REQUEST.replace("W005", "W.5 "))
    answer, words = opponent.take()
    assert (answer[0], answer[-1], words.startswith("Cneche: ")) == ("A", "2", True)
    opponent.say(REQUEST)
    assert opponent.wait_for("A").endswith("0")


def test_a_move_that_cannot_be_read_ends_the_game(opponent):
    opponent.say(BLACK_REQUEST, "M00003x2800")
    assert [text[0] for text in opponent.take()] == ["A", "E", "C"]
    opponent.say("E00", "M00003x2800")
    assert [text[0] for text in opponent.take()] == ["C"]
    assert [result.result for result in opponent.session.results] == ["unknown"]


def test_a_capture_may_come_without_its_captured_pieces(opponent):
    opponent.say(board_request("W:W28:B13,23,2,3", follower="Z"))
    opponent.say("M0000280800")
    assert opponent.wait_for("M")


def test_an_illegal_move_ends_the_game(opponent):
    opponent.say(BLACK_REQUEST, "M0000322600")
    assert opponent.wait_for("E") == "E00"
    assert "is not legal" in opponent.wait_for("C")
    opponent.say("E00")
    assert [one.result for one in opponent.session.results] == ["unknown"]


def test_the_engine_gives_up_when_it_has_no_move(opponent):
    opponent.say(board_request("W:W28:B23", follower="Z"), "M000028190123")
    assert opponent.wait_for("E") == "E10"
    opponent.say("E00")
    (result,) = opponent.session.results
    assert (result.result, result.side) == ("lost", "B")


def test_an_end_is_confirmed_and_tells_who_won(opponent):
    opponent.say(REQUEST)
    opponent.wait_for("M")
    opponent.say("E11")
    assert opponent.wait_for("E") == "E01"
    assert opponent.session.is_over
    (result,) = opponent.session.results
    assert (result.result, len(result.moves)) == ("won", 1)


def test_after_the_agreed_moves_the_game_is_ended(opponent):
    opponent.say(REQUEST.replace("075", "001"))
    opponent.wait_for("M")
    position = opponent.session._play.in_progress.position
    reply = RULES.legal_moves(position)[0].text.split("-")
    opponent.say(f"M0000{reply[0]:>02}{reply[1]:>02}00")
    assert opponent.wait_for("E") == "E00"


def test_both_sides_make_the_agreed_moves(opponent):
    opponent.say(BLACK_REQUEST.replace("075", "001"), "M0000322800")
    assert "E00" not in opponent.lines
    assert opponent.wait_for("M")


def test_moves_are_taken_back(opponent):
    opponent.say(BLACK_REQUEST, "M0000322800")
    opponent.wait_for("M")
    opponent.say("B001W")
    assert opponent.wait_for("K") == "K0"
    opponent.say("M0000312600")
    opponent.wait_for("M")
    assert len(opponent.session._play.in_progress.moves) == 2
    opponent.say("B009Z")
    assert opponent.wait_for("K") == "K1"


def test_moves_of_a_position_with_black_to_move_are_counted_as_scan_and_pdn_do(opponent):
    opponent.say(board_request("B:W31-50:B1-20"), "M0000192300")
    opponent.wait_for("M")
    # before the first move of White: 1... 19-23 2.
    opponent.say("B001W")
    assert opponent.wait_for("K") == "K1"
    opponent.say("B002W")
    assert opponent.wait_for("K") == "K0"
    opponent.wait_for("M")
    assert opponent.session._play.in_progress.moves[0] == "19-23"
    opponent.say("B001Z", "M0000182300")
    assert opponent.wait_for("K") == "K0"
    opponent.wait_for("M")
    assert opponent.session._play.in_progress.moves[0] == "18-23"


def test_taking_back_while_the_engine_thinks_stops_it():
    opponent = Opponent("uct", seconds_a_move=60.0)
    opponent.say(BLACK_REQUEST.replace("Z005", "Z000"), "M0000322800", "B001W")
    assert opponent.wait_for("K") == "K0"
    opponent.session.close()
    assert opponent.take() == []


@pytest.mark.parametrize(
    "text",
    [
        "M0000322800",
        "X",
        "R02" + REQUEST[3:],
        "A" + " " * 32 + "0",
        REQUEST.replace("W005075A", "W005075BWwww"),
        board_request("B:W28:B"),
    ],
)
def test_what_makes_no_sense_is_answered_and_the_session_lives_on(opponent, text):
    opponent.say(text)
    assert opponent.take()
    opponent.say(REQUEST)
    assert opponent.wait_for("A").endswith("0")
    assert opponent.wait_for("M")


def test_two_programs_play_over_the_loopback():
    requests = [GameRequest("first", "B", 1, 12), GameRequest("first", "W", 1, 12)]
    followers: list[DxpSession] = []

    def serve():
        connection, _ = server.accept()
        engine = ProtocolEngine(RULES, "random", seed=1)
        followers.append(talk(connection, lambda send: DxpSession(engine, send)))

    def lead(session):
        if not session.is_playing:
            if len(session.results) == len(requests):
                return False
            session.ask_for_game(requests[len(session.results)])
        return True

    with listening("127.0.0.1", 0) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        engine = ProtocolEngine(RULES, "random", seed=2)
        first = talk(connect(*server.getsockname()[:2]), lambda send: DxpSession(engine, send), lead)
        thread.join(30)
    (follower,) = followers
    assert [one.side for one in first.results] == ["W", "B"]
    assert [one.moves for one in first.results] == [one.moves for one in follower.results]
    assert all(one.opponent.startswith("neche") for one in first.results)


def test_bytes_of_any_kind_over_the_wire_do_no_harm():
    with listening("127.0.0.1", 0) as server:
        sessions: list[DxpSession] = []
        engine = ProtocolEngine(RULES, "random")

        def serve():
            connection, _ = server.accept()
            sessions.append(talk(connection, lambda send: DxpSession(engine, send)))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        with connect(*server.getsockname()[:2]) as client:
            client.sendall(b"\xff\xfe\0" + b"x" * 100_000 + b"\0" + b"\0\0" + REQUEST.encode() + b"\0")
            heard = b""
            while b"M" not in heard.replace(b"Cneche: a message", b""):
                heard += client.recv(4096)
        thread.join(30)
    assert heard.count(b"1 to 127 ASCII") == 2
    assert b"Aneche" in heard
