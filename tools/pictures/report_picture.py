"""Put parts of the report of a run side by side, for docs/how-to/read-a-report.md.

Usage: python tools/pictures/report_picture.py [RUN]    (default: runs/reference)
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.report.page import compose
from neche.report.story import read_story
from neche.report.svg import document, element

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "images" / "report.svg"
WIDTH, GAP = 980, 20
ROWS = (("ladder", "elo"), ("network",), ("man-values", "king-values"))


def main() -> int:
    """Draw the picture and print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", metavar="RUN", type=Path, nargs="?", default=ROOT / "runs" / "reference")
    story = read_story(parser.parse_args().run)
    pictures = compose(story, []).pictures
    parts, top = [], float(GAP)
    for row in ROWS:
        wide = (WIDTH - GAP * (len(row) + 1)) / len(row)
        fitted = [placed(pictures[name], GAP + at * (wide + GAP), top, wide) for at, name in enumerate(row)]
        parts += [text for text, _ in fitted]
        top += max(height for _, height in fitted) + GAP
    ground = element("rect", width=WIDTH, height=top, rx=12, fill="#FFFFFF", stroke="#D9D5CC")
    champion = story.champion.id if story.champion else "nobody"
    svg = document(
        WIDTH,
        top,
        [ground, *parts],
        title="Parts of a report",
        description=f"Champion {champion}",
        size=WIDTH,
    )
    TARGET.write_text(svg, encoding="utf-8")
    print(TARGET)
    return 0


def placed(svg: str, x: float, y: float, width: float) -> tuple[str, float]:
    """Return a picture scaled to a width and placed at a position, and its height."""
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg)
    assert found
    height = width * float(found[2]) / float(found[1])
    inside = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    # The page's script is of no use here.
    inside = re.sub(r' data-said="[^"]*"', "", inside)
    opened = (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" viewBox="{found[0][9:-1]}">'
    )
    return f"{opened}{inside}</svg>", height


if __name__ == "__main__":
    sys.exit(main())
