import pytest

from neche.cli import counting
from neche.compiled import cuda

WORDS = ("playouts", "--games", 3000)


def counts(values):
    return tuple(values[key] for key in ("first_wins", "draws", "second_wins"))


def test_results_are_counted_for_the_side_to_move(terminal):
    values = terminal.json(*WORDS)
    assert sum(counts(values)) == values["count"] == 3000
    assert (values["game"], values["device"], values["seed"]) == ("checkers", "cpu", 0)
    assert values["fen"].startswith("B:W21,22,")
    # shares .490 and .505, length 70.7 (sd 35): four standard errors
    assert values["first_wins"] / 3000 == pytest.approx(0.490, abs=0.037)
    assert values["mean_plies"] == pytest.approx(70.7, abs=2.6)
    assert values["seconds"] > 0
    assert values["games_per_second"] > 0


def test_workers_and_backends_change_nothing(terminal):
    values = terminal.json(*WORDS)
    for words in (("--jobs", 1), ("--jobs", 2), ("--jobs", 2, "--backend", "loky")):
        assert counts(terminal.json(*WORDS, *words)) == counts(values)


def test_a_seed_names_the_games(terminal):
    assert counts(terminal.json(*WORDS, "--seed", 7)) == counts(terminal.json(*WORDS, "--seed", 7))
    assert counts(terminal.json(*WORDS, "--seed", 7)) != counts(terminal.json(*WORDS, "--seed", 8))


def test_any_position_can_be_played_out(terminal):
    values = terminal.json(*WORDS, "--fen", "W:WK14,K15,K18:B1")
    assert values["first_wins"] > 2500
    assert "White wins" in terminal.text(*WORDS, "--fen", "W:WK14,K15,K18:B1")


@pytest.mark.parametrize(
    ("option", "longest", "most_draws"),
    [
        (("--max-plies", 10), 10, 3000),
        (("--max-plies", 10, "--by-count"), 10, 2900),
        (("--quiet-plies", 2), 70, 3000),
        (("--avoid-cycles",), 100, 300),
        (("--whole-captures",), 100, 300),
    ],
)
def test_each_option_of_the_rule_is_another_game(option, longest, most_draws, terminal):
    plain, values = terminal.json(*WORDS), terminal.json(*WORDS, *option)
    assert values["mean_plies"] <= longest
    assert values["draws"] <= most_draws
    assert counts(values) != counts(plain)
    assert values["rule"] != plain["rule"]


def test_more_quiet_plies_than_a_game_can_have_are_refused(terminal):
    assert terminal.json("playouts", "--games", 10, "--quiet-plies", 4096)["rule"]["quiet_plies"] == 4096
    assert "4096" in terminal.fault("playouts", "--games", 10, "--quiet-plies", 4097)


def test_an_option_of_the_rule_that_changes_nothing_is_told(terminal):
    words = (*WORDS, "--game", "othello")
    assert counts(terminal.json(*words, "--quiet-plies", 5)) == counts(terminal.json(*words))
    terminal.json(*words, "--quiet-plies", 80)
    assert terminal.notes == "neche: --quiet-plies changes nothing: no ply of othello counts as quiet\n"


def test_results_are_written_for_people(terminal):
    lines = terminal.text(*WORDS).splitlines()
    assert [line.split()[:2] for line in lines[1:4]] == [
        ["Black", "wins"],
        ["draws", lines[2].split()[1]],
        ["Black", "loses"],
    ]
    assert lines[4].endswith(" plies on average")
    assert lines[5].endswith(" games/s")
    assert terminal.text("playouts", "--games", 1).startswith("1 random game from B:W21,")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--games", 0), "argument --games/--count: 0 is out of range"),
        (("--count", -4), "argument --games/--count: -4 is out of range"),
        (("--fen", "W:W29:B25,22"), "the game is over: White has no legal move"),
        (("--fen", "W:W33:B1"), "square 33 is not on the board"),
        (("--game", "chequers"), "unknown game 'chequers' (did you mean checkers?)"),
        (("--device", "gpu"), "unknown device 'gpu' (known: cpu, cuda)"),
        (("--by-count",), "--by-count needs --max-plies"),
        (("--max-plies", 9, "--by-count", "--whole-captures"), "neither a win by count nor cycles of kings"),
        (("--game", "brazilian", "--avoid-cycles"), "playouts of brazilian do not detect cycles of kings"),
        (("--max-plies", -1), "argument --max-plies: -1 is out of range"),
        (("--jobs", 0), "argument --jobs: 0 is out of range"),
    ],
)
def test_bad_use_is_reported_in_one_line_before_anything_is_compiled(words, fault, terminal, monkeypatch):
    monkeypatch.setattr(counting, "prepare", lambda *_: pytest.fail("compiled first"))
    assert fault in terminal.fault("playouts", *words)


@pytest.mark.parametrize("name", ["checkers", "brazilian", "international", "othello"])
def test_a_device_that_is_not_there_is_reported_in_one_line(name, terminal, monkeypatch):
    monkeypatch.setattr(cuda, "find_spec", lambda package: None)
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    assert "not installed" in terminal.fault("playouts", "--game", name, "--device", "cuda")


def test_a_device_whose_memory_is_too_small_is_reported_in_one_line(terminal, monkeypatch):
    def count(*_, **__):
        raise RuntimeError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(counting, "count_playouts_on", lambda device: count)
    assert "the CUDA device has too little memory" in terminal.fault("playouts", "--device", "cuda")


def test_progress_is_shown_on_a_terminal_only(terminal, monkeypatch):
    terminal.text(*WORDS)
    assert terminal.notes == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    terminal.text(*WORDS)
    assert "3000/3000" in terminal.notes
    assert "/s" in terminal.notes
