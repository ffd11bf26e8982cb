"""Games in files: PDN, GGF, transcripts and WTHOR, all read into the same record.

The way in is `formats.read_file`, which yields `record.GameRecord`s: a tree of moves with comments, marks and
variations, the tags, the start position and the result. Readers check every move by the rules, so a record
holds only legal ones. A game that cannot be read is an `InputError` naming file, line and column; readers may
skip it.

| file | what |
|---|---|
| `record.py` | the record: `GameRecord`, `Line`, `Ply`, results; `record_of`, `replay` |
| `formats.py` | `FORMATS` by name, end of a file name, or game; `read_file`, `write_games`, `convert` |
| `reading.py` | what readers share: lines, places in a file, `RecordBuilder` |
| `pdn/` | draughts: parser, reader, writer, and the notation that both share |
| `ggf.py`, `transcript.py`, `wthor.py` | Othello, one format each |

>>> from neche.records.pdn.writer import write_pdn
>>> from neche.records.record import record_of
>>> record = record_of("checkers", ["11-15", "22-18"], tags=[("White", "Wyllie, J.")])
>>> print(write_pdn(record).splitlines()[-3])
1. 11-15 22-18

A further format is a reader that yields records, a writer that returns the text of one, and a line in
`formats.FORMATS`.
"""
