"""The parts of the page of a run, each under a heading of its own; None where there is nothing to tell."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from neche.evolution.settings import TABLES
from neche.games.catalogue import look_of
from neche.report import html
from neche.report.chart import Chart, Point, Series
from neche.report.curves import elo_of
from neche.report.game_view import game_section
from neche.report.lineage import Lineage
from neche.report.network_picture import signed, synapses_of
from neche.report.piece_values import HeatMap
from neche.report.sample_games import Sample
from neche.report.story import Story
from neche.report.summary import command, latest_scores

_MOST_ROWS = 24

_CAPTIONS = {
    "ladder": "Points a game of the champion against fixed players: 1 won, ½ drawn, 0 lost."
    " Shaded: 95 %, from the number of games.",
    "elo": "The same scores as differences in Elo, cut off at ±800: almost every game won or lost.",
    "diversity": "Share in which two members differ. Genomes: nucleotides (random DNA: 0.75). Wired genes:"
    " those alone. Evaluations: pairs of positions that they order differently (½: unrelated).",
    "size": "Live synapses, squares seen and hidden neurons: what can reach the output, on average.",
}
_READOUT = "Point at a synapse, or choose a square, to see what it does."
_HINT = "Step with the buttons or, on a chosen game, with the arrow keys; a move goes to its position."


def progress(story: Story, charts: Sequence[Chart], pictures: Mapping[str, str]) -> html.Part | None:
    """Tell how the scores, the diversity and the networks changed."""
    if not charts:
        return None
    figures = [
        html.figure(
            pictures[chart.name],
            f"{chart.title}. {_CAPTIONS[chart.name]}",
            html.folded("Numbers", _numbers(chart)),
            kind="chart",
        )
        for chart in charts
    ]
    warnings = dict.fromkeys(warning for entry in story.entries for warning in entry.warnings)
    noted = "".join(f"<li>{escape(warning)}</li>" for warning in list(warnings)[:6])
    said = f'<div class="note"><p>The run warned:</p><ul>{noted}</ul></div>' if noted else ""
    return html.part(
        "progress", "How it went", _latest(story), f'<div class="grid">{"".join(figures)}</div>', said
    )


def _latest(story: Story) -> str:
    rows = [
        (name, f"{point.value:.3f}", f"{point.low:.2f} – {point.high:.2f}", _elo(point), str(count))
        for name, (point, count) in latest_scores(story).items()
    ]
    heads = ("against", "score", "95 %", "Elo", "games")
    return html.table("The champion’s newest scores", heads, rows) if rows else ""


def _elo(point: Point) -> str:
    """Write a score in Elo, or the bound that is known when every game went one way."""
    if point.value in (0.0, 1.0):
        sign, bound = (">", point.low) if point.value else ("<", point.high)
        return f"{sign} {elo_of(bound):+.0f}".replace("-", "−")
    return f"{elo_of(point.value):+.0f}".replace("-", "−")


def _numbers(chart: Chart) -> str:
    """Write the points of a chart as a table, of long runs every so many."""
    generations = sorted({point.generation for series in chart.series for point in series.points})
    step = -(-len(generations) // _MOST_ROWS)
    shown = sorted({*generations[::step], generations[-1]})
    columns = [{point.generation: _cell(series, point) for point in series.points} for series in chart.series]
    rows = [(str(at), *(column.get(at, "") for column in columns)) for at in shown]
    part = "" if step == 1 else ", some generations"
    return html.table(f"{chart.title}{part}", ("generation", *(series.name for series in chart.series)), rows)


def _cell(series: Series, point: Point) -> str:
    value = f"{point.value:.{series.digits}f}"
    if point.low != point.high:
        value += f" ({point.low:.{series.digits}f} to {point.high:.{series.digits}f})"
    return value.replace("-", "−")


def network(story: Story, pictures: Mapping[str, str]) -> html.Part | None:
    """Show the champion's network."""
    if story.network is None or story.champion is None:
        return None
    synapses = synapses_of(story.network, story.rules)
    rows = [(synapse.words, signed(synapse.weight)) for synapse in synapses]
    sees = (
        "the difference between its own view of the board and the opponent’s"
        if story.network.perspective == "antisymmetric"
        else "its own view of the board"
    )
    pieces = (
        "An own man counts 1 on its square, a king 2, the opponent’s −1 and −2."
        if look_of(story.rules).is_checkered
        else "An own disc counts 1 on its square, the opponent’s −1."
    )
    words = f"{story.champion.id} values a position by {sees}. {pieces}"
    words += " Hidden neurons pass on what is above zero."
    caption = (
        "Live synapses: those that can change a value. Blue adds, orange dashes take away; wide is much."
    )
    readout = f'<p class="readout" aria-live="polite" hidden>{_READOUT}</p>'
    picture = html.figure(
        pictures["network"],
        caption,
        readout,
        html.folded(
            "All synapses", html.table("Live synapses, largest weight first", ("synapse", "weight"), rows)
        ),
        kind="network",
        is_wide=True,
    )
    return html.part("network", "The champion’s network", html.paragraph(words), picture)


