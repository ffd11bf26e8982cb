"""Training data: positions of random games, labelled by the outcome or by a player's scores.

Start at `making.make_dataset(directory, DatasetSettings(…), games)`, which plays random games
(`recording.py`, compiled) and writes shards; `shards.py` reads them back as `Positions`, or in batches of
planes and labels. The same settings give the same files, however often the work was interrupted.
"""
