"""The page of a run: one HTML document that needs nothing else, with scripts or without."""

from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import NamedTuple

from neche.report import html
from neche.report.chart import Chart, draw_chart
from neche.report.curves import charts_of
from neche.report.game_view import piece_symbols
from neche.report.lineage import draw_lineage, trace
from neche.report.network_picture import Drawing, draw_network, lay_out
from neche.report.parts import descent, games, making, network, progress, worth_of_pieces
from neche.report.piece_values import HeatMap, heat_maps, value_pieces
from neche.report.sample_games import Sample
from neche.report.story import Story
from neche.report.summary import course, headline, title

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""Nothing from anywhere else, whatever a file of the run may hold."""


class Page(NamedTuple):
    """A page, the pictures on it by name, and what those are of. network: None without a champion."""

    html: str
    pictures: dict[str, str]
    charts: tuple[Chart, ...]
    maps: tuple[HeatMap, ...]
    network: Drawing | None


def compose(story: Story, samples: Sequence[Sample]) -> Page:
    """Write the page of a run; equal runs and games give equal text."""
    charts, lineage = charts_of(story), trace(story)
    pictures = {chart.name: draw_chart(chart) for chart in charts}
    drawing: Drawing | None = None
    maps: list[HeatMap] = []
    if story.network is not None and story.champion is not None:
        worth = value_pieces(story.network, story.rules, story.config.seed)
        maps = heat_maps(story.rules, worth)
        drawing = lay_out(story.network, story.rules, worth)
        pictures["network"] = draw_network(drawing, name=story.champion.id)
        pictures |= {map_.name: map_.svg for map_ in maps}
    if len(lineage.relatives) > 1:
        pictures["lineage"] = draw_lineage(lineage)
    parts = (
        progress(story, charts, pictures),
        network(story, pictures),
        worth_of_pieces(story, maps),
        descent(story, lineage, pictures),
        games(story, samples),
        making(story),
    )
    written = _document(story, [part for part in parts if part is not None])
    return Page(written, pictures, charts, tuple(maps), drawing)


def _document(story: Story, parts: Sequence[html.Part]) -> str:
    style, script = (
        resources.files(__package__).joinpath("templates", name).read_text("utf-8")
        for name in ("page.css", "page.js")
    )
    links = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in parts)
    body = "\n".join(map(html.section, parts))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(title(story))} · neche</title>
<style>
{style}</style>
</head>
<body>
<header>
<p class="kind">A run of neche</p>
<h1>{escape(title(story))}</h1>
{html.paragraph(headline(story), "lead")}
{html.facts(course(story))}
<nav aria-label="parts of this page"><ul>{links}</ul></nav>
</header>
<main>
{body}
</main>
{piece_symbols(story.rules)}
<script>
{script}</script>
</body>
</html>
"""
