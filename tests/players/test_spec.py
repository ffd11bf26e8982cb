import numpy as np
import pytest

from neche.errors import InputError
from neche.genome.dna import encode
from neche.genome.fasta import Record, format_record
from neche.network.decode import decode, material_genome
from neche.players.alpha_beta import DEFAULT_DEPTH
from neche.players.engine import MAX_DEPTH
from neche.players.source import game_of_players
from neche.players.spec import parse_player
from tests.games.toys.loading import TICTACTOE, load

EXAMPLE = "CGATGGTAGTCGGATC"
FULL = "AAATTTGAAGCTACAA"


def write(path, *records):
    path.write_text("".join(format_record(record) for record in records))
    return path


def depth_of(player):
    # a player with a time has no batch search
    return player.depth if player.batch_search is None else player.batch_search.depth


def same(first, second):
    return (
        np.array_equal(first.source, second.source)
        and np.array_equal(first.sink, second.sink)
        and np.array_equal(first.weight, second.weight)
        and first.perspective == second.perspective
    )


@pytest.mark.parametrize(
    ("text", "name", "depth", "time_ms"),
    [
        ("random", "random", 0, None),
        ("blind", "blind:depth=4", DEFAULT_DEPTH, None),
        ("blind:depth=1", "blind:depth=1", 1, None),
        ("material:depth=60", "material:depth=60", 60, None),
        ("material:time=50", "material:time=50", MAX_DEPTH, 50),
        ("material:time=50,depth=9", "material:depth=9,time=50", 9, 50),
    ],
)
def test_kinds_and_options_are_read(text, name, depth, time_ms):
    player = parse_player(text)
    assert (player.name, depth_of(player), player.time_ms) == (name, depth, time_ms)
    assert parse_player(player.name).name == player.name


def test_an_evaluator_of_another_game_is_distinguished_from_an_unknown_name():
    load(TICTACTOE)
    with pytest.raises(
        InputError, match="'mobility' is hand-made for othello, not for checkers, which has m"
    ):
        parse_player("mobility:depth=4")
    with pytest.raises(InputError, match="not for tictactoe, which has positional"):
        parse_player("material", "tictactoe")


def test_only_the_random_player_has_no_network():
    assert parse_player("random").evaluating_network is None
    assert parse_player("blind").evaluating_network is not None


def test_the_material_player_counts_every_square():
    network = parse_player("material").evaluating_network
    assert network is not None
    assert network.weight.tolist() == [10_000] * 32


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("materiel", "unknown player 'materiel' (did you mean material?)"),
        ("", "unknown player ''"),
        ("material:dept=3", "material has no option 'dept' (did you mean depth?)"),
        ("random:depth=3", "random has no option 'depth'"),
        ("material:depth", "'depth' is not KEY=VALUE"),
        ("champion-1:depth", "'depth' is not KEY=VALUE"),
        ("material:depth=", "'depth=' is not KEY=VALUE"),
        ("material:depth=4,depth=5", "depth is given twice"),
        ("material:depth=0", "depth=0 is out of range 1..60"),
        ("material:depth=61", "depth=61 is out of range 1..60"),
        ("material:depth=four", "depth=four: a whole number from 1 to 60 is needed"),
        ("material:depth=-4", "depth=-4: a whole number from 1 to 60 is needed"),
        ("material:time=0", "time=0 is out of range"),
        ("network", "a network player needs a file"),
        ("network:depth=3", "a network player needs a file"),
        ("network:file=nowhere", "no such run directory, FASTA file or shipped champion: nowhere"),
        ("no/c.fasta", "no such run directory, FASTA file or shipped champion: no/c.fasta"),
    ],
)
def test_bad_specifications_name_the_fault(text, fault):
    with pytest.raises(InputError) as caught:
        parse_player(text)
    assert fault in str(caught.value)


def test_a_colon_without_options_changes_nothing():
    for player in ("champion-1", "material"):
        assert parse_player(f"{player}:").name == parse_player(player).name


def test_a_dna_string_is_a_player():
    player = parse_player(FULL)
    assert depth_of(player) == DEFAULT_DEPTH
    assert player.evaluating_network is not None
    assert same(player.evaluating_network, decode(encode(FULL)))
    assert depth_of(parse_player(f"{FULL}:depth=2")) == 2
    assert depth_of(parse_player(f"network:file={FULL},depth=3")) == 3


def test_a_whole_genome_is_not_taken_for_a_file_name():
    assert depth_of(parse_player(FULL * 200)) == DEFAULT_DEPTH


def test_a_wrong_letter_in_dna_is_named_with_its_position():
    with pytest.raises(InputError, match="'X' at position 4 "):
        parse_player("CGAXGGTAGTCGGATC")


