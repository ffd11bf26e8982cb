"""Experience replay: labelled positions from self-play of the last champions, in blocks.

A block holds samples from one champion's self-play. It is determined by that champion, the settings, the seed
and its number alone, so a run stores the champions of the last blocks instead of the positions, and a resumed
run plays the missing blocks again.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.evolution.events import Notify, SamplesMade
from neche.evolution.population import Generation, Member, networks_of
from neche.evolution.schedule import StreamName, training_rules
from neche.evolution.screening import Lesson
from neche.evolution.settings import Settings
from neche.games.catalogue import game
from neche.network.decode import blind_network
from neche.network.sensors import sensor_layout
from neche.network.topology import parse_topology
from neche.prediction import samples
from neche.prediction.judging import Samples
from neche.prediction.recording import RecordingPlan

_RANDOM_GAMES_HELP = 2
"""Champions needed before the block of random games, which teach little about good play, is dropped."""


_Block: TypeAlias = tuple[Samples, float]
"""The samples of one champion's games, and the share of the games that were drawn."""


class Replay:
    """Blocks of samples, made on first use and kept while they are in use."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self._settings, self._seed = settings, seed
        self._blocks: dict[int, _Block] = {}
        rules, members = game(settings.games.game), settings.members
        layout, topology = sensor_layout(rules), parse_topology(members.topology)
        self._wiring = samples.wiring_of(topology, members.perspective, layout)
        self._by_pattern = topology.is_dense and topology.sensors == layout.num_pattern_sensors
        self._symmetries = samples.symmetries_of(rules, by_pattern=self._by_pattern)

    def after(self, generation: Generation, notify: Notify = lambda event: None) -> Lesson:
        """Return the next generation's lesson, telling `notify`; InputError if no game left a position."""
        labellers: dict[int, Member | None] = dict(
            enumerate(generation.labellers, generation.number + 2 - len(generation.labellers))
        )

        def report(games: int, total: int, kept: int) -> None:
            notify(SamplesMade(generation.number + 1, games, total, kept))

        # A replay of one generation holds at most one champion: then the generation's number decides.
        if max(len(labellers), generation.number) < _RANDOM_GAMES_HELP:
            # block 0, before there were champions: games of random moves
            labellers = {0: None, **labellers}
        self._blocks = {
            number: self._blocks.get(number) or self._make(number, labeller, report)
            for number, labeller in labellers.items()
        }
        _, newest_draws = self._blocks[max(self._blocks)]
        joined = samples.join_samples([block for block, _ in self._blocks.values()])
        if joined.targets.size == 0:
            raise InputError(
                f"generation {generation.number + 1} has no position to learn from: its games yielded none;"
                " kept_positions, first_games or sample_games are too small, or opening_plies too large"
            )
        if self._settings.prediction.symmetries and len(self._symmetries) > 1:
            # so that each generation learns from different boards of the same games
            key = stream_key(self._seed, generation.number + 1, "symmetries")
            samples.draw_symmetries(joined, self._symmetries, np.uint64(key))
        return Lesson(self._wiring, joined, newest_draws)

    def _make(self, number: int, labeller: Member | None, report: Callable[[int, int, int], None]) -> _Block:
        prediction, members = self._settings.prediction, self._settings.members
        network, play_depth, label_depth = blind_network(), 0, 0
        games, keep = prediction.first_games, prediction.kept_positions
        if labeller is not None:
            (network,) = networks_of(members, [labeller])
            is_late = number >= prediction.label_deeper_after
            label_depth = prediction.last_label_depth if is_late else prediction.label_depth
            play_depth, games = prediction.sample_depth, prediction.sample_games
        openings, rule = training_rules(self._settings)
        plan = samples.SamplePlan(
            game=self._settings.games.game,
            recording=RecordingPlan(play_depth, label_depth, prediction.random_moves, keep),
            rule=rule,
            opening_plies=openings,
            result_share=prediction.result_share,
            target_clip=prediction.target_clip if number >= prediction.target_clip_after else samples.NO_CLIP,
            by_pattern=self._by_pattern,
        )
        return samples.make_samples(
            network,
            plan,
            StreamName(self._seed, number, "samples"),
            games,
            notify=lambda done, kept: report(done, games, kept),
        )


def next_labellers(settings: Settings, before: Generation | None, champion: Member) -> tuple[Member, ...]:
    """Return the champions from whose games the next generation learns, this champion last."""
    earlier, number = ((), 0) if before is None else (before.labellers, before.number + 1)
    kept = max(settings.prediction.replay, int(settings.prediction.replay_share * number))
    return (*earlier, champion)[-kept:]