def worth_of_pieces(story: Story, maps: Sequence[HeatMap]) -> html.Part | None:
    """Show what men and kings are worth on each square."""
    if not maps:
        return None
    figures = []
    for map_ in maps:
        mean = sum(map_.values.values()) / len(map_.values)
        best = max(map_.values, key=lambda square: map_.values[square])
        worst = min(map_.values, key=lambda square: map_.values[square])
        caption = (
            f"Worth of a {map_.kind}, mean {signed(mean)}: most on {best} ({signed(map_.values[best])}),"
            f" least on {worst} ({signed(map_.values[worst])}). Blue is above the mean, orange below."
        )
        rows = [(square, signed(value)) for square, value in map_.values.items()]
        numbers = html.table(f"Worth of a {map_.kind} by square", ("square", "worth"), rows)
        figures.append(html.figure(map_.svg, caption, html.folded("Numbers", numbers), kind="board"))
    words = (
        "What a piece of the side to move adds to the champion’s evaluation, on average over 32 positions of"
        " random play. No number: no position had one there."
    )
    if look_of(story.rules).bottom is not None:
        words += " The own side is at the bottom."
    return html.part(
        "values",
        "What pieces are worth",
        html.paragraph(words),
        f'<div class="grid">{"".join(figures)}</div>',
    )


def descent(story: Story, lineage: Lineage, pictures: Mapping[str, str]) -> html.Part | None:
    """Tell where the champion comes from."""
    if not lineage.relatives:
        return None
    parts = []
    if "lineage" in pictures:
        caption = (
            "From the champion on the left to its ancestors. Dashed: whose parents no file of the run keeps."
        )
        rows = [
            (one.id, str(one.step), str(one.rank or ""), _few(one.parents))
            for one in lineage.relatives
            if one.parents is not None
        ]
        heads = ("member", "steps back", "rank", "parents")
        listed = html.folded("As a list", html.table("Ancestors whose parents are known", heads, rows))
        parts.append(html.figure(pictures["lineage"], caption, listed, kind="lineage", is_wide=True))
    else:
        parts.append(html.paragraph(f"No file of the run names the parents of {lineage.relatives[0].id}."))
    champions = _champions(story)
    if champions:
        parts.append(html.folded("Champions of all ladders", champions))
    return html.part("lineage", "Where the champion comes from", *parts)


def _few(parents: tuple[str, ...] | None) -> str:
    if not parents:
        return "none: random DNA"
    more = f" and {len(parents) - 4} more" if len(parents) > 4 else ""
    return ", ".join(parents[:4]) + more


def _champions(story: Story) -> str:
    names = list(dict.fromkeys(name for entry in story.climbs for name in entry.ladder or {}))
    rows = [
        (
            str(entry.generation),
            entry.champion_id or "",
            *(
                f"{score:.3f}" if (score := (entry.ladder or {}).get(name)) is not None else ""
                for name in names
            ),
        )
        for entry in story.climbs
    ]
    return (
        html.table("Champions of all ladders, points a game", ("generation", "champion", *names), rows)
        if rows
        else ""
    )


def games(story: Story, samples: Sequence[Sample]) -> html.Part | None:
    """Show games to step through."""
    if not samples:
        return None
    numbered = enumerate((game for sample in samples for game in sample.games), 1)
    boards = [game_section(story.rules, game, number) for number, game in numbered]
    sentences = [
        f"Against {sample.opponent}: {sample.wins} won, {sample.draws} drawn, {sample.losses} lost."
        for sample in samples
    ]
    words = (
        "Played afresh for this page, after four random plies, both sides searching equally deep."
        " Shown are those that went best for the champion, short wins first. " + " ".join(sentences)
    )
    hint = f'<p class="hint" hidden>{_HINT}</p>'
    return html.part(
        "games",
        "Games of the champion",
        html.paragraph(words),
        hint,
        f'<div class="games">{"".join(boards)}</div>',
    )


def making(story: Story) -> html.Part:
    """Tell how to make the run again."""
    again = command(story)
    parts = ["<h3>Again</h3>"]
    if again is None:
        parts.append(
            html.paragraph("The run was imported from the original program, so no command repeats it.")
        )
    else:
        parts.append(f'<pre class="scroll" tabindex="0"><code>{escape(again)}</code></pre>')
        parts.append(html.paragraph("gives the same generations, byte for byte, with the versions below."))
    parts.append("<h3>Versions</h3>")
    parts.append(html.facts([("seed", str(story.config.seed)), *story.config.versions.items()], "small"))
    parts.append("<h3>Settings</h3>")
    parts.append(f'<div class="settings">{"".join(_settings(story))}</div>')
    return html.part("making", "How it was made", *parts)


def _settings(story: Story) -> Iterator[str]:
    for table in TABLES:
        values = msgspec.to_builtins(getattr(story.config.settings, table))
        pairs = [(key, _shown(value)) for key, value in values.items()]
        yield f"<div><h4>{escape(table)}</h4>{html.facts(pairs, 'small')}</div>"


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
