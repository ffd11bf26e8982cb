"""Feed damaged game files to the readers: each must be read, or refused in one line.

A file that is read is written and read again, which must give the same. Inputs that show a bug are kept in
`--keep`.

Usage: python tools/fuzz/records.py [--cases 10000] [--seed 0] [--format pdn] [--keep FOLDER]
"""

import argparse
import io
import random
import sys
import time
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path

from neche.errors import InputError
from neche.records.formats import FORMATS, Format
from neche.records.record import GameRecord

PDN = b"""\
% two games and a position
[Event "Manchester 1841"]
[Black "Moorhead, W."] [White "Wyllie \\"J.\\""]
[Result "0-1"]
1. 11-15! 24-20 {[%clk 0:01:02] the
 main line} 2. 8-11 (9-14 22-17?? (22-18 $2 15x22) 14-18) 28-24 $14 ; old
3. 9-13 22-18 4. 15x22 25x18 0-1 {resigns}

[GameType "26,W,8,8,A0,0"]
[FEN "W:Wa1,b2,Ke1:Bb6,Kh8"]
1. e1-d2(!) h8-g7 2. b2-a3 *

[GameType "20"][Result "1-1"]
1. 32-28 18-23 2. 33-29 23x32 3. 37x28 17-22 4. 28x17 11x22 1-1
/FEN "B:W23,28-32:B1,2,K22"/ 1... 1-5 {x} 2. 23-19 *

[white \x93W.\x94] 1) 9-14 (Payne 1756) 22-18 (2) 24-20 (x {y} 3) 7-12) Black wins.
1) 10-15 ({z}) (9-14 9-14) drawn

[GameType "26"]
1 \xd1\x813-d4, d6-c5 = {a {b} c} 2 b2-c3 -+ (2 g3-f4) f6-g5, 3. - - *
"""
GGF = b"""\
1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_14:32:54.MST]PB[Saio1200]PW[Saio3000]TI[15:00//02:00]TY[8]RE[+2.000]
BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[c5/0.5/0.01]
CO[good]B[e6//0.01]W[d2]B[c6]W[d6];)
(;GM[Othello]EV[x]BO[8 -*OO---- *------- O------- -------- -------- -------- -------- O*------ O]W[a1]
B[pass]W[c8];)
"""
TRANSCRIPT = b"# one\nf5d6c3d3c4\nF5 F6 E6 F4\n-XOO" + b"-" * 60 + b"O;a1\n"
_MOVES = bytes([56, 64, 33, 34])
_GAME_BYTES = bytes([1, 0, 0, 0, 2, 0, 34, 33]) + _MOVES.ljust(60, b"\0")
WTHOR = bytes([20, 3, 12, 15, 2, 0, 0, 0, 0, 0, 0xD3, 7, 8, 0, 24, 0]) + _GAME_BYTES * 2
SAMPLES = {"pdn": PDN, "ggf": GGF, "transcript": TRANSCRIPT, "wthor": WTHOR}
_SIGNS = (
    '{ } ( ) () [ ] " [FEN "] / ; % * $ ! 1-0 1/2-1/2 \\ x - : 99 0 a1 K W: B:W ?: ½ ٣ … (; ;) B[ BO[8 RE['
)
_MORE = 'W[pa] GM[Go] pass -- ... 1. 1) drawn [GameType" 20,W,10,10,N2,0 [FEN" /FEN'
WORDS = (
    *f"{_SIGNS} {_MORE}".encode().split(),
    *(b"\xff", b"\0", b"\r", b"\n", b"9" * 30, "\u2028".encode(), b"x" * 300, b"(" * 70),
)


def damaged(sample: bytes, draw: random.Random) -> bytes:
    """Return a file with one to eight faults: bytes changed, parts cut out, moved, repeated, inserted.

    One in twenty is in UTF-16, and may end within a letter.
    """
    content = bytearray(sample)
    for _ in range(draw.randint(1, 8)):
        at, end = sorted(draw.randint(0, len(content)) for _ in range(2))
        end = min(end, at + draw.choice((1, 5, 60)))
        match draw.randrange(6):
            case 0 if at < len(content):
                content[at] = draw.randrange(256)
            case 1:
                del content[at:end]
            case 2:
                content[at:at] = content[at:end]
            case 3:
                part = content[at:end]
                del content[at:end]
                place = draw.randint(0, len(content))
                content[place:place] = part
            case 4:
                del content[at:]
            case _:
                content[at:at] = draw.choice(WORDS)
    if draw.random() < 0.05:
        return content.decode("latin-1").encode("utf-16")[: -draw.randint(1, 2)]
    return bytes(content)


def outcome_of(content: bytes, chosen: Format) -> str:
    """Read a file and return `read` or `refused`; any other exception is raised.

    Raises:
        AssertionError: the fault is not one line, or the file reads differently when written again.
    """
    faults: list[InputError] = []
    records: list[GameRecord] = []
    try:
        records = list(chosen.read(io.BytesIO(content), "fuzz", "", faults.append))
    except InputError as fault:
        faults.append(fault)
    for line in map(str, faults):
        assert line.startswith("fuzz"), line
        assert line.isprintable(), line
    if chosen.write is not None:
        text = "".join(map(chosen.write, records))
        again = list(chosen.read(io.BytesIO(text.encode()), "written", "", _refuse))
        assert list(map(_comparable, again)) == list(map(_comparable, records))
        assert "".join(map(chosen.write, again)) == text
    return "refused" if faults else "read"


def _refuse(fault: InputError) -> None:
    raise AssertionError(f"what was written cannot be read: {fault}")


def _comparable(record: GameRecord) -> GameRecord:
    # Files have tags in their own order, and unknown values as "?".
    said = {
        (name, value.strip()) for name, value in record.tags if value.strip() not in ("", "?", "????.??.??")
    }
    return replace(record, tags=tuple(sorted(said)))


def main() -> int:
    """Run the cases; return 1 if any went wrong."""
    parser = argparse.ArgumentParser(description="Feed damaged game files to the readers.")
    parser.add_argument("--cases", type=int, default=10_000, metavar="N", help="of each format")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--format", choices=sorted(SAMPLES), help="only this one")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write inputs that go wrong here")
    options = parser.parse_args()
    num_bugs = 0
    for chosen in FORMATS:
        if options.format not in (None, chosen.name):
            continue
        counts: Counter[str] = Counter()
        began = time.perf_counter()
        for case in range(options.cases):
            content = damaged(SAMPLES[chosen.name], random.Random(f"{options.seed} {chosen.name} {case}"))
            try:
                counts[outcome_of(content, chosen)] += 1
            except Exception:
                counts["bugs"] += 1
                print(f"{chosen.name}, case {case}:", traceback.format_exc(limit=-2), sep="\n")
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{case}{chosen.ending}").write_bytes(content)
        num_bugs += counts["bugs"]
        listed = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
        print(f"{chosen.name}: {listed}, {time.perf_counter() - began:.0f} s", flush=True)
    return 1 if num_bugs else 0


if __name__ == "__main__":
    sys.exit(main())
