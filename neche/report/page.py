"""The page of a run: one self-contained HTML document, with scripts or without.

Its layout is in `templates`: `frame.html` surrounds every page, and `page.html` lists the parts of this one,
each a file named after the id of its section. The functions here collect the content of the parts. Pictures
are SVG text; everything else is escaped when it is written.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from neche.evolution.islands import island_seed
from neche.evolution.settings import TABLES
from neche.network.drawing import num_hidden
from neche.players.options import short_name
from neche.report.chart import Chart, shown_chart
from neche.report.curves import charts_of, elo_words
from neche.report.hidden_neurons import HiddenNeuron, draw_neuron, hidden_neurons
from neche.report.lineage import Lineage, draw_lineage, few, trace
from neche.report.network_picture import NetworkDrawing, draw_network, lay_out, synapses_of
from neche.report.piece_values import NUM_SHOWN, HeatMap, heat_maps, value_pieces
from neche.report.sample_games import SampleMatch, piece_symbols, view_of
from neche.report.story import Story
from neche.report.summary import command, course, headline, latest_scores, title
from neche.report.svg import numeral

_MOST_WARNINGS = 6


class Page(NamedTuple):
    """A page, its pictures by name, and the data they show. network: None without a champion."""

    html: str
    pictures: dict[str, str]
    charts: tuple[Chart, ...]
    maps: tuple[HeatMap, ...]
    network: NetworkDrawing | None


def compose(story: Story, samples: Sequence[SampleMatch]) -> Page:
    """Write the page of a run; equal runs and games give equal text."""
    charts, lineage, geometry = charts_of(story), trace(story), story.rules.geometry
    figures = [shown_chart(chart) for chart in charts]
    pictures = {figure["name"]: figure["svg"] for figure in figures}
    network: NetworkDrawing | None = None
    maps: list[HeatMap] = []
    hidden: list[HiddenNeuron] = []
    # a game without a board geometry has a page without boards
    if geometry is not None and story.network is not None and story.champion is not None:
        # the first of these boards are the probes from which the history's figures are computed
        seed = island_seed(story.config.settings, story.config.seed)
        worth = value_pieces(story.network, story.rules, seed, NUM_SHOWN)
        maps = heat_maps(story.rules, worth)
        network = lay_out(story.network, story.rules, worth)
        pictures["network"] = draw_network(network, name=story.champion.id)
        pictures |= {map_.name: map_.svg for map_ in maps}
        hidden = hidden_neurons(story.network, story.rules, seed, NUM_SHOWN)
        pictures |= {f"neuron-{one.number}": draw_neuron(one, story.rules) for one in hidden}
    # a champion without a known parent is described in words
    if len(lineage) > 1:
        pictures["lineage"] = draw_lineage(lineage)
    games = [game for sample in samples for game in sample.games if geometry is not None]
    html = render(
        "page.html",
        title=title(story),
        headline=headline(story),
        course=course(story),
        piece_symbols="" if geometry is None else piece_symbols(story.rules),
        has_kings=geometry is not None and geometry.is_checkered,
        is_turned=geometry is not None and geometry.bottom is not None,
        charts=figures,
        pictures=pictures,
        maps=maps,
        hidden=hidden,
        samples=samples,
        games=[view_of(story.rules, game, number) for number, game in enumerate(games, 1)],
        **_progress(story),
        **_network(story, network),
        **_lineage(story, lineage),
        **_making(story),
    )
    return Page(html, pictures, charts, tuple(maps), network)


def render(template: str, **shown: Any) -> str:
    """Render a page from a template of this package, with style and script included."""
    return _templates().get_template(template).render(shown)


@cache
def _templates() -> Environment:
    loader = PackageLoader("neche.report")
    # A name that is missing here or misspelt in a template is an error, not a gap on the page.
    made = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["signed"] = numeral
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    for name in ("style", "script"):
        made.globals[name] = loader.get_source(made, {"style": "page.css", "script": "page.js"}[name])[0]
    return made


def _progress(story: Story) -> dict[str, Any]:
    newest = [
        (short_name(name), f"{one.value:.3f}", f"{one.low:.2f} – {one.high:.2f}", elo_words(one), count)
        for name, (one, count) in latest_scores(story).items()
    ]
    # the same warning may recur in many generations: only its first is listed
    first: dict[str, int] = {}
    for entry in story.entries:
        for warning in entry.warnings:
            first.setdefault(warning, entry.generation)
    warnings = [f"generation {number}: {warning}" for warning, number in first.items()]
    return {"newest": newest, "warnings": warnings[:_MOST_WARNINGS]}


def _network(story: Story, drawing: NetworkDrawing | None) -> dict[str, Any]:
    if story.network is None or drawing is None:
        return {"champion": None}
    synapses = [(synapse.words, numeral(synapse.weight)) for synapse in synapses_of(drawing)]
    shown, most = num_hidden(drawing.graph), drawing.graph.graph["hidden_neurons"]
    return {
        "champion": story.champion,
        "perspective": story.network.perspective,
        "synapses": synapses,
        "sees_patterns": any(len(seen) > 1 for seen in drawing.sights),
        "some_neurons": f"{shown} of {most}" if shown < most else "",
    }


def _lineage(story: Story, lineage: Lineage) -> dict[str, Any]:
    is_random = story.config.origin is None and not story.is_imported
    first = "none: random DNA" if is_random else "none: the run began with it"
    ancestors = [
        (one.id, one.step, one.rank or "", few(one.parents, 4) or first)
        for one in lineage
        if one.parents is not None
    ]
    players = list(dict.fromkeys(name for entry in story.measured for name in entry.benchmarks))
    champions = []
    for entry in story.measured:
        scores = entry.benchmarks
        written = [f"{scores[name]:.3f}" if name in scores else "" for name in players]
        champions.append((entry.generation, entry.champion_id or "", *written))
    heads = ("generation", "champion", *map(short_name, players))
    return {"lineage": lineage, "ancestors": ancestors, "champions": {"heads": heads, "rows": champions}}


def _making(story: Story) -> dict[str, Any]:
    config = story.config
    tables = {name: msgspec.to_builtins(getattr(config.settings, name)) for name in TABLES}
    return {
        "command": command(story),
        "versions": [("seed", config.seed), *config.versions.items()],
        "settings": {
            name: {key: _written(value) for key, value in table.items()} for name, table in tables.items()
        },
    }


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
