import errno
import io
import shlex
import subprocess
import sys

import pytest

import neche
from neche.cli.arguments import _PLAYERS, Parser, parse
from neche.cli.main import COMMANDS, command_functions, main


def test_an_unknown_command_names_the_nearest(terminal):
    assert "unknown command 'evlve' (did you mean evolve?)" in terminal.fault("evlve")


def test_an_unknown_option_names_the_nearest(terminal):
    assert "unknown option --dept (did you mean --depth?)" in terminal.fault("perft", "--dept", "3")
    assert "unknown option --versoin (did you mean --version?)" in terminal.fault("--versoin")


def test_an_option_cut_short_is_not_guessed(terminal):
    assert "unknown option --dep (did you mean --depth?)" in terminal.fault("perft", "--dep=3")


def test_a_surplus_word_is_named(terminal):
    assert "unexpected argument 'more'; see neche perft --help" in terminal.fault("perft", "more")


def test_a_missing_word_is_named(terminal):
    assert "required: A, B" in terminal.fault("match")


def test_a_number_out_of_range_is_named_with_its_range(terminal):
    assert "--depth: -1 is out of range; a number from 0 to" in terminal.fault("perft", "--depth", "-1")


def test_a_word_where_a_number_belongs_is_named(terminal):
    assert "--depth: 'six' is not a whole number" in terminal.fault("perft", "--depth", "six")


@pytest.mark.parametrize("option", ["--run", "--recipe", "--from", "--game"])
def test_an_option_without_a_value_as_of_a_variable_that_is_not_set_is_a_fault(terminal, option):
    assert f"{option}: the value is empty" in terminal.fault("evolve", option, "")
    assert f"{option}: the value is empty" in terminal.fault("evolve", f"{option}=")


@pytest.mark.parametrize(
    "words", ["serve --run", "settings --recipe", "match random blind --results", "analyse --player"]
)
def test_no_default_takes_the_place_of_a_value_that_is_empty(terminal, words):
    assert f"{words.split()[-1]}: the value is empty" in terminal.fault(*words.split(), "")


@pytest.mark.parametrize("words", ["verify --repair", "dataset", "watch", "compare", "match random"])
def test_a_directory_or_player_whose_name_is_empty_is_a_fault(terminal, words):
    assert "an argument is empty" in terminal.fault(*words.split(), "")


def test_a_word_that_begins_like_a_negative_number_may_be_a_name(terminal):
    for words in (("--repair", "-1"), ("--", "-1"), ("-1",)):
        assert "-1: neither a run nor a directory of runs" in terminal.fault("verify", *words)


def test_a_missing_value_is_named(terminal):
    assert "--depth: expected one argument" in terminal.fault("perft", "--depth")


def test_the_overview_lists_every_command(terminal):
    overview = terminal.text()
    assert terminal.text("--help") == overview
    assert all(f"\n  {name} " in overview for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name, terminal):
    assert f"usage: neche {name}" in terminal.text(name, "--help")


def options_of(name):
    parser = Parser()
    command_functions(name)[0](parser)
    return set(parser._option_string_actions)


@pytest.mark.parametrize("name", COMMANDS)
def test_one_thing_has_one_word_in_every_command_and_the_older_word_still_holds(name):
    words = options_of(name)
    assert ("--fen" in words) == ("--start" in words)
    assert "--count" not in words or "--games" in words
    asks_for_a_position = {"analyse", "match", "perft", "play", "playouts", "solve"}
    assert ("--fen" in words) == (name in asks_for_a_position)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_tells_every_default_as_it_is(name):
    parser = Parser()
    command_functions(name)[0](parser)
    for action in parser._option_string_actions.values():
        if action.default and isinstance(action.default, str | int | float) and action.nargs != 0:
            said = f"{action.default:g}" if isinstance(action.default, float) else action.default
            assert f"default: {said}" in str(action.help), action.dest
    names_players = any(action.dest in _PLAYERS for action in parser._actions)
    of_champions = any("of the champions named" in str(action.help) for action in parser._actions)
    assert names_players or not of_champions


