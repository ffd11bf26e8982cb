"""The settings of an evolution: what each means, its range, and the records that hold them.

Every key is unique over all tables, so one word names it (`--set elites=3`); a recipe groups the same keys in
TOML tables. The defaults are the recipe `tournament`. Below the records: reading them from tables of plain
values, writing them back, and checking that they fit together. For recipes see `recipes.py`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

from neche.errors import InputError, suggestion
from neche.games.catalogue import game
from neche.network.topology import parse_topology, topology_of

Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Depth = Annotated[int, Meta(ge=1, le=60)]
Plies = Annotated[int, Meta(ge=0, le=200)]
Step = Annotated[float, Meta(ge=1e-100, le=10.0)]  # the quotient of two is finite
Every = Annotated[int, Meta(ge=1, le=1_000_000)]


class RunSettings(Struct, frozen=True, kw_only=True):
    """How long a run lasts and what it keeps."""

    generations: Count = 900
    """number of the last generation; the random population is generation 0; no schedule depends on it"""
    keep_every: Every = 50
    """interval, in generations, at which whole populations are kept on disk for good"""
    keep_last: Every = 5
    """number of newest generations whose populations are kept on disk as well"""


class MemberSettings(Struct, frozen=True, kw_only=True):
    """The members of a population."""

    population: Annotated[int, Meta(ge=2, le=100_000)] = 100
    """number of members in a generation"""
    genes: Annotated[int, Meta(ge=1, le=10_000)] = 200
    """genes in a genome, of 16 nucleotides each, or 18 if there are more than 64 neurons"""
    topology: str = "auto"
    """neurons, SENSORS-BIAS-LAYER1-LAYER2-1, strands SENSORS-H-1; by game: auto, auto-H-1, patterns-H-1"""
    perspective: Literal["own", "antisymmetric", "mover"] = "antisymmetric"
    """own: f(own view); antisymmetric: f(own view) − f(opponent's view); mover (strands): f(mover's view)"""
    first_neurons: Annotated[int, Meta(ge=0, le=1024)] = 1024
    """hidden neurons with a weight to the output in first genomes of whole neurons; the others are spare"""


class GameSettings(Struct, frozen=True, kw_only=True):
    """The training games."""

    game: str = "checkers"
    """name of the game, see `neche games`"""
    draw_plies: Annotated[int, Meta(ge=1, le=1000)] = 20
    """plies without capture or promotion after which a training game is a draw"""
    opening_plies: tuple[Plies, Plies] = (2, 10)
    """fewest and most random plies that open a game; both 0: always the start position"""


class CurriculumSettings(Struct, frozen=True, kw_only=True):
    """The search depth, and when it grows."""

    depth: Depth = 1
    """plies searched before quiescence in generation 0"""
    next_depths: tuple[Depth, ...] = (2,)
    """depths to move up to, in this order; those not deeper than `depth` are skipped"""
    move_up_score: Share = 0.6
    """mean score against the blind player, at the next depth, that is needed to move up"""
    move_up_every: Every = 10
    """generations between two promotion tests"""
    move_up_members: Every = 30
    """random members that play in a promotion test, one pair of games each"""


class RankingSettings(Struct, frozen=True, kw_only=True):
    """How the games of a generation are paired, and ranks derived from them."""

    ranking: Literal["descent", "random", "swiss", "quicksort", "original"] = "descent"
    """pairing scheme, see `ranking.py`; `descent` is quickselect"""
    games_per_member: Annotated[int, Meta(ge=2, le=100_000)] = 10
    """mean number of games per member, two per comparison; not used by `quicksort` and `original`"""
    original_rounds: Annotated[int, Meta(ge=1, le=1000)] = 3
    """rounds of the ranking `original`, which sums the ranks of all rounds"""
    strength_spread: Annotated[float, Meta(ge=0.01, le=100.0)] = 0.7
    """prior standard deviation of the members' true strengths, natural logarithm units"""


class SelectionSettings(Struct, frozen=True, kw_only=True):
    """Which members have offspring."""

    selection: Literal["truncation", "rank-sum"] = "truncation"
    """truncation: parents drawn uniformly from the best; rank-sum: from all, probability ∝ rank sum + ½"""
    parent_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.25
    """best share of the population: `truncation` draws parents from it, `descent` ranks around its border"""
    parents_per_child: Annotated[int, Meta(ge=1, le=2)] = 2
    """2: crossover; 1: none, a child is its mutated mother"""
    elites: Count = 5
    """number of best members copied unchanged; they are ranked afresh"""


