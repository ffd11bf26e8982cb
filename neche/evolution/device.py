"""The device of an evolution, which computes a part of each generation in place of the CPU.

If members learn by coevolution, that part is learning; if tournaments alone select, the tournament's games.
Generations are the same either way, so a run may be resumed with or without a device.
"""

from collections.abc import Callable
from typing import NamedTuple

from neche.arena.playing import GameResults, play_games
from neche.compiled.batches import check_device
from neche.errors import InputError
from neche.evolution.screening import Learn
from neche.evolution.settings import Settings
from neche.games.catalogue import GAMES
from neche.network.topology import parse_topology
from neche.search.shallow import DEEPEST


class EvolutionDevice(NamedTuple):
    """How a generation learns and plays.

    learn: as in `screening.screened_members`; None: the cores of the CPU. play: plays the games that rank the
    members, as `playing.play_games` does.
    """

    learn: Learn | None = None
    play: Callable[..., GameResults] = play_games


CPU = EvolutionDevice()


def device_for(name: str, settings: Settings) -> EvolutionDevice:
    """Return the device of that name for an evolution with these settings.

    InputError if the device is unknown, this machine does not have it, or it cannot compute anything here,
    now or at a later stage of the curriculum.
    """
    check_device(name)
    if name == "cpu":
        return CPU
    is_tournament = settings.prediction.fitness == "tournament"
    if is_tournament:
        _check_games(name, settings)
    elif settings.prediction.learning == "gradient":
        raise InputError(
            f"device {name} is for learning by coevolution, and these settings have learning = gradient"
        )
    from neche.compiled.cuda import require_device  # slow to import, so only if CUDA is requested

    require_device()
    if is_tournament:
        from neche.arena.games_gpu import play_games as play_on_device

        return EvolutionDevice(play=play_on_device)
    from neche.prediction.coevolution_gpu import coevolve_all

    return EvolutionDevice(learn=coevolve_all)


def _check_games(name: str, settings: Settings) -> None:
    curriculum, game = settings.curriculum, settings.games.game
    # all depths are checked now: a run must not fail when it reaches its last depth
    deepest = max(curriculum.depth, *curriculum.next_depths, 0)
    if deepest > DEEPEST:
        key = "depth" if curriculum.depth == deepest else "next_depths"
        raise InputError(
            f"device {name} plays to depth {DEEPEST}, and these settings reach {key} = {deepest}"
        )
    shape = parse_topology(settings.members.topology)
    if shape.is_dense and shape.layer2:
        raise InputError(f"device {name} has no kernel for two hidden layers: topology = {shape.words}")
    if game not in GAMES:
        raise InputError(f"device {name} has no kernel for games of {game}")
