import contextlib
import tomllib
from importlib import resources

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.evolution.curriculum import next_depth
from neche.evolution.notices import set_in_vain
from neche.evolution.recipes import load_recipe, override, recipe_names
from neche.evolution.settings import KEYS, TABLES, Settings, check_settings, parse_settings, to_toml_dict
from tests.games.toys.loading import STONES, load


def _tables_of(recipe):
    folder = resources.files("neche.evolution").joinpath("recipes")
    return tomllib.loads(folder.joinpath(f"{recipe}.toml").read_text(encoding="utf-8"))


def test_every_key_is_unique_over_all_tables():
    assert len(KEYS) == sum(len(table.__struct_fields__) for table in TABLES.values())


def test_the_shipped_recipes_load():
    tournaments = ("tournament", "tournament-long", "tournament-quick")
    memetic = ("memetic", "memetic-long", "memetic-othello")
    assert recipe_names() == ("default", "long", *memetic, "original", "quick", *tournaments, "wide")
    for name in recipe_names():
        load_recipe(name)


def test_the_defaults_are_the_recipe_tournament():
    assert load_recipe("tournament") == Settings()


def test_the_recipe_tournament_names_every_key():
    named = {table: sorted(entries) for table, entries in _tables_of("tournament").items()}
    assert named == {table: sorted(struct.__struct_fields__) for table, struct in TABLES.items()}


def test_the_recipe_for_othello_plays_it_and_sets_nothing_in_vain():
    recipe = load_recipe("memetic-othello")
    given = [key for table in _tables_of("memetic-othello").values() for key in table]
    assert recipe.games.game == "othello"
    assert set_in_vain(recipe, given) == []


def test_the_recipe_original_has_the_settings_of_the_original_program():
    original = load_recipe("original")
    assert (original.members.population, original.members.genes, original.curriculum.depth) == (200, 200, 6)
    assert original.members.perspective == "own"
    assert (original.mutation.point_rate, original.mutation.translocation_rate) == (0.001, 0.02)
    assert (
        original.mutation.duplication_mean
        == original.mutation.creep_mean
        == original.mutation.renewal_rate
        == 0
    )
    assert original.games.opening_plies == (0, 0)
    assert original.games.draw_plies == 20
    assert (original.ranking.ranking, original.ranking.original_rounds) == ("original", 3)
    assert (original.selection.selection, original.selection.elites) == ("rank-sum", 0)
    assert original.curriculum.next_depths == ()


def test_settings_survive_writing_and_reading():
    for name in recipe_names():
        settings = load_recipe(name)
        assert parse_settings(to_toml_dict(settings), name) == settings


def test_a_recipe_file_replaces_only_what_it_names(tmp_path):
    path = tmp_path / "mine.toml"
    # as editors of Windows save it: with a mark of its encoding, and two characters to a line's end
    path.write_bytes("\ufeff[members]\r\npopulation = 12\r\n".encode())
    assert load_recipe(path) == load_recipe(str(path)) == override(Settings(), "population=12")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[members]\npoplation = 12\n",
            "unknown setting 'poplation' in [members] (did you mean population?)",
        ),
        ("[membres]\npopulation = 12\n", "unknown table [membres] (did you mean members?)"),
        (
            "[games]\npopulation = 12\n",
            "unknown setting 'population' in [games] (it belongs under [members])",
        ),
        ("population = 12\n", "unknown table [population] (key 'population' belongs under [members])"),
        ("members = 12\n", "[members] must be a table"),
        ("[members]\npopulation = 1\n", "population = 1: must be a whole number from 2 to 100000"),
        ("[members]\npopulation = 2.5\n", "population = 2.5: must be a whole number from 2 to 100000"),
        ("[mutation]\npoint_rate = 1.5\n", "point_rate = 1.5: must be a number from 0.0 to 1.0"),
        ("[selection]\nparent_share = 0\n", "parent_share = 0: must be a number above 0.0 to 1.0"),
        ("[prediction]\nrate = 1e-310\n", "rate = 1e-310: must be a number from 1e-100 to 10.0"),
        (
            "[members]\nperspective = 'mine'\n",
            "perspective = 'mine': must be one of antisymmetric, mover, own",
        ),
        ("[games]\nopening_plies = [4]\n", "opening_plies = [4]: must be a list of 2, each a whole number"),
        ("[games]\nopening_plies = [4, 3]\n", "opening_plies = [4, 3]: the first must not exceed the second"),
        ("[curriculum]\nnext_depths = [4, 2]\n", "next_depths = [4, 2]: must rise"),
        ("[members]\nperspective = 'mover'\n", "perspective = mover: strands need mover, and mover needs"),
        ("[members]\ntopology = '128-8-1'\n", "perspective = antisymmetric: strands need mover"),
        (
            "[members]\nperspective = 'own'\n[prediction]\nfitness = 'screened'\n",
            "fitness = screened: needs perspective antisymmetric or mover",
        ),
        (
            "[members]\nperspective = 'mover'\ntopology = 'auto-8-2-1'\n[prediction]\nfitness = 'screened'\n",
            "topology = 128-8-2-1: with two hidden layers of strands, learning must be gradient",
        ),
        (
            "[members]\nperspective = 'mover'\ntopology = 'patterns-8-32-1'\n",
            "topology patterns-8-32-1: with sensors by pattern a second layer has 31 neurons at most",
        ),
        (
            "[members]\nperspective = 'mover'\ntopology = '713-8-1'\n",
            "topology 713-8-1: the board of checkers has 128 sensors by kind and 712 by pattern, not 713",
        ),
        (
            "[members]\ntopology = '32-0-31-0-1'\n[prediction]\nfitness = 'screened'\n",
            "topology = 32-0-31-0-1: without a bias neuron, fitness must be tournament",
        ),
        ("[prediction]\nduplicate_neurons = 1\n", "duplicate_neurons = 1: must be true or false"),
        ("[prediction]\npairs = 257\n", "pairs = 257: must be a whole number from 1 to 256"),
        ("[selection]\nelites = 100\n", "elites = 100: must be fewer than population = 100"),
        ("[ranking]\ngames_per_member = 5\n", "games_per_member = 5: must be even"),
        ("[members]\ntopology = '12'\n", "topology '12': expected numbers of neurons"),
        ("[games]\ngame = 'chequers'\n", "unknown game 'chequers' (did you mean checkers?)"),
        ("[ladder]\nladder = [4]\n", "ladder = [4]: must be a list, each a string"),
        ("[run\n", "not valid TOML"),
    ],
)
def test_a_recipe_at_fault_is_refused_in_one_line_that_says_where(tmp_path, text, message):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InputError) as fault:
        load_recipe(path)
    assert str(path) in str(fault.value)
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


