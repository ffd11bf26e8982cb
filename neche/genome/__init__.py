"""Heredity: DNA, genes, mutation, crossover and FASTA. Knows no game and no network."""
