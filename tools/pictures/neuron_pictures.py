"""Draw what excites the hidden neurons that matter most to shipped champions, for the README.

Usage: python tools/pictures/neuron_pictures.py
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game
from neche.players.source import network_of, read_source
from neche.report.hidden_neurons import draw_neuron, hidden_neurons
from neche.report.piece_values import NUM_SHOWN
from neche.report.svg import document, element, numeral, text
from tools.pictures.report_picture import placed

TARGET = Path(__file__).resolve().parents[2] / "docs" / "images" / "hidden-neurons.svg"
CHAMPIONS = (("memetic-7", "checkers"), ("othello-3", "othello"))
NUM_NEURONS, WIDTH, GAP, HEADING = 3, 860, 22, 44


def main() -> int:
    """Draw the picture, and print its name."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    wide = (WIDTH - GAP * (NUM_NEURONS + 1)) / NUM_NEURONS
    parts, top = [], 0.0
    for name, board in CHAMPIONS:
        rules = game(board)
        found = hidden_neurons(network_of(read_source(name)), rules, 0, NUM_SHOWN)[:NUM_NEURONS]
        for at, neuron in enumerate(found):
            left = GAP + at * (wide + GAP)
            said = f"{name}: active in {100 * neuron.activity:.0f} %, then {numeral(neuron.effect)}"
            parts.append(text(said, left + wide / 2, top + HEADING / 2, 14, fill="#222222"))
            picture, height = placed(draw_neuron(neuron, rules), left, top + HEADING, wide)
            parts.append(picture)
        top += HEADING + height
    ground = element("rect", width=WIDTH, height=top + GAP, rx=12, fill="#FFFFFF", stroke="#D9D5CC")
    TARGET.write_text(
        document(
            WIDTH,
            top + GAP,
            [ground, *parts],
            title="Hidden neurons of two champions",
            description="On blue squares a man or disc excites the neuron, on orange ones it inhibits it.",
            size=WIDTH,
        ),
        encoding="utf-8",
    )
    print(TARGET.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