def test_dna_that_is_not_whole_genes_is_refused():
    with pytest.raises(InputError, match="16"):
        parse_player(EXAMPLE + "A")


def test_a_file_gives_its_first_record_and_any_other_by_id(tmp_path):
    path = write(tmp_path / "two.fasta", Record("best", encode(FULL)), Record("next", encode(EXAMPLE)))
    best, other = parse_player(str(path)), parse_player(f"network:file={path},id=next,depth=6")
    assert best.evaluating_network is not None
    assert other.evaluating_network is not None
    assert same(best.evaluating_network, decode(encode(FULL)))
    assert same(other.evaluating_network, decode(encode(EXAMPLE)))
    assert depth_of(other) == 6
    assert other.name == f"network:file={path},id=next,depth=6"


def test_an_id_that_is_not_there_names_the_nearest(tmp_path):
    path = write(tmp_path / "one.fasta", Record("g12-0034", encode(FULL)))
    with pytest.raises(InputError, match=r"no record 'g12-0035' \(did you mean g12-0034\?\)"):
        parse_player(f"network:file={path},id=g12-0035")


def test_an_id_for_a_dna_string_is_refused():
    with pytest.raises(InputError, match="has no record"):
        parse_player(f"network:file={FULL},id=g1")


def test_a_run_directory_gives_its_champion(tmp_path):
    write(tmp_path / "champions.fasta", Record("early", encode(EXAMPLE)), Record("late", encode(FULL)))
    late = parse_player(str(tmp_path))
    assert late.evaluating_network is not None
    assert same(late.evaluating_network, decode(encode(FULL)))
    write(tmp_path / "champion.fasta", Record("final", material_genome()))
    final = parse_player(f"network:file={tmp_path}")
    assert final.evaluating_network is not None
    assert same(final.evaluating_network, decode(material_genome()))


def test_a_run_directory_gives_any_genome_of_its_generations(tmp_path):
    write(tmp_path / "champion.fasta", Record("g3-0001", material_genome()))
    (tmp_path / "generations").mkdir()
    write(tmp_path / "generations" / "000002.fasta", Record("g2-0005", encode(EXAMPLE)))
    player = parse_player(f"network:file={tmp_path},id=g2-0005")
    assert player.evaluating_network is not None
    assert same(player.evaluating_network, decode(encode(EXAMPLE)))
    with pytest.raises(InputError, match="no record 'g9-0000'"):
        parse_player(f"network:file={tmp_path},id=g9-0000")


def test_an_empty_directory_has_no_champion(tmp_path):
    with pytest.raises(InputError, match="no champion yet"):
        parse_player(str(tmp_path))


def test_the_perspective_comes_from_the_file_unless_given(tmp_path):
    path = write(tmp_path / "a.fasta", Record("a", encode(FULL), {"perspective": "antisymmetric"}))
    from_file, given = parse_player(str(path)), parse_player(f"network:file={path},perspective=own")
    assert from_file.evaluating_network is not None
    assert given.evaluating_network is not None
    assert from_file.evaluating_network.perspective == "antisymmetric"
    assert given.evaluating_network.perspective == "own"
    with pytest.raises(InputError, match="sideways"):
        parse_player(f"network:file={path},perspective=sideways")


def test_a_path_may_hold_commas_and_colons(tmp_path):
    path = write(tmp_path / "a,b:c.fasta", Record("a", encode(FULL)))
    assert depth_of(parse_player(f"network:file={path},depth=2")) == 2
    assert depth_of(parse_player(str(path))) == DEFAULT_DEPTH


def test_options_follow_the_path_of_a_run_with_colons_in_it(tmp_path):
    run = tmp_path / "2026-11-29T10:00:00"
    run.mkdir()
    (run / "champion.fasta").write_text(
        format_record(Record("g1-0000", material_genome(), {"game": "othello"}))
    )
    (run / "config.toml").write_text('[settings.games]\ngame = "othello"\n')
    assert depth_of(parse_player(f"{run}:depth=3", "othello")) == 3
    assert game_of_players([f"{run}:depth=3"]) == "othello"
    with pytest.raises(InputError, match="has no option 'dept'"):
        parse_player(f"{run}:dept=3", "othello")


def test_a_fasta_file_cut_off_inside_a_record_is_refused(tmp_path):
    path = write(tmp_path / "cut.fasta", Record("a", material_genome()))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"cut\.fasta"):
        parse_player(str(path))


def test_a_shipped_champion_is_read_and_decoded_once():
    first, deeper = (parse_player(words) for words in ("champion-1", "champion-1:depth=6"))
    assert first.evaluating_network is deeper.evaluating_network


def test_a_number_of_many_digits_is_out_of_range():
    with pytest.raises(InputError, match=r"^player option depth is out of range 1..60$"):
        parse_player("material:depth=" + "9" * 5000)
