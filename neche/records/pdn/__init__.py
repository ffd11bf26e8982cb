"""Portable draughts notation, PDN 3.0: a liberal reader and a strict writer.

Start at `reader.read_pdn` and `writer.write_pdn`. To read a file, `parser` turns text into tags and a tree of
moves as written; `reader` then finds the rules and the numbering under which all of them are legal, and
returns a `records.record.GameRecord`. `notation` is shared by reading and writing: squares by number or
letters, positions, results.
"""
