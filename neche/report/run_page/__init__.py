"""The story of a run as one page: read, drawn, played and written down here, module by module."""