class MutationSettings(Struct, frozen=True, kw_only=True):
    """How a child differs from the mix of its parents.

    On strands, creep and renewal change single weights, and duplication copies a neuron over the least useful
    one; the copy diverges by creep. Translocation and the rates of new sources and sinks apply to genes only.
    """

    point_rate: Share = 0.0005
    """probability that a nucleotide is redrawn"""
    translocation_rate: Share = 0.02
    """probability that one run of genes is moved in a child"""
    duplication_mean: Annotated[float, Meta(ge=0.0, le=1000.0)] = 3.0
    """mean number (Poisson) of genes copied over others, or of neurons copied over the least useful one"""
    duplication_source_rate: Share = 0.9
    """probability that a copied gene gets a new source"""
    duplication_sink_rate: Share = 0.05
    """probability that a copied gene gets a new sink"""
    creep_mean: Annotated[float, Meta(ge=0.0, le=1000.0)] = 4.0
    """mean number (Poisson) of genes, or weights on strands, that creep; in each copied neuron as well"""
    creep_sd: Annotated[float, Meta(ge=0.0, le=105.0)] = 2.0
    """standard deviation of a creep step, weight units"""
    renewal_rate: Share = 0.002
    """probability that a whole gene, or a weight on strands, is redrawn"""
    anneal_to: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.2
    """factor to which duplication_mean, creep_sd, point_rate and renewal_rate shrink exponentially …"""
    anneal_generations: Every = 600
    """… over this number of generations after the move up to the last depth"""


class PredictionSettings(Struct, frozen=True, kw_only=True):
    """Fitness by prediction: how well evaluations predict the values of a deeper search and game results."""

    fitness: Literal["tournament", "screened", "prediction"] = "tournament"
    """what selects: games alone; games among offspring screened by prediction; prediction alone"""
    learning: Literal["coevolution", "gradient"] = "coevolution"
    """how offspring learn to predict: coevolution, each neuron a species, or gradient descent (memetic)"""
    sample_games: Annotated[int, Meta(ge=1, le=10_000_000)] = 4000
    """self-play games of the champion from which each generation learns"""
    first_games: Annotated[int, Meta(ge=1, le=10_000_000)] = 20_000
    """games of random moves from which the first generation learns"""
    replay: Annotated[int, Meta(ge=1, le=100)] = 8
    """number of newest generations from whose positions members learn, or …"""
    replay_share: Share = 0.0
    """… this share of all generations so far, rounded down, once that is more"""
    sample_depth: Depth = 2
    """plies searched for a move in self-play"""
    random_moves: Share = 0.1
    """share of self-play moves that are random: without any, games of equal players end in draws"""
    kept_positions: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.18
    """share of the quiet positions of self-play that are kept"""
    label_depth: Depth = 4
    """plies of the search whose value is predicted …"""
    last_label_depth: Depth = 4
    """… and from generation `label_deeper_after` on"""
    label_deeper_after: Count = 30
    """generation from which labels are searched to `last_label_depth` plies"""
    result_share: Share = 0.1
    """weight of the game's result in the target; the rest is the search value"""
    target_clip: Annotated[float, Meta(gt=0.0, le=2.0)] = 2.0
    """most by which the target may differ from the labeller's own evaluation, both in −1 … 1; applies …"""
    target_clip_after: Count = 0
    """… from this generation on"""
    batches: Annotated[int, Meta(ge=1, le=10_000_000)] = 2000
    """batches of positions from which each member learns in a generation"""
    batch: Annotated[int, Meta(ge=1, le=1_000_000)] = 512
    """positions in a batch"""
    pairs: Annotated[int, Meta(ge=1, le=256)] = 16
    """coevolution: mirrored pairs of individuals per neuron and batch"""
    orthogonal: bool = False
    """coevolution: whether mutations of two weights are orthogonal, so that effects are not confounded"""
    spread: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.024
    """size of a mutation of a weight, weight units"""
    rate: Step = 0.0024
    """largest step of a weight in a batch, weight units, at the start of the run; falls exponentially to …"""
    rate_end: Step = 0.0002
    """… this rate at generation `rate_generations` …"""
    rate_generations: Every = 40
    """generation at which the rate reaches `rate_end`"""
    rate_falls_after: Count = 0
    """… beginning after this generation"""
    weight_decay: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    """decay of each weight per batch, in units of the rate: weights that no position needs fade"""
    first_weights: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.16
    """standard deviation of the weights of random neurons, weight units"""
    symmetries: bool = False
    """whether training positions are turned and mirrored at random, where the rules allow it"""
    inheritance: Literal["lamarck", "baldwin"] = "lamarck"
    """what offspring inherit: the learned weights, or the DNA from before learning, mutated by `refine_sd`"""
    duplicate_neurons: bool = False
    """whether, before learning, a member's most useful neuron is split in two, over the least useful one"""


