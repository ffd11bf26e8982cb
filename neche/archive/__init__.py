"""The run directory: layout, checkpoints, resume. Plain files, readable without neche."""
