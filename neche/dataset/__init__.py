"""Positions of random games, labelled by the outcome or by the scores of a player: data to train on.

The way in is `making.make_dataset(directory, DatasetSettings(…), games)`, which plays random games
(`recording.py`, compiled) and writes shards; `shards.py` reads them back as `Positions`, and as planes and
labels in batches to train on. The same settings give the same files, however often the work was interrupted.
"""
