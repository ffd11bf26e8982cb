"""A gallery: champions of all games on one page, each with its piece values, DNA and command.

It shows the champions shipped with the package, and those of the user's runs. `players/shipped/origins.toml`
records where the shipped ones come from.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from neche.errors import InputError, one_line
from neche.games.catalogue import GAMES, game
from neche.genome.dna import decode
from neche.genome.fasta import Record
from neche.network.sensors import check_sensors
from neche.parsing import read_toml
from neche.players.options import short_name
from neche.players.source import SHIPPED, network_of, read_source, shipped_champions
from neche.report.page import render
from neche.report.piece_values import NUM_SHOWN, HeatMap, heat_maps, value_pieces
from neche.report.story import read_story
from neche.report.summary import command, latest_scores, scored_id
from neche.report.svg import numeral

_ORIGINS = "origins.toml"
_LINE = 80
_NAME = re.compile(r"\bn([0-9a-f]{10}-[td])\b")
_OPTION = re.compile(r"([:,](?:depth|file))")
_SEED = re.compile(r"--seed (\d+)")


class Exhibit(NamedTuple):
    """A champion as the gallery shows it. facts: names and values. command: None if none reproduces it."""

    name: str
    game: str
    remark: str
    facts: tuple[tuple[str, str], ...]
    maps: tuple[HeatMap, ...]
    command: str | None
    dna: str


def shipped_exhibits() -> Iterator[Exhibit]:
    """Yield the shipped champions, game by game, strongest first; the last has 0 Elo in its league."""
    path = SHIPPED / _ORIGINS
    origins = read_toml(path.read_text(encoding="utf-8"), _ORIGINS) if path.exists() else {}
    for name in GAMES:
        champions = sorted(shipped_champions(name), key=lambda one: -origins.get(one, {}).get("elo", [0])[0])
        for champion in champions:
            yield _shipped(champion, name, origins.get(champion, {}), champions[-1])


def _shipped(name: str, game_name: str, origin: dict[str, Any], first: str) -> Exhibit:
    record, said = read_source(name), origin.get("command")
    seed = _SEED.search(said or "")
    facts = [("seed", seed[1])] if seed else []
    if "elo" in origin:
        elo, error = origin["elo"]
        facts.append((f"Elo to {first}, depth 6", f"{numeral(elo, '+z.0f')} ± {error}"))
    # The FASTA header has the scores of the play-off that crowned it; its keys have no equals signs.
    scores = [(_OPTION.sub(r"\1=", key), value) for key, value in record.fields.items() if ":" in key]
    facts += [(f"score against {short_name(player)}", value) for player, value in scores]
    return _exhibit(name, game_name, record, origin.get("remark", ""), facts, said)


def run_exhibit(run: Path | str) -> Exhibit:
    """Return the champion of a run; InputError if it has none yet, or if the run is damaged or missing."""
    story = read_story(run)
    if story.champion is None:
        raise InputError(f"{run}: no champion yet")
    facts = [("seed", str(story.config.seed)), ("member", story.champion.id)]
    of = "" if scored_id(story) == story.champion.id else f" of {scored_id(story)}"
    facts += [
        (f"score{of} against {short_name(player)}", f"{point.value:.3f}")
        for player, (point, _) in latest_scores(story).items()
    ]
    name = one_line(Path(run).resolve().name)
    return _exhibit(name, story.rules.name, story.champion, "from a run of your own", facts, command(story))


def _exhibit(
    name: str,
    game_name: str,
    record: Record,
    remark: str,
    facts: Sequence[tuple[str, str]],
    repeats: str | None,
) -> Exhibit:
    network, rules = network_of(record), game(game_name)
    check_sensors(rules, network)
    shape = [
        ("topology", network.topology.words),
        ("perspective", network.perspective),
        ("live synapses", numeral(int(network.live.sum()), ",")),
        ("nucleotides", numeral(record.genome.size, ",")),
    ]
    letters = decode(record.genome)
    dna = "\n".join(letters[at : at + _LINE] for at in range(0, len(letters), _LINE))
    # a game without a board geometry has no pictures
    maps = tuple(heat_maps(rules, value_pieces(network, rules, 0, NUM_SHOWN))) if rules.geometry else ()
    return Exhibit(name, game_name, remark, (*facts, *shape), maps, repeats, dna)


def compose_gallery(exhibits: Sequence[Exhibit]) -> str:
    """Write the page of these champions, grouped by game; equal champions give equal text."""
    by_game: dict[str, list[Exhibit]] = {}
    for number, exhibit in enumerate(exhibits):
        # runs given twice have equal pictures, whose ids must still be unique on the page
        maps = (map_._replace(svg=_NAME.sub(rf"n{number}-\1", map_.svg)) for map_ in exhibit.maps)
        by_game.setdefault(exhibit.game, []).append(exhibit._replace(maps=tuple(maps)))
    return render(
        "gallery.html",
        title="Champions",
        kind="A gallery of neche",
        headline=f"{len(exhibits)} evolved players of {len(by_game)} games: what pieces are worth to"
        " each, its DNA, and the command that reproduces it.",
        games=by_game,
    )
