"""The command line: words to calls; no logic."""
