"""Types and ranges of the values in a line of history.jsonl.

The check of a line detects accidental damage. A forged or foreign line can have a correct check, so its
values are validated against these types before anything else reads them.
"""

import sys
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

_Count = Annotated[int, Meta(ge=0, le=10**18)]
_Score = Annotated[float, Meta(ge=0.0, le=1.0)]
# JSON knows no infinity, but 1e999 becomes one.
_Figure = Annotated[float, Meta(ge=-1e15, le=1e15)] | None
# What a plug-in returned, of any size.
_Value = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
# Printable, since both are shown on terminals.
_Id = Annotated[str, Meta(max_length=200, pattern=r"^[!-~]+\Z")]
_Sentence = Annotated[str, Meta(max_length=1000, pattern=r"^[^\x00-\x1f\x7f-\x9f]*\Z")]
_Number = Annotated[str, Meta(pattern=r"^[0-9]{1,15}\Z")]


class Fitness(Struct, frozen=True):
    """What a plugged-in fitness made of the members."""

    best: _Value
    mean: _Value


class GenerationLine(Struct, frozen=True, kw_only=True):
    """A generation's line in history.jsonl; the page on run directories describes each field."""

    generation: _Count
    champion_id: _Id | None
    moved_up_at: _Count | None
    depth: Annotated[int, Meta(ge=1, le=60)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    games: _Count = 0
    nodes: _Count = 0
    samples: _Count = 0
    sample_draws: _Figure = None
    draws: _Figure = None
    plies: _Figure = None
    live_synapses: _Figure = None
    hidden_neurons: _Figure = None
    squares_seen: _Figure = None
    squares_seen_most: _Figure = None
    constant: _Figure = None
    distance: _Figure = None
    wired_distance: _Figure = None
    evaluation_distance: _Figure = None
    changed_children: _Figure = None
    rank_agreement: _Figure = None
    rank_agreement_mean: _Figure = None
    prediction_error: _Figure = None
    best_prediction_error: _Figure = None
    man_spread: _Figure = None
    champion_man_spread: _Figure = None
    fitness: Fitness | None = None
    best_score: _Figure = None
    best_retest: _Figure = None
    score_vs_blind: _Figure = None
    population_vs_blind: _Figure = None
    benchmarks: dict[_Sentence, _Score] = msgspec.field(name="ladder", default_factory=dict)
    ancestors: dict[_Number, _Score] = {}
    hall: dict[_Number, _Id] = {}
    labellers: tuple[_Id, ...] = ()
    imported: bool = False
    warnings: tuple[_Sentence, ...] = ()
