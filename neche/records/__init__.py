"""Game files in PDN, GGF, transcript and WTHOR formats, all read into the same record.

Start at `formats.read_file`, which yields `record.GameRecord`s: a tree of moves with comments, marks and
variations, the tags, the start position and the result. Readers check every move against the rules, so a
record holds only legal ones. A game that cannot be read is an `InputError` naming file, line and column;
readers can skip it.

| file | contents |
|---|---|
| `record.py` | the record: `GameRecord`, `Line`, `Ply`, results; `record_of`, `replay` |
| `formats.py` | `FORMATS` by name, file name extension or game; `read_file`, `write_games`, `convert` |
| `reading.py` | shared by the readers: lines, locations in a file, `RecordBuilder` |
| `pdn/` | draughts: parser, reader, writer, and the notation that both share |
| `ggf.py`, `transcript.py`, `wthor.py` | Othello, one format each |

>>> from neche.records.pdn.writer import write_pdn
>>> from neche.records.record import record_of
>>> record = record_of("checkers", ["11-15", "22-18"], tags=[("White", "Wyllie, J.")])
>>> print(write_pdn(record).splitlines()[-3])
1. 11-15 22-18

To add a format, write a reader that yields records and a writer that returns the text of one, and add a line
to `formats.FORMATS`.
"""
