"""The run directory: plain files, readable without neche, complete or not there at all.

The way in: `run.RunDirectory.create` begins a run and `RunDirectory.open` goes on with one; `save` puts a
generation on disk. Between them:

    layout      what the files are called; config.toml, sealed by a fingerprint
    generation_line  what a line of the history may say
    checkpoint  a generation as text: population, line in the history, champion; the chain of checks
    resume      the last intact generation found, and everything else cut back to it
    verify      every file held to its checksums, and what can be mended
    storage     files written completely or not at all
    reading     a look into a run without working on it
    nechedbg    the folder of the original program, imported as a run

No pickle, no times, no host names: equal settings and seeds give equal bytes.
"""
