"""The Hub session, as protocol.txt of Scan describes it."""

import re
import time

import pytest

from neche.games.catalogue import game
from neche.protocols import hub_session
from neche.protocols.draughts_notation import read_move, write_move, write_position
from neche.protocols.engine import EngineSearch

GAME = game("international")
START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
INFO = re.compile(
    r'info depth=\d+ mean-depth=[\d.]+ score=-?\d+\.\d\d nodes=\d+ time=[\d.]+ nps=[\d.]+ pv="?[-x\d ]+"?'
)
DONE = re.compile(r"done move=(\S+)( ponder=\S+)?")


@pytest.fixture
def ready(interface):
    assert interface.ask("set-param name=player value=uct", "init") == ["ready"]
    return interface


def move_of(done, position=None):
    """The legal move of an answer."""
    match = DONE.fullmatch(done)
    assert match
    return read_move(match[1], GAME.start() if position is None else position, GAME)


def test_the_start_position_is_that_of_the_protocol():
    assert write_position(GAME.start(), GAME) == START


def test_the_engine_introduces_itself(interface):
    first, *parameters, last = interface.ask("hub")
    assert first.startswith("id name=neche version=")
    assert last == "wait"
    assert 'param name=variant value=normal type=enum values="normal brazilian english"' in parameters
    assert "param name=player value=default type=string" in parameters
    assert all(line.startswith("param name=") for line in parameters)


def test_a_search_ends_with_info_and_a_move(ready):
    ready.say(f"pos pos={START}", "level nodes=300", "go think")
    assert INFO.fullmatch(ready.wait_for("info"))
    move_of(ready.wait_for("done"))


def test_a_depth_beyond_the_deepest_search_is_that_of_the_deepest(ready):
    ready.say(f"pos pos={START}", "level depth=5000 nodes=300", "go think")
    assert INFO.fullmatch(ready.wait_for("info"))
    assert not any(line.startswith("error") for line in ready.lines)


def test_moves_are_played_before_the_search(ready):
    ready.say(f'pos pos={START} moves="32-28 19-23 28x19x23 14x23x19"', "level depth=1", "go think")
    position = GAME.start()
    for text in ("32-28", "19-23", "28x19x23", "14x23x19"):
        position = read_move(text, position, GAME).after
    move_of(ready.wait_for("done"), position)


def test_go_alone_is_to_think(ready):
    """Scan ignores the word."""
    ready.say(f"pos pos={START}", "level depth=1", "go")
    move_of(ready.wait_for("done"))


def test_scan_knows_the_start_position_by_name(ready):
    assert ready.ask('pos start moves="32-28 19-23"') == []
    ready.say("level depth=1", "go think")
    assert ready.wait_for("done").startswith("done move=28x19x23")
    assert ready.ask("pos start", "go think", "ping")[-1] == "pong"


def test_a_ping_is_answered_while_the_engine_thinks_and_stop_ends_it(ready):
    ready.say(f"pos pos={START}", "level infinite", "go think", "ping")
    ready.wait_for("pong")
    assert not any(line.startswith("done") for line in ready.lines)
    ready.say("stop")
    move_of(ready.wait_for("done"))
    assert ready.ask("stop", "ping") == ["pong"]


@pytest.mark.parametrize("player", ["uct", "blind"])
def test_every_kind_of_player_can_be_stopped(interface, player):
    assert interface.ask(f"set-param name=player value={player}", "init") == ["ready"]
    interface.say(f"pos pos={START}", "level infinite", "go analyze", "stop")
    move_of(interface.wait_for("done"))


def test_what_comes_right_after_stop_waits_for_the_answer(ready):
    ready.say(f"pos pos={START}", "level infinite", "go analyze", "stop")
    ready.say(f"pos pos={START}", "level nodes=100", "go think")
    move_of(ready.wait_for("done"))
    move_of(ready.wait_for("done"))


