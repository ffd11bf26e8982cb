"""What members see with: the topology of a run, asked for or fit for the board, and their networks."""

from collections.abc import Sequence

import msgspec

from neche.errors import InputError
from neche.evolution.parameters import Members
from neche.evolution.population import Member, topology_of
from neche.evolution.settings import Settings
from neche.games.catalogue import game
from neche.network.decode import Network, decode_population
from neche.network.sensors import default_topology
from neche.network.topology import AUTO, parse_topology


def resolve(settings: Settings) -> Settings:
    """Return settings that name their topology instead of `auto`.

    Raises:
        InputError: a topology is given whose sensors are not the squares of the board.
    """
    usual = default_topology(game(settings.games.game))
    text = settings.members.topology
    given = usual if text == AUTO else parse_topology(text)
    if given.sensors != usual.sensors:
        raise InputError(
            f"topology {text}: the board of {settings.games.game} has {usual.sensors} squares, "
            f"not {given.sensors}"
        )
    members = msgspec.structs.replace(settings.members, topology=given.words)
    resolved: Settings = msgspec.structs.replace(settings, members=members)
    return resolved


def networks_of(settings: Members, members: Sequence[Member]) -> list[Network]:
    """Decode the genomes of members, in their order."""
    genomes = [member.genome for member in members]
    return decode_population(genomes, perspective=settings.perspective, topology=topology_of(settings))
