"""Small settings and populations for tests of the evolution."""

from collections.abc import Sequence

import msgspec
import numpy as np

from neche.evolution.population import Generation, first_members
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import MutationSettings, Settings

# Every mutation by the setting that switches it off; the others say where the copies of duplication lead.
MUTATIONS = tuple(
    key
    for key in MutationSettings.__struct_fields__
    if key.endswith(("_rate", "_mean")) and key not in ("duplication_source_rate", "duplication_sink_rate")
)
NO_MUTATION = msgspec.structs.replace(MutationSettings(), **dict.fromkeys(MUTATIONS, 0.0))


def tiny_settings(*assignments: str, recipe: str = "tournament") -> Settings:
    """Return a recipe cut down to 12 members, 4 games each, with some more keys replaced."""
    settings = load_recipe(recipe)
    small = ("elites=2", "population=12", "games_per_member=4", "ladder_every=2", "ladder_games=2")
    for assignment in (*small, "champion_games=4", "final_games=4", "move_up_every=2", *assignments):
        settings = override(settings, assignment)
    return settings


STRANDS = ("topology=auto-3-1", "perspective=mover")
GENES = ("perspective=antisymmetric", "genes=110")


def screened_settings(*assignments: str) -> Settings:
    """Return the settings of an evolution by prediction so small that a generation takes milliseconds."""
    games = (
        "depth=1",
        "sample_games=6",
        "first_games=20",
        "sample_depth=1",
        "kept_positions=0.3",
        "replay=3",
    )
    labels = ("label_depth=2", "last_label_depth=3", "label_deeper_after=4", "refine_after=0")
    learning = (
        "batches=3",
        "batch=40",
        "pairs=8",
        "rate=0.02",
        "rate_generations=4",
        "elites=1",
        "population=6",
    )
    small = ("fitness=screened", "champion_candidates=2", *games, *labels, *learning)
    return tiny_settings(*small, *(STRANDS if not set(GENES) & set(assignments) else ()), *assignments)


def ranked_generation(
    settings: Settings, *, strengths: Sequence[float] | None = None, **changes: int
) -> Generation:
    """Return a first generation that never played; its members stand in the order of their births."""
    count = settings.members.population
    fields = {"number": 0, "depth": settings.curriculum.depth, "moved_up_at": None, **changes}
    return Generation(
        members=first_members(settings.members, 1),
        scores=np.full(count, 0.5),
        strengths=np.array(strengths if strengths is not None else range(count, 0, -1), dtype=np.float64),
        games=np.zeros(count, dtype=np.int64),
        record={},
        **fields,  # type: ignore[arg-type]
    )
