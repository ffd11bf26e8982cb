"""Two examples of each command, shown by its `--help`; the first is the one most often wanted."""

EXAMPLES = {
    "evolve": ("neche evolve", "neche evolve --recipe wide --game othello --seed 1 --resume"),
    "sweep": (
        "neche sweep --recipe quick --seeds 5",
        "neche sweep --recipe quick --seeds 5 --set point_rate=0.0005,0.005 --output runs/rates",
    ),
    "compare": (
        "neche compare runs/sweep-quick",
        "neche compare runs/rates runs/default --output rates.html",
    ),
    "watch": ("neche watch", "neche watch runs/default --once"),
    "verify": ("neche verify runs/default", "neche verify runs/default --repair"),
    "report": ("neche report runs/default", "neche report runs/default --figures figures --png"),
    "gallery": ("neche gallery", "neche gallery runs/default --output champions.html"),
    "export": ("neche export runs/default --output champion.svg", "neche export champion --format fasta"),
    "import": ("neche import nechedbg DIR", "neche import nechedbg DIR --run runs/old"),
    "match": (
        "neche match runs/default:depth=6 champion:depth=6 --games 400",
        "neche match uct:playouts=1000 material:depth=4 --game othello --pdn games.ggf",
    ),
    "ladder": ("neche ladder runs/default", "neche ladder champion --depth 6 --output ladder.svg"),
    "round-robin": (
        "neche round-robin random blind material champion --games 40",
        "neche round-robin shipped --depth 6 --results league.jsonl",
    ),
    "analyse": (
        "neche analyse --player champion:depth=8",
        "neche analyse --game othello --player uct:playouts=100000 --live",
    ),
    "phases": (
        "neche phases champion:depth=6",
        "neche phases uct:playouts=1000 --game brazilian --positions 20",
    ),
    "play": ("neche play --player champion:depth=6", "neche play --game othello --side white --pdn game.ggf"),
    "serve": ("neche serve", "neche serve --run runs/default --port 8080"),
    "convert": ("neche convert games.pdn games.txt", "neche convert WTH_2004.wtb games.ggf"),
    "solve": ("neche solve --pieces 4", "neche solve --game brazilian --pieces 3 --check"),
    "dataset": (
        "neche dataset data --games 20000 --sample 10",
        "neche dataset data --game othello --label mcrd:playouts=2000",
    ),
    "playouts": ("neche playouts --games 100000", "neche playouts --game international --device cuda"),
    "hub": ("neche hub", "neche hub --game brazilian --player uct:time=1000"),
    "dxp": ("neche dxp --player uct", "neche dxp --connect 127.0.0.1:27531 --games 2"),
    "nboard": ("neche nboard", "neche nboard --player othello-1:time=1000"),
    "players": ("neche players", "neche players --game othello"),
    "games": ("neche games", "neche games --check tictactoe.py"),
    "settings": ("neche settings", "neche settings population learning --recipe memetic"),
    "perft": ("neche perft --depth 8", "neche perft --game othello --depth 6 --json"),
    "bench": ("neche bench", "neche bench perft search --json"),
}
"""By the name of the command. A test reads each with the command's own parser."""