def test_the_older_words_mean_the_same(terminal):
    words = ("playouts", "--seed", 3)
    newer = terminal.json(*words, "--games", 300, "--fen", "W:WK14,K15,K18:B1")
    older = terminal.json(*words, "--count", 300, "--start", "W:WK14,K15,K18:B1")
    del newer["seconds"], newer["games_per_second"], older["seconds"], older["games_per_second"]
    assert newer == older
    judged = ("analyse", "--player", "material:depth=1")
    found = [terminal.json(*judged, *where)["fen"] for where in (["W:W18:B14"], ["--fen", "W:W18:B14"])]
    assert found == ["W:W18:B14"] * 2
    fault = terminal.fault(*judged, "W:W18:B14", "--fen", "W:W19:B14")
    assert "--fen/--start: not allowed with argument FEN" in fault or "FEN: not allowed with" in fault


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_two_examples_that_it_understands(name, terminal):
    examples = terminal.text(name, "--help").partition("\nexamples:\n")[2].splitlines()
    assert len(examples) == 2
    for example in examples:
        program, command, *words = shlex.split(example)
        assert (program, command) == ("neche", name)
        parser = Parser(prog=name, allow_abbrev=False)
        command_functions(name)[0](parser)
        parse(parser, words)


@pytest.mark.parametrize(("command", "older"), [("analyse", "--svg"), ("ladder random", "--picture")])
def test_a_picture_goes_to_output_and_by_its_older_name(command, older):
    command, *words = command.split()
    parser = Parser(prog=command, allow_abbrev=False)
    command_functions(command)[0](parser)
    for option in ("--output", older):
        assert parse(parser, [*words, option, "a.svg"]).output == "a.svg"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_seed_and_json(name, terminal):
    usage = terminal.text(name, "--help")
    # what these two print is said to a program already
    assert ("--json" in usage) == (name not in ("hub", "nboard"))
    assert "--seed N" in usage


def test_the_version_is_that_of_the_package(terminal):
    assert terminal.text("--version") == f"neche {neche.__version__}\n"


def test_the_overview_imports_nothing_heavy():
    heavy = ("numba", "numpy", "scipy", "joblib", "networkx", "rich", "msgspec")
    script = (
        "import sys; from neche.cli.main import main; [main([words]) for words in sys.argv[1:]]; "
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    words = ["--help", "--version"]
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_a_reader_that_goes_away_ends_the_command_quietly():
    command = [sys.executable, "-m", "neche", "export", "AAATTTGAAGCTACAA" * 40, "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_ctrl_c_ends_with_130(monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("neche.cli.counting.execute_perft", interrupt)
    assert main(["perft"]) == 130
    assert capsys.readouterr().err == "neche: interrupted\n"


def test_what_is_said_after_ctrl_c_is_one_line_fit_for_any_terminal(monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt("finished pairs are kept in a\x1b]0;title\x07\nb")

    monkeypatch.setattr("neche.cli.counting.execute_perft", interrupt)
    assert main(["perft"]) == 130
    said = capsys.readouterr().err
    assert said == "neche: interrupted: finished pairs are kept in a\\x1b]0;title\\x07 b\n"


def test_a_fault_of_the_system_is_one_line_naming_the_file(monkeypatch, terminal):
    def fail(*_):
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr("neche.cli.counting.execute_perft", fail)
    assert terminal.fault("perft") == "neche: error: somewhere: Permission denied\n"


def test_a_full_disk_behind_standard_output_is_a_fault(monkeypatch, capsys):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert main(["export", "AAATTTGAAGCTACAA"]) == 2
    assert (
        capsys.readouterr().err
        == "neche: error: standard output: cannot be written: No space left on device\n"
    )


def test_help_is_a_word_too(terminal):
    assert terminal.text("help") == terminal.text("help", "help") == terminal.text("--help")
    assert terminal.text("help", "perft") == terminal.text("perft", "--help")