class StrategySettings(Struct, frozen=True, kw_only=True):
    """The late phase, an evolution strategy: variations of one genome, whose weighted mean is the next."""

    refine_after: Count = 60
    """generations between the move to the last depth and the start of this phase; 0: never"""
    refine_sd: Step = 0.12
    """initial standard deviation of a weight's step, as a share of the weights beside it; falls to …"""
    refine_sd_end: Step = 0.04
    """… this one, exponentially, over `refine_generations`"""
    refine_generations: Every = 1000
    """generations of this phase over which the step shrinks to `refine_sd_end`"""
    refine_ranking: Literal["descent", "random", "swiss", "quicksort"] = "random"
    """pairing scheme of this phase, in which the order of the whole better half counts"""
    refine_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.5
    """best share of the members, rounded down, whose weighted mean is the next centre; at least the best"""
    modules: Count = 24
    """hidden neurons added when this phase begins, each with one random sensor and no effect yet"""
    links: Count = 32
    """direct synapses from other sensors to the output added then, without effect yet"""


class IslandSettings(Struct, frozen=True, kw_only=True):
    """Populations that evolve separately in a ring; at intervals the best of each migrate to the next."""

    islands: Annotated[int, Meta(ge=1, le=10_000)] = 1
    """number of islands; 1: a single population without migration"""
    island: Annotated[int, Meta(ge=0, le=9_999)] = 0
    """number of this island; each receives members from the one before it, island 0 from the last"""
    migrate_every: Every = 10
    """generations between two exchanges"""
    migrants: Annotated[int, Meta(ge=1, le=100_000)] = 2
    """members copied to the next island at an exchange: the champion, and the best of the others"""


class ChampionSettings(Struct, frozen=True, kw_only=True):
    """The play-off that names a champion. With fewer than 2 candidates the champion is rank 1."""

    champion_candidates: Count = 8
    """best members in the play-off before each measurement"""
    champion_games: Count = 60
    """games that each candidate plays against random members"""
    final_candidates: Count = 16
    """best members in the play-off that ends a run"""
    final_games: Count = 300
    """games that each of these candidates plays"""


class BenchmarkSettings(Struct, frozen=True, kw_only=True):
    """Benchmarks: fixed players that measure the champion. They never influence the evolution."""

    ladder: tuple[str, ...] = ("blind:depth=4", "material:depth=4")
    """benchmark players, except those of other games; the champion searches as deep as its opponent"""
    ladder_every: Every = 25
    """generations between two measurements"""
    ladder_games: Count = 40
    """games against each benchmark, under tournament rules …"""
    ladder_thinker_games: Count = 10
    """… and against each one that searches by playouts, which takes longer"""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of an evolution."""

    run: RunSettings = RunSettings()
    members: MemberSettings = MemberSettings()
    games: GameSettings = GameSettings()
    curriculum: CurriculumSettings = CurriculumSettings()
    ranking: RankingSettings = RankingSettings()
    selection: SelectionSettings = SelectionSettings()
    mutation: MutationSettings = MutationSettings()
    prediction: PredictionSettings = PredictionSettings()
    refinement: StrategySettings = StrategySettings()
    islands: IslandSettings = IslandSettings()
    champion: ChampionSettings = ChampionSettings()
    ladder: BenchmarkSettings = BenchmarkSettings()


TABLES: dict[str, type[msgspec.Struct]] = get_type_hints(Settings)
KEYS: dict[str, str] = {key: table for table, struct in TABLES.items() for key in struct.__struct_fields__}
_EVEN = ("games_per_member", "champion_games", "final_games", "ladder_games", "ladder_thinker_games")


def parse_settings(tables: Mapping[str, Any], name: str) -> Settings:
    """Return settings from nested tables; `name` (a file, a recipe) begins every error message.

    InputError if a table or key is unknown (the nearest known one is named), or a value is out of range.
    """
    groups: dict[str, Any] = {}
    for table, entries in tables.items():
        if table not in TABLES:
            near = suggestion(table, TABLES)
            where = f" (key {table!r} belongs under [{KEYS[table]}])" if table in KEYS else near
            raise InputError(f"{name}: unknown table [{table}]{where}")
        if not isinstance(entries, Mapping):
            raise InputError(f"{name}: [{table}] must be a table")
        for key in entries:
            if KEYS.get(key) != table:
                hint = f" (it belongs under [{KEYS[key]}])" if key in KEYS else suggestion(key, KEYS)
                raise InputError(f"{name}: unknown setting {key!r} in [{table}]{hint}")
        groups[table] = TABLES[table](
            **{key: convert(key, value, f"{name}: {key} = {shown(value)}") for key, value in entries.items()}
        )
    settings = Settings(**groups)
    check_settings(settings, name)
    return settings


def to_toml_dict(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return nested tables of plain values, every key present; `parse_settings` reads them back."""
    tables: dict[str, dict[str, Any]] = msgspec.to_builtins(settings)
    return tables


