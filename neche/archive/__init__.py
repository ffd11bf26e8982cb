"""The run directory: plain files, readable without neche, either complete or absent.

Start at `run.RunDirectory`: `create` begins a run, `open` resumes one, `save` writes a generation to disk.
The modules:

    layout      names of the files; config.toml, sealed by a fingerprint
    generation_line  types and ranges of the values in a line of the history
    checkpoint  a generation as text: population, line in the history, champion; the chain of checks
    resume      find the last intact generation, and cut everything else back to it
    verify      check every file against its checksums
    repair      restore the configuration, and recompute what else is lost
    reading     read a run without locking or changing it
    nechedbg    import the folder of the original program as a run

No pickle, times or host names: equal settings and seeds give equal bytes.
"""
