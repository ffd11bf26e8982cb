"""The lists show what the commands accept."""

import pytest

from neche.cli.listings import KIND_MEANINGS, OPTION_MEANINGS, setting_meanings
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import KEYS
from neche.games.catalogue import GAMES, game
from neche.players.options import keys_of
from neche.players.solved_endings import OPTIONS
from neche.players.spec import KINDS, parse_player
from tests.games.toys.loading import TICTACTOE


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_player_is_listed_with_options_that_it_takes(game, terminal):
    values = terminal.json("players", "--game", game)
    listed = {player["kind"]: player for player in values["players"]}
    assert listed.keys() >= {*KINDS, "material"}
    for kind, player in listed.items():
        if player["default"] is not None:
            assert parse_player(player["default"], game).name == player["default"]
        for option in player["options"]:
            with pytest.raises(InputError) as fault:
                parse_player(f"{kind}:{option}=-1,neither=1", game)
            assert "'neither'" in str(fault.value), "the other option is known"
    assert "champion-1" in values["champions"] or game != "checkers"


def test_ranges_are_those_that_are_refused_beyond(terminal):
    (uct,) = (player for player in terminal.json("players")["players"] if player["kind"] == "uct")
    assert uct["options"]["batch"] == "a whole number from 1 to 1048576"
    assert uct["options"]["solver"] == "0 or 1"
    parse_player("uct:batch=1048576,solver=0")
    with pytest.raises(InputError, match="out of range"):
        parse_player("uct:batch=1048577")


def test_what_holds_without_an_option_is_listed(terminal):
    text = terminal.text("players")
    lines = text.splitlines()
    of_uct = {line.split()[0]: line for line in text.split("\nuct ")[1].split("\ncnn ")[0].splitlines()}
    assert of_uct["solver"].endswith("as certain (default: 1)")
    assert of_uct["static"].endswith("(default: 0)")
    assert of_uct["c"].endswith("(default: 0.5)")
    assert not of_uct["batch"].endswith(")"), "what the player chooses by its device"
    assert "without depth, time or nodes it searches 4 plies" in lines
    assert parse_player("champion").name == "network:file=champion,depth=4"


def test_every_kind_and_option_has_a_meaning(terminal):
    assert KIND_MEANINGS.keys() == KINDS.keys()
    options = {option for kind in KINDS.values() for option in keys_of(kind.options)}
    assert OPTION_MEANINGS.keys() == {*options, *OPTIONS}
    text, of_checkers = (terminal.text("players", "--game", name) for name in ("othello", "checkers"))
    assert all(f"\n{kind} " in text for kind in (*KINDS, "positional"))
    assert all(f"\n  {option} " in text for option in OPTION_MEANINGS.keys() - {"endings"})
    assert "\n  endings " not in text
    assert "\n  endings " in of_checkers
    assert "\n  exact " not in of_checkers
    assert text.endswith("champions that come with neche: othello-1, othello-2, othello-3, othello-4\n")


def test_only_what_a_game_has_of_endings_is_listed(terminal):
    assert "\n  exact       a whole number from 1 to 30; " in terminal.text("players", "--game", "othello")
    with pytest.raises(InputError, match=r"out of range 1\.\.30"):
        parse_player("blind:exact=31", "othello").require_board(game("othello"))
    exact = terminal.json("players", "--game", "othello")["shared_options"]
    assert exact == {"exact": "a whole number from 1 to 30"}
    assert terminal.json("players")["shared_options"].keys() == {"endings"}
    # neither men and kings, whose endings can be solved, nor last moves that are searched to the end
    of_tictactoe = terminal.text("players", "--game", TICTACTOE)
    assert "\n  endings " not in of_tictactoe
    assert "\n  exact " not in of_tictactoe
    assert "all except random" not in of_tictactoe


def test_games_are_listed_with_their_boards(terminal):
    values = {entry["game"]: entry for entry in terminal.json("games")["games"]}
    assert tuple(values) == GAMES
    assert [entry["squares"] for entry in values.values()] == [32, 32, 50, 64]
    assert values["othello"]["evaluators"] == ["material", "corners", "mobility", "positional"]
    assert "othello        Black and White, 64 squares" in terminal.text("games")


def test_a_number_of_games_without_a_check_is_refused(terminal):
    assert "--games 3" in terminal.fault("games", "--games", 3)
    assert terminal.json("games", "--check", "othello", "--games", 3)["games"] == 3


def test_settings_are_listed_with_the_values_of_a_recipe(terminal):
    listed = {entry["key"]: entry for entry in terminal.json("settings", "--recipe", "original")["settings"]}
    assert listed.keys() == KEYS.keys()
    assert (listed["population"]["value"], listed["depth"]["value"]) == (200, 6)
    assert listed["elites"]["meaning"].startswith("number of best members copied unchanged")
    text = terminal.text("settings", "learning", "elites")
    first = 'learning = "coevolution"  (one of coevolution, gradient)\n    how offspring learn'
    assert f"{first} to predict" in text
    assert "population" not in text
    fault = terminal.fault("settings", "refinement")
    assert "unknown setting 'refinement': it is a table, which holds refine_after, " in fault
    assert "unknown setting 'elite' (did you mean elites?)" in terminal.fault("settings", "elite")


def test_settings_that_change_nothing_in_a_recipe_say_so(terminal):
    listed = {
        one["key"]: one["unused"] for one in terminal.json("settings", "--recipe", "default")["settings"]
    }
    assert listed["point_rate"] == "fitness = screened"
    assert listed["batches"] is None
    text = terminal.text("settings", "--recipe", "tournament", "batches")
    assert "    changes nothing here: fitness = tournament\n" in text


def test_settings_are_shown_as_evolve_would_have_them(terminal):
    words = ("settings", "symmetries", "batches")
    assert "the board of checkers has no symmetries" in terminal.text(*words)
    changed = terminal.text(*words, "--game", "othello", "--set", "batches=7")
    assert "changes nothing" not in changed
    assert "batches = 7  " in changed
    contradiction = terminal.fault("settings", "--set", "elites=9", "--set", "population=3")
    assert "settings: elites = 9: must be fewer than population = 3" in contradiction


def test_what_is_shown_of_a_setting_can_be_set(terminal):
    settings = load_recipe("default")
    for line in terminal.text("settings").splitlines():
        if " = " in line and not line.startswith(" "):
            settings = override(settings, line.rpartition("  (")[0])
    assert settings.members.population == load_recipe("default").members.population


def test_every_setting_says_what_it_means():
    assert setting_meanings().keys() == KEYS.keys()
