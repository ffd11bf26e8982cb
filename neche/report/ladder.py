"""The baseline ladder as a picture: games won, drawn and lost against each rung, the score and its error."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neche.arena.baseline import Rung
from neche.errors import InputError

_WON, _DRAWN, _LOST = "#0072B2", "#BBBBBB", "#D55E00"
_INCHES_A_RUNG, _INCHES_AROUND, _WIDTH = 0.32, 1.25, 8.0


def draw_ladder(champion: str, rungs: Sequence[Rung], target: Path) -> None:
    """Draw a climb as SVG; equal climbs give equal files.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("a picture needs the package matplotlib: pip install 'neche[plot]'") from error
    # Equal climbs give equal files, with text as text.
    with mpl.rc_context({"svg.hashsalt": "neche", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(_WIDTH, _INCHES_AROUND + _INCHES_A_RUNG * len(rungs)), layout="constrained")
        axis = figure.add_subplot()
        places = list(range(len(rungs)))
        _draw_games(axis, places, rungs)
        _draw_scores(axis, places, rungs)
        axis.set_yticks(places, [rung.player for rung in rungs])
        axis.set(title=f"{champion} against", xlim=(0, 1), xlabel="share of games, score with 95 %")
        axis.invert_yaxis()
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle="--")
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
        try:
            figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
        except OSError as error:
            raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None


def _draw_games(axis: Any, places: list[int], rungs: Sequence[Rung]) -> None:
    begins = [0.0] * len(rungs)
    kinds = (("wins", "won", _WON), ("draws", "drawn", _DRAWN), ("losses", "lost", _LOST))
    for field, label, colour in kinds:
        shares = [getattr(rung, field) / (2 * rung.pairs.num_pairs) for rung in rungs]
        axis.barh(places, shares, left=begins, color=colour, alpha=0.75, height=0.7, label=label)
        begins = [begin + share for begin, share in zip(begins, shares, strict=True)]


def _draw_scores(axis: Any, places: list[int], rungs: Sequence[Rung]) -> None:
    scores = [rung.strength.score for rung in rungs]
    ends = [rung.interval for rung in rungs]
    reach = [
        [max(0.0, score - low) for score, (low, _) in zip(scores, ends, strict=True)],
        [max(0.0, high - score) for score, (_, high) in zip(scores, ends, strict=True)],
    ]
    axis.errorbar(scores, places, xerr=reach, fmt="D", color="black", markersize=4, capsize=3, label="score")