def test_a_second_search_is_refused_while_one_runs(ready):
    ready.say(f"pos pos={START}", "level infinite", "go analyze")
    ready.say("go think", "set-param name=seed value=4")
    assert "stop comes first" in ready.wait_for("error")
    assert "stop comes first" in ready.wait_for("error")
    ready.say("stop")
    move_of(ready.wait_for("done"))


def test_pondering_ends_some_time_after_the_hit(ready):
    ready.say(f'pos pos={START} moves="32-28 19-23"', "level time=2 inc=0.1", "go ponder", "ping")
    ready.wait_for("pong")
    assert not any(line.startswith("done") for line in ready.lines)
    ready.say("ponder-hit")
    assert DONE.fullmatch(ready.wait_for("done"))


def test_the_only_move_is_made_at_the_hit(ready):
    # A thousand times longer than the test waits for an answer.
    ready.say('pos start moves="32-28 19-23"', "level move-time=120000", "go ponder")
    ready.wait_for("info")
    ready.say("ponder-hit")
    assert ready.wait_for("done").startswith("done move=28x19x23")


def test_pondering_in_vain_is_stopped(ready):
    ready.say(f'pos pos={START} moves="32-28 19-23"', "level time=2 inc=0.1", "go ponder", "stop")
    assert DONE.fullmatch(ready.wait_for("done"))
    assert ready.ask("ponder-hit", "ping") == ["pong"]


def test_time_pondered_in_vain_is_no_delay_of_the_machine(ready):
    before = ready.session._margin.seconds
    ready.say(f'pos pos={START} moves="32-28 19-23"', "level move-time=0.01", "go ponder")
    ready.wait_for("info")
    time.sleep(0.3)
    ready.say("stop")
    ready.wait_for("done")
    # The margin is learned after the answer, in the thread of the search.
    ready.session._search.wait()
    assert ready.session._margin.seconds <= before


@pytest.mark.parametrize("moves_are_sent", [True, False])
def test_only_the_clock_of_the_next_move_of_the_same_game_tells_how_long_a_move_took(ready, moves_are_sent):
    def margin_after(level, position, moves):
        text = f'{START} moves="{moves}"' if moves_are_sent else write_position(position, GAME)
        ready.say(f"pos pos={text}", level, "go think")
        return move_of(ready.wait_for("done"), position), ready.session._margin.seconds

    start = GAME.start()
    move, before = margin_after("level time=60 nodes=9", start, "")
    # another game, with less time
    move, _ = margin_after("level time=5 nodes=9", start, "")
    ready.session._search.wait()
    assert ready.session._margin.seconds < before + 1
    reply = GAME.legal_moves(move.after)[0]
    # the same game: two seconds went by
    written = f"{write_move(move, start, GAME)} {write_move(reply, move.after, GAME)}"
    margin_after("level time=3 nodes=9", reply.after, written)
    assert ready.session._margin.seconds > before + 1


def test_the_only_move_is_played_at_once(ready):
    ready.say(f'pos pos={START} moves="32-28 19-23"', "level infinite", "go think")
    assert ready.wait_for("done").startswith("done move=28x19x23")


def test_a_won_game_ends_even_an_endless_search_and_scores_near_a_hundred(interface):
    interface.say("set-param name=variant value=brazilian", "set-param name=player value=material", "init")
    letters = ["e"] * 32
    letters[31], letters[26] = "W", "b"
    interface.say(f"pos pos=W{''.join(letters)}", "level infinite", "go analyze")
    assert "score=99.99" in interface.wait_for("info")
    interface.wait_for("done")


def test_a_level_of_moves_and_time_ends_the_search_within_its_share(ready, monkeypatch):
    budgets = []

    class Searching(EngineSearch):
        def __init__(self, engine, position, limits, budget, **options):
            budgets.append(budget)
            super().__init__(engine, position, limits, budget, **options)

    monkeypatch.setattr(hub_session, "EngineSearch", Searching)
    ready.say(f"pos pos={START}", "level moves=5 time=1.5", "go think")
    # without a budget this search would have no end
    ready.wait_for("done")
    (budget,) = budgets
    assert 0.0 <= budget.soft <= budget.hard <= 1.5 * 1.5 / 5


