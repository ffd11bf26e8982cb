"""Portable draughts notation, PDN 3.0: a liberal reader and a strict writer.

The way in is `reader.read_pdn` and `writer.write_pdn`. A file is read in three steps: `parser` turns text
into tags and a tree of moves as they are written, `reader` finds the rules and the numbering in which all of
them are legal, and the result is a `records.record.GameRecord`. `notation` holds what reading and writing
share: squares by number or letters, positions, results.
"""
