"""Make pictures of commands on a terminal, into docs/images, from the commands themselves.

    watch.svg    `neche watch` on the reference run
    play.svg     `neche play` against the champion that comes with the package, two moves into a game

Usage: python tools/pictures/terminal_pictures.py

Each command runs in its own pseudo-terminal, so the picture is what a person sees.
"""

import argparse
import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.pictures.readme_pictures import IMAGES, SCREEN, THEME  # noqa: E402

_COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def shown(words: list[str], typed: str, *, columns: int, rows: int = 60) -> str:
    """Return what a command writes to a terminal of that size while these lines are typed."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, **_COLOURS, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "neche", *words],
        stdin=subprocess.PIPE,
        stdout=child,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
    )
    os.close(child)
    assert process.stdin is not None
    process.stdin.write(typed.encode())
    process.stdin.close()
    written = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # a terminal whose program has ended
            break
        if not part:
            break
        written += part
    os.close(parent)
    if process.wait():
        sys.exit(f"neche {' '.join(words)} ended with {process.returncode}")
    return written.decode().replace("\r\n", "\n")


def draw(name: str, command: str, text: str, columns: int) -> None:
    """Write the picture of a terminal with a command and its output."""
    console = Console(
        record=True,
        width=columns,
        file=io.StringIO(),
        force_terminal=True,
        highlight=False,
        color_system="truecolor",
    )
    console.print(f"[bold green]$[/] {command}")
    console.print(Text.from_ansi(text.rstrip("\n")))
    svg = console.export_svg(title="", theme=THEME, code_format=SCREEN, unique_id=name)
    path = IMAGES / f"{name}.svg"
    path.write_text(svg, encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(svg)} bytes")


def main() -> None:
    """Make both pictures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    words = ["watch", "runs/reference", "--once"]
    draw("watch", f"neche {' '.join(words)}", shown(words, "", columns=134), 134)
    words = ["play", "--player", "champion:depth=4", "--seed", "3"]
    text = shown(words, "11-15\n", columns=80)
    # From the opponent's answer on: the board, and which side is better.
    text = text[text.index("White plays") :].replace("The game was left unfinished.", "").rstrip()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("seed "))
    draw("play", f"neche {' '.join(words)}", f"Black, your move: 11-15\n{text}", 80)


if __name__ == "__main__":
    main()