def test_all_games_of_draughts_can_be_set(interface):
    for variant, squares in (("english", 32), ("brazilian", 32), ("normal", 50)):
        rules = {"english": "checkers", "brazilian": "brazilian", "normal": "international"}[variant]
        text = write_position(game(rules).start(), game(rules))
        assert len(text) == squares + 1
        interface.say(f"set-param name=variant value={variant}", "set-param name=player value=random", "init")
        interface.say(f"pos pos={text}", "level depth=1", "go think")
        assert DONE.fullmatch(interface.wait_for("done"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "unknown command"),
        ("pos", "pos=… is needed"),
        ("pos pos=Wbe", "50 squares"),
        ("pos pos=" + START[:-1] + "q", "50 squares"),
        ("pos pos=" + "W" + 50 * "w", "50 pieces"),
        ("pos pos=W" + "w" + 49 * "e", "crowned"),
        (f"pos pos={START} moves=32-27x", "is no move"),
        (f"pos pos={START} moves=32-23", "is not legal"),
        ('pos pos="', "NAME=VALUE"),
        ("level", "is needed"),
        ("level time=nan", "a number"),
        ("level depth=0", "of at least 1"),
        ("level depth=1.5", "of at least 1"),
        ("level move-time=-1", "a number"),
        ("level time=1e99", "a number"),
        ("go think ponder", "only one of think, ponder and analyze"),
        ("set-param name=player", "name and value"),
        ("set-param name=plyer value=uct", "did you mean player?"),
        ("set-param name=depth value=61", "out of range"),
        ("set-param name=depth value=²", "a whole number"),
        ("set-param name=variant value=chess", "is not known"),
        ("set-param name=player value=materiel", "did you mean material?"),
    ],
)
def test_garbage_is_answered_and_the_engine_lives_on(interface, line, words):
    (answer,) = interface.ask(line)
    assert answer.startswith('error message="')
    assert words in answer
    assert interface.ask("ping") == ["pong"]


def test_a_position_that_is_over_is_refused(interface):
    (answer,) = interface.ask(f"pos pos=W{'b' + 49 * 'e'}", "level depth=1", "go think")
    assert "the game is over" in answer


def test_nothing_is_ready_while_a_parameter_is_wrong(interface):
    interface.say("set-param name=player value=materiel")
    (answer,) = interface.ask("init")
    assert "parameter player is not set" in answer
    assert interface.ask("set-param name=player value=random", "init") == ["ready"]


def test_a_parameter_leaves_the_position_unless_the_game_is_another(ready):
    ready.say(f"pos pos={START}", "level depth=1", "set-param", "set-param name=plyer value=uct")
    ready.say("set-param name=variant value=chess", "set-param name=variant value=normal")
    (refused,) = ready.ask("set-param name=depth value=61")
    assert "out of range" in refused
    ready.say("set-param name=depth value=1", "go think")
    move_of(ready.wait_for("done"))
    assert "there is no position" in ready.ask("set-param name=variant value=brazilian", "go think")[-1]


@pytest.mark.parametrize(
    ("player", "words", "answers"),
    [
        ("champion-1", "does not see the board", 1),
        ("champion", "is a champion of checkers: it does not see the board of international", 2),
        ("mcrd", "cannot be stopped", 1),
    ],
)
def test_a_player_that_cannot_play_here_is_named(interface, player, words, answers):
    told = interface.ask(f"set-param name=player value={player}", "init")
    assert [words in answer for answer in told] == [True] * answers


def test_only_the_new_moves_of_a_longer_game_are_read(ready):
    ready.say(f"pos pos={START} moves=32-28")
    first = ready.session._line
    ready.say(f'pos pos={START} moves="32-28 19-23"')
    second = ready.session._line
    assert second.positions[1] is first.positions[1]
    ready.say(f'pos pos={START} moves="31-27 19-23"')
    assert ready.session._line.positions[0] is first.positions[0]
    assert len(ready.session._line.positions) == 3