def test_an_unknown_recipe_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match=r"unknown recipe 'orginal'.*did you mean original"):
        load_recipe("orginal")


def test_a_missing_recipe_file_is_refused_by_name():
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot read the recipe"):
        load_recipe("nowhere.toml")


def test_a_binary_recipe_file_is_refused(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        load_recipe(path)


@pytest.mark.parametrize(
    ("assignment", "key", "value"),
    [
        ("depth=4", "depth", 4),
        ("next_depths = [5, 6]", "next_depths", (5, 6)),
        ("ranking=swiss", "ranking", "swiss"),
        ("point_rate=1", "point_rate", 1.0),
        ('ladder=["blind:depth=2"]', "ladder", ("blind:depth=2",)),
    ],
)
def test_one_key_is_overridden(assignment, key, value):
    changed = override(Settings(), assignment)
    assert getattr(getattr(changed, KEYS[key]), key) == value
    assert override(changed, "elites=3").selection.elites == 3


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("elites", "expected KEY=VALUE"),
        ("=3", "expected KEY=VALUE"),
        ("elite=3", "unknown setting 'elite' (did you mean elites?)"),
        ("elites=many", "must be a whole number from 0 to 1000000"),
        ("elites=true", "must be a whole number"),
        ("ladder=blind", "must be a list, each a string"),
    ],
)
def test_a_wrong_override_is_refused(assignment, message):
    with pytest.raises(InputError) as fault:
        override(Settings(), assignment)
    # named once, as it was given
    assert str(fault.value).startswith(f"--set {assignment}: {message}")


def test_keys_that_contradict_each_other_may_be_replaced_in_any_order():
    small = override(Settings(), "population=5")
    with pytest.raises(InputError, match="settings: elites = 5: must be fewer than population = 5"):
        check_settings(small, "settings")
    check_settings(override(small, "elites=1"), "settings")


def test_prediction_needs_a_board_that_networks_see():
    stones = override(Settings(), f"game={load(STONES).name}")
    check_settings(stones, "settings")
    with pytest.raises(InputError, match="fitness = screened: no network sees the board of stones"):
        check_settings(override(stones, "fitness=screened"), "settings")


@given(st.text(max_size=40))
def test_any_override_is_taken_or_refused(text):
    with contextlib.suppress(InputError):
        override(Settings(), text)


@given(
    key=st.sampled_from(sorted(KEYS)), value=st.one_of(st.integers(), st.floats(), st.text(), st.booleans())
)
def test_any_value_of_any_key_is_taken_or_refused(key, value):
    with contextlib.suppress(InputError):
        parse_settings({KEYS[key]: {key: value}}, "recipe")


def test_a_run_may_begin_deeper_than_the_depths_that_its_recipe_moves_up_to():
    settings = override(load_recipe("tournament"), "depth=4")
    check_settings(settings, "settings")
    assert next_depth(settings.curriculum, 4) is None
