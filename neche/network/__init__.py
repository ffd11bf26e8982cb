"""Genomes decoded into sparse networks: topology, decoding, forward pass, drawing."""
