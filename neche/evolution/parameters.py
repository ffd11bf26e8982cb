"""The settings of an evolution: what each means, its range, and the records that hold them.

Every key is unique over all tables, so one word names it (`--set elites=3`); a recipe groups the same keys in
TOML tables. The defaults are the recipe `default`. Reading and checking them is the work of `settings.py`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Depth = Annotated[int, Meta(ge=1, le=60)]
Plies = Annotated[int, Meta(ge=0, le=200)]
Every = Annotated[int, Meta(ge=1, le=1_000_000)]


class Run(Struct, frozen=True, kw_only=True):
    """How long a run lasts and what it keeps."""

    generations: Count = 900
    """number of the last generation, counted from the random population, 0; no schedule depends on it"""
    keep_every: Every = 50
    """every so many generations the whole population stays on disk"""
    keep_last: Every = 5
    """so many newest generations stay on disk besides"""


class Members(Struct, frozen=True, kw_only=True):
    """Who evolves."""

    population: Annotated[int, Meta(ge=2, le=100_000)] = 100
    genes: Annotated[int, Meta(ge=1, le=10_000)] = 200
    """genes in a genome, 16 nucleotides each; 18 where there are more than 64 neurons"""
    topology: str = "auto"
    """number of neurons, SENSORS-BIAS-LAYER1-LAYER2-1; auto: by the squares of the board"""
    perspective: Literal["own", "antisymmetric"] = "antisymmetric"
    """evaluation f(own view), or f(own view) − f(opponent's view)"""


class Games(Struct, frozen=True, kw_only=True):
    """The training games."""

    game: str = "checkers"
    draw_plies: Annotated[int, Meta(ge=1, le=1000)] = 20
    """plies without capture or promotion that end a training game as a draw"""
    opening_plies: tuple[Plies, Plies] = (2, 10)
    """fewest and most random plies from the start; both 0: always the start position"""


class Curriculum(Struct, frozen=True, kw_only=True):
    """The search depth, and when it grows."""

    depth: Depth = 1
    """plies searched before quiescence in generation 0"""
    next_depths: tuple[Depth, ...] = (2,)
    """depths to move up to, in this order; those that are not deeper than `depth` are passed over"""
    move_up_score: Share = 0.6
    """mean score against the blind player, at the next depth, that moves the population up"""
    move_up_every: Every = 10
    """generations between two such examinations"""
    move_up_members: Every = 30
    """random members examined, one pair of games each"""


class Ranking(Struct, frozen=True, kw_only=True):
    """How the games of a generation are paired and read."""

    ranking: Literal["descent", "random", "swiss", "quicksort", "original"] = "descent"
    """pairing scheme, see `ranking.py`"""
    games_per_member: Annotated[int, Meta(ge=2, le=100_000)] = 10
    """mean number of games a member, two a comparison; not used by `quicksort` and `original`"""
    original_rounds: Annotated[int, Meta(ge=1, le=1000)] = 3
    """rounds of the ranking `original`, whose ranks are summed"""
    strength_spread: Annotated[float, Meta(ge=0.01, le=100.0)] = 0.7
    """standard deviation of true strengths expected before the games, natural logarithm units"""


class Selection(Struct, frozen=True, kw_only=True):
    """Who has offspring."""

    selection: Literal["truncation", "rank-sum"] = "truncation"
    """parents drawn alike from the best, or from all with probability ∝ rank sum + ½"""
    parent_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.25
    """best share of the population that `truncation` draws from; also the cut that `descent` looks for"""
    parents_per_child: Annotated[int, Meta(ge=1, le=2)] = 2
    """1: no crossover, a child is its mother mutated"""
    elites: Count = 5
    """best members copied unchanged; they are ranked afresh"""


class Mutation(Struct, frozen=True, kw_only=True):
    """How a child differs from the mix of its parents."""

    point_rate: Share = 0.0005
    """probability that a nucleotide is redrawn"""
    translocation_rate: Share = 0.02
    """probability that a child has one run of genes moved"""
    duplication_mean: Annotated[float, Meta(ge=0.0, le=1000.0)] = 3.0
    """mean number (Poisson) of genes copied over another one"""
    duplication_source_rate: Share = 0.9
    """probability that the copy reads a new source"""
    duplication_sink_rate: Share = 0.05
    """probability that the copy feeds a new sink"""
    creep_mean: Annotated[float, Meta(ge=0.0, le=1000.0)] = 4.0
    """mean number (Poisson) of genes whose weight moves a little"""
    creep_sd: Annotated[float, Meta(ge=0.0, le=105.0)] = 2.0
    """standard deviation of that step, weight units"""
    renewal_rate: Share = 0.002
    """probability that a gene is redrawn whole"""
    anneal_to: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.2
    """factor that duplication_mean, creep_sd, point_rate and renewal_rate shrink to, exponentially …"""
    anneal_generations: Every = 600
    """… over so many generations after the move up to the last depth"""


class Refinement(Struct, frozen=True, kw_only=True):
    """The late phase: variations of one genome, whose weighted mean goes on."""

    refine_after: Count = 60
    """generations after the move to the last depth when it begins; 0: never"""
    refine_sd: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.12
    """standard deviation of a weight's step, as a share of the weights beside it, at the beginning …"""
    refine_sd_end: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.04
    """… and after `refine_generations`, falling exponentially in between"""
    refine_generations: Every = 1000
    refine_ranking: Literal["descent", "random", "swiss", "quicksort"] = "random"
    """pairing scheme of that phase, in which the order of the whole better half counts"""
    refine_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.5
    """best share of the members whose weighted mean goes on; at least one member, then the best one does"""
    modules: Count = 24
    """hidden neurons grown when it begins, each with one random sensor and no effect yet"""
    links: Count = 32
    """synapses from other sensors straight to the output grown with them, without effect yet"""


class Champion(Struct, frozen=True, kw_only=True):
    """The play-off that names a champion. With fewer than 2 candidates it is rank 1."""

    champion_candidates: Count = 8
    """best members in the play-off before each ladder"""
    champion_games: Count = 60
    """games of each candidate against random members"""
    final_candidates: Count = 16
    """best members in the play-off that ends a run"""
    final_games: Count = 300
    """games of each of them"""


class Ladder(Struct, frozen=True, kw_only=True):
    """Fixed players that the champion is measured against. They never influence the evolution."""

    ladder: tuple[str, ...] = ("blind:depth=4", "material:depth=4")
    """player specifications; the champion searches as deep as its opponent"""
    ladder_every: Every = 25
    """generations between two measurements"""
    ladder_games: Count = 40
    """games against each, under tournament rules …"""
    ladder_thinker_games: Count = 10
    """… and against each that thinks by playouts, which takes longer"""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of an evolution."""

    run: Run = Run()
    members: Members = Members()
    games: Games = Games()
    curriculum: Curriculum = Curriculum()
    ranking: Ranking = Ranking()
    selection: Selection = Selection()
    mutation: Mutation = Mutation()
    refinement: Refinement = Refinement()
    champion: Champion = Champion()
    ladder: Ladder = Ladder()
