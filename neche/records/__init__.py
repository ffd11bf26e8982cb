"""Games in files: PDN, GGF, transcripts and WTHOR, all read into the same record."""