def check_settings(settings: Settings, name: str) -> None:
    """Raise InputError, naming both, if two settings contradict each other; `name` begins the message."""
    try:
        shape = parse_topology(resolve(settings).members.topology)
    except InputError as fault:
        raise InputError(f"{name}: {fault}") from None
    perspective = settings.members.perspective
    (fewest, most), rises = settings.games.opening_plies, [*settings.curriculum.next_depths]
    elites, population = settings.selection.elites, settings.members.population
    ring, island, _, migrants = msgspec.structs.astuple(settings.islands)
    prediction, is_own = settings.prediction, perspective == "own"
    learns = prediction.fitness != "tournament"
    faults = {
        f"opening_plies = [{fewest}, {most}]: the first must not exceed the second": fewest > most,
        f"next_depths = {rises}: must rise": rises != sorted(set(rises)),
        f"perspective = {perspective}: strands need mover, and mover needs strands": (
            shape.is_dense != (perspective == "mover")
        ),
        f"topology = {shape.words}: with two hidden layers of strands, learning must be gradient": (
            learns and prediction.learning == "coevolution" and shape.is_dense and shape.layer2 > 0
        ),
        f"topology = {shape.words}: without a bias neuron, fitness must be tournament": (
            learns and shape.bias == 0
        ),
        f"fitness = {prediction.fitness}: needs perspective antisymmetric or mover": learns and is_own,
        f"fitness = {prediction.fitness}: no network sees the board of {settings.games.game}": (
            learns and game(settings.games.game).sensors is None
        ),
        f"elites = {elites}: must be fewer than population = {population}": elites >= population,
        f"island = {island}: must be below islands = {ring}, as islands count from 0": island >= ring,
        f"migrants = {migrants}: with elites = {elites} must be fewer than population = {population}": (
            ring > 1 and elites + migrants >= population
        ),
    }
    for key in _EVEN:
        number = getattr(getattr(settings, KEYS[key]), key)
        faults[f"{key} = {number}: must be even, games come in colour-swapped pairs"] = number % 2 == 1
    for message, is_broken in faults.items():
        if is_broken:
            raise InputError(f"{name}: {message}")


def resolve(settings: Settings) -> Settings:
    """Return settings with an explicit topology instead of `auto`; InputError if it is for another board."""
    # Only the number of squares: code that makes members must not know which square a sensor sees.
    name, board = settings.games.game, game(settings.games.game).sensors
    sensors = (len(board.squares), board.num_kind_sensors, board.num_pattern_sensors) if board else (0, 0, 0)
    given = topology_of(settings.members.topology, name, *sensors)
    members = msgspec.structs.replace(settings.members, topology=given.words)
    return msgspec.structs.replace(settings, members=members)


def convert(key: str, value: Any, name: str) -> Any:
    """Return the value of one key as its type; `name`, the key and value, begins the error message.

    InputError if the value is of another type or out of range.
    """
    kind = get_type_hints(TABLES[KEYS[key]], include_extras=True)[key]
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter for a string that is not UTF-8
        raise InputError(f"{name}: must be {describe(msgspec.json.schema(kind))}") from None


def shown(value: Any) -> str:
    """Return a value nearly as TOML writes it."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text.lower() if isinstance(value, bool) else text


def describe(schema: Mapping[str, Any]) -> str:
    """Put a JSON schema of one value into words."""
    if "enum" in schema:
        return "one of " + ", ".join(sorted(schema["enum"]))
    if schema["type"] in ("string", "boolean"):
        return "a string" if schema["type"] == "string" else "true or false"
    if schema["type"] == "array":
        if "prefixItems" in schema:
            return f"a list of {schema['minItems']}, each {describe(schema['prefixItems'][0])}"
        return f"a list, each {describe(schema['items'])}"
    noun = "a whole number" if schema["type"] == "integer" else "a number"
    low = f"from {schema['minimum']}" if "minimum" in schema else f"above {schema['exclusiveMinimum']}"
    return f"{noun} {low} to {schema['maximum']}"
